"""How many games would tell an attack from chance: by hand, and by tests on simulated games."""

import numpy as np
import pytest
from scipy import stats

import seethrough as st
from seethrough.games.enough_games import too_few_games
from seethrough.kernels.statistics.needed_trials import REACH, needed_trials, round_up
from seethrough.results.estimate import Estimate
from seethrough.results.game import Score


def score(value, low, high, error, attack="recon"):
    return Score("indhist", 1000, attack, Estimate(value, low, high), error, None, 100, 0.1)


def test_needed_trials_by_hand():
    assert pytest.approx(stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) == REACH
    # (2.8016 * 0.5 / 0.05)^2 = 784.9
    assert needed_trials(0.5, 0.05) == 785
    assert needed_trials(0.5, 0.05, other_error=0.05) is None  # what is compared with is too uncertain itself
    assert [round_up(each) for each in (1, 9, 10, 99, 101, 785, 12_345)] == [1, 9, 10, 99, 110, 790, 13_000]


def test_so_many_games_find_the_lead_with_a_chance_of_four_in_five():
    rng = np.random.default_rng(3)
    games = needed_trials(0.5, 0.1)
    hits = rng.binomial(games, 0.6, size=4000)
    p = np.array([stats.binomtest(int(each), games, 0.5).pvalue for each in np.unique(hits)])
    found = (p[np.searchsorted(np.unique(hits), hits)] <= 0.05).mean()
    assert found == pytest.approx(0.8, abs=0.05)  # the exact test is a little stricter than the normal one


def test_an_attack_is_named_where_its_interval_holds_chance():
    sure, unsure, worse = (
        score(0.8, 0.71, 0.87, 0.04),
        score(0.55, 0.45, 0.64, 0.05),
        score(0.48, 0.38, 0.58, 0.05, "dcr"),
    )
    said = too_few_games([sure, unsure, worse], 100, 0.5)
    # 2.8016 * 0.5 / 0.05 squared, where the spread of one game is 0.05 * sqrt(100).
    assert said == (
        "100 games are too few to tell recon on indhist at 1,000 rows (0.550) from chance (0.500); about 790 games "
        "would, if it is that much better",
        "100 games are too few to tell dcr on indhist at 1,000 rows (0.480) from chance (0.500); about 790 games "
        "would, if it were 0.05 better",
    )
    assert too_few_games([sure], 100, 0.5) == ()
    assert too_few_games([unsure] * 7, 100, 0.5)[-1] == "the same holds for 2 more attacks on releases"


def test_a_game_says_so_in_its_notes():
    played = st.play_game(
        st.samples.acs()[:200], secret="sex", synthesizers="indhist", attacks="dcr", rows=40, sizes=[40], games=3
    )
    assert any(note.startswith("3 games are too few to tell dcr on indhist at 40 rows") for note in played.notes)
