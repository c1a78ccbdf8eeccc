"""Text on a console: it shows, and does nothing else, whatever stands in it."""

from collections.abc import Callable, Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from seethrough.report import untrusted
from seethrough.text.printable import printable
from seethrough.text.streams import own_stream


class PrintableConsole(Console):
    """A console whose own escape sequences are the only ones."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render what is to be shown, every text in it made printable."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def open_console(*, is_error: bool = False) -> Console:
    """Give the console of standard output, or of standard error."""
    return PrintableConsole(file=own_stream(is_error=is_error), stderr=is_error)


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
