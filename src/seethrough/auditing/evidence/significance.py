"""Do the answers of attacks know who is a member? One permutation test for all of them.

Each attack enters with linear statistics only, so that a permutation of labels is one matrix product. A success enters
with its mean, and a guess of a secret also with the vector of success by rarity (`class_success`). A rating enters with
up to four vectors: mid-ranks, and the top tenth, hundredth and two-hundredth of the whole pool, people who tie at the
border sharing what is left; so a few people who are fully exposed are not averaged away (the last found six of eight
releases with ten copied outliers where the others found five). People whom an attack was not asked about carry the mean
of the others, which adds nothing to any sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.statistics.class_success import class_vector
from seethrough.kernels.statistics.permutation import PERMUTATIONS, PermutationTest, permutation_test

TOPS = 10, 100, 200
"""One in so many people are the tops that are looked at."""
ENOUGH_FOR_FEW = 1000
"""People from which on the top hundredth and two-hundredth are looked at."""


@dataclass(frozen=True, eq=False)
class Significance:
    """The test of all statistics, and which of them belong to which attack."""

    test: PermutationTest
    of_attack: tuple[Ints, ...]
    adjusted: Floats

    def p(self, attack: int) -> float:
        """Give the p of one attack, adjusted for its own statistics alone."""
        return self.test.p_of_maximum(self.of_attack[attack])

    def p_adjusted(self, attack: int) -> float:
        """Give the p of one attack, adjusted for all attacks."""
        return float(self.adjusted[self.of_attack[attack]].min())

    def strength(self, attack: int) -> float:
        """Give the largest standardised statistic of an attack."""
        return float(self.test.observed[self.of_attack[attack]].max())


def compare_groups(
    answers: Sequence[AttackAnswers], members: Bools, rng: np.random.Generator, permutations: int = PERMUTATIONS
) -> Significance:
    """Permute labels once for all attacks."""
    vectors = [statistics_of(answer) for answer in answers]
    ends = np.cumsum([len(some) for some in vectors])
    of_attack = tuple(np.arange(end - len(some), end) for end, some in zip(ends, vectors, strict=True))
    columns = np.column_stack([vector for some in vectors for vector in some])
    test = permutation_test(columns, members, rng, permutations)
    return Significance(test, of_attack, test.adjust(np.arange(columns.shape[1])))


def statistics_of(answer: AttackAnswers) -> list[Floats]:
    """Give the vectors that an attack enters with."""
    scores = answer.scores[answer.asked]
    vectors = [scores] if answer.is_share else rating_vectors(scores)
    if answer.truth is not None:
        vectors.append(class_vector(scores, answer.truth[answer.asked]))
    return [_spread(vector, answer.asked) for vector in vectors]


def rating_vectors(scores: Floats) -> list[Floats]:
    """Give mid-ranks, membership in the top tenth and, where people are enough, in still smaller tops."""
    shares = TOPS if len(scores) >= ENOUGH_FOR_FEW else TOPS[:1]
    return [np.asarray(rankdata(scores)), *(top(scores, -(-len(scores) // share)) for share in shares)]


def _spread(values: Floats, asked: Bools) -> Floats:
    vector = np.full(len(asked), values.mean())
    vector[asked] = values
    return vector


def top(scores: Floats, places: int) -> Floats:
    """Give 1 to those among the first `places`, 0 to the others; those who tie at the border share what is left."""
    border = -np.partition(-scores, places - 1)[places - 1]
    above, tied = scores > border, scores == border
    share: Floats = above + tied * ((places - above.sum()) / tied.sum())
    return share
