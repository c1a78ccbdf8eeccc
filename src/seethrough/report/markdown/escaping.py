"""Text that Markdown shows as it is."""

import re

from seethrough.report import untrusted

_MARKUP = re.compile(r"([\\`*_{}\[\]#|~!$@])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape_markdown(text: str) -> str:
    """Make text that Markdown shows as it is, in a paragraph and in a cell of a table."""
    shown = "".join(_HTML.get(character, character) for character in untrusted.visible(text))
    # An address would become a link by itself, and so would one without its scheme.
    shown = _MARKUP.sub(r"\\\1", shown).replace("://", ":\\//")
    shown = re.sub(r"\bwww\.", r"www\\.", shown, flags=re.IGNORECASE)
    return re.sub(r"^(\d+)([.)])(?=\s|$)|^([-+=])", r"\1\\\2\3", shown)
