"""The attribute inference game: can an adversary who sees a release tell the secret of one person?

1. Draw a table D of n records from the population, and a target whose known columns are unique in D.
2. Replace the target's secret by a value drawn uniformly. What holds of people in general now says nothing about it.
3. Make a release of m rows from D.
4. The adversary sees the release, the known columns of all of D in random order, and which row is the target. It sees
   neither secrets nor the way the release was made.
5. It wins if it guesses the new secret. Without a leak it is right once in as many times as the secret has values.

Every attack is dealt the same. The largest release is sampled once; a smaller one is a random subset of it. Games have
random streams of their own, so neither their number nor the workers that play them change the others.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 4.1.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import get_args

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.games.baselines import baselines
from seethrough.games.dealing import Aim, Deal, deal
from seethrough.games.population import Population
from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import lead
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses
from seethrough.protocols.synthesizer import Sampler, Synthesizer, draw_rows
from seethrough.results.game import Play, Utility
from seethrough.seeds import stream

Usefulness = Callable[[Table, Table, np.random.Generator], tuple[float | None, float]]
"""Measures a release against the table it was made from: relative error and distance of 3-way counts."""


@dataclass(frozen=True)
class GameRules:
    """How a game is played: n, the sizes m, how often, how many targets at once, in how many games utility is measured.

    `targets` above 1 is an option: many targets share one release and are judged together, which is cheaper by their
    number. Their answers are not independent, which the standard error takes into account. Where it was tried, 25
    targets gave the accuracies of one within 1.5 standard errors (docs/game.md). `aim` says whom games attack: unique
    records at random, or the most isolated.
    """

    rows: int = 1000
    sizes: tuple[int, ...] = (1000,)
    games: int = 100
    targets: int = 1
    utility_games: int = 10
    aim: Aim = "random"

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if self.rows < 2:
            raise ConfigError(f"a game with {self.rows} rows cannot be played; at least 2 are needed")
        if not self.sizes or min(self.sizes) < 1:
            raise ConfigError("a release needs at least one row; sizes are whole numbers from 1 on")
        if self.games < 1 or not 1 <= self.targets <= self.rows:
            raise ConfigError("at least one game and one target are needed, and no more targets than rows")
        if self.aim not in get_args(Aim):
            raise ConfigError(f"aim is {self.aim!r}; {' or '.join(get_args(Aim))} is expected")


@dataclass(frozen=True)
class GameResult:
    """What came of one game, or of all: answers, what the releases were good for, what generators warned of."""

    plays: tuple[Play, ...]
    utility: tuple[Utility, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class AttributeGame:
    """Everything that decides a game; synthesizers and attacks go by the names under which scores are shown."""

    population: Population
    rules: GameRules
    synthesizers: Mapping[str, Synthesizer]
    attacks: Mapping[str, AttributeAttack]
    usefulness: Usefulness
    seed: int

    def __post_init__(self) -> None:
        """Refuse to draw more records than there are."""
        there = len(self.population.table)
        if self.rules.rows > there:
            raise ConfigError(f"{self.rules.rows} rows cannot be drawn from a population of {there} records")

    def play(self, game: int, memory: int) -> GameResult:
        """Play one game, on one thread."""
        table = self.round(game, memory)
        plays, utility, notes = list(table.without_release()), [], list[str]()
        for name, synthesizer in self.synthesizers.items():
            for released in table.releases(name, synthesizer, notes):
                plays += table.answers(name, released)
                if game < self.rules.utility_games and len(self.population.table.schema.used) >= 3:
                    utility.append(table.utility(name, released))
        return GameResult(tuple(plays), tuple(utility), tuple(notes))

    def round(self, game: int, memory: int) -> "Round":
        """Deal one game, to be played piece by piece, on one thread."""
        dealt = deal(self.population, self.rules.rows, self.rules.targets, self._stream(game), self.rules.aim)
        return Round(self, game, dealt, Budget(memory, 1))

    def _stream(self, game: int, *more: str) -> np.random.Generator:
        return stream(self.seed, " ".join((f"game {game}", *more)))


@dataclass(frozen=True, eq=False)
class Round:
    """One game under way: what was dealt, and who may not see it."""

    whole: AttributeGame
    game: int
    dealt: Deal
    budget: Budget

    def without_release(self) -> Iterator[Play]:
        """Play the baselines."""
        rng = self.stream("baselines")
        begun = perf_counter()
        for name, scores in baselines(self.whole.population, self.dealt, rng, self.budget):
            answer = Guesses(scores, lead(scores), {})
            yield from self.plays(None, None, name, answer, perf_counter() - begun)
            begun = perf_counter()

    def releases(self, name: str, synthesizer: Synthesizer, notes: list[str]) -> Iterator[Table]:
        """Sample the largest release, and give random subsets of it, smallest first; `notes` gets the warnings."""
        rng = self.stream(name)
        yield from self.samples(name, synthesizer.fit(self.dealt.training, rng), rng, notes)

    def samples(self, name: str, sampler: Sampler, rng: np.random.Generator, notes: list[str]) -> Iterator[Table]:
        """Do the same with a sampler that is fitted already, by the same random numbers."""
        sizes = sorted(set(self.whole.rules.sizes))
        largest = draw_rows(sampler, sizes[-1], rng)
        notes += [f"{name}: {warning}" for warning in (*sampler.card.warnings, *largest.warnings)]
        order = rng.permutation(sizes[-1])
        for size in sizes:
            yield largest.table.take(order[:size])

    def answers(self, synthesizer: str, released: Table) -> Iterator[Play]:
        """Show the release to every attack."""
        seen = (released,)
        for name in self.whole.attacks:
            yield from self.answer(synthesizer, seen, name)

    def answer(self, synthesizer: str, seen: tuple[Table, ...], name: str) -> Iterator[Play]:
        """Show the release to one attack."""
        begun, size = perf_counter(), len(seen[0])
        answer = self.whole.attacks[name].guess(self.view(seen), self.stream(synthesizer, str(size), name))
        yield from self.plays(synthesizer, size, name, answer, perf_counter() - begun)

    def view(self, seen: tuple[Table, ...]) -> AttributeView:
        """Give what the adversary sees."""
        population = self.whole.population
        return AttributeView(
            self.dealt.known, seen, population.secret, population.classes, self.dealt.targets, self.budget
        )

    def utility(self, synthesizer: str, released: Table) -> Utility:
        """Measure what the release is good for."""
        mre, tvd = self.whole.usefulness(self.dealt.training, released, self.stream("utility"))
        return Utility(synthesizer, len(released), mre, tvd, games=1)

    def plays(
        self, synthesizer: str | None, size: int | None, name: str, answer: Guesses, seconds: float
    ) -> Iterator[Play]:
        """Compare an answer with the truth."""
        guesses = answer.best(self.stream(str(synthesizer), str(size), name, "ties"))
        share = seconds / len(guesses)
        for truth, guess, scores in zip(self.dealt.truth, guesses, _checked(answer.scores, name), strict=True):
            yield Play(
                self.game, synthesizer, size, name, int(truth), int(guess), tuple(map(float, scores)), seconds=share
            )

    def stream(self, *more: str) -> np.random.Generator:
        """Give the random numbers of one part of this game."""
        return self.whole._stream(self.game, *more)


def _checked(scores: Floats, name: str) -> Floats:
    """Refuse scores that are no numbers: a guess made from them would be a random one that looks like an answer."""
    if not np.isfinite(scores).all():
        raise ArithmeticError(f"the attack {name} gave scores that are no numbers")
    return scores
