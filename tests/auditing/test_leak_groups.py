"""Leak by group: by hand, small groups, choice of attacks, and leak-free releases."""

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.auditing.diagnostics import leak_groups as module
from seethrough.auditing.diagnostics.leak_groups import headlines, leak_groups
from seethrough.auditing.evidence.assess import Assessment, EvidenceRules, without_outsiders
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.pool import make_pool
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import IN_PAIRS

SCHEMA = Schema(
    (Column("town", Kind.CATEGORICAL, levels=tuple("abcd")), Column("age", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5))
)


def towns(counts, seed):
    codes = np.repeat(np.arange(1, len(counts) + 1), counts)
    return Table(SCHEMA, (codes.astype(np.uint8), np.random.default_rng(seed).random(len(codes))))


def assessment(real, outside, scores_of, *, is_share=True, family=LeakFamily.IDENTITY, asked=None):
    """One attack, whose scores follow from town and membership; nobody is a reference."""
    pool = make_pool((real, outside, real), 0, Budget(threads=1))
    codes = pool.people.column("town")
    scores = np.array([scores_of(code, member) for code, member in zip(codes, pool.members, strict=True)], float)
    everybody = np.ones(len(scores), bool) if asked is None else asked(pool)
    answer = AttackAnswers("a", (family,), scores, is_share, "are found", everybody, 0.0)
    return Assessment(without_outsiders(), pool, (answer,))


def compared(found, **options):
    return leak_groups(found, EvidenceRules(0, **options), has_outsiders=True)


def test_members_are_compared_with_people_outside_of_the_same_group():
    # In a everybody is found, members or not; in b every member and nobody outside.
    found = compared(assessment(towns([50, 60], 1), towns([80, 90], 2), lambda town, member: town == 1 or member))
    a, b = found.groups
    assert (a.label, a.members, a.outsiders, a.leak.value, a.is_exposed) == ("a", 1.0, 1.0, 0.0, False)
    assert (b.label, b.members, b.outsiders, b.leak.value, b.is_exposed) == ("b", 1.0, 0.0, 1.0, True)
    assert (b.n_members, b.measure, b.attack) == (60, "are found", "a")
    assert b.leak.low > 0
    assert (found.reason, found.left_out) == ("", 0)


def test_people_outside_who_fare_better_are_no_exposed_group():
    found = compared(assessment(towns([60, 60], 1), towns([80, 80], 2), lambda town, member: town == 1 and not member))
    assert found.groups[0].leak.high < 0
    assert found.groups[0].p <= 0.05
    assert not any(group.is_exposed for group in found.groups)


def test_a_rating_is_compared_by_ranks_within_the_group():
    # In a members are rated above all others; in b the rating only knows the town.
    found = compared(
        assessment(
            towns([50, 60], 1),
            towns([80, 90], 2),
            lambda town, member: 100 * town + (town == 1) * member,
            is_share=False,
            family=LeakFamily.MEMBERSHIP,
        )
    )
    a, b = found.groups
    assert (a.members, a.outsiders, a.measure) == (pytest.approx(1.0), pytest.approx(0.0), IN_PAIRS)
    assert (b.members, b.outsiders) == (pytest.approx(0.5), pytest.approx(0.5))
    assert [group.is_exposed for group in found.groups] == [True, False]


def test_small_groups_are_put_together_or_left_out():
    def none(town, member):
        return 0.0

    # People outside, a tenth or twenty being the reference: 30 of either kind are needed.
    found = compared(assessment(towns([90, 80, 20, 15], 1), towns([90, 80, 25, 25], 2), none))
    assert [(group.label, group.merged, group.n_members) for group in found.groups] == [
        ("a", 1, 90),
        ("b", 1, 80),
        ("all others", 2, 35),
    ]
    found = compared(assessment(towns([90, 80, 20, 5], 1), towns([90, 80, 25, 25], 2), none))
    assert [group.label for group in found.groups] == ["a", "b"]
    assert 25 <= found.left_out <= 75
    found = compared(assessment(towns([90, 20], 1), towns([90, 20], 2), none))
    assert found.groups == ()
    assert "at least 30 members and 30 people outside" in found.reason


def test_that_nobody_is_found_is_not_certainty():
    found = compared(assessment(towns([60, 60], 1), towns([60, 60], 2), lambda town, member: 0.0))
    assert all(group.leak.low < 0 < group.leak.high for group in found.groups)
    assert {group.p for group in found.groups} == {1.0}


def answer(name, families, secret=None, scores=(0.0, 0.0), asked=(True, True)):
    return AttackAnswers(name, families, np.array(scores, float), True, "m", np.array(asked), 0.0, secret)


def test_attacks_are_chosen_before_anything_is_seen():
    membership, identity, attribute = LeakFamily.MEMBERSHIP, LeakFamily.IDENTITY, LeakFamily.ATTRIBUTE
    answers = [
        answer("match", (identity, membership)),
        answer("log-ratio", (membership,)),
        answer("dcr", (attribute,), "x", (1.0, 0.0)),
        answer("recon", (attribute,), "x", (0.5, 0.5)),
        answer("dcr", (attribute,), "y", (0.0, 1.0), (True, False)),
    ]
    found = dict(headlines(answers))
    assert found[membership].name == "log-ratio"
    assert found[identity].name == "match"
    # The first attack on each secret; the second person was asked for one of them.
    assert found[attribute].label == "dcr (2 columns in turn)"
    assert found[attribute].scores.tolist() == [0.5, 0.0]
    assert found[attribute].asked.tolist() == [True, True]
    assert dict(headlines(answers[:4]))[attribute] is answers[2]


def test_of_many_people_some_are_drawn(monkeypatch):
    from seethrough.auditing.evidence import contrasts

    monkeypatch.setattr(contrasts, "MOST_CELLS", 6 * 300)
    found = compared(assessment(towns([200, 200], 1), towns([200, 200], 2), lambda town, member: member))
    assert sum(group.n_members + group.n_outsiders for group in found.groups) == 300
    assert all(group.is_exposed for group in found.groups)


def test_without_people_outside_there_are_no_groups_and_it_is_said():
    frame = pl.DataFrame({"a": ["x", "y"] * 100, "b": [1, 2, 3, 4] * 50})
    report = st.audit(frame, frame, checks="crp")
    groups = report.tables[0].exhibits.groups
    assert groups.groups == ()
    assert groups.reason == module.NO_OUTSIDERS
    assert "Groups are compared with people outside of the same group, and none were given" in report.to_markdown()


def frames(seed, copied):
    """Real people, people outside, and a release that has the rows of one region and new people of the other."""
    rng = np.random.default_rng(seed)

    def draw(rows):
        return pl.DataFrame(
            {
                "region": rng.choice(["north", "south"], rows),
                "age": rng.integers(18, 90, rows),
                "income": rng.lognormal(1, 0.5, rows).round(2),
            }
        )

    real, outside, other = draw(300), draw(300), draw(300)
    kept = [
        frame.filter(pl.col("region") == side)
        for frame, side in ((real if copied else other, "south"), (other, "north"))
    ]
    return real, outside, pl.concat(kept)


def test_the_group_whose_rows_were_copied_is_the_one_that_leaks():
    real, outside, release = frames(1, copied=True)
    report = st.audit(real, release, outside, checks="crp")
    groups = report.tables[0].exhibits.groups
    assert {(group.column, group.label) for group in groups.groups if group.is_exposed} == {("region", "south")}
    assert {group.family for group in groups.groups} == set(LeakFamily)
    [identity] = [g for g in groups.groups if g.label == "south" and g.family is LeakFamily.IDENTITY]
    assert identity.members == pytest.approx(1.0, abs=0.02)
    assert identity.outsiders < 0.02
    said = report.to_dict()["exhibits"]["groups"]
    assert all("label" not in group for group in said["groups"])
    assert said["permutations"] == groups.permutations == 1999


def test_people_with_several_rows_count_once():
    real, outside, release = frames(3, copied=True)
    visits = [
        pl.concat([frame.with_columns(pl.Series("who", np.arange(300) + start))] * 2)
        for frame, start in ((real, 0), (outside, 1000))
    ]
    report = st.audit(visits[0], release.with_columns(who=pl.lit(-1)), visits[1], checks="crp", entity="who")
    groups = report.tables[0].exhibits.groups.groups
    members = {(group.family, group.label): group.n_members for group in groups if group.column == "region"}
    for family in (LeakFamily.MEMBERSHIP, LeakFamily.IDENTITY):
        assert members[family, "north"] + members[family, "south"] == 300
    assert {group.label for group in groups if group.is_exposed} == {"south"}


@pytest.mark.slow
def test_groups_of_leak_free_releases_are_exposed_in_one_audit_of_twenty_at_most():
    alarms = 0
    for seed in range(100):
        real, outside, release = frames(100 + seed, copied=False)
        groups = st.audit(real, release, outside, checks="crp", seed=seed).tables[0].exhibits.groups
        alarms += any(group.is_exposed for group in groups.groups)
    # 100 audits at 2.5 % (one of two sides): 2.5 expected, and 8 or fewer with a chance of 99.8 %.
    assert alarms <= 8
