"""Several files together: halves of the members, copies that one file hides, leak-free files, and the report."""

import numpy as np
import pytest

import seethrough as st
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.match import Match
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.near_match import NearMatch
from seethrough.attacks.membership.rank_linkage import LinkageOfPeople
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, assess
from seethrough.auditing.evidence.several.release_comparison import keep_answers
from seethrough.auditing.evidence.several.together import BY_FILE, assess_together
from seethrough.data.release import ONE_ROW_EACH
from seethrough.data.samples import acs_release
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade, LeakFamily

ARSENAL = Arsenal((LogRatio(), Match(), MatchRare(), NearMatch(), LinkageOfPeople()), ())


def judged(real, outside, files, seed=0, permutations=499):
    rules, budget = EvidenceRules(seed, permutations=permutations), Budget(threads=1)
    each = [
        keep_answers(str(number), assess((real, outside, file), ARSENAL, rules, budget))
        for number, file in enumerate(files)
    ]
    return each, assess_together((real, outside, files), each, ARSENAL, rules, budget, ONE_ROW_EACH)


def shares(evidence):
    return {attack.name: attack.members for attack in evidence.attacks}


def test_two_files_of_half_the_members_each_find_both_halves(sample):
    real, outside = sample(200, 1), sample(200, 2)
    each, found = judged(real, outside, [real.take(np.arange(100)), real.take(np.arange(100, 200))])
    assert [shares(file.evidence)["match"] for file in each] == [0.5, 0.5]
    together = shares(found)
    assert together["match"] == 1.0
    assert together["rank-linkage"] > 0.95
    assert together["match, mean over files"] == 0.5
    assert found[LeakFamily.IDENTITY].grade is Grade.SEVERE
    assert found[LeakFamily.ATTRIBUTE].cannot_tell == (BY_FILE,)
    assert found.people == ()


def test_files_that_owe_nothing_to_members_show_no_leak_together(sample):
    _, found = judged(sample(300, 3), sample(300, 4), [sample(300, 5), sample(300, 6), sample(300, 7)])
    assert found[LeakFamily.IDENTITY].grade is Grade.NO_LEAK_FOUND
    assert found[LeakFamily.MEMBERSHIP].grade is Grade.NO_LEAK_FOUND


def test_a_mean_over_files_is_surer_than_each_file(sample):
    real, outside = sample(300, 8), sample(300, 9)
    files = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        some = rng.permutation(300)[:12]
        files.append(sample(300, 20 + seed))
        for mine, others in zip(real.columns, files[-1].columns, strict=True):
            others[:12] = mine[some]
    each, found = judged(real, outside, files)
    name = "match-rare, mean over files"
    [mean] = [attack for attack in found.attacks if attack.name == name]
    alone = [attack for file in each for attack in file.evidence.attacks if attack.name == "match-rare"]
    strength = [attack.leak.value / (attack.leak.high - attack.leak.low) for attack in alone]
    assert mean.leak.value / (mean.leak.high - mean.leak.low) > max(strength)


def test_a_report_on_several_files_says_what_they_show_together():
    data = acs_release()
    files = {"first": data.synthetic[:300], "second": data.synthetic[300:600]}
    # With fewer than about 200 people outside others would not be told.
    report = st.audit(data.real[:600], files, data.holdout[:600], checks="crp", preset="fast")
    assert "All files together" in report.to_markdown()
    assert {attack["name"] for attack in report.to_dict()["together"]["attacks"]} >= {
        "match",
        "rank-linkage",
        "match-rare, mean over files",
    }
    assert report.for_others().to_dict()["together"]["verdict"]["grade"] == report.together.verdict.grade.value
    alone = st.audit(data.real[:300], data.synthetic[:300], data.holdout[:150], checks="crp", preset="fast")
    assert alone.to_dict()["together"] is None


@pytest.mark.slow
@pytest.mark.parametrize("size", [100, 300])
def test_files_together_keep_the_level(sample, size):
    """Two independent files: any leak found in about 5 % of audits at most."""
    runs, found = 200, 0
    for run in range(runs):
        tables = [sample(size, 4 * (1000 * size + run) + part) for part in range(4)]
        _, together = judged(*tables[:2], tables[2:], seed=run, permutations=199)
        found += together.verdict.grade.is_leak
    assert found <= runs * 0.05 + 2.5 * (runs * 0.05 * 0.95) ** 0.5
