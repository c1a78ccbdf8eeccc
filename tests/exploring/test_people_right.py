"""How many of 100 people are guessed right: the mean over people drawn, each by the guess for one."""

import numpy as np
import pytest

KEYS = ("age", "sex", "job", "since", "wage")


def expected(exploration, person, known, attack, source):
    """The chance that the guess for one person is right, ties shared."""
    found = getattr(exploration.guess("ill", known, person, attack), source)
    best = [each.value for each in found.shares if each.share >= found.share - 1e-9]
    [truth] = [cell.text for cell in person.cells if cell.column == "ill"]
    return (truth in best) / len(best)


@pytest.mark.parametrize("attack", ["gcap", "dcr"])
@pytest.mark.parametrize("known", [(), ("sex", "job"), KEYS])
def test_shares_are_means_over_everybody_where_all_are_drawn(exploration, attack, known):
    found = exploration.rightness("ill", known, attack)
    people = [exploration.person(row=row) for row in range(120)]
    outside = [
        exploration.person(values={cell.column: cell.text for cell in cells})
        for cells in exploration.cells("outside", range(80))
    ]
    means = [
        100 * np.mean([expected(exploration, each, known, attack, "release") for each in some])
        for some in (people, outside)
    ]
    assert (found.inside, found.outside) == pytest.approx(means)
    assert found.added == pytest.approx(means[0] - means[1])
    assert found.low <= found.added <= found.high
    assert (found.inside_people, found.outside_people, found.against) == (120, 80, "people outside")


def test_the_interval_is_that_of_two_independent_means(exploration):
    """Against the variances of both means added, which the interval approaches with many people."""
    found = exploration.rightness("ill", KEYS)
    shares = [(found.inside / 100, 120), (found.outside / 100, 80)]
    error = sum(share * (1 - share) / people for share, people in shares) ** 0.5
    assert found.high - found.low == pytest.approx(2 * 196 * error, rel=0.15)


def test_the_same_people_are_asked_every_time(exploration, frames):
    import seethrough as st

    again = st.explore(*(frame.sample(fraction=1.0, shuffle=True, seed=4) for frame in frames), secret="ill")
    one, two = (each.rightness("ill", ("sex", "age")) for each in (exploration, again))
    assert (one.inside, one.outside) == pytest.approx((two.inside, two.outside))


def test_without_a_holdout_it_is_imputation_of_the_same_people(without_holdout):
    found = without_holdout.rightness("ill", ("sex", "job"))
    assert found.against == "imputation"
    assert found.inside_people == found.outside_people == 120
    assert found.low <= found.added <= found.high
    means = np.mean(
        [
            expected(without_holdout, without_holdout.person(row=row), ("sex", "job"), "gcap", "release")
            for row in range(120)
        ]
    )
    assert found.inside == pytest.approx(100 * means)


@pytest.mark.parametrize("attack", ["infer", "recon"])
def test_models_are_asked_about_both_kinds(exploration, attack):
    found = exploration.rightness("ill", KEYS, attack)
    assert 0 <= found.outside <= 100
    assert 0 <= found.inside <= 100
    assert found.low <= found.added <= found.high
