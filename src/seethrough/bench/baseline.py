"""The baseline of attribute inference: what other real records say about a secret, without any release.

The baseline is cross-fitted: no record is among those that its own secret is learnt from.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.secret_classifier import SecretTask
from seethrough.data.release import Part
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats
from seethrough.kernels.learning.scores import expected_hits
from seethrough.seeds import stream

FOLDS = 5


@dataclass(frozen=True)
class CrossFittedBaseline:
    """Request: how well the secret of real records is told by a classifier that learnt from other real records.

    The records, at most `most` of them, are dealt into five parts; each part is told by a forest that learnt from the
    other four. Records without a declared secret take no part.
    """

    secret: str
    known: tuple[str, ...]
    classes: tuple[int, ...]
    most: int

    def compute(self, bench: Bench[Part]) -> float:
        """Give the share of records that are told right."""
        table = bench.table(Part.TRAIN).project((*self.known, self.secret))
        table = table.take(np.flatnonzero(np.isin(table.column(self.secret), self.classes)))
        # One stream for all seeds: what is computed once for several checks cannot belong to the stream of one of them.
        rng = stream(0, f"imputed {self.secret} {self.known} {self.classes} {self.most}")
        chosen = by_content(table)[rng.permutation(len(table))[: self.most]]
        return float(self._hits(table.take(chosen), rng, bench).mean())

    def _hits(self, table: Table, rng: np.random.Generator, bench: Bench[Part]) -> Floats:
        hits = np.zeros(len(table))
        truth = np.searchsorted(self.classes, table.column(self.secret).astype(np.int64))
        fold = np.arange(len(table)) % FOLDS
        for mine in range(min(FOLDS, len(table))):
            asked, others = np.flatnonzero(fold == mine), np.flatnonzero(fold != mine)
            scores = self._task.scores(table.take(others), table.project(self.known).take(asked), rng, bench.budget)
            hits[asked] = expected_hits(scores, truth[asked])
        return hits

    @property
    def _task(self) -> SecretTask:
        return SecretTask(self.secret, self.classes)
