"""Isolated people: their leak and their risks beside the rest, by hand, on releases that leak and that do not."""

import numpy as np
import pytest

import seethrough as st
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.auditing.diagnostics.isolated_people import isolated_leaks, isolated_risks
from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules, assess, without_outsiders
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.pool import make_pool
from seethrough.bench.isolation import Isolation
from seethrough.data.samples import acs_release
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import LeakFamily
from seethrough.synthesizers.indhist import IndependentHistograms

SCHEMA = Schema((Column("age", Kind.NUMERIC, low=0.0, high=100.0, fill=0.0),))


def people(rows, seed, far):
    """People near 0, and `far` who stand alone, ever further off."""
    rng = np.random.default_rng(seed)
    numbers = np.concatenate([rng.random(rows - far), 10.0 + 10 * np.arange(far) + 5 * (seed % 2)])
    return Table(SCHEMA, (numbers,))


def judged(scores_of, far=40):
    """One attack whose answers follow from age and membership, on 300 members and 300 people outside."""
    real, outside = people(300, 1, far), people(300, 2, far)
    pool = make_pool((real, outside, real), 0, Budget(threads=1))
    scores = np.array([scores_of(age, member) for age, member in zip(*_of(pool), strict=True)], float)
    answer = AttackAnswers("a", (LeakFamily.IDENTITY,), scores, True, "are found", np.ones(len(scores), bool), 0.0)
    found = Assessment(without_outsiders(), pool, (answer,))
    return isolated_leaks(found, EvidenceRules(0, permutations=999), Isolation(), has_outsiders=True)


def _of(pool):
    return pool.people.column("age"), pool.members


def test_isolated_members_are_compared_with_isolated_people_outside():
    # Whoever stands alone is found if a member; of the others nobody is.
    isolated, others = judged(lambda age, member: age >= 10 and member).leaks
    assert (isolated.label, isolated.members, isolated.outsiders, isolated.is_exposed) == (
        "most isolated tenth",
        1.0,
        0.0,
        True,
    )
    assert isolated.n_members + isolated.n_outsiders >= round(0.1 * (300 + 270))  # ties all belong
    assert others.members < 0.1


def test_being_found_because_one_is_isolated_is_no_leak():
    isolated, others = judged(lambda age, member: age >= 10).leaks
    assert isolated.members == isolated.outsiders == 1.0
    assert not isolated.is_exposed
    assert not others.is_exposed


def test_who_is_isolated_does_not_depend_on_who_is_a_member():
    assert judged(lambda age, member: member).leaks[0].n_members == judged(lambda age, member: age).leaks[0].n_members


def test_reasons_where_nothing_can_be_compared():
    rules = EvidenceRules(0)
    blank = Assessment(without_outsiders())
    assert "--holdout" in isolated_leaks(blank, rules, Isolation(), has_outsiders=False).reason
    assert "could not be compared" in isolated_leaks(blank, rules, Isolation(), has_outsiders=True).reason


def test_risks_of_the_most_isolated_rows_stand_beside_the_rest():
    sample = acs_release()
    report = st.audit(sample.real[:400], sample.synthetic[:400], sample.holdout[:200], checks=("membership", "crp"))
    found = report.tables[0].exhibits.isolated
    [risk] = [risk for risk in found.risks if risk.check == "membership"]
    per_record = report["membership"].measurement.per_record
    assert risk.isolated.n >= 20
    assert risk.isolated.n + risk.rest.n == 400
    total = risk.isolated.value * risk.isolated.n + risk.rest.value * risk.rest.n
    assert total == pytest.approx(np.clip(per_record, 0, 1).sum())
    assert isolated_risks(report.tables[0].outcomes, np.arange(400.0))[0].isolated.n == 20
    assert found.distance == "standard"
    assert "Isolated people" in report.to_markdown()
    assert report.to_dict()["exhibits"]["isolated"]["risks"][0]["check"] == "membership"


def test_the_published_distance_is_a_parameter_that_is_recorded_and_repeated():
    sample = acs_release()
    tables = sample.real[:200], sample.synthetic[:200], sample.holdout[:100]
    report = st.audit(*tables, checks="crp", params={"isolation": {"distance": "cosine"}})
    assert report.tables[0].exhibits.isolated.distance == "cosine"
    assert report.to_dict()["record"]["params"]["isolation"]["distance"] == "cosine"
    assert st.verify(report.to_dict(), *tables).holds
    with pytest.raises(ConfigError, match="isolation"):
        st.audit(*tables, checks="crp", params={"isolation": {"distance": "hamming"}})


def test_isolated_people_of_a_release_of_independent_columns_are_not_exposed(sample):
    real, outside = sample(600, 1), sample(600, 2)
    rng = np.random.default_rng(3)
    release = IndependentHistograms().fit(real, rng).sample(600, rng)
    release = getattr(release, "table", release)
    rules = EvidenceRules(0, permutations=999)
    found = assess((real, outside, release), Arsenal((MatchRare(),), ()), rules, Budget(threads=1))
    assert found.evidence.people == ()
    leaks = isolated_leaks(found, rules, Isolation(), has_outsiders=True).leaks
    assert len(leaks) >= 2
    assert not any(group.is_exposed for group in leaks)


@pytest.mark.slow
def test_the_leak_of_isolated_people_keeps_its_level(sample):
    """300 members, 300 people outside, an independent release: at most 5 % of audits find a leak, up to chance."""
    below = 0
    for run in range(300):
        real, outside, release = (sample(300, 1000 * run + part) for part in range(3))
        rules = EvidenceRules(run, permutations=499)
        found = assess((real, outside, release), Arsenal((MatchRare(),), ()), rules, Budget(threads=1))
        leaks = isolated_leaks(found, rules, Isolation(), has_outsiders=True).leaks
        below += any(group.p <= 0.05 for group in leaks)
    assert below <= 26  # 97.5 % of Binomial(300, 0.05) is 23
