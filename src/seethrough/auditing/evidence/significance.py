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
from scipy.special import ndtri

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.kernels.statistics.class_success import class_vector
from seethrough.kernels.statistics.permutation import PERMUTATIONS, PermutationTest, permutation_test

TOPS = 10, 100, 200
"""One in so many people are the tops that are looked at."""
FORWARD_SHARE = 0.1
"""Share of the error for a test of its own, that of the attack which was told labels. It finds what many people show,
with p far below any limit, or nothing; single ratings find ten copied people of a thousand with p near 1 %, and half of
the error would cost them more than half of such releases."""
ENOUGH_FOR_FEW = 1000
"""People from which on the top hundredth and two-hundredth are looked at."""


@dataclass(frozen=True, eq=False)
class Significance:
    """The test of all statistics, which of them belong to which attack, and the p of attacks that have their own.

    An attack that was told labels has a forward test of its own and no statistics. Where there is one, it and all other
    attacks together are two tests, joined by Bonferroni with unequal shares of the error (`FORWARD_SHARE`).
    """

    test: PermutationTest
    of_attack: tuple[Ints, ...]
    adjusted: Floats
    forward: tuple[float | None, ...]

    def share(self, *, is_forward: bool) -> float:
        """Give the share of the error that a test may make: that of all permuted attacks, or one with its own p."""
        own = sum(p is not None for p in self.forward)
        if is_forward:
            return FORWARD_SHARE / max(own, 1)
        return 1 - FORWARD_SHARE if own else 1.0

    def p(self, attack: int) -> float:
        """Give the p of one attack, adjusted for its own statistics alone."""
        own = self.forward[attack]
        return self.test.p_of_maximum(self.of_attack[attack]) if own is None else own

    def p_adjusted(self, attack: int) -> float:
        """Give the p of one attack, adjusted for all attacks."""
        own = self.forward[attack]
        p = float(self.adjusted[self.of_attack[attack]].min()) if own is None else own
        return min(1.0, p / self.share(is_forward=own is not None))

    def critical(self, attack: int, confidence: float) -> float:
        """Give the value that the maximum over all statistics stays below, at a confidence for all tests together.

        An attack with a p of its own is held to that, and to its own share of the error where that is stricter.
        """
        permuted, own = (1 - (1 - confidence) * self.share(is_forward=told) for told in (False, True))
        found = self.test.quantile(permuted)
        critical = found if np.isfinite(found) else float(ndtri(permuted))
        return critical if self.forward[attack] is None else max(critical, float(ndtri(own)))

    def weakness(self, attack: int) -> float:
        """Give the smallest standardised statistic of an attack; 0 where it has none."""
        observed = self.test.observed[self.of_attack[attack]]
        return float(observed[np.isfinite(observed)].min(initial=0.0))


def compare_groups(
    answers: Sequence[AttackAnswers],
    members: Bools,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
    device: str = "cpu",
) -> Significance:
    """Permute labels once for all attacks whose scores may be permuted."""
    vectors = [statistics_of(answer) if answer.p_forward is None else [] for answer in answers]
    ends = np.cumsum([len(some) for some in vectors])
    of_attack = tuple(np.arange(end - len(some), end) for end, some in zip(ends, vectors, strict=True))
    flat = np.zeros(len(members))  # without a single attack nothing is permuted
    columns = np.column_stack([vector for some in vectors for vector in some] or [flat])
    test = permutation_test(columns, members, rng, permutations, device)
    forward = tuple(answer.p_forward for answer in answers)
    return Significance(test, of_attack, test.adjust(np.arange(columns.shape[1])), forward)


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
    return [mid_ranks(scores), *(top(scores, -(-len(scores) // share)) for share in shares)]


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
