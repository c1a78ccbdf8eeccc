"""How many rows each row group of a Parquet file has, read from its footer.

The footer is a Thrift structure in the compact protocol, of which field 4 lists the row groups, and field 3 of each is
its number of rows; everything else is skipped. What cannot be understood is no reason to refuse a file, since whoever
reads its rows will say what is wrong with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"PAR1"
_TAIL = 8
_MOST_FOOTER = 1 << 28
_DEEPEST = 32
_BYTE, _DOUBLE, _LIST, _MAP, _STRUCT = 3, 7, 9, 11, 12
"""Kinds of values; beside them true 1, false 2, integers 4 to 6, bytes 8, a set 10."""
_INTEGERS = frozenset({4, 5, 6})
ROW_GROUPS, NUM_ROWS = 4, 3


class _NotUnderstood(Exception):
    """The footer is not what it should be."""


def row_group_sizes(path: Path) -> tuple[int, ...]:
    """Give the rows of each row group; nothing where the footer cannot be read."""
    try:
        return tuple(_Footer(_footer(path)).row_groups())
    except (OSError, IndexError, _NotUnderstood):
        return ()


def _footer(path: Path) -> bytes:
    with path.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - _TAIL))
        tail = file.read(_TAIL)
        size = int.from_bytes(tail[:4], "little")
        if tail[4:] != MAGIC or not 0 < size <= min(end - _TAIL, _MOST_FOOTER):
            raise _NotUnderstood
        file.seek(end - _TAIL - size)
        return file.read(size)


@dataclass
class _Footer:
    """Bytes of the compact protocol, and how many of them were read."""

    data: bytes
    place: int = 0

    def row_groups(self) -> list[int]:
        """Find the row groups, and the rows of each."""
        for number, kind in self._fields():
            if number == ROW_GROUPS and kind == _LIST:
                size, inside = self._list()
                if inside != _STRUCT:
                    raise _NotUnderstood
                return [self._rows() for _ in range(size)]
            self._skip(kind, 0)
        raise _NotUnderstood

    def _rows(self) -> int:
        found = None
        for number, kind in self._fields():
            if number == NUM_ROWS and kind in _INTEGERS:
                found = self._integer()
            else:
                self._skip(kind, 1)
        if found is None or found < 0:
            raise _NotUnderstood
        return found

    def _fields(self) -> Iterator[tuple[int, int]]:
        """Give number and kind of each field of a structure; whoever asks reads or skips its value."""
        number = 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._integer()
            yield number, head & 0x0F

    def _skip(self, kind: int, depth: int) -> None:
        """Pass over the value of a field; whether it is true stands in its kind."""
        match kind if depth <= _DEEPEST else None:
            case 1 | 2:
                return
            case 3 | 4 | 5 | 6 | 7 | 8:
                self._skip_plain(kind)
            case 9 | 10 | 11:
                self._skip_several(kind, depth)
            case 12:
                for _, inside in self._fields():
                    self._skip(inside, depth + 1)
            case _:
                raise _NotUnderstood

    def _skip_several(self, kind: int, depth: int) -> None:
        if kind == _MAP:
            self._skip_map(depth)
            return
        size, inside = self._list()
        for _ in range(size):
            self._skip_inside(inside, depth)

    def _skip_plain(self, kind: int) -> None:
        if kind in _INTEGERS:
            self._varint()
        else:
            self._forward({_BYTE: 1, _DOUBLE: 8}.get(kind) or self._varint())

    def _skip_inside(self, kind: int, depth: int) -> None:
        """Pass over a value in a list or a map, where one that is true or false takes a byte."""
        self._skip(_BYTE if kind in {1, 2} else kind, depth + 1)

    def _skip_map(self, depth: int) -> None:
        size = self._varint()
        kinds = self._byte() if size else 0
        for _ in range(size):
            self._skip_inside(kinds >> 4, depth)
            self._skip_inside(kinds & 0x0F, depth)

    def _list(self) -> tuple[int, int]:
        head = self._byte()
        return (self._varint() if head >> 4 == 0x0F else head >> 4), head & 0x0F

    def _integer(self) -> int:
        """Read a number whose sign is its last bit."""
        found = self._varint()
        return (found >> 1) ^ -(found & 1)

    def _varint(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 0x7F) << shift
            if byte < 0x80:
                return found
            shift += 7
            if shift > 63:
                raise _NotUnderstood

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _forward(self, count: int) -> None:
        self.place += count
        if self.place > len(self.data):
            raise _NotUnderstood
