"""The released rows nearest to one person on the keys, and which of them show the person's secret."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.correct_attribution import AgreementRules
from seethrough.bench.guesses import WITHOUT_KEYS, Guess, guesses
from seethrough.bench.person.example import Example, list_rows, mean_step, same_values, say_number
from seethrough.data.encoding import NumericKeys
from seethrough.data.release import Part
from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.counting.bins import bin_numbers
from seethrough.results.explained.worked import Step


@dataclass(frozen=True, eq=False)
class NearestKeys:
    """All released rows that differ from a person in the fewest keys: which, in how many, and who has the secret."""

    guess: Guess
    rows: Ints
    differ_in: int
    agrees: Bools

    @property
    def agreeing(self) -> int:
        """Count those with the secret of the person."""
        return int(self.agrees.sum())


def nearest_keys(bench: Bench[Part], example: Example, rules: AgreementRules) -> tuple[NearestKeys, ...]:
    """Find them for the guess that the run settled on: once, or once for each of several secrets."""
    [guess] = guesses(bench.table(Part.TRAIN).schema, rules.secret)
    parts = [guess] if rules.multi == "joint" else [Guess(guess.keys, (secret,)) for secret in guess.secrets]
    differ = np.sum([~_same_key(bench, example, name, rules.numeric_keys) for name in guess.keys], axis=0)
    rows = np.flatnonzero(differ == differ.min())
    released = bench.table(Part.SYNTHETIC)
    found = []
    for part in parts:
        same = [same_values(example.person.column(name), released.column(name)[rows]) for name in part.secrets]
        found.append(NearestKeys(part, rows, int(differ.min()), np.logical_and.reduce(same)))
    return tuple(found)


def _same_key(bench: Bench[Part], example: Example, name: str, numeric: NumericKeys) -> Bools:
    mine, released = example.person.column(name), bench.table(Part.SYNTHETIC).column(name)
    if numeric == "exact" or bench.table(Part.TRAIN).schema[name].kind.has_levels:
        return same_values(mine, released)
    real = bench.table(Part.TRAIN).column(name)
    _, both = bin_numbers("interpolated deciles", real, np.concatenate([mine, released]))
    return np.asarray(both[1:] == both[0])


def settled_secret(example: Example, named: tuple[str, ...]) -> tuple[str, ...]:
    """Give the secret that the run settled on, where it chose among several."""
    secret: tuple[str, ...] = getattr(example.found.settled, "secret", named)
    return secret


def keys_step(bench: Bench[Part], example: Example, near: NearestKeys, *, wanted: str) -> Step:
    """Show the nearest rows on the keys; `wanted` says what they are called."""
    keys, count = len(near.guess.keys), len(near.rows)
    said = (
        f"{wanted} They differ in {near.differ_in} of {keys} keys; there are {count:,}, and {near.agreeing:,} of them "
        f"show this person's {' and '.join(near.guess.secrets)}."
    )
    numbers = {
        "keys": float(keys),
        "differ in": float(near.differ_in),
        "rows": float(count),
        "with the secret": float(near.agreeing),
    }
    order = np.argsort(~near.agrees, kind="stable")  # those that show the secret first
    return Step(said, "", numbers, (list_rows(bench, example, Part.SYNTHETIC, near.rows[order]),))


def attribution_mean_step(example: Example, value: float) -> Step:
    """Lead to the table, with people outside or a guess without the keys beside it."""
    outside = WITHOUT_KEYS in example.found.details
    base = "People outside:" if outside else "A guess without the keys:"
    return mean_step(example, value, base)


def share_formula(name: str, shares: list[tuple[int, int]], value: float) -> str:
    """Write a mean of shares with its numbers."""
    written = " + ".join(f"{right:,} / {of:,}" for right, of in shares)
    if len(shares) > 1:
        written = f"({written}) / {len(shares)}"
    return f"{name}(y) = {written} = {say_number(value)}"
