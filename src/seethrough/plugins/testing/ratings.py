"""What every membership rating promises."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Array, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.roc import placements
from seethrough.plugins.testing.clauses import NOTHING, Clause, Exempt, expect, generator, is_plain, keep
from seethrough.plugins.testing.populations import FRESH, OUTSIDE, REAL
from seethrough.protocols.parameters import plain, validate
from seethrough.protocols.rating import Rating

MEMBERS, RATED, REFERENCE = REAL.take(np.arange(200)), OUTSIDE.take(np.arange(200)), OUTSIDE.take(np.arange(200, 320))
PEOPLE = stack_tables([MEMBERS, RATED])
"""Members, then people outside; the reference is of further people outside."""
TOLERANCE = 1e-9
"""How far numbers may differ that are sums of the same terms in another order."""


def rating_contract(rating: Rating, *, exempt: Exempt = NOTHING) -> None:
    """Hold a membership rating to every clause."""
    keep(rating, RATING_CLAUSES, exempt)


def the_rating_can_be_written_down(rating: Rating) -> None:
    """Expect a name in one word, a title, a family, and parameters that reports can write down and read again."""
    name = rating.name
    expect(name and name == name.lower() and not set(name) & set(" :=,."), name, "the name is not one plain word")
    expect(rating.title and rating.families, name, "it has no title or no family")
    expect(bool(rating.measure) == rating.is_share, name, "a share says what it counts, and nothing else does")
    for parameter, value in plain(validate(rating, name)).items():
        expect(is_plain(value), name, f"the parameter {parameter} is {value!r}, which cannot be written down")
    expect(type(rating)().name == name, name, "it cannot be built without parameters")


def everybody_has_a_number(rating: Rating) -> None:
    """Expect a finite number for each person, from 0 to 1 of a share."""
    _expect_numbers(rating, _rate(rating), len(PEOPLE))


def the_same_seed_gives_the_same_ratings(rating: Rating) -> None:
    """Expect that one seed decides everything."""
    expect(np.array_equal(_rate(rating), _rate(rating)), rating.name, "one seed gives two answers")


def ratings_do_not_depend_on_threads_or_blocks(rating: Rating) -> None:
    """Expect that a budget decides how long it takes, never what comes out."""
    usual = _rate(rating)
    for budget in (Budget(memory=40 * 40 * 48, threads=1), Budget(threads=3)):
        expect(np.array_equal(_rate(rating, budget=budget), usual), rating.name, f"{budget} gives another answer")


def no_table_is_written_to(rating: Rating) -> None:
    """Expect that tables are read and not written."""
    shown = tuple(table.take(np.arange(len(table))) for table in (PEOPLE, FRESH, REFERENCE))
    before = [column.copy() for table in shown for column in table.columns]
    _rate(rating, *shown)
    after = [column for table in shown for column in table.columns]
    same = (np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, after, strict=True))
    expect(all(same), rating.name, "it changes a table that it was shown")


def the_order_of_rows_does_not_matter(rating: Rating) -> None:
    """Expect the same number for a person wherever rows stand."""
    usual = _rate(rating)
    for seed in range(2):
        tables, order = _shuffled(seed)
        _expect_same(rating, _rate(rating, *tables), usual[order], "rows stand in another order")


def names_of_levels_do_not_matter(rating: Rating) -> None:
    """Expect the same numbers where categories are called otherwise, in other places of their alphabet."""
    usual = _rate(rating)
    for seed in range(2):
        tables = (_renamed(table, seed) for table in (PEOPLE, FRESH, REFERENCE))
        _expect_same(rating, _rate(rating, *tables), usual, "levels have other names")


def units_of_numbers_do_not_matter(rating: Rating) -> None:
    """Expect the same numbers where lengths are in feet instead of metres."""
    usual = _rate(rating)
    for factor in (4.0, 3.2808):
        tables = (_with_numbers(table, factor) for table in (PEOPLE, FRESH, REFERENCE))
        _expect_same(rating, _rate(rating, *tables), usual, f"numbers are {factor} times as large")


def a_constant_column_does_not_matter(rating: Rating) -> None:
    """Expect the same numbers where everybody has one more value in common, a number or a category."""
    usual = _rate(rating)
    number = Column("constant", Kind.NUMERIC, low=7.0, high=7.0, fill=7.0)
    category = Column("constant", Kind.CATEGORICAL, levels=("all",))
    for column, value in ((number, np.float64(7)), (category, np.uint8(1))):
        tables = (_with_column(table, column, value) for table in (PEOPLE, FRESH, REFERENCE))
        _expect_same(rating, _rate(rating, *tables), usual, f"a {column.kind.value} column is added that is constant")


def equal_rows_are_rated_alike(rating: Rating) -> None:
    """Expect one number for all where everybody, every released row and every row of the reference are equal."""
    same = REAL.take(np.zeros(30, np.int64))
    found = _rate(rating, same, same, same)
    expect(np.ptp(found) == 0, rating.name, "people who are equal are rated differently")
    twins = stack_tables([PEOPLE, PEOPLE])
    first, second = np.split(_rate(rating, twins), 2)
    expect(np.array_equal(first, second), rating.name, "two people with equal rows are rated differently")


def little_to_rate_by_is_an_answer_or_a_reason(rating: Rating) -> None:
    """Expect of few people, few released rows, or a reference of few or nobody numbers, or `NotApplicable`."""
    sizes = ((3, 400, 120), (40, 1, 120), (40, 2, 120), (40, 7, 7), (40, 400, 4), (40, 400, 0), (40, 3, 0))
    for people, released, reference in sizes:
        tables = (_first(PEOPLE, people), _first(FRESH, released), _first(REFERENCE, reference))
        try:
            _expect_numbers(rating, _rate(rating, *tables), people)
        except NotApplicable as refused:
            expect(str(refused), rating.name, "it is refused without a reason")


def in_a_copy_members_come_first(rating: Rating) -> None:
    """Expect that members are rated above people outside where the release is a copy of them."""
    found = _area(_rate(rating, PEOPLE, MEMBERS))
    expect(found > 0.5, rating.name, f"in a copy the area under the curve is {found}")


def an_independent_release_tells_nobody_apart(rating: Rating) -> None:
    """Expect areas near a half where the release is of other people: within four standard errors of 200 and 200."""
    found = _area(_rate(rating))
    expect(abs(found - 0.5) <= 4 * np.sqrt(401 / (12 * 200 * 200)), rating.name, f"of other people the area is {found}")


RATING_CLAUSES: tuple[Clause[Rating], ...] = (
    the_rating_can_be_written_down,
    everybody_has_a_number,
    the_same_seed_gives_the_same_ratings,
    ratings_do_not_depend_on_threads_or_blocks,
    no_table_is_written_to,
    the_order_of_rows_does_not_matter,
    names_of_levels_do_not_matter,
    units_of_numbers_do_not_matter,
    a_constant_column_does_not_matter,
    equal_rows_are_rated_alike,
    little_to_rate_by_is_an_answer_or_a_reason,
    in_a_copy_members_come_first,
    an_independent_release_tells_nobody_apart,
)
"""What a membership rating promises."""


def _rate(
    rating: Rating,
    people: Table = PEOPLE,
    release: Table = FRESH,
    reference: Table = REFERENCE,
    *,
    budget: Budget | None = None,
) -> Floats:
    shown = {Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}
    return rating.rate(Bench(shown, budget or Budget(threads=1)), generator(7))


def _area(scores: Floats) -> float:
    return float(placements(scores[: len(MEMBERS)], scores[len(MEMBERS) :]).mean())


def _expect_numbers(rating: Rating, found: Floats, people: int) -> None:
    expect(found.shape == (people,), rating.name, f"of {people} people it gives the shape {found.shape}")
    expect(np.isfinite(found).all(), rating.name, "a person's rating is not a number")
    if rating.is_share:
        expect((found >= 0).all() and (found <= 1).all(), rating.name, "a share is outside [0, 1]")


def _expect_same(rating: Rating, found: Floats, usual: Floats, where: str) -> None:
    worst = float(np.abs(found - usual).max())
    expect(worst <= TOLERANCE * max(1.0, float(np.abs(usual).max())), rating.name, f"{where}: {worst} off")


def _first(table: Table, rows: int) -> Table:
    return table.take(np.arange(rows))


def _shuffled(seed: int) -> tuple[tuple[Table, ...], Ints]:
    rng = generator(seed)
    orders = [rng.permutation(len(table)) for table in (PEOPLE, FRESH, REFERENCE)]
    return tuple(map(Table.take, (PEOPLE, FRESH, REFERENCE), orders)), orders[0]


def _changed(table: Table, change: Callable[[Column, Array], tuple[Column, Array]]) -> Table:
    pairs = [change(column, values) for column, values in zip(table.schema.used, table.columns, strict=True)]
    return Table(Schema(tuple(column for column, _ in pairs)), tuple(values for _, values in pairs))


def _renamed(table: Table, seed: int) -> Table:
    """Give levels other codes, the same in every table; missing stays missing."""
    rng = generator(seed)

    def rename(column: Column, values: Array) -> tuple[Column, Array]:
        if not column.kind.has_levels:
            return column, values
        order = rng.permutation(len(column.levels))
        codes = np.concatenate([[0], 1 + order]).astype(values.dtype)
        levels = tuple(column.levels[place] for place in np.argsort(order))
        return replace(column, levels=levels), codes[values]

    return _changed(table, rename)


def _with_numbers(table: Table, factor: float) -> Table:
    def scale(column: Column, values: Array) -> tuple[Column, Array]:
        if column.kind.has_levels:
            return column, values
        low, high, fill = (factor * (end or 0.0) for end in (column.low, column.high, column.fill))
        return replace(column, low=low, high=high, fill=fill), values.astype(np.float64) * factor

    return _changed(table, scale)


def _with_column(table: Table, column: Column, value: np.generic) -> Table:
    added = np.full(len(table), value)
    return Table(Schema((*table.schema.columns, column)), (*table.columns, added))
