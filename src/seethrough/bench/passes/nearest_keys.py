"""The released rows nearest to people on the keys, and how many of them agree on a secret, by one pass in any chunks.

Of a chunk are kept in how few keys a row differs from each person, how many rows differ in so few, and how many of
these share the secret. The nearer of two is taken where states are merged; what is equally near is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.data.encoding import NumericKeys, key_codes, shared_codes
from seethrough.data.table import Table
from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine
from seethrough.kernels.neighbours.keys.agreement_in_turn import agreement_in_turn
from seethrough.kernels.neighbours.keys.hamming import nearest_agreement


@dataclass(frozen=True, eq=False)
class AgreementCounts:
    """For each person, people along the last axis: nearest rows, those that agree, and in how many keys they differ.

    `same` counts the pairs of a person and a released row that have the same secret, of `rows` rows.
    """

    nearest: Ints
    agree: Ints
    distance: Ints
    same: Ints
    rows: int

    @property
    def base_rate(self) -> Floats:
        """How often a released row drawn at random has the secret of a person drawn at random."""
        return np.asarray(self.same / (self.nearest.shape[-1] * self.rows))


@dataclass(frozen=True, eq=False)
class AgreementsPass:
    """Pass: the agreement of people with the rows nearest on the keys about some secrets together.

    With `in_turn` each of the secrets is left out in turn, and all other columns are its keys.
    """

    people: Table
    keys: tuple[str, ...]
    secrets: tuple[str, ...]
    numeric: NumericKeys
    in_turn: bool
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> AgreementCounts:
        """Look at a chunk."""
        if self.in_turn:
            names = [column.name for column in self.people.schema.used]
            return count_in_turn(
                key_codes(self.people, rows, self.numeric), [names.index(name) for name in self.secrets], self.budget
            )
        known = key_codes(self.people.project(self.keys), rows.project(self.keys), self.numeric)
        secrets = shared_codes(self.people.project(self.secrets), rows.project(self.secrets))
        return count_agreement(known, code_alike(*secrets), self.budget)

    def merge(self, first: AgreementCounts, second: AgreementCounts) -> AgreementCounts:
        """Take the nearer rows; those that are equally near are counted together."""
        least = np.minimum(first.distance, second.distance)
        near = [each.distance == least for each in (first, second)]
        return AgreementCounts(
            first.nearest * near[0] + second.nearest * near[1],
            first.agree * near[0] + second.agree * near[1],
            least,
            first.same + second.same,
            first.rows + second.rows,
        )

    def hint(self, state: AgreementCounts) -> Floats | None:
        """Say nothing."""
        return None


def count_agreement(
    keys: tuple[Sequence[Codes], Sequence[Codes]], secrets: tuple[Ints, Ints], budget: Budget
) -> AgreementCounts:
    """Compare people with rows; `keys` are columns of both, `secrets` numbers that are equal where secrets are."""
    mine, others = (np.stack(side) for side in keys)
    found = nearest_agreement((mine, others), secrets, budget)
    return AgreementCounts(*found, np.array(_same(*secrets)), others.shape[1])


def count_in_turn(
    columns: tuple[Sequence[Codes], Sequence[Codes]], turns: Sequence[int], budget: Budget
) -> AgreementCounts:
    """Do the same for each of some columns, of which all others are the keys, by one pass."""
    mine, others = (np.stack(side) for side in columns)
    found = agreement_in_turn((mine, others), np.array(turns), budget)
    same = [_same(*code_alike([mine[turn]], [others[turn]])) for turn in turns]
    return AgreementCounts(*found, np.array(same), others.shape[1])


def code_alike(mine: Sequence[Codes], others: Sequence[Codes]) -> tuple[Ints, Ints]:
    """Give equal values of several columns together equal numbers, from 0 on."""
    both = combine([np.concatenate(pair) for pair in zip(mine, others, strict=True)])
    codes = np.unique(both, return_inverse=True)[1]
    return codes[: len(mine[0])], codes[len(mine[0]) :]


def _same(secret: Ints, other: Ints) -> int:
    size = int(max(secret.max(), other.max())) + 1
    return int(np.bincount(secret, minlength=size) @ np.bincount(other, minlength=size))
