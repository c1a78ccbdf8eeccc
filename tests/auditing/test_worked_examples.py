"""Worked examples: the last number is that of the run, exactly; numbers of the formula are right by brute force."""

from dataclasses import dataclass, replace
from math import log2

import numpy as np
import pytest
from scipy import stats

from seethrough.auditing.explaining import NO_EXAMPLE, explain_check
from seethrough.auditing.measuring import measure
from seethrough.bench.bench import Bench
from seethrough.bench.person.example import OnePerson
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.metrics.crp import CommonRows
from seethrough.plugins import catalog
from seethrough.plugins.testing.populations import OUTSIDE, REAL
from seethrough.protocols.parameters import plain, stream_name
from seethrough.results.explained.worked import Lacking, Worked
from seethrough.results.outcome import Controls, Failed, Measured, Skipped, Unavailable
from seethrough.seeds import stream

SEED = 5
ROWS = 50

SURVEY = Schema(
    (
        Column("size", Kind.NUMERIC, low=1.0, high=6.0, fill=3.0),
        Column("hours", Kind.NUMERIC, low=0.0, high=60.0, fill=40.0),
        Column("flat", Kind.NUMERIC, low=7.0, high=7.0, fill=7.0),
        Column("area", Kind.CATEGORICAL, levels=("Anvilham", "Brackwater", "Corvidale")),
        Column("owns", Kind.BINARY, levels=("Yesterly", "Noughtly")),
        Column("pay", Kind.CATEGORICAL, Role.SECRET, levels=("Lowmark", "Midmark", "Topmark")),
    )
)


def survey(rows, seed):
    """Few values, so that most rows have twins; a constant column; missing values; a secret of three levels."""
    rng = np.random.default_rng(seed)
    size, hours = rng.integers(1, 7, rows).astype(float), rng.choice([0.0, 20.0, 40.0, 40.0, 60.0], rows)
    size[rng.random(rows) < 0.05] = np.nan
    area, owns = rng.integers(0, 4, rows).astype(np.uint8), rng.integers(1, 3, rows).astype(np.uint8)
    pay = np.clip(1 + hours // 30 + (rng.random(rows) < 0.2), 1, 3).astype(np.uint8)
    return Table(SURVEY, (size, hours, np.full(rows, 7.0), area, owns, pay))


def near_copy(table, seed):
    """Some real rows as they are, some with another value, so that people differ in their risks."""
    rng = np.random.default_rng(seed)
    columns = [np.where(rng.random(len(table)) < 0.25, rng.permutation(values), values) for values in table.columns]
    return Table(
        table.schema, tuple(column.astype(old.dtype) for column, old in zip(columns, table.columns, strict=True))
    )


BENCHES = {
    "numbers": (REAL, near_copy(REAL, 9), OUTSIDE),
    "twins": (survey(300, 1), near_copy(survey(300, 1), 2).take(np.arange(220)), survey(150, 3)),
}
VARIANTS = {
    "gcap": ({}, {"numeric_keys": "bin"}),
    "zcap": ({}, {"unmatched": "drop", "numeric_keys": "bin"}),
    "air": ({}, {"neighbours": 4}, {"variant": "priveval"}),
    "auth": ({}, {"space": "standardised"}, {"space": "gower-l1"}, {"space": "numeric"}, {"per": "synthetic"}),
    "crp": ({}, {"decimals": 0}, {"unit": "set"}),
    "cvp": ({}, {"norm": "pairs"}, {"norm": "nn", "space": "standardised"}, {"strict": True}),
    "dvp": ({}, {"norm": "nn"}),
    "nsnd": ({}, {"norm": "pairs", "space": "gower-l1"}),
    "dcr": (
        {},
        {"dimensions": 4},
        {"dimensions": None},
        {"dimensions": None, "reference": "ratio"},
        {"log_base": "10"},
    ),
    "hitting-rate": ({}, {"width": 0.3, "unit": "pairs"}),
    "id-score": ({}, {"weights": "entropy", "real_rank": 2}, {"weights": "none"}),
    "mir": ({}, {"threshold": 0.3}, {"attack": "holdout"}),
    "nnaa": ({}, {"balance": True}, {"against": "holdout"}),
    "nndr": ({}, {"per": "real"}, {"per": "real", "dimensions": None}, {"per": "real", "reading": "paper-a"}),
    "linkage": ({}, {"criterion": "max"}, {"criterion": "min"}),
    "membership": ({}, {"most_outside": 100}),
    "recon": ({}, {"variant": "lp"}),
}


def cases():
    for table in BENCHES:
        for name in catalog.load():
            for params in VARIANTS.get(name, ({},)):
                undefined = table == "twins" and params.get("reference") == "ratio"  # the median distance is 0
                if name != "hidden-rate" and not undefined:
                    yield pytest.param(table, name, params, id=f"{table}-{name}-{params}")


def bench_of(name):
    return Bench(dict(zip((Part.TRAIN, Part.SYNTHETIC, Part.HOLDOUT), BENCHES[name], strict=True)), Budget(threads=1))


def run(check, bench):
    found = measure(check, bench, stream(SEED, stream_name(check)))
    return Measured(check.card, found, Controls(found.risk, Unavailable("not here")), 0.0, plain(check))


def explain(check, bench, row=0, column=None):
    outcome = run(check, bench)
    person = OnePerson.of_row(bench.table(Part.TRAIN), row)
    return outcome, explain_check(check, bench, outcome, person, seed=SEED, column=column)


@pytest.mark.parametrize(("table", "name", "params"), list(cases()))
def test_the_last_number_is_that_of_the_run(table, name, params):
    check, bench = catalog.build_check(name, params), bench_of(table)
    outcome = run(check, bench)
    risks, real = outcome.measurement.per_record, bench.table(Part.TRAIN)
    for row in np.random.default_rng(0).permutation(len(real))[:ROWS].tolist():
        shown = explain_check(check, bench, outcome, OnePerson.of_row(real, row), seed=SEED)
        assert isinstance(shown, Worked)
        assert shown.result == (outcome.risk.value if risks is None else risks[row])
        assert shown.of == ("table" if risks is None else "person")


@pytest.mark.parametrize("params", [{}, {"ties": "fraction"}])
def test_the_hidden_rate_shows_the_row_made_from_the_person(params):
    real, released, _ = BENCHES["numbers"]
    bench = Bench({Part.TRAIN: real, Part.SYNTHETIC: released}, Budget(threads=1))
    check = catalog.build_check("hidden-rate", {"assume_aligned": True, **params})
    outcome = run(check, bench)
    for row in range(ROWS):
        shown = explain_check(check, bench, outcome, OnePerson.of_row(real, row), seed=SEED)
        assert shown.result == outcome.measurement.per_record[row]
        assert shown.steps[0].rows[0].rows == (row,)


@pytest.mark.parametrize("name", [name for name in catalog.load() if name != "hidden-rate"])
def test_no_value_of_a_table_is_in_an_example(name):
    _, shown = explain(catalog.build_check(name, {}), bench_of("twins"), row=7)
    told = repr(shown)
    for column in SURVEY.columns:
        assert not any(level in told for level in column.levels)


def distance(real, other, row):
    """Gower distance of one row to all rows of another table, straight from the definition."""
    total = np.zeros(len(other))
    for column, mine, values in zip(real.schema.used, real.columns, other.columns, strict=True):
        if column.kind.has_levels:
            total += values != mine[row]
            continue
        gone = np.isnan(values), np.isnan(mine[row])
        total += gone[0] != gone[1]
        filled = [np.where(np.isnan(each), column.fill, each) for each in (values, mine[row])]
        total += ((filled[0] - filled[1]) / ((column.high - column.low) or 1.0)) ** 2
    return np.sqrt(total)


@pytest.mark.parametrize("table", BENCHES)
def test_distances_and_the_rows_nearest_are_those_of_brute_force(table):
    bench = bench_of(table)
    real, released, _ = BENCHES[table]
    for row in range(20):
        _, shown = explain(catalog.build_check("auth", {}), bench, row)
        far, home = distance(real, released, row), np.delete(distance(real, real, row), row)
        assert shown.steps[0].numbers["d_YZ"] == pytest.approx(far.min(), rel=1e-11)
        assert shown.steps[0].numbers["d_YY"] == pytest.approx(home.min(), rel=1e-11)
        listed = shown.steps[0].rows[0]
        assert listed.distances == pytest.approx(np.sort(far)[:10], rel=1e-11)
        assert far[list(listed.rows)] == pytest.approx(np.sort(far)[:10], rel=1e-11)
        assert shown.result == (far.min() <= home.min() + 1e-12)


@pytest.mark.parametrize("table", BENCHES)
def test_the_nearest_keys_are_those_of_brute_force(table):
    bench = bench_of(table)
    real, released, _ = BENCHES[table]
    secret = real.schema.secrets[0]
    keys = [column.name for column in real.schema.used if column.name != secret]
    for row in range(20):
        _, shown = explain(catalog.build_check("gcap", {}), bench, row)
        differ = np.zeros(len(released), int)
        for name in keys:
            mine, values = real.column(name)[row], released.column(name)
            both_missing = np.isnan(mine) & np.isnan(values) if values.dtype.kind == "f" else False
            differ += ~((values == mine) | both_missing)
        nearest = np.flatnonzero(differ == differ.min())
        right = int((released.column(secret)[nearest] == real.column(secret)[row]).sum())
        numbers = shown.steps[0].numbers
        assert (numbers["rows"], numbers["with the secret"]) == (len(nearest), right)
        assert numbers["differ in"] == differ.min()
        assert shown.steps[0].rows[0].total == len(nearest)
        assert set(shown.steps[0].rows[0].rows) <= set(nearest.tolist())
        assert shown.result == right / len(nearest)


def test_columns_that_differ_are_named_and_no_others():
    bench = bench_of("twins")
    real, released, _ = BENCHES["twins"]
    _, shown = explain(CommonRows(), bench, row=3)
    listed = shown.steps[0].rows[0]
    for place, row in enumerate(listed.rows):
        for name in (column.name for column in SURVEY.used):
            mine, other = real.column(name)[3], released.column(name)[row]
            same = mine == other or (mine != mine and other != other)  # noqa: PLR0124  NaN
            assert (name in listed.differs[place]) == (not same)


def test_membership_counts_people_outside_rated_lower():
    bench = bench_of("numbers")
    real, released, outside = BENCHES["numbers"]
    for row in range(10):
        _, shown = explain(catalog.build_check("membership", {}), bench, row)
        numbers = shown.steps[1].numbers
        near = distance(real, released, row).min()
        apart = np.array([distance(outside, released, other).min() for other in range(len(outside))])
        # Ties of nearness are few here: all but those are decided by nearness alone.
        lower, higher = (apart > near + 1e-9).sum(), (apart < near - 1e-9).sum()
        assert numbers["people 1"] + numbers["people 2"] == len(outside)
        assert lower <= numbers["lower 1"] + numbers["lower 2"] <= len(outside) - higher


def test_the_curve_of_membership_ends_at_one_and_its_area_is_the_risk():
    outcome, shown = explain(catalog.build_check("membership", {}), bench_of("numbers"))
    curve = np.array(shown.steps[-2].curve)
    assert curve[-1].tolist() == [1.0, 1.0]
    assert (np.diff(curve, axis=0) >= 0).all()
    rates = np.concatenate([[[0.0, 0.0]], curve])
    assert np.trapezoid(rates[:, 1], rates[:, 0]) == pytest.approx(outcome.risk.value, abs=0.03)


@pytest.mark.parametrize("row", [0, 3, 11])
def test_released_counts_add_up_to_the_score(row):
    outcome, shown = explain(catalog.build_check("recon", {}), bench_of("numbers"), row)
    last = shown.steps[-3]
    assert last.numbers["t"] == pytest.approx(outcome.measurement.per_record[row], abs=1e-6)
    adds = [step.numbers["adds"] for step in shown.steps if "adds" in step.numbers]
    assert 0 < len(adds) <= 5
    assert adds == sorted(adds, key=abs, reverse=True)
    assert last.numbers["begins"] + sum(adds) + last.numbers["others"] == pytest.approx(last.numbers["t"])


def test_released_counts_of_reconstruction_are_those_of_brute_force():
    real, released, _ = BENCHES["numbers"]
    check, bench = catalog.build_check("recon", {}), bench_of("numbers")
    outcome, seen = run(check, bench), 0
    for row in range(25):
        shown = explain_check(check, bench, outcome, OnePerson.of_row(real, row), seed=SEED)
        for step in (step for step in shown.steps if step.said.startswith("Like this person in job and town:")):
            alike = np.logical_and(*(released.column(name) == real.column(name)[row] for name in ("job", "town")))
            right = alike & (released.column("ill") == real.column("ill")[row])
            assert (step.numbers["released"], step.numbers["right"]) == (alike.sum(), right.sum())
            assert step.rows[-1].total == alike.sum()
            assert set(step.rows[-1].rows) <= set(np.flatnonzero(alike).tolist())
            seen += 1
    assert seen >= 5


def test_linkage_by_ranks_is_that_of_brute_force():
    real, _, _ = BENCHES["numbers"]
    schema = Schema(tuple(column for column in real.schema.columns if column.name in {"age", "weight", "ill"}))
    tables = [Table(schema, tuple(table.column(c.name) for c in schema.used)) for table in BENCHES["numbers"]]
    bench = Bench(dict(zip((Part.TRAIN, Part.SYNTHETIC, Part.HOLDOUT), tables, strict=True)), Budget(threads=1))
    filled = [
        {name: np.where(np.isnan(t.column(name)), np.inf, t.column(name)) for name in ("age", "weight")} for t in tables
    ]
    ranks = [{name: stats.rankdata(values) for name, values in each.items()} for each in filled]
    for row in range(10):
        _, shown = explain(catalog.build_check("linkage", {}), bench, row)
        far = sum(np.abs(ranks[1][name] - ranks[0][name][row]) for name in ("age", "weight"))
        linked = np.flatnonzero(far == far.min())
        right = (tables[1].column("ill")[linked] == tables[0].column("ill")[row]).mean()
        assert shown.steps[0].numbers["distance in ranks"] == far.min()
        assert shown.steps[0].rows[0].rows == tuple(linked[:10].tolist())
        assert shown.result == right


def test_a_column_of_numbers_is_that_of_scipy():
    real, released, _ = BENCHES["numbers"]
    _, shown = explain(catalog.build_check("ks", {}), bench_of("numbers"), row=1, column="weight")
    mine, values, others = real.column("weight")[1], real.column("weight"), released.column("weight")
    assert shown.steps[1].numbers["D"] == pytest.approx(stats.ks_2samp(values, others).statistic)
    here = abs((values <= mine).mean() - (others <= mine).mean())
    assert shown.steps[1].numbers["here"] == pytest.approx(here)
    assert shown.steps[0].said.startswith("Column weight. ")


def test_a_column_of_categories_is_that_of_scipy():
    real, released, _ = BENCHES["numbers"]
    mine, values, others = real.column("job")[1], real.column("job"), released.column("job")
    counts = np.array([np.bincount(each, minlength=6)[1:] for each in (values, others)], float)
    p, q = (values == mine).mean(), (others == mine).mean()
    bench = bench_of("numbers")
    _, shown = explain(catalog.build_check("chi-squared", {}), bench, row=1, column="job")
    expected = stats.chi2_contingency(counts, correction=False)
    assert shown.steps[1].numbers["chi2"] == pytest.approx(expected.statistic)
    assert shown.steps[1].numbers["score"] == pytest.approx(expected.pvalue)
    cell = (counts - expected.expected_freq) ** 2 / expected.expected_freq
    assert shown.steps[1].numbers["here"] == pytest.approx(cell[:, mine - 1].sum())
    _, shown = explain(catalog.build_check("inverse-kl", {}), bench, row=1, column="job")
    assert shown.steps[1].numbers["KL"] == pytest.approx(stats.entropy(counts[0], counts[1]))
    assert shown.steps[1].numbers["here"] == pytest.approx(p * np.log(p / q))
    _, shown = explain(catalog.build_check("js-distance", {}), bench, row=1, column="job")
    middle = (p + q) / 2
    assert shown.steps[1].numbers["here"] == pytest.approx((p * log2(p / middle) + q * log2(q / middle)) / 2)


def test_the_score_of_a_learner_is_that_of_the_fold_the_person_was_held_out_of():
    check, bench = catalog.build_check("d-mlp", {"classifier": "logistic"}), bench_of("numbers")
    outcome = run(check, bench)
    areas = [float(each) for each in str(outcome.measurement.details["AUC by fold"]).split(", ")]
    real = bench.table(Part.TRAIN)
    lower = {}
    for row in range(len(real)):
        shown = explain_check(check, bench, outcome, OnePerson.of_row(real, row), seed=SEED)
        fold = int(shown.steps[0].numbers["fold"])
        lower.setdefault(fold, []).append(shown.steps[1].numbers["scores lower"])
        assert shown.steps[1].numbers["AUC of the fold"] == pytest.approx(areas[fold - 1], abs=5e-5)
    # The area of a fold is the mean over its people of the share of released rows that score lower.
    assert [np.mean(lower[fold]) for fold in sorted(lower)] == pytest.approx(areas, abs=5e-5)


def test_what_a_person_adds_moves_the_mean_to_the_tables_risk():
    bench = bench_of("numbers")
    check = catalog.build_check("hitting-rate", {"width": 0.3})
    outcome = run(check, bench)
    real = bench.table(Part.TRAIN)
    adds = [
        explain_check(check, bench, outcome, OnePerson.of_row(real, row), seed=SEED).steps[-2].numbers["adds"]
        for row in range(len(real))
    ]
    assert sum(adds) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in catalog.load() if name != "hidden-rate"])
def test_a_person_who_is_typed_in_gets_an_example_or_a_reason(name):
    bench, check = bench_of("twins"), catalog.build_check(name, {})
    outcome = run(check, bench)
    shown = explain_check(check, bench, outcome, OnePerson(survey(5, 77).take(np.array([2]))), seed=SEED)
    if isinstance(shown, Lacking):
        assert shown.reason.endswith("rows of the table only")
        assert shown.looks_at == check.card.looks_at
    else:
        assert len(shown.steps) >= 3
        assert 0 <= shown.result <= 1


def test_skipped_failed_and_unknown_checks_say_what_they_would_look_at():
    bench = bench_of("numbers")
    check = catalog.build_check("hidden-rate", {})
    person = OnePerson.of_row(bench.table(Part.TRAIN), 0)
    shown = explain_check(check, bench, Skipped(check.card, "no origin"), person, seed=SEED)
    assert shown == Lacking("hidden-rate", "no origin", check.card.looks_at)
    shown = explain_check(check, bench, Failed(check.card, "ValueError"), person, seed=SEED)
    assert shown == Lacking("hidden-rate", "it broke: ValueError", check.card.looks_at)


def test_the_last_step_has_controls_and_the_flag():
    _, shown = explain(catalog.build_check("membership", {}), bench_of("numbers"), row=8)
    last = shown.steps[-1]
    assert last.numbers["flagged from"] == 0.99
    assert ("this one is not." in last.said) == (shown.result < 0.99)
    assert last.said.startswith("A copy of the real table scores ")


def test_a_check_without_an_example_says_so():
    @dataclass(frozen=True)
    class Silent:
        card = replace(CommonRows().card, looks_at="")

        def measure(self, bench, rng):
            return CommonRows().measure(bench, rng)

    bench = bench_of("numbers")
    shown = explain_check(Silent(), bench, run(Silent(), bench), OnePerson.of_row(REAL, 0), seed=SEED)
    assert shown.reason == NO_EXAMPLE
    assert shown.looks_at.startswith("How many real records stand in the release")


def test_a_person_whom_the_run_did_not_ask_about_is_told_so():
    check, bench = catalog.build_check("linkage", {"most_records": 30}), bench_of("numbers")
    outcome = run(check, bench)
    asked = ~np.isnan(outcome.measurement.per_record)
    out = int(np.flatnonzero(~asked)[0])
    shown = explain_check(check, bench, outcome, OnePerson.of_row(REAL, out), seed=SEED)
    assert shown.reason == "the run asked about 30 people, drawn at random, and this person is not among them"
    inside = int(np.flatnonzero(asked)[0])
    assert isinstance(explain_check(check, bench, outcome, OnePerson.of_row(REAL, inside), seed=SEED), Worked)


def test_an_example_is_the_same_on_a_bench_of_its_own():
    """A stored audit is opened again: nothing of the run is there but its numbers."""
    for name in ("auth", "gcap", "membership", "linkage", "recon", "dcr"):
        check = catalog.build_check(name, {})
        outcome, shown = explain(check, bench_of("numbers"), row=4)
        fresh = bench_of("numbers")
        person = OnePerson.of_row(fresh.table(Part.TRAIN), 4)
        assert explain_check(check, fresh, outcome, person, seed=SEED) == shown
