"""The section on secrets says what the figures found, in people out of 100."""

import pytest

from seethrough.report.sections.evidence.secrets import _sentences
from seethrough.results.attribute.figures import (
    AttributeFigures,
    BestGuess,
    KeySetSweep,
    KeySetTable,
    OtherPeopleComparison,
    WholeRowGuesses,
)
from seethrough.results.estimate import Estimate

KEYS = KeySetTable("ill", ("age", "job"), "exact values", 89, 120, 184, 4, 20, 217, 1e-9, 0.01, 0.001)


def said(**figures):
    return " ".join(_sentences(AttributeFigures(**figures)))


def test_keys_that_give_people_away_are_named_with_their_table():
    text = said(key_sets=KeySetSweep((), KEYS, 1941, 1941, 999))
    assert "age, job" in text
    assert "Of 184 members who are alone with them 89 have their ill given right" in text
    assert "of 217 people outside 4 " in text
    assert "corrected for 1,941 key sets" in text


@pytest.mark.parametrize("p", [0.06, None])
def test_keys_that_chance_explains_are_not_accused(p):
    found = KeySetTable(**{**vars(KEYS), "p_corrected": p})
    assert said(key_sets=KeySetSweep((), found, 10, 10, 999)) == ""


def test_the_best_guess_and_whole_rows_stand_with_what_anybody_could_guess():
    leak = Estimate(0.3, 0.25, 0.35, 0.95)
    row = WholeRowGuesses("recon", ("a", "b"), 0.8, 0.7, leak, 0.01, 0.5, 0.2, leak, 0.001)
    text = said(best=(BestGuess("ill", "recon", 0.71, "imputation (forest)", 0.68),), whole_rows=(row,))
    assert "guesses 71 of 100 members right; the best that anybody could guess (imputation (forest)) is 68" in text
    assert "recon has all 2 secrets of 50 of 100 members right, of people outside 20; 30 (25 to 35) come" in text


def test_other_real_people_are_never_called_a_leak():
    difference = Estimate(0.2, 0.1, 0.3, 0.95)
    text = said(against_other_people=(OtherPeopleComparison("gcap", "ill", 0.7, 0.5, "a forest", difference, 900),))
    assert text.startswith("Against other real people: gcap guesses ill of 70 of 100 real people right")
    assert "This is not a leak" in text
