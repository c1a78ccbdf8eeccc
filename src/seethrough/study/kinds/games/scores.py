"""Games summed up: scores of attacks, baselines and utility, from the cells of a study."""

from dataclasses import dataclass
from math import sqrt

import polars as pl

from seethrough.games.scoring import scores_of
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import NORMAL_95
from seethrough.results.estimate import Estimate
from seethrough.results.game import Play, Score
from seethrough.study.cells.results import Results


@dataclass(frozen=True)
class Error:
    """Mean of an error of utility over games, with its 95 % interval."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, eq=False)
class GameScores:
    """The games on one table: scores by synthesizer, size and attack; what baselines score; utility."""

    data: str
    scores: tuple[Score, ...]
    baselines: tuple[Score, ...]
    utility: dict[tuple[str, int], dict[str, Error]]
    plays: tuple[Play, ...]

    @property
    def synthesizers(self) -> tuple[str, ...]:
        """Name the synthesizers, in the order of the plan."""
        return tuple(dict.fromkeys(str(score.synthesizer) for score in self.scores))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Give the sizes, smallest first."""
        return tuple(sorted({int(score.size or 0) for score in self.scores}))

    @property
    def attacks(self) -> tuple[str, ...]:
        """Name the attacks, in the order of the plan."""
        return tuple(dict.fromkeys(score.attack for score in self.scores))

    @property
    def chance(self) -> float:
        """Accuracy of guessing without a release."""
        return 1 / len(self.plays[0].scores)

    def error(self, synthesizer: str, size: int, measure: str) -> "Error | None":
        """Find an error of utility; None where it was not measured."""
        return self.utility.get((synthesizer, size), {}).get(measure)

    def along(self, synthesizer: str, attack: str) -> list[Score]:
        """Give the scores of an attack at all sizes."""
        return [score for size in self.sizes if (score := self.find(synthesizer, size, attack))]

    def find(self, synthesizer: str, size: int, attack: str) -> Score | None:
        """Find a score; None where it was not played."""
        asked = (synthesizer, size, attack)
        return next((each for each in self.scores if (each.synthesizer, each.size, each.attack) == asked), None)

    def best(self, synthesizer: str, size: int) -> Score | None:
        """Find the attack with the highest accuracy."""
        fitting = [each for each in self.scores if (each.synthesizer, each.size) == (synthesizer, size)]
        return max(fitting, key=lambda score: score.accuracy.value, default=None)


def game_scores(results: Results) -> tuple[GameScores, ...]:
    """Sum up the games on each table."""
    cells = results.done("games")
    names = cells["data"].unique(maintain_order=True).to_list()
    return tuple(_summed(name, cells.filter(pl.col("data") == name)) for name in names)


def _summed(name: str, cells: pl.DataFrame) -> GameScores:
    plays = tuple(_plays(cells.filter(pl.col("what").is_in(["attack", "baseline"]))))
    scores = scores_of(plays)
    return GameScores(
        name,
        tuple(score for score in scores if score.synthesizer is not None),
        tuple(score for score in scores if score.synthesizer is None),
        _utility(cells.filter(pl.col("what") == "utility")),
        plays,
    )


def _plays(cells: pl.DataFrame) -> list[Play]:
    columns = ("number", "synthesizer", "size", "name", "truth", "guess", "scores", "attack_seconds")
    found = []
    for number, synthesizer, size, name, truths, guesses, scores, seconds in cells.select(columns).iter_rows():
        for truth, guess, each in zip(truths, guesses, scores, strict=True):
            share = seconds / len(truths)
            found.append(Play(number, synthesizer or None, size, name, truth, guess, tuple(each), share))
    return found


def _utility(cells: pl.DataFrame) -> dict[tuple[str, int], dict[str, Error]]:
    found: dict[tuple[str, int], dict[str, Error]] = {}
    for (synthesizer, size), some in cells.group_by("synthesizer", "size", maintain_order=True):
        told = {measure: mean_error(some[measure].drop_nulls().to_numpy()) for measure in ("mre", "tvd")}
        found[str(synthesizer), int(str(size))] = {key: error for key, error in told.items() if error is not None}
    return found


def mean_error(values: Floats) -> Error | None:
    """Give a mean with its normal 95 % interval; one value has no interval, none have no mean."""
    if not len(values):
        return None
    mean = float(values.mean())
    half = NORMAL_95 * float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return Error(mean, mean - half, mean + half, len(values))


def interval(estimate: Estimate) -> tuple[float, float, float]:
    """Give value, low and high."""
    return estimate.value, estimate.low, estimate.high
