"""Membership by nearness: against its definition by pairs, by hand, and on releases that leak everything or nothing."""

import numpy as np
import pytest

from seethrough.auditing.checks.membership_check import HoldoutHalf, HoldoutHalves, MembershipCheck, _rated
from seethrough.auditing.run import run_audit
from seethrough.bench.bench import Bench, DrawnFrom
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measured, Skipped

SCHEMA = Schema(
    (
        Column("x", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("y", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("c", Kind.CATEGORICAL, levels=tuple("abc")),
    )
)


FOUND = "members found at one false alarm in a hundred"


def people(rows, seed, decimals=2):
    rng = np.random.default_rng(seed)
    columns = rng.random(rows).round(decimals), rng.random(rows).round(decimals), rng.integers(1, 4, rows)
    return Table(SCHEMA, (columns[0], columns[1], columns[2].astype(np.uint8)))


def bench(real, synthetic, outside):
    return Bench({Part.TRAIN: real, Part.SYNTHETIC: synthetic, Part.HOLDOUT: outside}, Budget(threads=1))


def measured(real, synthetic, outside, check=None, seed=0):
    return (check or MembershipCheck()).measure(bench(real, synthetic, outside), np.random.default_rng(seed))


def test_nearer_first_and_the_rarer_among_equals_by_hand():
    half = HoldoutHalf(np.arange(2), outside=np.array([0.1, 0.9]), members=np.array([0.5, 0.5, 0.5]))
    members, others = _rated(np.array([0.0, 0.2, 0.4]), np.array([0.0, 0.4]), half)
    # Near 0 and rarity 0.5 against (0, 0.1) and (0.4, 0.9): both lower. Near 0.2: below the first, above the second.
    # Near 0.4 and rarity 0.5: below the first, and below the second, which is as near and rarer.
    assert members.tolist() == [1.0, 0.5, 0.0]
    assert others.tolist() == pytest.approx([1 / 3, 2 / 3])


def distance(table, other):
    found = np.zeros((len(table), len(other)))
    for column, mine, theirs in zip(SCHEMA.columns, table.columns, other.columns, strict=True):
        if column.kind is Kind.NUMERIC:
            found += (mine[:, None] - theirs[None, :]) ** 2
        else:
            found += mine[:, None] != theirs[None, :]
    return np.sqrt(found)


def test_people_who_were_drawn_have_what_was_found_for_everybody():
    real, outside = people(60, 1), people(41, 3)
    rows = np.array([50, 3, 7, 8])
    everybody = bench(real, people(30, 2), outside)
    request = HoldoutHalves(100, 7)
    whole = everybody.get(request)
    drawn = everybody.with_drawn(Part.TRAIN, real.take(rows), DrawnFrom(real, rows))
    alone = bench(real.take(rows), people(30, 2), outside)
    for mine, theirs, all_of_them in zip(drawn.get(request), alone.get(request), whole, strict=True):
        np.testing.assert_array_equal(mine.members, theirs.members)
        np.testing.assert_array_equal(mine.outside, theirs.outside)
        assert mine.outside is all_of_them.outside  # it was looked up


def test_equals_a_loop_over_all_pairs_for_some_split_of_the_holdout():
    real, synthetic, outside = people(25, 1, 1), people(30, 2, 1), people(24, 3, 1)
    game, salt = MembershipCheck(), int(np.random.default_rng(5).integers(1 << 32))
    found = measured(real, synthetic, outside, game, seed=5)
    halves = [half.rows for half in HoldoutHalves(game.most_outside, salt).compute(bench(real, synthetic, outside))]
    assert sorted(np.concatenate(halves).tolist()) == list(range(24))
    near, near_outside = (distance(each, synthetic).min(axis=1).round(9) for each in (real, outside))
    areas, placed = [], []
    for rated, reference in (halves, halves[::-1]):
        others = outside.take(reference)
        rare = distance(real, others).min(axis=1).round(9)
        rare_outside = distance(outside, others).min(axis=1).round(9)
        wins = np.zeros((25, len(rated)))
        for i in range(25):
            for place, j in enumerate(rated):
                mine, theirs = (-near[i], rare[i]), (-near_outside[j], rare_outside[j])
                wins[i, place] = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        areas.append(wins.mean())
        placed.append(wins.sum(axis=1) / (len(rated) + 1))
    assert found.risk.value == pytest.approx(np.mean(areas), abs=1e-12)
    np.testing.assert_allclose(found.per_record, np.mean(placed, axis=0), atol=1e-12)
    assert found.raw == pytest.approx(found.risk.value - 0.5)


def test_a_copy_tells_everybody_and_a_fresh_table_nobody():
    real, outside = people(400, 1, 6), people(400, 2, 6)
    copied = measured(real, real, outside)
    assert copied.risk.value == 1.0
    assert copied.risk.low < 1.0
    assert copied.details["members found at one false alarm in a hundred"] == 1.0
    fresh = measured(real, people(400, 3, 6), outside)
    assert fresh.risk.low < 0.5 < fresh.risk.high
    assert fresh.details["members found at one false alarm in a hundred"] < 0.05


def test_false_alarms_are_as_rare_as_said_also_with_few_people_outside():
    # Of 110 people outside in a half none may be above: 1 of 111 by chance. A member above all but one is not found.
    shares = [
        measured(people(500, seed, 6), people(500, seed + 50, 6), people(220, seed + 100, 6)).details[FOUND]
        for seed in range(30)
    ]
    assert np.mean(shares) == pytest.approx(1 / 111, abs=4 * np.std(shares) / np.sqrt(30))
    assert np.mean(shares) < 0.0135


def test_people_outside_may_be_too_few_to_tell_false_alarms():
    found = measured(people(300, 1, 6), people(300, 2, 6), people(60, 3, 6))
    assert FOUND not in found.details
    assert "60 people outside are too few" in found.warnings[0]
    assert measured(people(300, 1, 6), people(300, 2, 6), people(198, 3, 6)).warnings == ()


def test_half_a_copy_is_found_in_proportion():
    real = people(600, 1, 6)
    found = measured(real, stack_tables([real.take(np.arange(300)), people(300, 9, 6)]), people(600, 2, 6))
    # The copied half is above everybody outside, the other half is like them.
    assert found.risk.value == pytest.approx(0.75, abs=0.03)
    assert found.per_record[:300].min() > 0.99


def test_an_audit_has_both_controls_and_leaves_people_outside_beside_them():
    real, outside = people(300, 1, 6), people(300, 2, 6)
    given = Release(
        NamedTable("real", real),
        (NamedTable("copy", real), NamedTable("fresh", people(300, 3, 6))),
        NamedTable("out", outside),
    )
    report = run_audit(given, [MembershipCheck()], seed=1, version="").report
    for table, expected in zip(report.tables, (1.0, 0.5), strict=True):
        found = table["membership"]
        assert isinstance(found, Measured)
        assert found.risk.value == pytest.approx(expected, abs=0.06)
        assert isinstance(found.controls.copy, Estimate)
        assert isinstance(found.controls.independent, Estimate)
        assert found.controls.copy.value == 1.0
        assert found.controls.independent.low < 0.5 < found.controls.independent.high


def test_without_a_holdout_it_is_skipped_with_the_reason():
    given = Release(NamedTable("real", people(50, 1)), (NamedTable("fresh", people(50, 2)),), None)
    outcome = run_audit(given, [MembershipCheck()], seed=1, version="").report["membership"]
    assert isinstance(outcome, Skipped)
    assert "holdout" in outcome.reason


def test_few_records_are_refused_with_both_numbers():
    with pytest.raises(NotApplicable, match="there are 50 real records and 19 kept out; 20 of each are needed"):
        measured(people(50, 1), people(50, 2), people(19, 3))


def test_more_people_outside_than_asked_for_are_drawn_and_said():
    found = measured(people(100, 1), people(100, 2), people(90, 3), MembershipCheck(most_outside=40))
    assert found.details["people outside"] == 40
    assert found.warnings[0] == "40 of 90 holdout records were drawn"
    with pytest.raises(ConfigError, match=r"membership\.most_outside is 5"):
        MembershipCheck(most_outside=5)
