"""Conditional copying: is the secret of people who are alone with their keys given right more often for members?

For a key set A a person is *alone* if nobody else, member or not, has these values; *given* if released rows have them
and one class is strictly most frequent among these; *right* if given and true. The table is members right of members
alone beside people outside right of people outside alone, with Fisher's one-sided p; beside it the same among the given
only, which leaves out that members are found more often.

All key sets of all secrets are tested together. For a set with K right of N alone, of whom n are members,

    z = (right members - n K / N) / sd,   sd^2 = n (K/N) (1 - K/N) (N - n) / (N - 1)

and p of the largest is held against the largest of 999 permutations of labels; sets with fewer than five right do not
take part. A permutation is one row of two products, labels by people by sets. No one's being alone, given or right
depends on who is a member, so that the test is exact.

No model is involved: this sees rows or parts of rows that a release repeats, and misses what it gives away in the mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from seethrough.auditing.evidence.attribute.key_sets import (
    GivenSecrets,
    KeyLookupPass,
    KeyPrints,
    KeySet,
    ask_alone,
    chosen_sets,
    given_secrets,
    key_prints,
    possible_sets,
)
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import SecretQuestion
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.statistics.exact_tests import hypergeometric_tail
from seethrough.kernels.statistics.permutation import permuted_labels, sums_over_sets
from seethrough.results.attribute.figures import KeySetSweep, KeySetTable

MOST_SETS, MOST_CELLS, FEWEST_SETS = 2_000, 4_000_000, 100
"""Key sets that are tried at most; fewer where people times sets are more than these cells, but never fewer than so."""
MOST_LOOKED_UP = 5_000_000_000
"""Released rows times key sets."""
FEWEST_RIGHT = 5
PERMUTED = 999


@dataclass(frozen=True, eq=False)
class SetFound:
    """What a key set says about a secret."""

    question: SecretQuestion
    keys: KeyPrints
    chosen: KeySet
    found: GivenSecrets

    def table(self, members: Bools) -> KeySetTable:
        """Count members and people outside."""
        counts = [
            (int((each & members).sum()), int((each & ~members).sum()))
            for each in (self.found.right, self.found.given, self.found.alone)
        ]
        (right, others_right), (given, others_given), (alone, others_alone) = counts
        grain = self.chosen.grain
        return KeySetTable(
            secret=self.question.secret,
            keys=tuple(self.keys.names[place] for place in self.chosen.places),
            grain="exact values" if grain is None else f"numbers in {grain} parts",
            members_right=right,
            members_given=given,
            members_alone=alone,
            outsiders_right=others_right,
            outsiders_given=others_given,
            outsiders_alone=others_alone,
            p=fisher((right, alone), (others_right, others_alone)),
            p_given=fisher((right, given), (others_right, others_given)) if others_given else None,
        )


def fisher(members: tuple[int, int], outsiders: tuple[int, int]) -> float | None:
    """Give the chance of so many right members or more, by the hypergeometric distribution; None without anybody."""
    (right, people), (others_right, others) = members, outsiders
    if not people + others:
        return None
    return hypergeometric_tail(right, people + others, right + others_right, people)


def whole_key_sets(pool: Pool, question: SecretQuestion) -> list[SetFound]:
    """Look a secret up by all keys, at every grain."""
    keys = key_prints(pool.people, question.known)
    return _found(question, pool, keys, keys.whole)


def key_sets_without(pool: Pool, question: SecretQuestion, hidden: Sequence[str]) -> list[list[SetFound]]:
    """Look a secret up by all keys, and by all but each of some, at every grain, in one pass over the release."""
    keys = key_prints(pool.people, question.known)
    left = [tuple(place for place, key in enumerate(keys.names) if key != name) for name in hidden]
    groups = [keys.whole, *map(keys.at_grains, left)]
    found = iter(_found(question, pool, keys, list(chain.from_iterable(groups))))
    return [list(islice(found, len(group))) for group in groups]


def _found(question: SecretQuestion, pool: Pool, keys: KeyPrints, sets: Sequence[KeySet]) -> list[SetFound]:
    """Look people up under all sets in one pass over the release."""
    truth = np.where(question.asked, question.truth, -1)
    asked = tuple((each, ask_alone(keys.rows(each), truth)) for each in sets)
    counts = pool.release.fold(KeyLookupPass(keys.coding, asked, question.coding, question.classes))
    return [
        SetFound(question, keys, each, given_secrets(who, found, truth))
        for (each, who), found in zip(asked, counts, strict=True)
    ]


def sweep_key_sets(pool: Pool, questions: Sequence[SecretQuestion], rng: np.random.Generator) -> KeySetSweep:
    """Try key sets of every secret, and test the one that shows most against all of them."""
    most = min(MOST_SETS, max(FEWEST_SETS, MOST_CELLS // len(pool.members)), 1 + MOST_LOOKED_UP // len(pool.release))
    tried, whole, possible = [], [], 0
    for question in questions:
        keys = key_prints(pool.people, question.known)
        sets = chosen_sets(keys, max(len(keys.whole), most // len(questions)), rng)
        found = _found(question, pool, keys, sets)
        whole += found[: len(keys.whole)]
        tried += found
        possible += possible_sets(keys)
    tested = _largest([each.found for each in tried], pool.members, rng, pool.bench.budget.device)
    best = None
    if tested is not None:
        place, p = tested
        best = replace(tried[place].table(pool.members), p_corrected=p)
    return KeySetSweep(
        whole=tuple(each.table(pool.members) for each in whole),
        best=best,
        tried=len(tried),
        possible=possible,
        permutations=PERMUTED,
    )


def _largest(
    found: Sequence[GivenSecrets], members: Bools, rng: np.random.Generator, device: str
) -> tuple[int, float] | None:
    """Find the set with the largest z, and its p; None where no set has enough people right."""
    usable = [place for place, each in enumerate(found) if each.right.sum() >= FEWEST_RIGHT]
    if not usable:
        return None
    alone = np.column_stack([found[place].alone for place in usable]).astype(np.float32)
    right = np.column_stack([found[place].right for place in usable]).astype(np.float32)
    totals = alone.sum(axis=0, dtype=np.float64), right.sum(axis=0, dtype=np.float64)
    sets = chain([members[None]], permuted_labels(len(members), int(members.sum()), PERMUTED, rng))
    sums = sums_over_sets(np.hstack([alone, right]), sets, device).astype(np.float64)
    n, hits = np.hsplit(sums, 2)
    z = _standardised(n, hits, totals)
    top = int(z[0].argmax())
    reached = np.count_nonzero(z[1:].max(axis=1) >= z[0, top] - 1e-9)
    return usable[top], float((1 + reached) / (1 + PERMUTED))


def _standardised(n: Floats, found: Floats, totals: tuple[Floats, Floats]) -> Floats:
    """Give z of every set of keys under every set of labels; 0 where it has no spread."""
    people, hits = totals
    share = hits / people
    variance = n * share * (1 - share) * (people - n) / np.maximum(people - 1, 1)
    spread = np.sqrt(np.maximum(variance, 0))
    return np.divide(found - n * share, spread, out=np.zeros_like(found), where=spread > 1e-12)
