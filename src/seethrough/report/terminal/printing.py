"""Text on a console: it shows, and does nothing else, whatever stands in it."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from seethrough.report import untrusted


def show(draw: Callable[[Console], None], console: Console) -> None:
    """Print what `draw` prints; a file or a pipe gets plain lines without trailing blanks."""
    if console.is_terminal:
        draw(console)
        return
    with console.capture() as captured:
        draw(console)
    for line in captured.get().splitlines():
        console.out(line.rstrip(), highlight=False)


def text(console: Console, said: str, style: str = "", longest: int = 2 * untrusted.SENTENCE_LENGTH) -> Text:
    """Make text that the console can encode; square brackets in it stay brackets."""
    shown = untrusted.visible(said, longest)
    return Text(shown.encode(console.encoding, "replace").decode(console.encoding), style, overflow="fold")
