"""What every synthesizer promises."""

from collections.abc import Sequence

import numpy as np

from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.plugins.labels import label_of
from seethrough.plugins.testing.clauses import NOTHING, Clause, Exempt, expect, generator, is_plain, keep
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Sampler, Synthesizer, draw_rows
from seethrough.seeds import stream

ROWS = 300
SCHEMA = Schema(
    (
        Column("age", Kind.NUMERIC, low=0.0, high=90.0, fill=45.0),
        Column("weight", Kind.NUMERIC, low=-3.0, high=3.0, fill=0.0),
        Column("job", Kind.CATEGORICAL, levels=tuple("abcde")),
        Column("town", Kind.CATEGORICAL, levels=tuple("vwxyz")),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def _people(rows: int, seed: int) -> Table:
    rng = generator(seed)
    age, weight = rng.integers(0, 91, rows) + 0.0, np.clip(rng.normal(size=rows), -3, 3)
    job, town = rng.integers(1, 6, rows), rng.integers(0, 6, rows)
    ill = 1 + (rng.random(rows) < 0.1 + 0.6 * age / 90)
    weight[rng.random(rows) < 0.2] = np.nan
    return Table(SCHEMA, (age, weight, job.astype(np.uint8), town.astype(np.uint8), ill.astype(np.uint8)))


REAL = _people(ROWS, 1)
"""Whole numbers without a missing value, others with some, categories with some and without."""


def synthesizer_contract(synthesizer: Synthesizer, *, exempt: Exempt = NOTHING) -> None:
    """Hold a synthesizer to every clause."""
    keep(synthesizer, SYNTHESIZER_CLAUSES, exempt)


def the_card_says_what_it_is(synthesizer: Synthesizer) -> None:
    """Expect everything that a reader is told, and parameters that can be written down."""
    card, name = synthesizer.card, synthesizer.name
    expect(card.name == name, name, f"the card is named {card.name!r}")
    expect(card.title, name, "the card has no title")
    expect(card.summary.endswith("."), name, f"the summary is no sentence: {card.summary!r}")
    for parameter, value in plain(synthesizer).items():
        expect(is_plain(value), name, f"the parameter {parameter} is {value!r}, which cannot be written down")
    usual = label_of(type(synthesizer)())
    expect(usual == name, name, f"with the parameters that it has by default it is labelled {usual!r}")


def the_same_seed_gives_the_same_table_and_another_one_another(synthesizer: Synthesizer) -> None:
    """Expect that the seed decides everything."""
    first, second, other = (_made(synthesizer, seed=seed)[1].digest for seed in (0, 0, 1))
    expect(first == second, synthesizer.name, "one seed gives two tables")
    expect(second != other, synthesizer.name, "two seeds give one table")


def the_table_is_one_of_the_schema(synthesizer: Synthesizer) -> None:
    """Expect the columns, the types and the number of rows that were asked for."""
    _, found = _made(synthesizer, 150)
    expect(found.schema == SCHEMA, synthesizer.name, "the table has another schema than the one it was fitted to")
    expect(len(found) == 150, synthesizer.name, f"{len(found)} rows came where 150 were asked for")
    for column, values in zip(SCHEMA.used, found.columns, strict=True):
        if column.kind.has_levels:
            expect(values.dtype.kind == "u", synthesizer.name, f"{column.name} is not of codes but of {values.dtype}")
        else:
            is_number = values.dtype == np.float64 and not np.isinf(values).any()
            expect(is_number, synthesizer.name, f"{column.name} is not of finite float64 numbers")


def no_level_is_invented(synthesizer: Synthesizer) -> None:
    """Expect codes of declared levels alone."""
    _, found = _made(synthesizer, 150)
    for column, values in zip(SCHEMA.used, found.columns, strict=True):
        if column.kind.has_levels:
            expect(values.max() <= len(column.levels), synthesizer.name, f"{column.name} has a level that nobody has")


def the_sampler_says_what_it_was_made_from(synthesizer: Synthesizer) -> None:
    """Expect the name, the rows, the parameters, and the privacy that was promised."""
    card = _made(synthesizer)[0].card
    said = card.synthesizer, card.rows, dict(card.parameters)
    expected = synthesizer.name, ROWS, plain(synthesizer)
    expect(said == expected, synthesizer.name, f"its sampler says {said} instead of {expected}")
    promised = card.privacy or not synthesizer.card.guarantee
    expect(promised, synthesizer.name, "the card has a guarantee and the sampler states no privacy")


def fitting_changes_neither_the_table_nor_the_generator(synthesizer: Synthesizer) -> None:
    """Expect that `fit` returns a new object and writes nowhere else."""
    before, label = [column.copy() for column in REAL.columns], label_of(synthesizer)
    _made(synthesizer)
    same = (np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, REAL.columns, strict=True))
    expect(all(same), synthesizer.name, "fitting changes the table")
    expect(label_of(synthesizer) == label, synthesizer.name, "fitting changes the parameters")


def whole_numbers_stay_whole(synthesizer: Synthesizer) -> None:
    """Expect that ages have no fraction."""
    age = _made(synthesizer)[1].column("age").astype(np.float64)
    expect((age == np.round(age)).all(), synthesizer.name, "whole numbers get fractions")


def no_value_gets_lost(synthesizer: Synthesizer) -> None:
    """Expect no missing value in a column that has none."""
    age = _made(synthesizer)[1].column("age").astype(np.float64)
    expect(not np.isnan(age).any(), synthesizer.name, "a column without missing values gets some")


def missing_values_survive(synthesizer: Synthesizer) -> None:
    """Expect missing numbers and categories where there are some."""
    found = _made(synthesizer)[1]
    expect(np.isnan(found.column("weight").astype(np.float64)).any(), synthesizer.name, "no number is missing any more")
    expect((found.column("town") == 0).any(), synthesizer.name, "no category is missing any more")


def no_rows_are_refused(synthesizer: Synthesizer) -> None:
    """Expect that 0 rows are refused in a sentence."""
    sampler = synthesizer.fit(REAL, stream(0, "fit"))
    try:
        draw_rows(sampler, 0, stream(0, "sample"))
    except ConfigError as refused:
        expect("0 rows cannot be drawn" in str(refused), synthesizer.name, f"0 rows are refused by {refused}")
        return
    expect(False, synthesizer.name, "0 rows are drawn")


SYNTHESIZER_CLAUSES: tuple[Clause[Synthesizer], ...] = (
    the_card_says_what_it_is,
    the_same_seed_gives_the_same_table_and_another_one_another,
    the_table_is_one_of_the_schema,
    no_level_is_invented,
    the_sampler_says_what_it_was_made_from,
    fitting_changes_neither_the_table_nor_the_generator,
    whole_numbers_stay_whole,
    no_value_gets_lost,
    missing_values_survive,
    no_rows_are_refused,
)
"""What a synthesizer promises."""


def shares_are_kept(
    synthesizer: Synthesizer, *, rows: int = 5000, within: float = 0.0, columns: Sequence[str] = ("job", "town", "ill")
) -> None:
    """Expect the shares of each category, which some synthesizers promise, but for sampling error and `within`."""
    found = _made(synthesizer, rows)[1]
    for name in columns:
        wanted, got = (np.bincount(table.column(name), minlength=6) / len(table) for table in (REAL, found))
        error = 5 * np.sqrt(wanted * (1 - wanted) / len(found)) + within
        expect((np.abs(got - wanted) <= error).all(), synthesizer.name, f"the shares of {name} are {got}, not {wanted}")


def _made(synthesizer: Synthesizer, rows: int = ROWS, seed: int = 0) -> tuple[Sampler, Table]:
    sampler = synthesizer.fit(REAL, stream(seed, "fit"))
    return sampler, draw_rows(sampler, rows, stream(seed, "sample")).table
