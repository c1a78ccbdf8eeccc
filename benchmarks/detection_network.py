"""The network of `d-mlp` against scikit-learn's MLPClassifier with early stopping: what the panel would lose by it."""

from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.findings import Finding
from benchmarks.panel import mixed_rows
from seethrough.bench.one_hot import matrices
from seethrough.data.encoding import points
from seethrough.data.reading.release_tables import read_release
from seethrough.kernels.arrays import Bools
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.learning.perceptron import perceptron_scores
from seethrough.kernels.statistics.resampling import standardise, stratified_folds
from seethrough.kernels.statistics.roc import area_under_roc
from seethrough.seeds import stream

ROWS = 25_000
FITS = 15
"""Five folds on the release and on two controls,"""
CORES = 2
"""which so many cores share."""
WORTH = 3.0
"""Seconds that the panel has to lose for a network of our own to stay."""


def report() -> list[Finding]:
    """Learn one fold of two samples of one population, and of a sample against columns shuffled one by one."""
    found, lost = [], 0.0
    for name, shuffled in (("a fresh sample", False), ("all columns shuffled", True)):
        told = {}
        for who, learn in (("ours", perceptron_scores), ("scikit-learn's", by_scikit_learn)):
            told[who] = one_fold(learn, shuffled=shuffled)
        saved = (told["scikit-learn's"][0] - told["ours"][0]) * FITS / CORES
        lost = max(lost, saved)
        detail = "; ".join(f"{who} {spent:.2f} s a fit, AUC {area:.3f}" for who, (spent, area) in told.items())
        found.append(Finding(f"`d-mlp`, {ROWS:,} x 18 rows, {name}, saved on {FITS} fits", saved, "s", detail=detail))
    return [*found, Finding("`d-mlp`, saved by the network of our own", lost, "s", at_least=WORTH)]


def one_fold(learn: Callable[..., np.ndarray], *, shuffled: bool) -> tuple[float, float]:
    """Give processor seconds and the area under the ROC curve of one fold."""
    rows = mixed_rows(ROWS)
    release = read_release(rows[:ROWS], [rows[ROWS:]])
    real, other = (points(side) for side in (release.train.table, release.synthetic[0].table))
    real_rows, others = matrices([real, other])
    rng = stream(0, "detection network")
    if shuffled:
        others = np.column_stack([rng.permutation(column) for column in others.T])
    both, is_real = np.concatenate([real_rows, others]), np.arange(2 * ROWS) < ROWS
    judged = stratified_folds(is_real, 5, rng) == 0
    learned, asked = standardise(both[~judged], both[judged])
    start = process_time()
    with one_blas_thread():
        scores = learn(learned, is_real[~judged], asked, rng)
    return process_time() - start, area_under_roc(is_real[judged], scores)


def by_scikit_learn(rows: np.ndarray, positive: Bools, others: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Learn with batches and a patience like ours; as it comes it is slower still."""
    from sklearn.neural_network import MLPClassifier

    model = MLPClassifier(
        (100, 50), early_stopping=True, n_iter_no_change=3, batch_size=512, random_state=int(rng.integers(1 << 31))
    )
    return model.fit(rows, positive).predict_proba(others)[:, 1]
