"""Figures on guesses of secrets: abstention by hand, what a copy and an independent sample look like, no holdout."""

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.auditing.evidence.attribute.other_people import FOREST, SAME_ATTACK, against_other_people
from seethrough.auditing.evidence.attribute.surest_people import kept_people
from seethrough.kernels.budget import Budget


def test_the_surest_are_kept_over_both_groups_with_all_ties():
    sureness = np.repeat([3, 2, 1, 0], [30, 30, 40, 100])
    hits = np.repeat([1.0, 0.5, 0.0, 0.25], [30, 30, 40, 100])
    members = np.arange(200) % 2 == 0
    kept = kept_people(hits, sureness)
    # Half of 200 are the first 100; a quarter, 50, ends among the 60 surest, who tie; a tenth, 20, among the 30.
    assert [(each.recall, int(each.kept.sum())) for each in kept] == [(1.0, 200), (0.5, 100), (0.25, 60), (0.1, 30)]
    part = kept[2].part(members, 0.5)
    assert (part.members, part.outsiders, part.kept_members, part.kept_outsiders) == (0.75, 0.75, 0.3, 0.3)
    assert kept[3].part(members, 0.5) is None  # 15 people outside
    assert kept[2].vector.sum() == pytest.approx(0)


def test_a_copy_has_larger_figures_for_members_throughout(sample, evidence_on):
    real = sample(500, 1)
    figures = evidence_on(real, sample(500, 2), real, figures=True).secrets
    [found] = figures.guesses
    assert (found.attack, found.secret, found.members) == ("dcr", "ill", 1.0)
    assert found.leak.low > 0
    assert found.by_rarity.members == 1
    assert found.by_rarity.classes == 2
    assert found.by_rarity.p == 1 / 1000
    assert (found.surest[0].recall, found.surest[0].p) == (1, 1 / 1000)
    assert found.alc.value > 0.8
    assert found.alc_against_models.value > 0.8
    assert found.alc.precision > 0.99
    [best] = figures.best
    assert best.members == 1
    assert best.more == 1 - best.outsiders > 0
    assert figures.key_sets.best.p_corrected == 1 / 1000


def test_an_independent_sample_has_alike_figures(sample, evidence_on):
    [found] = evidence_on(sample(300, 1), sample(300, 2), sample(300, 3), figures=True).secrets.guesses
    assert found.leak.low < 0 < found.leak.high
    assert found.by_rarity.p > 0.01
    assert all(part.p > 0.01 for part in found.surest)


def test_the_order_of_rows_changes_no_figure(sample, evidence_on):
    tables = [sample(120, seed) for seed in (1, 2, 3)]
    rng = np.random.default_rng(0)
    again = [table.take(rng.permutation(120)) for table in tables]
    assert evidence_on(*again, figures=True).secrets.to_dict() == evidence_on(*tables, figures=True).secrets.to_dict()


def test_without_people_outside_a_copy_tells_more_than_other_people_and_a_sample_does_not(sample):
    real = sample(300, 1, coin=True)
    copied = against_other_people(real, real, (Gcap(),), 0, Budget(threads=1)).against_other_people[0]
    assert (copied.success, copied.people) == (1.0, 300)
    assert copied.baseline in {SAME_ATTACK, FOREST}
    assert copied.difference.low > 0.3
    [other] = against_other_people(
        real, sample(300, 2, coin=True), (Gcap(),), 0, Budget(threads=1)
    ).against_other_people
    assert other.difference.low < 0


def test_of_many_real_people_some_are_compared_and_it_is_told(sample, monkeypatch):
    monkeypatch.setattr("seethrough.auditing.evidence.attribute.other_people.MOST_COMPARED", 100)
    found = against_other_people(sample(150, 1), sample(150, 2), (Dcr(),), 0, Budget(threads=1))
    assert found.against_other_people[0].people == 100
    assert found.notes == ("a sample of 100 of 150 real people was compared with other real people",)
