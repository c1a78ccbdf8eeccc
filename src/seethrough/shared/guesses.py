"""What an attacker guesses, from which columns, and how often the release leads him to the right value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from seethrough.data.release import Part
from seethrough.data.schema import Schema
from seethrough.errors import NotApplicable
from seethrough.kernels.grouping import Ints, combine
from seethrough.kernels.hamming import nearest_agreement
from seethrough.kernels.points import Floats
from seethrough.results import Value
from seethrough.shared.bench import Bench
from seethrough.shared.equality import SharedCodes

MOST_LEVELS = 50
"""A column of more levels is not taken as a secret on its own accord."""


@dataclass(frozen=True)
class Guess:
    """Known columns, and the columns to be guessed together."""

    keys: tuple[str, ...]
    secrets: tuple[str, ...]


def guesses(schema: Schema, secret: tuple[str, ...] = ()) -> tuple[Guess, ...]:
    """List what to try: the secret given, those of the schema, or else every sensible category in turn.

    Without named keys, all other columns are the keys.
    """
    names = tuple(column.name for column in schema.used)
    if secret or schema.secrets:
        secrets = [secret or schema.secrets]
    else:
        keys = set(schema.keys)
        secrets = [
            (column.name,)
            for column in schema.used
            if column.kind.has_levels and 2 <= len(column.levels) <= MOST_LEVELS and column.name not in keys
        ]
    found = [Guess(schema.keys or tuple(name for name in names if name not in secret), secret) for secret in secrets]
    if not any(guess.keys for guess in found):
        raise NotApplicable("no column is left to guess, or none to guess it from; name a secret and keys")
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Agreement:
    """For each real row: how many synthetic rows are nearest on the keys, how many share its secret, how far they are.

    `base_rate` is how often a synthetic row drawn at random has the secret of a real row drawn at random.
    """

    nearest: Ints
    agree: Ints
    distance: Ints
    base_rate: float


@dataclass(frozen=True)
class Agreements:
    """Request: the agreement of one guess."""

    guess: Guess

    def compute(self, bench: Bench[Part]) -> Agreement:
        """Find the nearest rows on the keys, all ties kept, and look at their secrets."""
        mine, others = bench.get(SharedCodes(Part.TRAIN, Part.SYNTHETIC))
        names = [column.name for column in bench.table(Part.TRAIN).schema.used]
        keys = [names.index(name) for name in self.guess.keys]
        secrets = [names.index(name) for name in self.guess.secrets]
        secret = combine([np.concatenate([mine[j], others[j]]) for j in secrets])
        secret = np.unique(secret, return_inverse=True)[1]
        split = len(mine[0])
        found = nearest_agreement(
            (np.stack([mine[j] for j in keys]), np.stack([others[j] for j in keys])),
            (secret[:split], secret[split:]),
            bench.budget,
        )
        return Agreement(*found, _base_rate(secret[:split], secret[split:]))


def _base_rate(secret: Ints, other: Ints) -> float:
    size = int(max(secret.max(), other.max())) + 1
    return float(np.bincount(secret, minlength=size) / len(secret) @ (np.bincount(other, minlength=size) / len(other)))


@dataclass(frozen=True, eq=False)
class Worst:
    """The guess that gains most over its base rate, with its score for each record, and how all guesses came out."""

    guess: Guess
    agreement: Agreement
    scores: Floats
    risks: Mapping[Guess, float]

    @property
    def risk(self) -> float:
        """Mean score of the records."""
        return self.risks[self.guess]

    @property
    def details(self) -> dict[str, Value]:
        """Say what was guessed from what and, where several columns took their turn, how each came out."""
        names: dict[str, Value] = {"secret": ", ".join(self.guess.secrets), "keys": ", ".join(self.guess.keys)}
        if len(self.risks) == 1:
            return names
        return names | {f"risk of {', '.join(guess.secrets)}": round(risk, 4) for guess, risk in self.risks.items()}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say that the worst of several was picked."""
        if len(self.risks) == 1:
            return ()
        return (f"no secret was named: {len(self.risks)} columns took their turn and the worst is shown",)


def worst_guess(bench: Bench[Part], secret: tuple[str, ...], score: Callable[[Agreement], Floats]) -> Worst:
    """Try every guess that the schema allows, or `secret` alone where given, with one score for each record."""
    found = {guess: bench.get(Agreements(guess)) for guess in guesses(bench.table(Part.TRAIN).schema, secret)}
    risks = {guess: float(score(agreement).mean()) for guess, agreement in found.items()}
    worst = max(found, key=lambda guess: risks[guess] - found[guess].base_rate)
    return Worst(worst, found[worst], score(found[worst]), risks)
