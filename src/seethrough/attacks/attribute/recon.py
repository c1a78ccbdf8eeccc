"""Recon: solve for the secrets of all records at once, from what the release says about small groups of them.

For every set A of k - 1 known columns and every combination v of values that known records have in A there is one query
for each class c of the secret: how many of the c_j records in the cell are of this class? The release answers

    conditional    r_jc = o_jc / s_j * c_j       of the s_j released rows in the cell, o_jc are of class c
    marginal       r_jc = o_jc * n / m           n known records, m released rows: an older attack, weaker

and the shares t_ic >= 0 of record i, with sum_c t_ic = 1, are those that minimise sum_jc w_jc |r_jc - sum_{i in j}
t_ic|. All classes are in one program. Two classes mirror each other in conditional queries, so one of them is enough: t
in [0, 1] and the queries of the second class. The score of a class is t, the guess the class of the largest.

The release tells nothing where all scores are alike. The certainty is the lead of the best score over the next, and for
least squares of up to 2500 different records that lead measured by its standard deviation; `forced_gaps` gives what
deciding otherwise would cost.

An audit runs least squares with a cell of all known columns (variant = gls, whole = true), which reconstructs more than
the program of the paper (variant = lp, whole = false).

Variants
--------
lp
    w = 1, as published.
weighted
    w = 1 / standard deviation of r; its variance is c^2 p (1 - p) / s for conditional queries, plus a floor.
gls
    Least squares with those variances and the prior N(1/2, 1/4) for every record: one Cholesky factor, or beyond 2500
    different records conjugate gradients, which grow with the queries alone.
gls-prior
    The same, but all records other than the one asked about have the prior N(p, p (1 - p)), with p from gradient
    boosting trained on at most 20,000 released rows, a random forest beyond 20 classes, of which boosting would grow
    100 trees each. With several targets this holds for each of them in turn.
robust
    As gls-prior, with a Huber loss on standardised errors and a variance floor of 0.1 c.

gls-prior and robust have to know variances and so take a matrix of different records by different records; beyond
10,000 of them they are refused.

With more than two classes the least squares variants solve for each class against the rest, with the prior N(1/C, (1/C)
(1 - 1/C)); scores are the means clipped to [0, 1] and divided by their sum. Hundreds of classes work and cost as many
times more: the program has the queries of all classes, and least squares a factor for each. The summary tells what it
took: `matrix entries`, `status`, and beyond 20 classes `cost`.

People outside
--------------
All records are solved for together, so who is in the known table matters. An audit asks about a person outside as if
this one alone had been in the real table too: the members' records with one more. For gls that is exact and takes one
small solve a person (`kernels.solvers.bordered`); where that takes more than about a second (1,400 members with 14
known columns and two classes, fewer with more columns or classes), and beyond 2500 different members, people outside
join in ten random parts. Variances are not found then: who is surest is told by the lead over the standard deviation
that would be left if all other records were known, in the members' table with this one person. The other variants solve
once for members and people outside together, which tells sharp counts less well.

How the two ways compare, on ACS and Adult with as many people outside and released rows as members: with 400 members
and secrets of 4 to 25 classes both guessed 16 to 24 more of 100 members right than of people outside, and differed by
0.04 to 0.21 (standard errors 0.14 to 0.47); with 800 members and two classes 6 to 13, and by 0.04 to 0.54 (0.17 to
0.41), parts having the more. Of the surest tenth of all people members guessed right were 79 to 92 and 37 to 84 of 100
more than people outside one by one, 74 to 82 and 34 to 79 in parts; by the lead alone it was 60 to 71 with many
classes. On releases of others all of these were 0 within two standard errors, with 4 to 25 classes.

What it sees
------------
Releases that keep counts of small groups right, and copies; no released row has to be near the person. With 1,000
members and as many outside and released, six known columns and least squares, a hidden column was guessed right for so
many more of 100 members than of 100 people outside (mean over ten and seven hidden columns of a survey, ACS, and a
census table, Adult; five releases each): rows drawn with replacement 6.2 and 12.3, baynet 3.1 and 8.5, privbayes at
epsilon 1 0.5 and 0.1, indhist -0.2 and 0.6; standard errors are 0.1 to 0.5.

What it misses
--------------
Releases whose counts are noisy, as with differential privacy, and people who share all their known values with others.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 4.2.

Deviations
----------
Cells that no released row falls in have no conditional answer and are dropped; the paper takes it to be 0, which tells
the program that nobody there is of the class (absent = "zero"). Numbers keep their values where the known records share
few, and are cut at the deciles of the known records otherwise. The cell of all known columns (whole) is an addition: it
holds what the release has of records that are like a person in everything, and a copy of the records answers it
exactly. Where numbers are cut it is asked at several grains, all such columns in 10, 20, 40, 80 and 160 bins and last
with their exact values, each as long as four known records would fall in a bin: a person is asked about at every grain
that some released row still meets, and the finest has the least variance. These answers are taken as independent, which
they are not. Columns in which all known records are alike are then in no smaller cell. Classes beyond two, weights and
least squares are not in the paper.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from seethrough.attacks.attribute._joining import Joining, joining_work, means_by_steps
from seethrough.attacks.attribute._queries import (
    Absent,
    Answers,
    CellShares,
    Frame,
    Queries,
    answer_queries,
    find_shares,
    make_frame,
    tally_release,
)
from seethrough.attacks.attribute._weighing import LeastSquaresWeighing
from seethrough.bench.secret_classifier import SecretTask
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.counting.tally import Tally
from seethrough.kernels.learning.scores import lead
from seethrough.kernels.solvers import l1, least_squares
from seethrough.kernels.solvers.l1_program import Program, Solution
from seethrough.kernels.solvers.least_squares import Noisy, Posterior, Prior
from seethrough.kernels.solvers.normal_matrix import summing
from seethrough.protocols.attack import AttributeView, Guesses, Posed
from seethrough.protocols.in_audits import InAudits
from seethrough.results.outcome import Value
from seethrough.seeds import stream

Variant = Literal["lp", "weighted", "gls", "gls-prior", "robust"]

FLOOR = 0.01
"""Least variance of an answer, for the weighted and the plain least squares variants."""
ROBUST_FLOOR = 0.1
"""The same for the robust variant, for each record of the cell: it has to allow for errors of the generator too."""
DENSE = 2_500
"""Different records up to which least squares gives variances too."""
MOST_WORK = 2_000_000_000
"""Multiplications that joining people outside one by one may take, of all classes: about a second. 2,500 members with
14 known columns and as many people outside would take 5 billion for each class."""
MOST_DENSE = 10_000
"""Different records up to which it may be asked for variances: the matrix then takes 0.8 GB."""
EXAMPLES = 20_000
"""Released rows that the prior is learnt from."""
MANY = 20
"""Classes beyond which the prior is learnt by a forest and the cost is told."""
SUREST = 0.98
"""The prior of a record is no surer than this."""


@dataclass(frozen=True)
class Recon:
    """Linear reconstruction; `query_count` cells are asked about, drawn at random, or all of them.

    With `whole` there is a cell of all known columns too, whatever k is.
    """

    name: ClassVar[str] = "recon"
    title: ClassVar[str] = "Reconstruction of secrets from counts"
    in_audits: ClassVar[InAudits] = InAudits(
        title="Reconstruction of secrets",
        cites=("arXiv:2301.10053",),
        params={"variant": "gls", "whole": True},  # the strongest of those compared in docs/results/reconstruction.md
        slow=True,
        version=4,
    )
    variant: Variant = "lp"
    queries: Queries = "conditional"
    k: int = 3
    whole: bool = False
    query_count: int | None = None
    absent: Absent = "drop"
    engine: l1.Engine = "auto"

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        if self.k not in {2, 3, 4}:
            raise ConfigError(f"parameter recon.k is {self.k}; 2, 3 or 4 is expected")
        if self.query_count is not None and self.query_count <= 0:
            raise ConfigError(f"parameter recon.query_count is {self.query_count}; it has to be above 0")

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Count, answer the queries, solve."""
        if posed := self.pose(view, rng):
            return posed.finish(l1.solve(posed.program, self.engine))
        frame, answers = self.make_queries(view, rng)
        rows = frame.cells.row_of[view.targets]
        if self.variant == "gls" and len(frame.cells.weights) > DENSE:
            means, steps = means_by_steps(answers, frame.cells.weights.astype(np.float64), FLOOR)
            scores = _normalised(means[rows])
            details: dict[str, Value] = {"engine": "conjugate gradients", "status": "solved", "steps": steps}
        else:
            found = self._by_squares(answers, frame, rows, view, rng)
            means = np.column_stack([each.means for each in found])
            deviations = np.sqrt(np.column_stack([each.variances for each in found]))
            details = {"engine": "least squares", "status": "solved"}
            if len(view.classes) > MANY:
                details["cost"] = f"up to {self._solves(len(view.classes)):,} factors, by class"
            return _sure_guesses(means, deviations, {**details, **_extent(answers, answers.matrix.nnz, frame)})
        return Guesses(scores, lead(scores), {**details, **_extent(answers, answers.matrix.nnz, frame)})

    def guess_joined(self, view: AttributeView, inside: Bools, rng: np.random.Generator) -> Guesses | None:
        """Answer for people outside as if each alone had joined those inside; least squares alone has this form."""
        if self.variant != "gls" or self.queries != "conditional" or not inside.any():
            return None
        if self.query_count is not None:
            return self._solve_joined(view, inside, rng)
        # Parts of people outside are drawn from a stream that belongs to no attack, because others ask for this too.
        drawn = stream(0, "people outside in parts")
        return view.once((self, view.classes, inside.tobytes()), partial(self._solve_joined, view, inside, drawn))

    def _solve_joined(self, view: AttributeView, inside: Bools, rng: np.random.Generator) -> Guesses:
        frame, tally = self._count_cells(view, rng)
        joining = Joining(find_shares(tally, self.absent), inside, FLOOR)
        extent = _extent(joining.found, int(np.count_nonzero(joining.table.members >= 0)), frame)
        targets = view.targets
        work = joining_work(frame.cells, inside, len(view.classes))
        if len(joining.table.weights) > DENSE or work > MOST_WORK:
            means, steps = joining.in_parts(view.known.project(frame.names), rng, view.budget)
            scores = _normalised(means[targets])
            surest = least_squares.standardised_lead(means[targets], joining.least_deviations()[targets])
            details: dict[str, Value] = {"engine": "conjugate gradients", "status": "solved", "steps": steps}
            details |= {"people outside": "in ten parts", **extent}
            return Guesses(scores, lead(scores), details, surest[:, None])
        means, deviations = joining.one_by_one(view.budget)
        details = {"engine": "least squares", "status": "solved", "people outside": "one by one"}
        return _sure_guesses(means[targets], deviations[targets], {**details, **extent})

    def prepare_weighing(
        self, view: AttributeView, inside: Bools, rng: np.random.Generator
    ) -> LeastSquaresWeighing | None:
        """Count again; of least squares, what it says of a person inside is a sum of what each count adds."""
        if self.variant != "gls" or self.queries != "conditional" or not inside.any():
            return None
        frame, tally = self._count_cells(view, rng)
        joining = Joining(find_shares(tally, self.absent), inside, FLOOR)
        codes = frame.codes(view.whole_release())
        return LeastSquaresWeighing(frame, joining.found, joining.table, codes, FLOOR)

    def pose(self, view: AttributeView, rng: np.random.Generator) -> Posed | None:
        """Come to the program of a variant that has one."""
        if self.variant not in {"lp", "weighted"}:
            return None
        frame, answers = self.make_queries(view, rng)

        def finish(solution: Solution) -> Guesses:
            shares = solution.shares[frame.cells.row_of[view.targets]]
            scores = np.column_stack([1 - shares, shares]) if shares.shape[1] == 1 else shares
            return Guesses(scores, lead(scores), {**_told(solution), **_extent(answers, answers.matrix.nnz, frame)})

        return Posed(self.program(answers, frame), finish)

    def make_queries(self, view: AttributeView, rng: np.random.Generator) -> tuple[Frame, Answers]:
        """Choose the queries and let the release answer them."""
        frame, tally = self._count_cells(view, rng)
        return frame, answer_queries(tally, self.queries, self.absent)

    def _count_cells(self, view: AttributeView, rng: np.random.Generator) -> tuple[Frame, Tally]:
        if len(view.classes) < 2:
            raise NotApplicable(f"the secret {view.secret!r} has {len(view.classes)} value; there is nothing to tell")
        names = [column.name for column in view.known.schema.used if column.name != view.secret]
        frame = make_frame(view.known.project(names), self.k, self.query_count, rng, whole=self.whole)
        return frame, tally_release(frame, view.released, view.secret, view.classes)

    def program(self, answers: Answers, frame: Frame) -> Program:
        """Set up the sum of absolute errors; of two classes the second is enough."""
        classes = slice(1 if answers.values.shape[1] == 2 else 0, None)
        weights = np.ones_like(answers.values)
        if self.variant == "weighted":
            weights = 1 / np.sqrt(answers.variances + FLOOR)
            weights /= weights.mean() if weights.size else 1.0  # so that objectives compare with those of the paper
        sizes = frame.cells.weights.astype(np.float64)
        return Program(answers.matrix, answers.values[:, classes], weights[:, classes], sizes)

    def _by_squares(
        self, answers: Answers, frame: Frame, rows: Ints, view: AttributeView, rng: np.random.Generator
    ) -> list[Posterior]:
        """Find a posterior for each class; of two, the first mirrors the second."""
        classes, sizes = len(view.classes), frame.cells.weights.astype(np.float64)
        if len(sizes) > MOST_DENSE:
            raise NotApplicable(
                f"the variant {self.variant} takes {len(sizes)} x {len(sizes)} numbers for as many different records; "
                f"up to {MOST_DENSE} it is run, and gls on any number"
            )
        neutral = _neutral(len(sizes), classes)
        learnt = None if self.variant == "gls" else _learnt(view, frame, answers.seen, rng)
        robust = self.variant == "robust"
        floor = ROBUST_FLOOR * answers.members if robust else FLOOR
        solve = least_squares.robust_posterior if robust else least_squares.posterior
        rows, back = np.unique(rows, return_inverse=True)
        normal = summing(answers.matrix, self._solves(classes))
        found = []
        for label in range(1 if classes == 2 else 0, classes):
            noisy = Noisy(answers.matrix, answers.values[:, label], answers.variances[:, label] + floor, sizes, normal)
            prior = neutral if learnt is None else learnt[label]
            found.append(solve(noisy, prior, rows).under(prior.take(rows), neutral.take(rows)).take(back))
        return [Posterior(1 - found[0].means, found[0].variances), *found] if classes == 2 else found

    def _solves(self, classes: int) -> int:
        """Count the factors that least squares takes at most."""
        return (1 if classes == 2 else classes) * (least_squares.SOLVES if self.variant == "robust" else 1)


def forced_gaps(attack: Recon, view: AttributeView, rng: np.random.Generator) -> Floats:
    """Give for each target how much more the objective is with the second best class forced than with the best."""
    frame, answers = attack.make_queries(view, rng)
    program = attack.program(answers, frame)
    rows = frame.cells.row_of[view.targets]
    costs = [np.sort(l1.cost_of_flipping(program, int(row), attack.engine)) for row in rows]
    return np.array([cost[1] - cost[0] for cost in costs])


def _sure_guesses(means: Floats, deviations: Floats, details: dict[str, Value]) -> Guesses:
    """Guess by posterior means; who leads by more standard deviations is surer."""
    sure = least_squares.certainty(means, deviations)
    return Guesses(_normalised(means), sure, details, least_squares.standardised_lead(means, deviations)[:, None])


def _told(solution: Solution) -> dict[str, Value]:
    return {
        "engine": solution.engine,
        "status": solution.status,
        "objective": solution.objective,
        "gap": solution.gap,
    }


def _extent(asked: Answers | CellShares, entries: int, frame: Frame) -> dict[str, Value]:
    """Say how much was asked, and how many numbers a solver had to look at."""
    queries, classes = asked.variances.shape
    return {
        "queries": queries,
        "cells without a released row": int(np.count_nonzero(asked.released == 0)) + len(frame.cells) - queries,
        "subsets": len(frame.cells.subsets),
        "classes": classes,
        "different records": len(frame.cells.weights),
        "matrix entries": entries * (1 if classes == 2 else classes),
    }


def _neutral(rows: int, classes: int) -> Prior:
    return Prior(np.full(rows, 1 / classes), np.full(rows, (1 - 1 / classes) / classes))


def _learnt(view: AttributeView, frame: Frame, seen: int, rng: np.random.Generator) -> list[Prior]:
    """Tell from the release what people like each known record are, one prior for each class."""
    _, first = np.unique(frame.cells.row_of, return_index=True)
    people = view.known.project(frame.names).take(first)
    task = SecretTask(view.secret, view.classes, "boosted" if len(view.classes) <= MANY else "forest")
    chances = task.scores(_examples(view.released, seen, rng), people, rng, view.budget)
    chances = np.clip(chances, 1 - SUREST, SUREST)
    return [Prior(chance, chance * (1 - chance)) for chance in chances.T]


def _examples(released: Iterable[Table], total: int, rng: np.random.Generator) -> Table:
    """Draw rows from all tables together, which have `total` rows."""
    drawn = np.sort(rng.choice(total, min(total, EXAMPLES), replace=False))
    parts, start = [], 0
    for table in released:
        first, last = np.searchsorted(drawn, [start, start + len(table)])
        parts.append(table.take(drawn[first:last] - start))
        start += len(table)
    return stack_tables(parts)


def _normalised(means: Floats) -> Floats:
    """Clip means to [0, 1] and make each row sum to 1; where nothing is left, all classes are alike."""
    inside = np.clip(means, 0, 1)
    totals = inside.sum(axis=1, keepdims=True)
    scores: Floats = np.divide(inside, totals, out=np.full_like(inside, 1 / means.shape[1]), where=totals > 0)
    return scores
