"""What every check promises."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from seethrough.auditing.run import run_audit
from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.plugins.testing.clauses import NOTHING, Clause, Exempt, expect, generator, is_plain, keep
from seethrough.plugins.testing.populations import FRESH, OUTSIDE, REAL, ROWS, SCHEMA, far_away, people
from seethrough.protocols.check import Check, Explaining
from seethrough.protocols.parameters import plain
from seethrough.results.card import Need
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Worked
from seethrough.results.outcome import Controls, Measured, Measurement

FEW_ROWS = ((1, 1), (2, 1), (1, 5), (3, 2), (30, 400))
"""Sizes of real and synthetic tables at which a check gives a number or a reason."""
EXAMPLES = range(0, ROWS, 8)
"""Rows that a check is worked through on."""
FEWEST_STEPS = 3
A_COPY_SHOWS = 0.4
"""The risk that a copy of the real table has at least."""


def check_contract(check: Check, *, exempt: Exempt = NOTHING, others: Sequence[Check] = ()) -> None:
    """Hold a check to every clause, and to giving the same number in the company of other checks."""
    keep(check, CHECK_CLAUSES, exempt)
    numbers_do_not_depend_on_company([check, *others])
    controls_stand_where_they_should([check])


def the_card_says_what_it_is(check: Check) -> None:
    """Expect everything that a reader is told."""
    card = check.card
    expect(card.question.endswith("?"), card.name, f"the question does not end with a question mark: {card.question!r}")
    for field in ("name", "title", "cannot_tell", "raw_unit", "cites", "formula"):
        expect(getattr(card, field), card.name, f"the card has no {field}")


def parameters_are_plain_values(check: Check) -> None:
    """Expect parameters that reports can write down and studies read again."""
    for name, value in plain(check).items():
        expect(is_plain(value), check.card.name, f"the parameter {name} is {value!r}, which cannot be written down")


def the_same_seed_gives_the_same_number(check: Check) -> None:
    """Expect that one seed decides everything."""
    first, second = (_measured(check, REAL, FRESH, seed=7) for _ in range(2))
    same = (first.risk, first.raw, first.n) == (second.risk, second.raw, second.n)
    expect(same, check.card.name, f"one seed gives {first.risk} and {second.risk}")


def neither_threads_nor_blocks_matter(check: Check) -> None:
    """Expect that a budget decides how long it takes, never what comes out."""
    usual = _measured(check, REAL, FRESH).risk
    for budget in (Budget(memory=40 * 40 * 48, threads=1), Budget(threads=3)):
        found = _measured(check, REAL, FRESH, budget=budget).risk
        expect(found == usual, check.card.name, f"{budget} gives {found} instead of {usual}")


def the_order_of_rows_does_not_matter(check: Check) -> None:
    """Expect the same risk of rows in another order, and the same of each record."""
    rng = generator(0)
    order = rng.permutation(ROWS)
    others = order if _is_aligned(check) else rng.permutation(ROWS)
    usual, mixed = _measured(check, REAL, FRESH), _measured(check, REAL.take(order), FRESH.take(others))
    _expect_same(check, mixed, usual, "rows in another order")
    if usual.per_record is not None:
        same = mixed.per_record is not None and np.allclose(
            mixed.per_record, usual.per_record[order], rtol=1e-7, atol=1e-9, equal_nan=True
        )
        expect(same, check.card.name, "the risk of a record depends on where it stands")


def the_order_of_columns_does_not_matter(check: Check) -> None:
    """Expect the same risk of columns in another order."""
    names = ["ill", "town", "age", "job", "weight"]
    real, fresh, outside = (table.project(names) for table in (REAL, FRESH, OUTSIDE))
    turned = _measured(check, real, fresh, outside=outside)
    _expect_same(check, turned, _measured(check, REAL, FRESH), "columns in another order")


def new_names_for_levels_do_not_matter(check: Check) -> None:
    """Expect that codes of categories carry no order."""
    swap = np.array([0, 5, 3, 1, 2, 4], np.uint8)

    def renamed(table: Table) -> Table:
        age, weight, job, town, ill = table.columns
        return Table(SCHEMA, (age, weight, swap[job], town, ill))

    turned = _measured(check, renamed(REAL), renamed(FRESH), outside=renamed(OUTSIDE))
    _expect_same(check, turned, _measured(check, REAL, FRESH), "categories with other codes")


def another_unit_of_a_number_does_not_matter(check: Check) -> None:
    """Expect that a temperature in Fahrenheit is as near as in Celsius."""
    columns = (replace(c, low=32.0, high=212.0, fill=122.0) if c.name == "age" else c for c in SCHEMA.columns)
    schema = Schema(tuple(columns))

    def rescaled(table: Table) -> Table:
        return Table(schema, (table.columns[0] * 180 + 32, *table.columns[1:]))

    turned = _measured(check, rescaled(REAL), rescaled(FRESH), outside=rescaled(OUTSIDE))
    _expect_same(check, turned, _measured(check, REAL, FRESH), "a number in another unit")


def a_copy_looks_worst_and_an_independent_table_better(check: Check) -> None:
    """Expect a risk that falls from a copy over people of the same kind to a table that has to do with nobody."""
    order = np.arange(ROWS) if _is_aligned(check) else generator(0).permutation(ROWS)
    copy, fresh, far = (_measured(check, REAL, table).risk.value for table in (REAL.take(order), FRESH, far_away()))
    # Where chance is known, any table that owes nothing to the real one scores about that, however far away it is.
    slack = _tolerance(check) if check.card.chance is not None else 0.0
    expect(copy >= fresh, check.card.name, f"a copy has the risk {copy}, an independent table {fresh}")
    expect(fresh >= far - slack, check.card.name, f"an independent table has the risk {fresh}, one far away {far}")
    expect(copy > far, check.card.name, f"a copy has the risk {copy}, a table far away {far}")


def bounds_hold_or_the_check_is_skipped(check: Check) -> None:
    """Expect of few rows a number within bounds, or `NotApplicable` with a reason."""
    for real, synthetic in FEW_ROWS:
        for seed in range(5):
            found = _measured_or_reason(check, people(real, seed), people(synthetic, seed + 50))
            if isinstance(found, Measurement):
                _expect_bounds(check, found, real)


def tables_of_numbers_work(check: Check) -> None:
    """Expect that a copy of numbers alone shows; a check that needs something more may be skipped."""
    found = _copy_of(check, ["age", "weight"])
    if isinstance(found, str):
        expect(check.card.needs, check.card.name, f"numbers alone are refused though the card needs nothing: {found}")
    else:
        expect(found.risk.value > A_COPY_SHOWS, check.card.name, f"a copy of numbers has the risk {found.risk.value}")


def tables_of_categories_work(check: Check) -> None:
    """Expect that categories alone are measured."""
    found = _copy_of(check, ["job", "town", "ill"])
    expect(isinstance(found, Measurement), check.card.name, f"categories alone are refused: {found}")


def a_copy_of_categories_shows(check: Check) -> None:
    """Expect that a copy of categories shows, though most of its rows have twins."""
    found = _copy_of(check, ["job", "town", "ill"])
    shows = isinstance(found, Measurement) and found.risk.value > A_COPY_SHOWS
    expect(shows, check.card.name, f"a copy of categories gives {found if isinstance(found, str) else found.risk}")


def equal_rows_are_a_number_or_a_reason(check: Check) -> None:
    """Expect a number or a reason of a table in which all rows are equal."""
    same = _equal_rows()
    found = _measured_or_reason(check, same, same)
    inside = isinstance(found, str) or 0 <= found.risk.low <= found.risk.value <= found.risk.high <= 1
    expect(inside, check.card.name, "where all rows are equal the risk is not in [0, 1] within its interval")


def equal_rows_show_everything(check: Check) -> None:
    """Expect the risk 1, or a reason, of a copy of a table in which all rows are equal."""
    same = _equal_rows()
    found = _measured_or_reason(check, same, same)
    shows = isinstance(found, str) or found.risk.value == 1
    expect(shows, check.card.name, "a copy of a table in which all rows are equal has a risk below 1")


def the_card_says_what_an_example_shows(check: Check) -> None:
    """Expect a sentence about the rows that are looked at, and a risk from which on a person is flagged, if any has."""
    card, found = check.card, _measured(check, REAL, FRESH)
    expect(card.looks_at.endswith("."), card.name, "the card does not say in a sentence what it looks at (looks_at)")
    if found.per_record is not None:
        limit = card.flagged_from
        expect(limit is not None and 0 < limit <= 1, card.name, "the card has no flagged_from, a risk above 0 up to 1")


def a_worked_example_ends_in_the_number_of_the_run(check: Check) -> None:
    """Expect an example for every person, whose last number is the person's risk, to the last bit."""
    name, bench = check.card.name, Bench(_tables(check, REAL, FRESH, OUTSIDE), Budget(threads=1))
    expect(isinstance(check, Explaining), name, "it cannot be worked through on a person: it has no work_through")
    if not isinstance(check, Explaining):
        return
    found = check.measure(bench, generator(7))
    for row in EXAMPLES:
        shown = check.work_through(bench, Example(REAL.take(np.array([row])), row, found, generator(7)))
        if isinstance(shown, Lacking):
            expect(shown.reason, name, f"the example of row {row} is refused without a reason")
            continue
        _expect_example(check, shown, found, row)


def a_typed_person_has_an_example_or_a_reason(check: Check) -> None:
    """Expect of a person who is not in the table an example, or a sentence that says why there is none."""
    name, bench = check.card.name, Bench(_tables(check, REAL, FRESH, OUTSIDE), Budget(threads=1))
    if not isinstance(check, Explaining):
        return
    found = check.measure(bench, generator(7))
    for person in (REAL.take(np.array([0])), far_away().take(np.array([0]))):
        shown = check.work_through(bench, Example(person, None, found, generator(7)))
        said = shown.reason if isinstance(shown, Lacking) else shown.steps
        expect(said, name, "a person who was typed in gets neither an example nor a reason")


CHECK_CLAUSES: tuple[Clause[Check], ...] = (
    the_card_says_what_it_is,
    parameters_are_plain_values,
    the_same_seed_gives_the_same_number,
    neither_threads_nor_blocks_matter,
    the_order_of_rows_does_not_matter,
    the_order_of_columns_does_not_matter,
    new_names_for_levels_do_not_matter,
    another_unit_of_a_number_does_not_matter,
    a_copy_looks_worst_and_an_independent_table_better,
    bounds_hold_or_the_check_is_skipped,
    tables_of_numbers_work,
    tables_of_categories_work,
    a_copy_of_categories_shows,
    equal_rows_are_a_number_or_a_reason,
    equal_rows_show_everything,
    the_card_says_what_an_example_shows,
    a_worked_example_ends_in_the_number_of_the_run,
    a_typed_person_has_an_example_or_a_reason,
)
"""What a check promises by itself."""


def numbers_do_not_depend_on_company(checks: Sequence[Check]) -> None:
    """Expect that adding a check to an audit, or another order, changes no other number."""
    together = _numbers(checks)
    backwards = _numbers(checks[::-1])
    for check in checks:
        name, alone = check.card.name, _numbers([check])
        expect(
            together.get(name) == backwards.get(name), name, "the order of the checks of an audit changes its number"
        )
        expect(together.get(name) == alone.get(name), name, "its number depends on which other checks are run")


def controls_stand_where_they_should(checks: Sequence[Check]) -> None:
    """Expect of an audit that a copy scores at least as high as the release and the independent control."""
    found = _numbers(checks)
    for check in checks:
        name = check.card.name
        expect(name in found, name, "an audit with a secret and a holdout gives no number")
        risk, controls = found[name]
        copy, independent = controls.copy, controls.independent
        expect(
            isinstance(copy, Estimate) and isinstance(independent, Estimate), name, f"a control is missing: {controls}"
        )
        if isinstance(copy, Estimate) and isinstance(independent, Estimate):
            highest = max(risk.value, independent.value)
            expect(copy.value >= highest, name, f"the copy has the risk {copy.value}, the release or control {highest}")


def _numbers(checks: Sequence[Check]) -> dict[str, tuple[Estimate, Controls]]:
    release = Release(NamedTable("real", REAL), (NamedTable("synthetic", FRESH),), NamedTable("holdout", OUTSIDE))
    report = run_audit(release, checks, seed=3, version="").report
    return {each.check: (each.risk, each.controls) for each in report.tables[0] if isinstance(each, Measured)}


def _measured(
    check: Check,
    real: Table,
    synthetic: Table,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    outside: Table = OUTSIDE,
) -> Measurement:
    tables = _tables(check, real, synthetic, outside)
    return check.measure(Bench(tables, budget or Budget(threads=1)), generator(seed))


def _tables(check: Check, real: Table, synthetic: Table, outside: Table) -> dict[Part, Table]:
    tables = {Part.TRAIN: real, Part.SYNTHETIC: synthetic}
    return tables | ({Part.HOLDOUT: outside} if Need.HOLDOUT in check.card.needs else {})


def _measured_or_reason(check: Check, real: Table, synthetic: Table, outside: Table = OUTSIDE) -> Measurement | str:
    try:
        return _measured(check, real, synthetic, outside=outside)
    except NotApplicable as refused:
        expect(str(refused), check.card.name, "it is skipped without a reason")
        return str(refused)


def _copy_of(check: Check, names: Sequence[str]) -> Measurement | str:
    real = REAL.project(names)
    return _measured_or_reason(check, real, real, OUTSIDE.project(names))


def _equal_rows() -> Table:
    return Table(SCHEMA, tuple(np.full_like(column, column[0]) for column in REAL.columns))


def _is_aligned(check: Check) -> bool:
    """Tell whether rows stand in the order of the records that they were made from."""
    return Need.ORIGIN in check.card.needs


def _tolerance(check: Check) -> float:
    """Say how far equal tables may differ: not at all, or by the noise of 400 rows where random starts decide."""
    return 0.1 if check.card.stochastic else 1e-9


def _expect_same(check: Check, found: Measurement, usual: Measurement, what: str) -> None:
    apart = abs(found.risk.value - usual.risk.value)
    sentence = f"{what} change the risk from {usual.risk.value} to {found.risk.value}"
    expect(apart <= _tolerance(check), check.card.name, sentence)


def _expect_example(check: Check, shown: Worked, found: Measurement, row: int) -> None:
    name = check.card.name
    expect(len(shown.steps) >= FEWEST_STEPS, name, "an example has the rows looked at, the formula, and the table")
    expect(all(step.said for step in shown.steps), name, f"a step of the example of row {row} says nothing")
    if shown.of == "table":
        expect(found.per_record is None, name, "the example ends in the table's number though people have risks")
        risk = found.risk.value
    else:
        expect(found.per_record is not None, name, "the example ends in a number that the run does not have")
        risk = float(found.per_record[row]) if found.per_record is not None else np.nan
    expect(shown.result == risk, name, f"the example of row {row} ends in {shown.result}, the run in {risk}")
    for rows in (each for step in shown.steps for each in step.rows):
        expect(all(0 <= place < ROWS for place in rows.rows), name, "an example shows rows that are none")
        expect(len(rows.differs) == len(rows.rows), name, "rows are shown without the columns in which they differ")


def _expect_bounds(check: Check, found: Measurement, rows: int) -> None:
    name, risk, records = check.card.name, found.risk, found.per_record
    expect(0 <= risk.low <= risk.value <= risk.high <= 1, name, f"{risk} is no risk in [0, 1] within its interval")
    expect(found.raw is not None and np.isfinite(found.raw), name, f"the raw value is {found.raw}")
    if records is not None:
        expect(records.shape == (rows,), name, f"risks of records have the shape {records.shape}, not {(rows,)}")
        expect(records.min() >= 0 and records.max() <= 1, name, "the risk of a record is outside [0, 1]")
