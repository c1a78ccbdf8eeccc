"""What an attacker guesses, from which columns, and of whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.rows import by_content
from seethrough.data.schema import Schema
from seethrough.errors import NotApplicable
from seethrough.results.outcome import Value

MOST_LEVELS = 50
"""A column of more levels is not taken as a secret on its own accord."""
FEWEST_OUTSIDE = 10
"""Holdout records below which a share says nothing."""
WITHOUT_KEYS = "base rate of guessing without the keys"
"""What the base rate that people outside replace is called among the details."""


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
    if unknown := [name for name in secret if name not in names]:
        raise NotApplicable(f"the secret {unknown[0]!r} is not among the columns that take part")
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


def columns_in_turn(schema: Schema, tried: Sequence[Guess]) -> tuple[str, ...]:
    """Name the columns that take their turn, each guessed from all others; none where there is one, or named keys."""
    if len(tried) < 2 or schema.keys:
        return ()
    return tuple(name for guess in tried for name in guess.secrets)


def describe_guess(guess: Guess, risks: Mapping[Guess, float]) -> tuple[dict[str, Value], tuple[str, ...]]:
    """Give details and warnings of a guess that was the worst of those tried."""
    names: dict[str, Value] = {"secret": ", ".join(guess.secrets), "keys": ", ".join(guess.keys)}
    if len(risks) == 1:
        return names, ()
    all_risks = {f"risk of {', '.join(other.secrets)}": round(risk, 4) for other, risk in risks.items()}
    return names | all_risks, (f"no secret was named: {len(risks)} columns took their turn and the worst is shown",)


def bench_of_outsiders(bench: Bench[Part], rng: np.random.Generator) -> Bench[Part] | None:
    """Give a bench whose real people are those of the holdout, at most as many; None where there are too few.

    What an attack on secrets says of a record does not depend on who else is asked about, so its score on these people
    is what anybody could have been guessed by: the base rate. What it scores more on real ones is the leak.
    """
    try:
        kept = bench.table(Part.HOLDOUT)
    except NotApplicable:
        return None
    if len(kept) < FEWEST_OUTSIDE:
        return None
    drawn = by_content(kept)[rng.permutation(len(kept))[: len(bench.table(Part.TRAIN))]]
    # Everybody is the table itself, so that what one check finds out about them serves the others.
    asked = kept if len(drawn) == len(kept) else kept.take(np.sort(drawn))
    return bench.with_table(Part.TRAIN, asked, without=Part.HOLDOUT)
