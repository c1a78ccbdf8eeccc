"""The game as a whole: what attacks are shown, and that workers change nothing."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.attribute.infer import Infer
from seethrough.errors import ConfigError
from seethrough.games.attribute import AttributeGame, GameRules
from seethrough.games.population import population
from seethrough.games.running import run
from seethrough.games.scoring import accuracy, class_auc, scores_of, standard_error
from seethrough.kernels.budget import Budget
from seethrough.protocols.attack import Guesses
from seethrough.results.game import GameReport
from seethrough.synthesizers.indhist import IndependentHistograms
from seethrough.synthesizers.nonprivate import NonPrivate
from seethrough.synthesizers.real import Real
from seethrough.utility.three_way import three_way

DRAWN = (NonPrivate(),)


@dataclass(frozen=True)
class ByOrder:
    """Takes the released row at the target's place for the target's own."""

    name: ClassVar[str] = "by-order"

    def guess(self, view, rng):
        secrets = view.released[0].column(view.secret)[view.targets]
        scores = (secrets[:, None] == np.array(view.classes)).astype(float)
        return Guesses(scores, np.ones(len(scores)), {})


@dataclass(frozen=True)
class Watching:
    """Notes what it is shown."""

    seen: list
    name: ClassVar[str] = "watching"

    def guess(self, view, rng):
        self.seen.append(view)
        scores = np.full((len(view.targets), len(view.classes)), 1 / len(view.classes))
        return Guesses(scores, np.zeros(len(scores)), {})


def game(people, rules, attacks, synthesizers=DRAWN, seed=0):
    named = {each.name: each for each in synthesizers}
    return AttributeGame(people, rules, named, attacks, three_way, seed)


def played(people, rules, attacks, synthesizers=DRAWN, seed=0, threads=1):
    found = run(game(people, rules, attacks, synthesizers, seed), Budget(threads=threads))
    return {(score.synthesizer, score.size, score.attack): score for score in scores_of(found.plays)}


def test_an_attack_on_the_order_of_rows_is_right_by_chance(people_of):
    few = population(people_of(30), "ill", "people")  # nobody is left out, so no time goes into imputation
    found = played(few, GameRules(30, (30,), 400, 1, 0), {"by-order": ByOrder()}, (Real(), NonPrivate()))
    for synthesizer in ("real", "nonprivate"):
        assert abs(found[synthesizer, 30, "by-order"].accuracy.value - 0.5) < 4 * 0.025


def test_every_attack_is_dealt_the_same_and_never_the_secret(small):
    first, second = Watching([]), Watching([])
    rules = GameRules(40, (25, 5), 4, 2, 0)
    played(small, rules, {"a": first, "b": second}, (NonPrivate(), IndependentHistograms()))
    assert len(first.seen) == 4 * 2 * 2
    for mine, other in zip(first.seen, second.seen, strict=True):
        assert mine.known is other.known
        assert mine.released is other.released
        assert "ill" not in [column.name for column in mine.known.schema.used]
        assert (len(mine.known), len(mine.targets)) == (40, 2)
    assert [len(view.released[0]) for view in first.seen[:4]] == [5, 25, 5, 25]
    small_release, large = (view.released[0] for view in first.seen[:2])
    rows = {tuple(row) for row in zip(*large.columns, strict=True)}
    assert all(tuple(row) in rows for row in zip(*small_release.columns, strict=True))


def test_a_release_that_hides_nothing_is_seen_through_and_histograms_are_not(small):
    rules = GameRules(80, (2000,), 12, 10, 1)
    found = played(small, rules, {"dcr": Dcr(), "infer": Infer()}, (NonPrivate(), IndependentHistograms()))
    assert found["nonprivate", 2000, "dcr"].accuracy.value > 0.95
    assert found["nonprivate", 2000, "infer"].accuracy.value > 0.9
    assert found["nonprivate", 2000, "dcr"].auc > 0.95
    for attack in ("dcr", "infer"):
        assert found["indhist", 2000, attack].accuracy.low < 0.5 < found["indhist", 2000, attack].accuracy.high


def test_the_workers_change_no_number(small):
    rules = GameRules(40, (50,), 6, 1, 2)
    one, two = (run(game(small, rules, {"dcr": Dcr()}, seed=3), Budget(threads=threads)) for threads in (1, 2))
    assert one == two
    assert one != run(game(small, rules, {"dcr": Dcr()}, seed=4), Budget(threads=1))


def test_more_games_and_more_attacks_change_no_other_answer(small):
    few = run(game(small, GameRules(40, (50,), 2, 1, 0), {"dcr": Dcr()}), Budget(threads=1)).plays
    more = run(game(small, GameRules(40, (50,), 4, 1, 0), {"x": ByOrder(), "dcr": Dcr()}), Budget(threads=1)).plays
    assert set(few) <= set(more)


def test_progress_is_told(small):
    told = []
    run(game(small, GameRules(20, (20,), 4, 1, 0), {"dcr": Dcr()}), Budget(threads=1, tick=told.append))
    assert told == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"rows": 1}, "at least 2 are needed"),
        ({"sizes": (0,)}, "at least one row"),
        ({"sizes": ()}, "at least one row"),
        ({"games": 0}, "at least one game"),
        ({"rows": 10, "targets": 11}, "no more targets than rows"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(rules, said):
    with pytest.raises(ConfigError, match=said):
        GameRules(**rules)


def test_more_rows_than_the_population_are_refused(small):
    with pytest.raises(ConfigError, match="301 rows cannot be drawn from a population of 300"):
        game(small, GameRules(301), {})


def test_a_secret_of_hundreds_of_values_works(people_of):
    levels = tuple(f"v{place:03}" for place in range(200))
    people = population(people_of(400, levels=levels), "ill", "people")
    assert "200 values" in people.notes[0]
    found = played(people, GameRules(60, (600,), 3, 5, 0), {"dcr": Dcr()})
    assert found["nonprivate", 600, "dcr"].accuracy.value > 0.9
    assert found[None, None, "random"].accuracy.value < 0.2


def test_scores_by_hand():
    hits = np.array([1.0, 1, 0, 1])
    assert standard_error(hits, np.arange(4)) == pytest.approx(np.sqrt(0.75 * 0.25 / 4))
    # Two games of two: sums of deviations 0.5 and -0.5; 4 answers; 2 games.
    assert standard_error(hits, np.array([0, 0, 1, 1])) == pytest.approx(np.sqrt(0.5) / 4 * np.sqrt(2))
    found = accuracy(hits, 0.0, 0.95)
    assert found.value == 0.75
    assert found.low == pytest.approx(0.3006, abs=1e-4)
    assert found.high == pytest.approx(0.9544, abs=1e-4)
    assert accuracy(hits, 0.43, 0.95).low < found.low
    truth = np.array([0, 1, 1])
    scores = np.array([[0.9, 0.1], [0.2, 0.8], [0.95, 0.05]])
    assert class_auc(truth, scores) == 0.5
    assert class_auc(np.zeros(3, int), scores) is None
    three = np.eye(3)[[0, 1, 2]]
    assert class_auc(np.arange(3), three) == 1.0


def test_two_attacks_are_compared_on_the_same_games(small):
    attacks = {"dcr": Dcr(), "order": ByOrder()}
    found = run(game(small, GameRules(40, (400,), 20, 1, 0), attacks), Budget(threads=1))
    plays = found.plays
    report = GameReport("", "", 300, "ill", ("no", "yes"), 40, 20, 1, 0, scores_of(plays), (), found.utility, plays, ())
    gain, low, high = report.difference("dcr", "order", "nonprivate", 400)
    by = {name: report.score(name, "nonprivate", 400).accuracy.value for name in attacks}
    assert gain == pytest.approx(by["dcr"] - by["order"])
    assert low < gain < high
    with pytest.raises(ConfigError, match="not both played"):
        report.difference("dcr", "nope", "nonprivate", 400)
