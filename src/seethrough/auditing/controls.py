"""What a check is measured on: the release, and the controls that take its place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from seethrough.auditing.attacked_people import AttackedPeople, people_of_controls, show_to
from seethrough.auditing.stopwatch import Stopwatch
from seethrough.bench.bench import Bench, Shuffle
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.table import Table
from seethrough.protocols.check import Check, Comparing
from seethrough.results.card import Need
from seethrough.seeds import stream


@dataclass(frozen=True)
class Trials:
    """The benches that a check is measured on: one for a release and one for each control in its place."""

    synthetic: str
    release: Bench[Part]
    copy: Bench[Part]
    independent: Bench[Part]
    apart: Bench[Part] | None

    @property
    def described(self) -> Bench[Part]:
        """The bench on which a release is described: of one that is read in chunks, its drawn rows."""
        table = self.release.table(Part.SYNTHETIC)
        return self.release.with_table(Part.SYNTHETIC, table.drawn) if isinstance(table, ChunkedTable) else self.release

    def copy_for(self, check: Check) -> Bench[Part]:
        """Give the copy, in the order of the real table to a check that rests on which row came from which."""
        if self.apart and _looks_outside(check):
            return self.copy.with_table(Part.HOLDOUT, self.release.table(Part.HOLDOUT))
        if Need.ORIGIN not in check.card.needs:
            return self.copy
        return self.copy.with_table(Part.SYNTHETIC, self.copy.table(Part.TRAIN))

    def independent_for(self, check: Check) -> Bench[Part]:
        """Give the independent table, with other people left beside it to a check that looks at them."""
        return self.apart if self.apart and _looks_outside(check) else self.independent


def _looks_outside(check: Check) -> bool:
    return Need.HOLDOUT in check.card.needs or (isinstance(check, Comparing) and check.compares_outside)


def trials_of(
    release: Release, bench: Bench[Part], people: AttackedPeople | None, seed: int, watch: Stopwatch
) -> tuple[Iterator[Trials], str]:
    """Give the trials of each synthetic table, and say what the independent control is; `people` are those attacked.

    The bench has everybody. Where people are many, controls are measured for some who are drawn.
    """
    watch.name_table("real", release.train.table)
    if release.holdout:
        watch.name_table("holdout", release.holdout.table)
    drawn = people or people_of_controls(release, seed)
    beside = bench if drawn is None else drawn.put_on(bench, release)
    copy = _copy(release, beside, drawn, seed, watch)
    independent, described = _independent(release, seed)
    sizes = {_rows_of_control(named.table) for named in release.synthetic}

    @cache  # releases of one size have the same controls, and what was computed on them
    def controls(rows: int) -> tuple[Bench[Part], Bench[Part] | None]:
        whose = f" of {rows:,} rows" if len(sizes) > 1 else ""
        other = watch.name_table(f"independent{whose}", independent(rows))
        # A control takes the place of the release. The holdout is then not beside it: it may be the control itself.
        apart = _apart(release, beside, (rows, drawn), seed, watch)
        return show_to(drawn, beside, other, without=Part.HOLDOUT), apart

    def made(named: NamedTable) -> Trials:
        shown = show_to(people, bench if people is None else beside, watch.name_table(named.name, named.table))
        return Trials(named.name, shown, copy, *controls(_rows_of_control(named.table)))

    return map(made, release.synthetic), described + _said_of_controls(people, drawn)


def _copy(
    release: Release, bench: Bench[Part], drawn: AttackedPeople | None, seed: int, watch: Stopwatch
) -> Bench[Part]:
    """Put the real table in the place of the release, shuffled: the order of rows must not help to recognise it."""
    order = stream(seed, "copy control").permutation(len(release.train.table))
    copy = watch.name_table("copy", release.train.table.take(order))
    if drawn is not None:
        return drawn.show(bench, copy, without=Part.HOLDOUT)
    return bench.with_shuffled(Part.SYNTHETIC, copy, Shuffle(Part.TRAIN, order), without=Part.HOLDOUT)


def _said_of_controls(people: AttackedPeople | None, drawn: AttackedPeople | None) -> str:
    """Say that controls were measured for some people only, where the release was for everybody."""
    if drawn is None or people is not None:
        return ""
    return f"; controls are measured for {drawn.sizes.members:,} of {drawn.sizes.of_members:,} people, who were drawn"


def _rows_of_control(table: Table) -> int:
    """Give as many rows to a control as the release has, or as are drawn from one that is read in chunks."""
    return len(table.drawn if isinstance(table, ChunkedTable) else table)


def _independent(release: Release, seed: int) -> tuple[Callable[[int], Table], str]:
    """Choose the negative control: as many rows as the release has, from the holdout or from permuted columns."""
    if release.holdout is not None:
        kept = release.holdout.table
        order = stream(seed, "independent control").permutation(len(kept))
        described = f"rows of {release.holdout.name}, which were kept out of the real table"
        return lambda rows: kept.take(order[:rows]), described
    described = "the columns of the real table, each permuted by itself; no holdout was given"
    return lambda rows: _permuted(release.train.table, rows, seed), described


def _apart(
    release: Release, bench: Bench[Part], sizes: tuple[int, AttackedPeople | None], seed: int, watch: Stopwatch
) -> Bench[Part] | None:
    """Put one half of the holdout in the place of the release and leave the other half, where there is a holdout.

    `sizes` are the rows of the first at most, and the people drawn: the second has as many of the others as these.
    """
    if release.holdout is None:
        return None
    kept = release.holdout.table
    order = stream(seed, "independent control").permutation(len(kept))
    shown, left = np.array_split(order, 2)
    rows, drawn = sizes
    other = watch.name_table("half of the holdout", kept.take(shown[:rows]))
    most = None if drawn is None or drawn.outside is None else len(drawn.outside)
    rest = watch.name_table("other half of the holdout", kept.take(left[:most]))
    return show_to(drawn, bench, other).with_table(Part.HOLDOUT, rest)


def _permuted(table: Table, rows: int, seed: int) -> Table:
    columns = []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        rng = stream(seed, f"independent control {column.name}")
        rounds = [rng.permutation(values) for _ in range(-(-rows // len(values)))]
        columns.append(np.concatenate(rounds)[:rows])
    return Table(table.schema, tuple(columns))
