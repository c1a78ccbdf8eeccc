"""Text from users and plug-ins: made fit to be shown, whatever is in it.

Names of files and columns, reasons and errors are hostile text. Each renderer escapes them for
its own format; what no format should show is taken out here: control characters, the characters
that turn the reading direction of what follows, halves of surrogate pairs, and endless length.
"""

import unicodedata

NAME_LENGTH = 80
SENTENCE_LENGTH = 600

_TURNS_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKS_LINES = frozenset("\t\n\x0b\x0c\r\x85\u2028\u2029")
_STAND_IN = "\ufffd"


def visible(text: str, longest: int = SENTENCE_LENGTH) -> str:
    """Give the text on one line, with nothing in it that acts instead of being read."""
    # Cut first: a text of a gigabyte should not be walked through to show its beginning.
    spared = text[: 4 * longest]
    plain = spared if spared.isascii() and spared.isprintable() else "".join(map(_shown, spared))
    shown = " ".join(plain.split())
    if len(shown) <= longest and len(spared) == len(text):
        return shown
    return shown[: longest - 1].rstrip() + "…"


def name(text: str) -> str:
    """Give a name of a table, column or check at a length that a line can hold."""
    return visible(text, NAME_LENGTH) or "(no name)"


def _shown(character: str) -> str:
    if character in _BREAKS_LINES:
        return " "
    if character in _TURNS_DIRECTION or unicodedata.category(character) in {"Cc", "Cs"}:
        return _STAND_IN
    return character
