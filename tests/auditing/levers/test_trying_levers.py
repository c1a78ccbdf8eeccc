"""Levers tried on a release whose leak is known: badges lead to illnesses."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from seethrough.auditing.evidence.assess import EvidenceRules, assess
from seethrough.auditing.levers.coarsening import CoarseColumns, Gone
from seethrough.auditing.levers.defaults import column_levers, screen_levers, usual_levers
from seethrough.auditing.levers.grammar import parse_lever
from seethrough.auditing.levers.run import take_stock, try_baseline, try_levers
from seethrough.auditing.levers.situation import Generators, most_exposed
from seethrough.errors import ConfigError, DataError
from seethrough.kernels.budget import Budget
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.timings import ignore_progress


@dataclass(frozen=True)
class Copier:
    """Releases the table that it was given, or nothing of it."""

    name = "copier"
    card = SynthesizerCard("copier", "Copier", "Copies.")
    epsilon: float = 10.0

    def fit(self, table, rng):
        if self.epsilon < 0.01:
            raise DataError("there is no budget left")
        return _CopySampler(table, self.epsilon)


class _CopySampler:
    def __init__(self, table, epsilon):
        self.table, self.epsilon, self.card = table, epsilon, SamplerCard("copier", len(table))

    def sample(self, rows, rng):
        drawn = self.table.take(rng.integers(0, len(self.table), rows))
        if self.epsilon >= 1:
            return drawn
        return replace(drawn, columns=tuple(rng.permutation(column) for column in drawn.columns))


@pytest.fixture(scope="module")
def situation(leaking_release, arsenal, rules):
    generators = Generators(Copier(), {"shuffled": Copier(0.5)})
    return take_stock(leaking_release, arsenal, rules, Budget(threads=1), generators, draws=2)


@pytest.fixture(scope="module")
def baseline(situation):
    return try_baseline(situation)


@pytest.fixture(scope="module")
def rows(situation, baseline):
    levers = (
        "fewer rows 10%",
        "drop column badge",
        "coarsen badge to 5",
        "coarsen town to 4",
        "drop near copies",
        "regenerate without 30",
        "generator shuffled",
        "epsilon 0.001",
    )
    found = try_levers(situation, [parse_lever(line) for line in levers], baseline, ignore_progress)
    return {row.lever: row for row in found}


def test_the_release_as_it_is_has_the_leak_of_an_audit(situation, baseline, leaking_release, arsenal, rules):
    tables = leaking_release.train.table, leaking_release.holdout.table, leaking_release.synthetic[0].table
    evidence = assess(tables, arsenal, rules, Budget(threads=1)).evidence
    for family in LeakFamily:
        assert baseline[family].grade is evidence[family].grade
    membership = evidence[LeakFamily.MEMBERSHIP]
    assert baseline[LeakFamily.MEMBERSHIP].leak == membership.leak
    assert baseline.grade is Grade.SEVERE
    assert situation.leaks[0].influence.sum() == pytest.approx(0, abs=1e-9)


def test_what_takes_the_badge_away_takes_the_leak_away(rows):
    for line in ("drop column badge", "generator shuffled"):
        row = rows[line]
        assert row.helps
        assert row.change.value < -0.5
        assert row.leak.value < 0.2
        assert row.change.low < row.change.value < row.change.high
    assert rows["coarsen badge to 5"].change.value < -0.3
    assert rows["coarsen town to 4"].change.value > -0.3


def test_a_tenth_of_the_rows_shows_about_a_tenth_of_the_people(rows, baseline):
    row = rows["fewer rows 10%"]
    assert row.rows == 30
    assert row[LeakFamily.IDENTITY].leak.value < baseline[LeakFamily.IDENTITY].leak.value / 4
    assert "the mean over 2 draws" in row.notes


def test_utility_is_lost_by_what_is_taken_away(rows, baseline):
    for line in ("fewer rows 10%", "drop column badge"):
        assert rows[line].utility_change < -0.02
    assert rows["coarsen badge to 5"].utility.kept > rows["drop column badge"].utility.kept


def test_the_real_table_keeps_everything_and_values_drawn_evenly_keep_nothing(situation):
    real = situation.release.train.table
    assert situation.yardstick.measure(real).kept == pytest.approx(1)
    gone = CoarseColumns({column.name: Gone() for column in real.schema.used})
    assert situation.yardstick.measure(real, gone).kept == pytest.approx(0)


def test_a_coin_is_no_measure_of_models(situation, baseline):
    # The secret follows from nothing, so that the success of models has no place on the scale.
    counts = [
        (getattr(end, name), getattr(baseline.utility, name), getattr(worst, name))
        for name in ("mre", "tvd")
        for end, worst in [situation.yardstick._ends]
    ]
    expected = np.mean([(value - worst) / (best - worst) for best, value, worst in counts])
    assert baseline.utility.kept == pytest.approx(expected)


def test_dropping_near_copies_is_no_remedy(rows, baseline):
    row = rows["drop near copies"]
    assert row.near_copies == 0
    assert baseline.near_copies > 0.5
    assert not row.is_remedy


def test_a_generator_that_copies_exposes_others_when_it_forgets_some(rows):
    row = rows["regenerate without 30"]
    assert row.grade is Grade.SEVERE
    assert any("of them were not before" in note for note in row.notes)


def test_a_generator_that_fails_says_why_and_hides_no_other_lever(rows):
    row = rows["epsilon 0.001"]
    assert (row.reason, row.place, row.is_measured) == ("there is no budget left", None, False)
    assert [rows[line].place for line in rows][:7] == list(range(1, 8))


def test_the_same_seed_gives_the_same_rows(situation, baseline, rows):
    lever = parse_lever("fewer rows 10%")
    [again] = try_levers(situation, [lever], baseline, ignore_progress)
    assert (again.leak, again.utility) == (rows["fewer rows 10%"].leak, rows["fewer rows 10%"].utility)


def test_the_most_exposed_are_left_out_with_people_outside_who_are_rated_alike(situation):
    found = most_exposed(situation.assessment, "match-rare", 40, 0)
    inside = situation.assessment.pool.member_people
    assert len(found.rows) == (found.left_out & inside).sum() == 40
    scores = next(answer for answer in situation.assessment.answers if answer.label == "match-rare").scores
    assert scores[inside & found.left_out].min() >= scores[inside & ~found.left_out].max()
    assert (found.left_out & ~inside).sum() <= 5
    with pytest.raises(ConfigError, match="cannot be left out"):
        most_exposed(situation.assessment, "match-rare", 300, 0)


def test_a_release_that_owes_nothing_to_anybody_shows_no_leak_without_its_most_exposed(badges, arsenal):
    from seethrough.data.release import NamedTable, Release

    told = 0
    for seed in range(20):
        real, outside, other = (badges(120, 100 + 3 * seed + part) for part in range(3))
        release = Release(NamedTable("r", real), (NamedTable("s", other),), NamedTable("h", outside))
        rules = EvidenceRules(seed, permutations=199, figures=False)
        found = take_stock(release, arsenal, rules, Budget(threads=1), Generators())
        left_out = most_exposed(found.assessment, "nearness", 30, seed).left_out
        again = found.trial.assess(badges(120, 5000 + seed), None, left_out)
        told += again.evidence.verdict.grade.is_leak
    assert told <= 4


def test_the_quick_pass_keeps_what_takes_the_leak_away(situation, baseline):
    levers = column_levers(situation)
    lines = [str(lever) for lever in levers]
    assert "drop column badge" in lines
    assert not any("ill" in line for line in lines)
    chosen, others = screen_levers(situation, levers, baseline, ignore_progress, best=2)
    assert len(chosen) == 2
    assert len(others) == len(levers) - 2
    assert all("badge" in str(lever) for lever in chosen)


def test_usual_levers_are_of_every_kind_that_the_release_allows(situation):
    lines = [str(lever) for lever in usual_levers(situation)]
    assert lines == [
        "fewer rows 50%",
        "fewer rows 25%",
        "fewer rows 10%",
        "drop near copies",
        "regenerate without 3",
        "regenerate without 15",
        "epsilon 1",
        "epsilon 0.1",
        "generator shuffled",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("drop column nope", "there is no column 'nope'"),
        ("coarsen ill to 2", "coarsen it to fewer"),
        ("fewer rows 300", "the release has 300 rows"),
        ("fewer files 1", "the release has one file"),
    ],
)
def test_a_lever_that_does_not_fit_is_refused_before_anything_is_run(situation, baseline, line, said):
    with pytest.raises(ConfigError, match=said):
        try_levers(situation, [parse_lever(line)], baseline, ignore_progress)


@pytest.mark.parametrize("line", ["regenerate without 5", "epsilon 1"])
def test_without_a_generator_nothing_is_regenerated(situation, baseline, line):
    unknown = replace(situation, generators=Generators())
    with pytest.raises(ConfigError, match="needs the generator"):
        try_levers(unknown, [parse_lever(line)], baseline, ignore_progress)


def test_work_on_people_alone_is_shared_between_levers(situation):
    pool = situation.trial.pool
    known = len(pool.bench.work)
    situation.trial.assess(situation.whole)
    first = len(pool.bench.work)
    assert first == known  # branches keep what they learn to themselves
    assert np.array_equal(situation.trial.pool.member_people, situation.assessment.pool.member_people)
