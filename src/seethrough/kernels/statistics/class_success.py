"""Success weighted by rarity: the mean over classes of the success within the class, each group for itself.

    success(G) = 1/C' sum over classes c of mean{hit_i : i in G, y_i = c}

over the C' classes that at least five people of either group have. A constant guess scores 1/C' exactly, whatever the
shares of the classes. Without the rule of five a value that no member has, and that no release made of members can
show, would count as a leak.

The permutation test counts classes again under every permutation of labels, the rule of five with them. What enters a
test of many statistics is a linear vector in its place, v_i = (hit_i - mean hit of class y_i) / people of class y_i,
with the classes of the pool as a whole: exact under permutation, and 0 everywhere for a constant guess. Classes of
fewer than ten people of the pool have 0.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, vstack

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.device.torch_sums import label_sums
from seethrough.kernels.statistics.permutation import permuted_labels

FEWEST_IN_CLASS = 5
"""People of either group that a class has to have."""
MOST_ON_DEVICE = 1 << 28
"""People times classes and attacks that a device holds at once; more are counted on the processor."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ClassSuccess:
    """Success by rarity of both groups, how many classes count, how many are left out, and the p of the difference."""

    members: float
    outsiders: float
    classes: int
    left_out: int
    p: float

    @property
    def leak(self) -> float:
        """Give what members have beyond people outside."""
        return self.members - self.outsiders


def class_success(
    hits: Sequence[Floats],
    truth: Ints,
    members: Bools,
    rng: np.random.Generator,
    permutations: int,
    device: str = "cpu",
) -> list[ClassSuccess | None]:
    """Compare the groups for some attacks on one secret, by the same permutations; None where no class is counted."""
    present, classes = np.unique(truth, return_inverse=True)
    everybody = np.arange(len(truth))
    shape = len(truth), len(present)
    by_class = [csr_matrix((values, (everybody, classes)), shape).T.tocsr() for values in (np.ones(len(truth)), *hits)]
    totals = [np.asarray(each.sum(axis=1)).ravel() for each in by_class]
    observed = [_groups(_sums(each, members[None]), total) for each, total in zip(by_class, totals, strict=True)]
    leaks = [_mean_over_classes(observed[0], found) for found in observed[1:]]
    reached = np.zeros(len(hits))
    for sums in _sums_of_sets(by_class, permuted_labels(len(truth), int(members.sum()), permutations, rng), device):
        count, *found = (_groups(*each) for each in zip(sums, totals, strict=True))
        for number, each in enumerate(found):
            mine, others = _mean_over_classes(count, each)
            # Labels that leave no class to count say nothing; they never make a result look surer.
            reached[number] += np.count_nonzero(~(mine - others < np.subtract(*leaks[number]) - _ROUNDING))
    usable = int(_is_counted(observed[0]).sum())
    if not usable:
        return [None] * len(hits)
    return [
        ClassSuccess(
            float(mine[0]), float(others[0]), usable, len(present) - usable, float((1 + more) / (1 + permutations))
        )
        for (mine, others), more in zip(leaks, reached, strict=True)
    ]


def class_vector(hits: Floats, truth: Ints) -> Floats:
    """Give the linear vector whose sum over members grows with the leak by rarity; it does not know who is a member."""
    counts = np.bincount(truth)
    means = np.bincount(truth, hits) / np.maximum(counts, 1)
    weights = np.where(counts >= 2 * FEWEST_IN_CLASS, 1 / np.maximum(counts, 1), 0.0)
    return np.asarray((hits - means[truth]) * weights[truth])


_Groups = tuple[Floats, Floats]


def _sums(by_class: csr_matrix, labels: Bools) -> Floats:
    """Sum over the people of each set of labels, by class (classes x sets)."""
    return np.asarray(by_class @ labels.T.astype(np.float64))


def _sums_of_sets(by_class: Sequence[csr_matrix], sets: Iterable[Bools], device: str) -> Iterator[Sequence[Floats]]:
    """Sum each of the matrices over blocks of sets; a device takes all sets at once."""
    classes, people = by_class[0].shape
    if device == "cpu" or people * classes * len(by_class) > MOST_ON_DEVICE:
        together = vstack(by_class, "csr")  # one product, for which labels are made numbers once
        for labels in sets:
            yield np.split(_sums(together, labels), len(by_class))
        return
    weights = np.hstack([each.T.toarray() for each in by_class])
    yield np.split(np.ascontiguousarray(label_sums(weights, sets, device).T), len(by_class))


def _groups(mine: Floats, totals: Floats) -> _Groups:
    return mine, totals[:, None] - mine


def _is_counted(counts: _Groups) -> Bools:
    return np.asarray(np.minimum(*counts) >= FEWEST_IN_CLASS)


def _mean_over_classes(counts: _Groups, sums: _Groups) -> _Groups:
    """Give the success by rarity of both groups for each set of labels; NaN where no class is counted."""
    usable = _is_counted(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        mine, others = (
            np.where(usable, total / count, 0.0).sum(axis=0) / usable.sum(axis=0)
            for total, count in zip(sums, counts, strict=True)
        )
    return mine, others
