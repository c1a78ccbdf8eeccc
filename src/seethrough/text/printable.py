"""Hostile text: names of files and columns, cells, output of programs; shown, it is read and does nothing else.

A terminal acts on control characters (escape sequences, C1), every medium on characters that turn the reading
direction, and a reader cannot see those of no width; halves of surrogate pairs cannot be written at all. Each gives
way to a stand-in. Letters of Persian or Hindi and pictures are joined by characters of no width; those stay.
"""

import json
import re
from typing import Any

STAND_IN = "\ufffd"
_JOINERS = "\u200c\u200d"
_INVISIBLE_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_ODD = re.compile(r"[^ -~]")
_LONG_WORD = 300
_LONG_QUOTE = re.compile(rf"(?<!\w)'[^']{{{_LONG_WORD},}}'|\"[^\"]{{{_LONG_WORD},}}\"|`[^`]{{{_LONG_WORD},}}`")
_LONG_RUN = re.compile(rf"\S{{{_LONG_WORD},}}")
_KEPT_OF_LONG = 100


def printable(text: str) -> str:
    """Give text of any number of lines with nothing in it that acts instead of being read."""
    return text if text.isascii() and text.isprintable() else _ODD.sub(_shown, text)


def one_line(text: str) -> str:
    """Give printable text on one line, so that nothing in it can pass for a line of the program."""
    return printable(re.sub(r"[\n\r\t]+", " ", text))


def cut_in_the_middle(text: str, longest: int) -> str:
    """Leave the middle of a text out that is too long; its beginning and its end tell it from others."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 3
    return f"{text[: longest - 1 - tail].rstrip()}…{text[len(text) - tail :].lstrip()}"


def sentence(text: str, longest: int) -> str:
    """Give text on one line, first cutting names of endless length in it, then itself."""
    # Cut first: a text of a gigabyte should not be walked through to show its beginning.
    spared = " ".join(one_line(cut_in_the_middle(text, 20 * longest)).split())
    return cut_in_the_middle(shorten_names(spared), longest)


def shorten_names(text: str) -> str:
    """Cut what stands in quotes and what has no blank in it, where it is longer than any path of a usual disk.

    An apostrophe after a letter opens no quote: two of them in one paragraph would cut what stands between.
    """
    return _LONG_RUN.sub(_shortened, _LONG_QUOTE.sub(_shortened, text)) if len(text) > _LONG_WORD else text


def json_text(value: Any, *, sort_keys: bool = False, allow_nan: bool = True) -> str:
    """Write plain values as JSON that is printable: what acts is escaped, so a reader of JSON gets it all the same."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=allow_nan, sort_keys=sort_keys, default=str)
    return text if text.isascii() and "\x7f" not in text else _ODD.sub(_escaped, text)


def acts(character: str) -> bool:
    """Tell whether a character does something, or cannot be seen."""
    return not character.isprintable() or character in _INVISIBLE_LETTERS


def _escaped(found: re.Match[str]) -> str:
    character = found.group()
    if character == "\n" or not acts(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _shown(found: re.Match[str]) -> str:
    character = found.group()
    if character in "\n\t" or (character in _JOINERS and _stands_between(found)):
        return character
    if character.isspace():
        return " "
    return STAND_IN if acts(character) else character


def _stands_between(joiner: re.Match[str]) -> bool:
    """Tell whether a joiner has letters or pictures on both sides, none of them Latin."""
    before, after = joiner.string[joiner.start() - 1 : joiner.start()], joiner.string[joiner.end() : joiner.end() + 1]
    return all(each > "\u024f" and each.isprintable() for each in (before, after))


def _shortened(found: re.Match[str]) -> str:
    return cut_in_the_middle(found.group(), _KEPT_OF_LONG)
