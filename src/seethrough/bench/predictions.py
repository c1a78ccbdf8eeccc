"""Predictions of secrets from the nearest synthetic rows on the keys, all ties kept.

Records that have the same true values and the same predictions are one cell: scores and their resampling work on
the few cells with their counts instead of all records.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from seethrough.bench.bench import Bench
from seethrough.bench.guesses import Guess
from seethrough.bench.marginals import ColumnEntropies
from seethrough.bench.neighbours import is_chunked
from seethrough.bench.passes.shown_secrets import ShownByAllPass, ShownByNearestPass
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.data.rows import row_numbers
from seethrough.data.schema import Column
from seethrough.data.table import Array
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Codes, Floats, Ints
from seethrough.kernels.counting.grouping import combine
from seethrough.kernels.counting.value_counts import ValueCounts, median_of_counts
from seethrough.kernels.neighbours.all_nearest import Nearest, all_nearest, median_of_known
from seethrough.kernels.neighbours.keys.majorities_in_turn import Marks, majorities_in_turn

CELLS_AT_ONCE = 1 << 24
POSITIVE = ("1", "true")


@dataclass(frozen=True, eq=False)
class CategoryPrediction:
    """A predicted category: for each cell the true code and the share of the prediction that each code has.

    `scored` are the codes whose F1 counts, `entropies` what they weigh.
    """

    truth: Ints
    shares: Floats
    scored: Ints
    entropies: Floats

    @property
    def right(self) -> Floats:
        """The share of the prediction that is right, in each cell."""
        found: Floats = self.shares[np.arange(len(self.truth)), self.truth]
        return found

    def scores(self, weights: Floats) -> Floats:
        """F1 of each scored code under several weightings of the cells, one row of `weights` each."""
        is_true = self.truth[:, None] == self.scored
        said = self.shares[:, self.scored]
        hits, predicted, actual = weights @ (said * is_true), weights @ said, weights @ is_true
        total = predicted + actual
        found: Floats = np.divide(2 * hits, total, out=np.zeros_like(hits), where=total > 0)
        return found


@dataclass(frozen=True, eq=False)
class Number:
    """A predicted number: for each cell whether the prediction is near enough to the truth."""

    right: Floats
    entropies: Floats

    def scores(self, weights: Floats) -> Floats:
        """Accuracy under several weightings of the cells."""
        found: Floats = weights @ self.right / np.maximum(weights.sum(axis=1), 1)
        return found[:, None]


@dataclass(frozen=True, eq=False)
class Predicted:
    """The predictions of all secrets: cell by cell, how many records each cell has, and the cell of each record."""

    secrets: tuple[CategoryPrediction | Number, ...]
    counts: Ints
    cell: Ints

    @property
    def right(self) -> Floats:
        """The mean over secrets of what is predicted right, in each cell."""
        found: Floats = np.mean([secret.right for secret in self.secrets], axis=0)
        return found

    def weighed_as(self, other: "Predicted") -> "Predicted":
        """Score the levels that another table's predictions score, with their weights."""
        pairs = zip(self.secrets, other.secrets, strict=True)
        return replace(self, secrets=tuple(_weighed_as(mine, theirs) for mine, theirs in pairs))


def _weighed_as(mine: CategoryPrediction | Number, theirs: CategoryPrediction | Number) -> CategoryPrediction | Number:
    if not (isinstance(mine, CategoryPrediction) and isinstance(theirs, CategoryPrediction)):
        return replace(mine, entropies=theirs.entropies)
    missing = max(theirs.shares.shape[1] - mine.shares.shape[1], 0)
    shares = np.pad(mine.shares, ((0, 0), (0, missing)))
    return CategoryPrediction(mine.truth, shares, theirs.scored, theirs.entropies)


@dataclass(frozen=True)
class NearestOnKeys:
    """Request: for every real record, all synthetic rows nearest to it on some columns."""

    keys: tuple[str, ...]
    neighbours: int = 1

    def compute(self, bench: Bench[Part]) -> Nearest:
        """Search the distance space of those columns."""
        mine, others = (points(bench.table(part).project(self.keys)) for part in (Part.TRAIN, Part.SYNTHETIC))
        return all_nearest(mine, others, bench.budget, self.neighbours)


@dataclass(frozen=True, eq=False)
class CountedSecrets:
    """What released rows show of each of some secrets, counted for groups of records; the group of each record."""

    row_groups: Ints
    shown: Mapping[str, ValueCounts]


@dataclass(frozen=True)
class CountedOnKeys:
    """Request: what the rows nearest on some columns show of secrets, of a release that is read in chunks."""

    keys: tuple[str, ...]
    secrets: tuple[str, ...]

    def compute(self, bench: Bench[Part]) -> CountedSecrets:
        """Ask for different people, in one pass."""
        known = bench.table(Part.TRAIN).project(self.keys)
        _, first, inverse = np.unique(row_numbers(known), return_index=True, return_inverse=True)
        asking = ShownByNearestPass(points(known.take(first)), self.keys, self.secrets, (), False, bench.budget.silent)
        found = bench.table(Part.SYNTHETIC).fold(asking)
        return CountedSecrets(inverse, dict(zip(self.secrets, found.shown, strict=True)))


@dataclass(frozen=True)
class CountedOfAll:
    """Request: what all rows show of secrets, of a release that is read in chunks."""

    secrets: tuple[str, ...]

    def compute(self, bench: Bench[Part]) -> CountedSecrets:
        """Count in one pass."""
        found = bench.table(Part.SYNTHETIC).fold(ShownByAllPass(self.secrets))
        everybody = np.zeros(len(bench.table(Part.TRAIN)), np.int64)
        return CountedSecrets(everybody, dict(zip(self.secrets, found, strict=True)))


@dataclass(frozen=True)
class MajoritiesInTurn:
    """Request: for each of some categories the codes that most rows nearest on all other columns have.

    One pass serves all of them. A record has one whole number for each category: the bit of a code is set where no code
    is more frequent; code 0 has the highest bit, so that numbers stand in the order of the marks.
    """

    secrets: tuple[str, ...]

    def compute(self, bench: Bench[Part]) -> Mapping[str, Marks]:
        """Search the distance space of all columns, and count the codes of the rows nearest without each."""
        real, synthetic = bench.table(Part.TRAIN), bench.table(Part.SYNTHETIC)
        # Every column has one code in the points: its own, or whether the number is missing.
        names = [column.name for column in real.schema.used]
        turns = np.array([names.index(name) for name in self.secrets])
        found = majorities_in_turn(points(real), points(synthetic), turns, bench.budget)
        return dict(zip(self.secrets, found, strict=True))


@dataclass(frozen=True)
class Predictions:
    """Request: the predictions of one guess; a number is right within `tolerance` times its size.

    A `constant` prediction says the most frequent value, or the median, of the whole release to everyone. `turns` are
    all columns that take their turn with the one guessed, if they do; one pass then serves them all.
    """

    guess: Guess
    tolerance: float
    neighbours: int = 1
    constant: bool = False
    turns: tuple[str, ...] = ()

    def compute(self, bench: Bench[Part]) -> Predicted:
        """Predict each secret, then gather equal cases into cells."""
        near = self._near(bench)
        codes: list[Codes] = []
        found = []
        for name in self.guess.secrets:
            secret = _Secret.of(name, bench)
            if self.turns and not isinstance(near, CountedSecrets):
                truth, said = secret.said_by(bench.get(MajoritiesInTurn(self.turns))[name])
            else:
                truth, said = secret.predict(near, self.tolerance)
            codes += [truth, said.which]
            found.append((secret, truth, said))
        _, first, cell, counts = np.unique(combine(codes), return_index=True, return_inverse=True, return_counts=True)
        return Predicted(tuple(secret.cells(truth, said, first) for secret, truth, said in found), counts, cell)

    def _near(self, bench: Bench[Part]) -> "Nearest | CountedSecrets | None":
        if is_chunked(bench, Part.SYNTHETIC):
            if self.neighbours > 1 and not self.constant:
                raise NotApplicable("the few nearest rows are not counted in a release that is read in chunks")
            if self.constant:
                return bench.get(CountedOfAll(self.guess.secrets))
            return bench.get(CountedOnKeys(self.guess.keys, self.guess.secrets))
        if self.constant or self.turns:
            return None
        return bench.get(NearestOnKeys(self.guess.keys, self.neighbours))


@dataclass(frozen=True, eq=False)
class _Said:
    """What was predicted for each record: one of few `patterns`, rows of shares or a single flag."""

    which: Ints
    patterns: Floats


@dataclass(frozen=True, eq=False)
class _Secret:
    """One secret column in both tables."""

    column: Column
    real: Array
    synthetic: Array
    entropy: float

    @staticmethod
    def of(name: str, bench: Bench[Part]) -> "_Secret":
        real, synthetic = bench.table(Part.TRAIN), bench.table(Part.SYNTHETIC)
        place = [column.name for column in real.schema.used].index(name)
        entropy = float(bench.get(ColumnEntropies(Part.TRAIN))[place])
        shown = real.column(name)[:0] if is_chunked(bench, Part.SYNTHETIC) else synthetic.column(name)
        return _Secret(real.schema.used[place], real.column(name), shown, entropy)

    def predict(self, near: "Nearest | CountedSecrets | None", tolerance: float) -> tuple[Codes, _Said]:
        if self.column.kind.has_levels:
            patterns, which = np.unique(self._tops(near), axis=0, return_inverse=True)
            shares = patterns / patterns.sum(axis=1, keepdims=True)
            which = which[near.row_groups] if near else np.repeat(which, len(self.real))
            return self.real.astype(np.int64), _Said(which, shares)
        # A missing number is right when a missing one is predicted.
        guess = self._medians(near)
        guess = guess[near.row_groups] if near else np.repeat(guess, len(self.real))
        truth = self.real.astype(np.float64)
        right = (np.abs(guess - truth) <= tolerance * np.abs(truth)) | (np.isnan(guess) & np.isnan(truth))
        return right.astype(np.int64), _Said(np.zeros(len(truth), np.int64), np.zeros((1, 1)))

    def said_by(self, marks: Marks) -> tuple[Codes, _Said]:
        """Take over what the majorities of a turn say of each record."""
        size = int(max(self.real.max(), self.synthetic.max())) + 1
        distinct, which = np.unique(marks, return_inverse=True)
        patterns = (distinct[:, None] >> np.arange(size - 1, -1, -1, dtype=np.uint64)) & np.uint64(1)
        return self.real.astype(np.int64), _Said(which, patterns / patterns.sum(axis=1, keepdims=True))

    def _tops(self, near: "Nearest | CountedSecrets | None") -> Bools:
        """Mark, for each group of records, the codes that most of its nearest rows have."""
        size = int(max(self.real.max(), self.synthetic.max(initial=0))) + 1
        if isinstance(near, CountedSecrets):
            return near.shown[self.column.name].most_frequent(size)
        if near is None:
            whole: Ints = np.bincount(self.synthetic.astype(np.int64), minlength=size)
            most: Bools = whole == whole.max()
            return most[None, :]
        ones = np.ones(len(self.synthetic), np.int64)
        by_group = sparse.csr_array(
            (ones, (near.column_groups, self.synthetic.astype(np.int64))), shape=(near.links.shape[1], size)
        )
        step = max(1, CELLS_AT_ONCE // size)
        tops = []
        for start in range(0, near.links.shape[0], step):
            counts = (near.links[start : start + step] @ by_group).toarray()
            tops.append(counts == counts.max(axis=1, keepdims=True))
        found: Bools = np.concatenate(tops)
        return found

    def _medians(self, near: "Nearest | CountedSecrets | None") -> Floats:
        if isinstance(near, CountedSecrets):
            return np.array([median_of_counts(*each) for each in near.shown[self.column.name].numbers()])
        values = self.synthetic.astype(np.float64)
        if near is None:
            return np.array([median_of_known(values)])
        return np.array([median_of_known(found) for found in near.values_by_group(values)])

    def cells(self, truth: Codes, said: _Said, first: Ints) -> CategoryPrediction | Number:
        """Keep one record of each cell."""
        if not self.column.kind.has_levels:
            return Number(truth[first].astype(np.float64), np.array([self.entropy]))
        scored = self._scored()
        shares = np.bincount(self.real)[scored] / len(self.real)
        entropies = np.array([_binary_entropy(share) for share in shares])
        return CategoryPrediction(truth[first].astype(np.int64), said.patterns[said.which[first]], scored, entropies)

    def _scored(self) -> Ints:
        """Pick the positive level of a binary secret; every level that occurs of another."""
        counts = np.bincount(self.real)
        present = np.flatnonzero(counts)
        if len(present) != 2:
            return present
        names = [self.column.levels[code - 1] if 0 < code <= len(self.column.levels) else "" for code in present]
        positive = [code for code, name in zip(present, names, strict=True) if name in POSITIVE]
        return np.array(positive or [present[np.argmin(counts[present])]])


def _binary_entropy(share: float) -> float:
    if share in {0.0, 1.0}:
        return 0.0
    return float(-share * np.log(share) - (1 - share) * np.log(1 - share))
