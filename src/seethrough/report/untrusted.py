"""Text from users and plug-ins: made fit to be shown, whatever is in it.

Names of files and columns, reasons and errors are hostile text. Each renderer escapes them for
its own format; what no format should show is taken out here (`text/printable.py`), and so is
endless length.
"""

from seethrough.text.printable import sentence

NAME_LENGTH = 80
SENTENCE_LENGTH = 600


def visible(text: str, longest: int = SENTENCE_LENGTH) -> str:
    """Give the text on one line, with nothing in it that acts instead of being read."""
    return sentence(text, longest)


def name(text: str) -> str:
    """Give a name of a table, column or check at a length that a line can hold."""
    return sentence(text, NAME_LENGTH) or "(no name)"
