"""What holds for every check of the catalog. A new check is picked up by itself."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.auditing.run import audit
from seethrough.bench.bench import Bench
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.plugins import catalog
from seethrough.protocols.parameters import plain
from seethrough.results.card import Need
from seethrough.results.outcome import Measured

ALIGNED = HiddenRate(assume_aligned=True)
"""Rests on which synthetic row was made from which record: without being told so, it is skipped."""
CHECKS = [ALIGNED if check.card.name == "hidden-rate" else check for check in catalog.load().values()]
NAMES = [check.card.name for check in CHECKS]
every_check = pytest.mark.parametrize("check", CHECKS, ids=NAMES)

TWINS_ARE_HIDDEN = {"id-score", "nndr", "mdcr"}
"""By definition a record that has a twin in the real table is not singled out."""

SCHEMA = Schema(
    (
        Column("age", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("weight", Kind.NUMERIC, low=-3.0, high=3.0, fill=0.0),
        Column("job", Kind.CATEGORICAL, levels=tuple("abcde")),
        Column("town", Kind.CATEGORICAL, levels=tuple("vwxyz")),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def people(rows, seed):
    """Records of one population, with ties, missing values and a secret that depends on the rest."""
    rng = np.random.default_rng(seed)
    age, weight = rng.integers(0, 90, rows) / 90, rng.normal(size=rows).round(2)
    job, town = rng.integers(1, 6, rows), rng.integers(0, 6, rows)
    ill = 1 + (rng.random(rows) < 0.1 + 0.6 * age)
    age[rng.random(rows) < 0.05] = np.nan
    return Table(SCHEMA, (age, weight, job.astype(np.uint8), town.astype(np.uint8), ill.astype(np.uint8)))


def measured(check, real, synthetic, seed=0, budget=None, outside=None):
    tables = {Part.TRAIN: real, Part.SYNTHETIC: synthetic}
    if Need.HOLDOUT in check.card.needs:
        tables[Part.HOLDOUT] = OUTSIDE if outside is None else outside
    bench = Bench(tables, budget or Budget(threads=1))
    return check.measure(bench, np.random.default_rng(seed))


def tolerance(check):
    """How far equal tables may differ: not at all, or by the noise of 400 rows where random starts decide."""
    return 0.1 if check.card.stochastic else 1e-9


def at_chance(check):
    """Tell whether any table that owes nothing to the real one scores one half, however far away it is."""
    return check.card.name == "membership"


def far_away():
    """Numbers out of range and levels that nobody has."""
    age, weight, *others = people(400, 4).columns
    return Table(SCHEMA, (np.nan_to_num(age) + 9, weight + 90, *(np.full_like(column, 9) for column in others)))


REAL, FRESH, OUTSIDE = people(400, 1), people(400, 2), people(400, 3)


@every_check
def test_the_card_says_what_it_is(check):
    card = check.card
    assert card.question.endswith("?")
    assert card.cannot_tell
    assert card.raw_unit
    assert card.cites
    assert card.formula
    # Verdicts come from a comparison of 21 metrics; an attack that was not in it has none.
    compared = type(check).__module__.startswith("seethrough.metrics.")
    assert bool(card.ordering) == bool(card.monotone) == compared


@every_check
def test_the_same_seed_gives_the_same_number(check):
    first, second = (measured(check, REAL, FRESH, seed=7) for _ in range(2))
    assert (first.risk, first.raw, first.n) == (second.risk, second.raw, second.n)


@every_check
@pytest.mark.parametrize(
    "budget", [Budget(memory=40 * 40 * 48, threads=1), Budget(threads=3)], ids=["blocks", "threads"]
)
def test_neither_threads_nor_blocks_matter(check, budget):
    assert measured(check, REAL, FRESH).risk == measured(check, REAL, FRESH, budget=budget).risk


@every_check
def test_the_order_of_rows_does_not_matter(check):
    rng = np.random.default_rng(0)
    order = rng.permutation(400)
    others = order if check is ALIGNED else rng.permutation(400)
    mixed = measured(check, REAL.take(order), FRESH.take(others))
    plain = measured(check, REAL, FRESH)
    assert mixed.risk.value == pytest.approx(plain.risk.value, abs=tolerance(check))
    if plain.per_record is not None:
        np.testing.assert_allclose(mixed.per_record, plain.per_record[order], atol=1e-9)


@every_check
def test_the_order_of_columns_does_not_matter(check):
    names = ["ill", "town", "age", "job", "weight"]
    turned = measured(check, *(table.project(names) for table in (REAL, FRESH)), outside=OUTSIDE.project(names))
    assert turned.risk.value == pytest.approx(measured(check, REAL, FRESH).risk.value, abs=tolerance(check))


@every_check
def test_new_names_for_levels_do_not_matter(check):
    swap = np.array([0, 5, 3, 1, 2, 4], np.uint8)

    def renamed(table):
        age, weight, job, town, ill = table.columns
        return Table(SCHEMA, (age, weight, swap[job], town, ill))

    plain = measured(check, REAL, FRESH)
    turned = measured(check, renamed(REAL), renamed(FRESH), outside=renamed(OUTSIDE))
    assert turned.risk.value == pytest.approx(plain.risk.value, abs=tolerance(check))


@every_check
def test_another_unit_of_a_number_does_not_matter(check):
    schema = Schema(
        tuple(replace(c, low=32.0, high=212.0, fill=122.0) if c.name == "age" else c for c in SCHEMA.columns)
    )

    def rescaled(table):
        return Table(schema, (table.columns[0] * 180 + 32, *table.columns[1:]))

    plain = measured(check, REAL, FRESH)
    turned = measured(check, rescaled(REAL), rescaled(FRESH), outside=rescaled(OUTSIDE))
    assert turned.risk.value == pytest.approx(plain.risk.value, abs=tolerance(check))


@every_check
def test_a_copy_looks_worst_and_an_independent_table_better(check):
    order = slice(None) if check is ALIGNED else np.random.default_rng(0).permutation(400)
    copy = measured(check, REAL, REAL.take(order))
    fresh = measured(check, REAL, FRESH)
    far = measured(check, REAL, far_away())
    assert copy.risk.value >= fresh.risk.value >= far.risk.value - (tolerance(check) if at_chance(check) else 0)
    assert copy.risk.value > far.risk.value


@every_check
@pytest.mark.parametrize("rows", [(1, 1), (2, 1), (1, 5), (3, 2), (30, 400)], ids=str)
def test_bounds_hold_or_the_check_is_skipped(check, rows):
    for seed in range(5):
        try:
            found = measured(check, people(rows[0], seed), people(rows[1], seed + 50))
        except NotApplicable as reason:
            assert str(reason)  # noqa: PT017  either a reason or a number
            continue
        assert 0 <= found.risk.low <= found.risk.value <= found.risk.high <= 1
        assert np.isfinite(found.raw)
        if found.per_record is not None:
            assert found.per_record.shape == (rows[0],)
            assert found.per_record.min() >= 0
            assert found.per_record.max() <= 1


@every_check
@pytest.mark.parametrize("kinds", ["numbers", "categories"])
def test_tables_of_one_kind_work(check, kinds):
    names = ["age", "weight"] if kinds == "numbers" else ["job", "town", "ill"]
    try:
        copy = measured(check, REAL.project(names), REAL.project(names), outside=OUTSIDE.project(names))
    except NotApplicable:
        assert kinds == "numbers"
        assert check.card.needs
        return
    if kinds == "categories" and check.card.name in {"air", *TWINS_ARE_HIDDEN}:
        return  # most rows have twins here
    assert copy.risk.value > 0.4


@every_check
def test_all_rows_equal_is_a_number_or_a_reason(check):
    same = Table(SCHEMA, tuple(np.full_like(column, column[0]) for column in REAL.columns))
    try:
        found = measured(check, same, same)
    except NotApplicable as reason:
        assert str(reason)  # noqa: PT017  either a reason or a number
        return
    assert found.risk.value == 1 or check.card.name in TWINS_ARE_HIDDEN


@every_check
def test_parameters_are_plain_values(check):
    assert all(value is None or isinstance(value, str | int | float | bool) for value in plain(check).values())


def release(synthetic):
    return Release(
        NamedTable("real", REAL), (NamedTable("synthetic", synthetic),), NamedTable("holdout", people(400, 3))
    )


def numbers_of(report):
    return {o.check: (o.risk, o.controls) for o in report.tables[0] if isinstance(o, Measured)}


def test_adding_a_check_or_another_order_changes_no_other_number():
    everything = numbers_of(audit(release(FRESH), CHECKS, seed=3, version=""))
    backwards = numbers_of(audit(release(FRESH), CHECKS[::-1], seed=3, version=""))
    assert everything == backwards
    for check in CHECKS:
        assert numbers_of(audit(release(FRESH), [check], seed=3, version="")).items() <= everything.items()


def test_both_controls_stand_where_they_should():
    found = numbers_of(audit(release(FRESH), CHECKS, seed=3, version=""))
    assert set(found) == set(NAMES)
    for risk, controls in found.values():
        assert controls.copy.value >= risk.value
        assert controls.copy.value >= controls.independent.value
