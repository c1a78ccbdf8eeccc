"""What coins allow to say, in words."""

from seethrough.results.evidence import EpsilonBound, Finding, Grade, LeakFamily, ReleaseEvidence, ReleaseVerdict
from seethrough.results.evidence_words import epsilon_sentence, exchangeability_sentence


def evidence(**said):
    return ReleaseEvidence(
        ReleaseVerdict(Grade.CANNOT_TELL, "", ""), (Finding(LeakFamily.MEMBERSHIP, Grade.SLIGHT),), **said
    )


def test_a_bound_is_rounded_down_and_stands_beside_its_ceiling():
    bound = EpsilonBound(4.0389, 5.3786, 0.95, 1000, 992, 2120, (10, 30, 100, 300, 1000), "log-ratio")
    assert epsilon_sentence(bound) == (
        "Epsilon is at least 4.03 (95 % confidence, delta 0): 992 of the 1,000 people rated highest by log-ratio were "
        "in the data; an audit set of 2,120 can show at most 5.37."
    )


def test_a_bound_of_zero_says_what_could_have_been_shown():
    bound = EpsilonBound(0.0, 2.0, 0.95, 10, 5, 90, (10, 30), "log-ratio")
    assert epsilon_sentence(bound) == (
        "No epsilon above 0 is shown (95 % confidence, log-ratio); an audit set of 90 can show at most 2.00."
    )


def test_exchangeability_is_designed_or_assumed():
    assert "by design: coins" in exchangeability_sentence(evidence(is_designed=True))
    assert "come from one population is assumed" in exchangeability_sentence(evidence())
