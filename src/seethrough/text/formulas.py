"""Cells that a spreadsheet would run: told apart, defused by an apostrophe, and read back as they were.

A text is dangerous if, after blanks, it begins with = + - @ (also of full width) or with a tab or a line break, unless
it is a number or a line of signs. An apostrophe before it makes a spreadsheet show it. So that the way back is exact, a
text that has the apostrophe already gets another one: `restore` takes one away wherever a dangerous text follows, and
for every text `restore(defuse(text)) == text`. The patterns are for Python and for Polars alike.
"""

import re

_BLANK = " \t\r\n\x0b\x0c\u00a0"
_SIGN = "=+@\uff1d\uff0b\uff0d\uff20\\-"
DANGEROUS = rf"^'*(?:[{_BLANK}]*[{_SIGN}]|[\t\r\n])"
_NUMBER = r"[+-]?(?:[0-9]+(?:[.,][0-9]+)*[.,]?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?%?"
HARMLESS = rf"^(?:[{_BLANK}]*{_NUMBER}[{_BLANK}]*|[+-]+)$"
DEFUSED = rf"^'('*(?:[{_BLANK}]*[{_SIGN}]|[\t\r\n]))"
_DANGEROUS, _HARMLESS, _DEFUSED = re.compile(DANGEROUS), re.compile(HARMLESS), re.compile(DEFUSED)


def defuse(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run; it then shows the text."""
    return f"'{text}" if _DANGEROUS.match(text) and not _HARMLESS.fullmatch(text) else text


def restore(text: str) -> str:
    """Take the apostrophe away again."""
    return text[1:] if _DEFUSED.match(text) else text
