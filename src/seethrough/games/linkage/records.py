"""Every record of a linkage written out: linked rows with all ties, ranks and values found, hit, error, interval."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from seethrough.data.ordering import ColumnOrder
from seethrough.games.linkage.rank_intervals import LinkageAnswer, RankIntervals
from seethrough.protocols.linkage import Found, Linked
from seethrough.results.outcome import Value

LISTED = 100
"""Linked rows, or values found, that are written out for a record; how many there are is always said."""

IDENTITY_COLUMNS = ("row", "file", "linked", "linked_rows", "distance", "alone")
RECORD_COLUMNS = (
    *("row", "column", "file", "linked", "linked_rows", "ranks_found", "values_found"),
    *("true_rank", "exact", "chance", "rank_error"),
    *("low_rank", "high_rank", "low_value", "high_value", "width", "right", "narrow_right", "confused"),
)


@dataclass(frozen=True, eq=False)
class LinkageRecords:
    """Links to each file, the rows they mean in it, and, with hidden columns, answers and what they say together."""

    files: tuple[str, ...]
    linked: tuple[Linked, ...]
    orders: Mapping[str, ColumnOrder]
    answers: tuple[LinkageAnswer, ...]
    together: RankIntervals | None

    @property
    def columns(self) -> tuple[str, ...]:
        """Name what `rows` gives."""
        return RECORD_COLUMNS if self.together else IDENTITY_COLUMNS

    def linked_rows(self, row: int, file: int = 1) -> tuple[int, ...]:
        """List the rows of a file that are linked to a real record, all counted from 1."""
        return tuple((self.linked[file - 1].rows(row - 1) + 1).tolist())

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """Give every record, hidden column and table as plain values, under `columns`."""
        for file, name in enumerate(self.files):
            if self.together is None:
                yield from self._identities(file, name)
            for number, column in enumerate(self.linked[file].found):
                yield from self._readings(file, name, number, column)

    def _identities(self, file: int, name: str) -> Iterator[tuple[Value, ...]]:
        linked = self.linked[file]
        sizes, alone = linked.sizes().tolist(), linked.alone().tolist()
        for place, (size, is_alone) in enumerate(zip(sizes, alone, strict=True)):
            distance = float(linked.nearest.distances[place])
            yield place + 1, name, size, self._listed(place, file), distance, is_alone

    def _readings(self, file: int, name: str, number: int, column: str) -> Iterator[tuple[Value, ...]]:
        found, order, answer = self.linked[file].found[column], self.orders[column], self.answers[file]
        for place, size in enumerate(self.linked[file].sizes().tolist()):
            told = place + 1, column, name, size, self._listed(place, file), *_found(found, order, place)
            hit = bool(answer.exact[number, place]), float(answer.chance[number, place])
            ranks = float(answer.true[number, place]), *hit, float(answer.error[number, place])
            yield *told, *ranks, *self._interval(number, place, found, order)

    def _interval(self, number: int, place: int, found: Found, order: ColumnOrder) -> tuple[Value, ...]:
        together = self.together
        assert together is not None
        ends = [float(side[number, place]) for side in (together.low, together.high)]
        values = [_text(found, order, int(np.searchsorted(found.scale.doubled, round(2 * end)))) for end in ends]
        told = (together.right, together.narrow_right, together.confused)
        return *ends, *values, float(together.width[number, place]), *(bool(each[number, place]) for each in told)

    def _listed(self, place: int, file: int) -> str:
        rows = self.linked_rows(place + 1, file + 1)
        return " ".join(map(str, rows[:LISTED])) + (" ..." if len(rows) > LISTED else "")


def _found(found: Found, order: ColumnOrder, place: int) -> tuple[str, str]:
    """Write out the ranks found for one record, each once, and the values that they stand for."""
    group = found.group[place]
    places = found.counts.indices[found.counts.indptr[group] : found.counts.indptr[group + 1]][:LISTED].tolist()
    ranks = " ".join(f"{found.scale.doubled[each] / 2:g}" for each in places)
    return ranks, "; ".join(_text(found, order, each) for each in places)


def _text(found: Found, order: ColumnOrder, place: int) -> str:
    return order.text(float(found.scale.keys[place])) if place < len(found.scale.keys) else "(not in the real table)"
