"""Correct attribution: how often the synthetic rows nearest on the keys have the secret of a real record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.equality import SharedCodes
from seethrough.bench.guesses import (
    WITHOUT_KEYS,
    Guess,
    bench_of_outsiders,
    columns_in_turn,
    describe_guess,
    guesses,
)
from seethrough.bench.neighbours import is_chunked
from seethrough.bench.passes.nearest_keys import (
    AgreementCounts,
    AgreementsPass,
    code_alike,
    count_agreement,
    count_in_turn,
)
from seethrough.data.encoding import NumericKeys, key_codes
from seethrough.data.release import Part
from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.results.outcome import Value

Multi = Literal["joint", "mean"]


@dataclass(frozen=True, eq=False)
class Agreement:
    """For each real row: how many synthetic rows are nearest on the keys, how many share its secret, how far they are.

    `base_rate` is how often a synthetic row drawn at random has the secret of a real row drawn at random.
    """

    nearest: Ints
    agree: Ints
    distance: Ints
    base_rate: float


Score = Callable[[Agreement], Floats]


@dataclass(frozen=True)
class KeyCodes:
    """Request: the columns of both tables as codes; `bin` puts numbers into the tenths of the real table."""

    numeric: NumericKeys

    def compute(self, bench: Bench[Part]) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
        """Code them as they are matched; exact codes are shared with other requests."""
        if self.numeric == "exact":
            return bench.get(SharedCodes(Part.TRAIN, Part.SYNTHETIC))
        return key_codes(bench.table(Part.TRAIN), bench.table(Part.SYNTHETIC), self.numeric)


@dataclass(frozen=True)
class AgreementsInTurn:
    """Request: the agreement for each of some columns, guessed from all others, by one pass for all of them."""

    secrets: tuple[str, ...]
    numeric_keys: NumericKeys = "exact"

    def compute(self, bench: Bench[Part]) -> Mapping[str, Agreement]:
        """Find the rows nearest without each column, all ties kept, and look at their secrets."""
        real = bench.table(Part.TRAIN)
        if is_chunked(bench, Part.SYNTHETIC):
            asking = AgreementsPass(real, (), self.secrets, self.numeric_keys, True, bench.budget.silent)
            found = bench.table(Part.SYNTHETIC).fold(asking)
        else:
            names = [column.name for column in real.schema.used]
            turns = [names.index(name) for name in self.secrets]
            found = count_in_turn(bench.get(KeyCodes(self.numeric_keys)), turns, bench.budget)
        parts = zip(self.secrets, found.nearest, found.agree, found.distance, found.base_rate, strict=True)
        return {name: Agreement(near, same, far, float(rate)) for name, near, same, far, rate in parts}


@dataclass(frozen=True)
class Agreements:
    """Request: the agreement of one guess; `turns` are all columns that take their turn with it, if they do."""

    guess: Guess
    numeric_keys: NumericKeys = "exact"
    turns: tuple[str, ...] = ()

    def compute(self, bench: Bench[Part]) -> Agreement:
        """Find the nearest rows on the keys, all ties kept, and look at their secrets."""
        if self.turns:
            [guessed] = self.guess.secrets
            return bench.get(AgreementsInTurn(self.turns, self.numeric_keys))[guessed]
        found = self._counted(bench)
        return Agreement(found.nearest, found.agree, found.distance, float(found.base_rate))

    def _counted(self, bench: Bench[Part]) -> AgreementCounts:
        real, (keys, secrets) = bench.table(Part.TRAIN), (self.guess.keys, self.guess.secrets)
        if is_chunked(bench, Part.SYNTHETIC):
            asking = AgreementsPass(real, keys, secrets, self.numeric_keys, False, bench.budget.silent)
            return bench.table(Part.SYNTHETIC).fold(asking)
        names = [column.name for column in real.schema.used]
        known, shown = ([names.index(name) for name in some] for some in (keys, secrets))
        mine, others = bench.get(KeyCodes(self.numeric_keys))
        sides = ([side[j] for j in shown] for side in bench.get(SharedCodes(Part.TRAIN, Part.SYNTHETIC)))
        return count_agreement(([mine[j] for j in known], [others[j] for j in known]), code_alike(*sides), bench.budget)


@dataclass(frozen=True, eq=False)
class AttributionOutcome:
    """How one guess came out: a score for each record (NaN where it has none), its base rate, distances."""

    guess: Guess
    scores: Floats
    base_rate: float
    distance: Ints
    tried: Mapping[Guess, float] = field(default_factory=dict)

    @property
    def risk(self) -> float:
        """Mean score of the records that have one; NaN where none has."""
        return float(np.nanmean(self.scores)) if not np.isnan(self.scores).all() else float("nan")

    @property
    def matched(self) -> float:
        """The share of records with a synthetic row that has all their keys."""
        return float((self.distance == 0).mean())

    @property
    def details(self) -> dict[str, Value]:
        """Say what was guessed from what and, where several columns took their turn, how each came out."""
        return describe_guess(self.guess, self.tried)[0]

    def details_with(self, outside: float | None) -> dict[str, Value]:
        """Say it, and where people outside give the base rate, which one they replace."""
        return self.details if outside is None else {**self.details, WITHOUT_KEYS: round(self.base_rate, 4)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say that the worst of several was picked."""
        return describe_guess(self.guess, self.tried)[1]


@dataclass(frozen=True)
class AgreementRules:
    """How guesses are made: which secret, several together or one by one, how numbers among the keys match."""

    secret: tuple[str, ...] = ()
    multi: Multi = "joint"
    numeric_keys: NumericKeys = "exact"


def worst_guess(bench: Bench[Part], rules: AgreementRules, score: Score) -> AttributionOutcome:
    """Try every guess that the schema and the rules allow; give the one that gains most over its base rate."""
    schema = bench.table(Part.TRAIN).schema
    found = guesses(schema, rules.secret)
    turns = columns_in_turn(schema, found)
    tried = [_tried(bench, guess, rules, score, turns) for guess in found]
    worst = max(tried, key=lambda outcome: np.nan_to_num(outcome.risk - outcome.base_rate, nan=-2.0))
    risks = {outcome.guess: outcome.risk for outcome in tried}
    return AttributionOutcome(worst.guess, worst.scores, worst.base_rate, worst.distance, risks)


def _tried(
    bench: Bench[Part], guess: Guess, rules: AgreementRules, score: Score, turns: tuple[str, ...]
) -> AttributionOutcome:
    parts = [guess]
    if rules.multi == "mean":
        parts = [Guess(guess.keys, (secret,)) for secret in guess.secrets]
    found = [bench.get(Agreements(part, rules.numeric_keys, turns)) for part in parts]
    scores = np.mean([score(agreement) for agreement in found], axis=0)
    return AttributionOutcome(guess, scores, float(np.mean([each.base_rate for each in found])), found[0].distance)


def outside_score(
    bench: Bench[Part], rules: AgreementRules, guess: Guess, score: Score, rng: np.random.Generator
) -> float | None:
    """Give the mean score of people outside for one guess of those that the rules allow; None where there is none.

    Where columns took their turn they do so here too, in the same one pass: other checks ask for other columns of it.
    """
    outsiders = bench_of_outsiders(bench, rng)
    if outsiders is None:
        return None
    schema = bench.table(Part.TRAIN).schema
    turns = columns_in_turn(schema, guesses(schema, rules.secret))
    found = _tried(outsiders, guess, rules, score, turns).risk
    return None if np.isnan(found) else found
