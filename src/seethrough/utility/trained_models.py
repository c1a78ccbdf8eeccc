"""Models trained on a release and tested on people outside: how often they are right.

For every column that is to be predicted a random forest learns it from all other columns of the release, and predicts
it for real people whom the generator never saw. A number counts as its tenth of these people. People who do not show
the column are not asked about.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from seethrough.bench.secret_classifier import SecretTask
from seethrough.data.rows import by_content
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.arrays import Ints
from seethrough.kernels.budget import Budget, one_blas_thread
from seethrough.kernels.counting.bins import cut, decile_edges, known_numbers
from seethrough.kernels.learning.scores import expected_hits
from seethrough.seeds import stream

MOST_ROWS = 20_000
"""Released rows that a model learns from, and people outside whom it is tested on; of more, so many are drawn."""


def model_success(
    examples: tuple[Table, Table], asked: tuple[Table, Table], targets: Sequence[str], seed: int, budget: Budget
) -> float | None:
    """Give the mean over targets of the share of people who are predicted right; None where no target has two values.

    `examples` and `asked` are pairs of a table of features and a table that shows the targets, row by row the same: a
    release with coarse columns shows the model less than what it is to predict.
    """
    found = [_success(examples, asked, target, seed, budget) for target in targets]
    known = [share for share in found if share is not None]
    return float(np.mean(known)) if known else None


def even_success(asked: Table, targets: Sequence[str]) -> float | None:
    """Give what guessing every value alike gets right."""
    sizes = [len(np.unique(codes[codes != MISSING])) for codes in (_codes(asked, asked, each)[1] for each in targets)]
    shares = [1 / size for size in sizes if size > 1]
    return float(np.mean(shares)) if shares else None


def _success(
    examples: tuple[Table, Table], asked: tuple[Table, Table], target: str, seed: int, budget: Budget
) -> float | None:
    learnt, truth = _codes(examples[1], asked[1], target)
    rng = stream(seed, f"model of {target}")
    rows, people = _drawn(examples[0], learnt, rng), _drawn(asked[0], truth, rng)
    classes = np.unique(truth[people])
    names = [column.name for column in asked[0].schema.used if column.name != target]
    if len(classes) < 2 or not names:
        return None
    known = asked[0].project(names).take(people)
    shown = _with_target(examples[0].project(names).take(rows), target, learnt[rows])
    with one_blas_thread():
        scores = SecretTask(target, tuple(map(int, classes))).scores(shown, known, rng, budget)
    return float(expected_hits(scores, np.searchsorted(classes, truth[people])).mean())


def _codes(examples: Table, asked: Table, target: str) -> tuple[Ints, Ints]:
    """Give the classes of a target in both tables, 0 where it is missing; numbers are cut by those who are asked."""
    mine, others = examples.column(target), asked.column(target)
    if others.dtype.kind != "f":
        return mine.astype(np.int64), others.astype(np.int64)
    edges = decile_edges("observed deciles", known_numbers(others))
    return _binned(mine, edges), _binned(others, edges)


def _binned(values: Array, edges: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Ints:
    numbers = values.astype(np.float64)
    return np.where(np.isnan(numbers), MISSING, cut(numbers, edges).astype(np.int64) + 1)


def _drawn(table: Table, codes: Ints, rng: np.random.Generator) -> Ints:
    """Draw rows that show the target, whatever their order."""
    order = by_content(table)
    usable: Ints = order[codes[order] != MISSING]
    return usable[rng.permutation(len(usable))[:MOST_ROWS]]


def _with_target(table: Table, target: str, codes: Ints) -> Table:
    levels = tuple(str(code) for code in range(1, int(codes.max(initial=1)) + 1))
    column = replace(Column(target, Kind.CATEGORICAL), levels=levels)
    values = codes.astype(np.min_scalar_type(int(codes.max(initial=1))))
    return Table(Schema((*table.schema.columns, column)), (*table.columns, values))
