"""Standard output and error of a command: nothing acts on the terminal that is not the program's own drawing."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from seethrough.text.printable import printable, shorten_names


class PrintableStream:
    """A text stream that writes nothing but printable lines; everything else is that of the stream behind."""

    def __init__(self, behind: TextIO, make: Callable[[str], str] = printable) -> None:
        self.behind, self._make = behind, make

    def write(self, text: str) -> int:
        """Write text, in characters that the stream behind can encode."""
        shown, encoding = self._make(text), self.behind.encoding or "utf-8"
        self.behind.write(shown.encode(encoding, "replace").decode(encoding))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines one by one."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Guard both standard streams for a while; one that is closed stays so, and messages get no endless names."""
    before = sys.stdout, sys.stderr
    try:
        if sys.stdout is not None:
            sys.stdout = cast("TextIO", PrintableStream(sys.stdout))
        if sys.stderr is not None:
            sys.stderr = cast("TextIO", PrintableStream(sys.stderr, _message))
        yield
    finally:
        sys.stdout, sys.stderr = before


def _message(text: str) -> str:
    return shorten_names(printable(text))


def own_stream(*, is_error: bool) -> TextIO:
    """Give the stream behind the guard, for who makes each text printable and then draws with escape sequences."""
    stream = sys.stderr if is_error else sys.stdout
    return stream.behind if isinstance(stream, PrintableStream) else stream
