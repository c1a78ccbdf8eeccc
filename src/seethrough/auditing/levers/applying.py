"""Levers applied: from a line to the release that it makes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from seethrough.auditing.levers.coarsening import CoarseColumns, Gone, coarse_column
from seethrough.auditing.levers.fewer import random_rows
from seethrough.auditing.levers.grammar import (
    Coarsen,
    DropColumn,
    DropNearCopies,
    FewerFiles,
    FewerRows,
    Lever,
    OtherEpsilon,
    OtherGenerator,
    RegenerateWithout,
)
from seethrough.auditing.levers.leaks import worst_leak
from seethrough.auditing.levers.situation import Situation, most_exposed
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Role, Schema, list_names
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools
from seethrough.protocols.synthesizer import Synthesizer, draw_rows
from seethrough.seeds import stream

NO_REMEDY = (
    "no remedy: the generator still knows these people and shows them in the next release, and which rows are missing "
    "is decided by the real ones"
)
COARSE_SECRET = "the secret itself is coarser, so that guessing it is another and easier question"


@dataclass(frozen=True, eq=False)
class ChangedRelease:
    """What a lever makes: all released rows, in one or several draws, before columns are made coarser.

    `left_out` are people who are not compared: they are no longer in the data, or were chosen like those.
    """

    draws: tuple[Table, ...]
    coarsening: CoarseColumns | None = None
    left_out: Bools | None = None
    notes: tuple[str, ...] = ()
    is_remedy: bool = True


def refuse_impossible(lever: Lever, situation: Situation) -> None:
    """Refuse a lever that does not fit the release, before anything is run."""
    schema, rows, files = situation.whole.schema, len(situation.whole), len(situation.files)
    match lever:
        case Coarsen() | DropColumn():
            _refuse_column(lever, schema)
        case FewerRows() if lever.count(rows) >= rows:
            raise ConfigError(f"{str(lever)!r}: the release has {rows} rows; fewer are expected")
        case FewerFiles() if lever.files >= files:
            raise ConfigError(f"{str(lever)!r}: the release has {_files(files)}; fewer are expected")
        case RegenerateWithout():
            situation.generators.the_own(str(lever))
        case OtherEpsilon():
            situation.generators.at_epsilon(lever.epsilon, str(lever))
        case _:
            pass
    if isinstance(lever, Coarsen):
        coarse_column(schema[lever.column], situation.whole.column(lever.column), lever.values)


def _files(count: int) -> str:
    return "one file" if count == 1 else f"{count} files"


def _refuse_column(lever: Coarsen | DropColumn, schema: Schema) -> None:
    names = [column.name for column in schema.used]
    if lever.column not in names:
        raise ConfigError(f"{str(lever)!r}: there is no column {lever.column!r} in use; there are {list_names(names)}")
    if isinstance(lever, DropColumn) and len(names) < 2:
        raise ConfigError(f"{str(lever)!r}: no column would be left")


@singledispatch
def apply_lever(lever: Lever, situation: Situation) -> ChangedRelease:
    """Make the release that a lever leads to."""
    raise TypeError(f"{lever!r} is no lever for {situation.release.train.name}")


@apply_lever.register
def _(lever: FewerRows, situation: Situation) -> ChangedRelease:
    whole = situation.whole
    count = lever.count(len(whole))
    draws = tuple(random_rows(whole, count, situation.seed, draw) for draw in range(situation.draws))
    return ChangedRelease(draws, notes=_mean_of(len(draws)))


@apply_lever.register
def _(lever: FewerFiles, situation: Situation) -> ChangedRelease:
    return ChangedRelease((stack_tables(situation.files[: lever.files]),))


@apply_lever.register
def _(lever: Coarsen, situation: Situation) -> ChangedRelease:
    whole = situation.whole
    column = whole.schema[lever.column]
    coarse = coarse_column(column, whole.column(lever.column), lever.values)
    notes = (COARSE_SECRET,) if column.role is Role.SECRET else ()
    return ChangedRelease((whole,), CoarseColumns({lever.column: coarse}), notes=notes)


@apply_lever.register
def _(lever: DropColumn, situation: Situation) -> ChangedRelease:
    return ChangedRelease((situation.whole,), CoarseColumns({lever.column: Gone()}))


@apply_lever.register
def _(_lever: DropNearCopies, situation: Situation) -> ChangedRelease:
    whole = situation.whole
    kept = np.flatnonzero(~situation.near_copies(whole))
    if len(kept) < 2:
        raise ConfigError("every released row is a near copy of a real row; none would be left")
    notes = (f"{len(whole) - len(kept)} of {len(whole)} rows are left out", NO_REMEDY)
    return ChangedRelease((whole.take(kept),), notes=notes, is_remedy=False)


@apply_lever.register
def _(lever: RegenerateWithout, situation: Situation) -> ChangedRelease:
    worst = worst_leak(situation.leaks, situation.family)
    assert worst is not None, "levers are tried where a leak can be told"
    people = most_exposed(situation.assessment, worst.attack, lever.people, situation.seed)
    real = situation.release.train.table
    rest = np.setdiff1d(np.arange(len(real)), people.rows)
    if len(rest) < 2:
        raise ConfigError(f"{str(lever)!r}: nobody would be left to make a release from")
    generator = situation.generators.the_own(str(lever))
    draws = tuple(_generated(generator, real.take(rest), situation))
    return ChangedRelease(draws, left_out=people.left_out, notes=_mean_of(len(draws)))


@apply_lever.register
def _(lever: OtherGenerator, situation: Situation) -> ChangedRelease:
    return _made_by(situation.generators.others[lever.label], situation)


@apply_lever.register
def _(lever: OtherEpsilon, situation: Situation) -> ChangedRelease:
    return _made_by(situation.generators.at_epsilon(lever.epsilon, str(lever)), situation)


def _made_by(generator: Synthesizer, situation: Situation) -> ChangedRelease:
    draws = tuple(_generated(generator, situation.release.train.table, situation))
    return ChangedRelease(draws, notes=_mean_of(len(draws)))


def _generated(generator: Synthesizer, real: Table, situation: Situation) -> Iterator[Table]:
    """Fit once, and draw releases of as many rows as there are, by streams of their own."""
    seed, rows = situation.seed, len(situation.whole)
    sampler = generator.fit(real, stream(seed, f"lever fit {generator.name}"))
    for draw in range(situation.draws):
        made = draw_rows(sampler, rows, stream(seed, f"lever sample {generator.name} {draw}")).table
        yield _apart_from_people(made, situation)


def _apart_from_people(made: Table, situation: Situation) -> Table:
    """Give levels that the real table lacks codes that nobody has: nothing says that they are the same as people's."""
    people = [situation.trial.pool.people, situation.trial.pool.reference]
    columns = []
    for place, column in enumerate(situation.whole.schema.used):
        values = made.column(column.name)
        if column.kind.has_levels and int(values.max(initial=0)) > len(column.levels):
            top = max(int(table.columns[place].max(initial=0)) for table in people)
            shift = max(0, top - len(column.levels))
            wide = values.astype(np.int64)
            values = np.where(wide > len(column.levels), wide + shift, wide)
            values = values.astype(np.min_scalar_type(int(values.max())))
        columns.append(values)
    return Table(situation.whole.schema, tuple(columns))


def _mean_of(draws: int) -> tuple[str, ...]:
    return (f"the mean over {draws} draws",) if draws > 1 else ()
