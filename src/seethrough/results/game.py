"""What a game gives back: plain frozen values that a renderer can show without knowing how they came about."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import Any

from seethrough.errors import ConfigError, UnknownName, no_such
from seethrough.kernels.statistics.intervals import NORMAL_95
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Value

FORMAT = 2
"""Grows whenever a reader of the JSON forms has to change."""


@dataclass(frozen=True)
class Play:
    """One answer: what an attack said about one target. Truth and guess are places among the secret's levels.

    Where nothing is guessed the guess is -1. A baseline sees no release: it has neither synthesizer nor size.
    """

    game: int
    synthesizer: str | None
    size: int | None
    attack: str
    truth: int
    guess: int
    scores: tuple[float, ...]
    seconds: float = field(compare=False)

    @property
    def is_hit(self) -> bool:
        """Tell whether the guess is right."""
        return self.guess == self.truth


@dataclass(frozen=True)
class Score:
    """How an attack fared over all games: accuracy with its interval and standard error, area under the ROC curve.

    `auc` is None where all targets have the same secret. `seconds` is the mean time of an attack.
    """

    synthesizer: str | None
    size: int | None
    attack: str
    accuracy: Estimate
    standard_error: float
    auc: float | None
    plays: int
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class Utility:
    """What a release was good for: mean relative error of large 3-way counts, mean distance of 3-way histograms."""

    synthesizer: str
    size: int
    mre: float | None
    tvd: float
    games: int


@dataclass(frozen=True)
class GameReport:
    """A game that was played on the population `real`.

    `scores` are those of attacks on releases, `baselines` those of guessing without one.
    """

    version: str
    real: str
    real_rows: int
    secret: str
    levels: tuple[str, ...]
    rows: int
    games: int
    targets: int
    seed: int
    scores: tuple[Score, ...]
    baselines: tuple[Score, ...]
    utility: tuple[Utility, ...]
    plays: tuple[Play, ...]
    notes: tuple[str, ...]
    aim: str = "random"

    def score(self, attack: str, synthesizer: str | None = None, size: int | None = None) -> Score:
        """Find the score of an attack; where several fit, the first."""
        for score in (*self.scores, *self.baselines):
            if score.attack == attack and synthesizer in {None, score.synthesizer} and size in {None, score.size}:
                return score
        raise self._no_score(attack, synthesizer, size)

    def _no_score(self, attack: str, synthesizer: str | None, size: int | None) -> UnknownName:
        """Say which of the three names nothing that was played."""
        played = (*self.scores, *self.baselines)
        if attack not in (names := list(dict.fromkeys(score.attack for score in played))):
            return no_such("attack", attack, names)
        names = list(dict.fromkeys(score.synthesizer for score in played if score.synthesizer))
        if synthesizer is not None and synthesizer not in names:
            return no_such("synthesizer", synthesizer, names)
        sizes = list(dict.fromkeys(str(score.size) for score in played if score.size))
        return no_such("release size", size, (), f"{attack} was played at {', '.join(sizes)} rows")

    def difference(self, first: str, second: str, synthesizer: str, size: int) -> tuple[float, float, float]:
        """Give the accuracy of one attack minus that of another on the same games, and its 95 % interval."""
        sides = [self._hits(attack, synthesizer, size) for attack in (first, second)]
        if not sides[0] or sides[0].keys() != sides[1].keys():
            raise ConfigError(f"{first} and {second} were not both played on {synthesizer} at {size} rows")
        gaps = [sides[0][game] - sides[1][game] for game in sides[0]]
        mean = sum(gaps) / len(gaps)
        spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1) / len(gaps))
        return mean, mean - NORMAL_95 * spread, mean + NORMAL_95 * spread

    def _hits(self, attack: str, synthesizer: str, size: int) -> dict[int, float]:
        found: dict[int, list[bool]] = {}
        for play in self.plays:
            if (play.attack, play.synthesizer, play.size) == (attack, synthesizer, size):
                found.setdefault(play.game, []).append(play.is_hit)
        return {game: sum(hits) / len(hits) for game, hits in found.items()}

    def rows_of_plays(self) -> Iterator[tuple[Value, ...]]:
        """Give every answer as plain values, under `PLAY_COLUMNS`."""
        for play in self.plays:
            guess = self.levels[play.guess] if play.guess >= 0 else ""
            told = (self.levels[play.truth], guess, play.is_hit, play.scores[play.truth])
            yield (play.game, play.synthesizer, play.size, play.attack, *told, round(play.seconds, 4))

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the single answers as plain values."""
        found = {"format": FORMAT, "seethrough": self.version, **asdict(self)}
        del found["version"], found["plays"]
        return found


PLAY_COLUMNS = ("game", "synthesizer", "size", "attack", "truth", "guess", "hit", "score_of_truth", "seconds")


@dataclass(frozen=True)
class PersonGuess:
    """What is guessed about one person: row from 1 on, the value, its score, and how decisive that is.

    The value is empty where nothing is guessed.
    """

    row: int
    guess: str
    score: float
    certainty: float


@dataclass(frozen=True)
class TruthComparison:
    """How guesses compare with the truth; `majority` is the accuracy of always saying the most frequent true value."""

    accuracy: Estimate
    majority: float
    auc: float | None
    people: int


@dataclass(frozen=True)
class AttackReport:
    """An attack that was run: a guess about each of the `people`, and how right it was where the truth is known."""

    version: str
    attack: str
    parameters: dict[str, Value]
    people: str
    synthetic: tuple[str, ...]
    secret: str
    levels: tuple[str, ...]
    seed: int
    guesses: tuple[PersonGuess, ...]
    details: dict[str, Value]
    truth: TruthComparison | None
    notes: tuple[str, ...]
    seconds: float = field(compare=False, default=0.0)

    def count_decided(self, above: float) -> float:
        """Give the share of people about whom the attack is more certain than `above`."""
        return sum(guess.certainty > above for guess in self.guesses) / len(self.guesses)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        found = {"format": FORMAT, "seethrough": self.version, **asdict(self)}
        del found["version"]
        return found | {"decided": {str(above): self.count_decided(above) for above in CERTAIN}}


CERTAIN = (0.5, 0.9)
"""Certainties above which people are counted."""
