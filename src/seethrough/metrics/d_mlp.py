"""DetectionMLP: can a small neural network tell real from synthetic rows?

Real rows are labelled 1, synthetic rows 0. In each of five stratified folds a network with hidden layers of 100 and 50
learns from the other folds, standardised on them, and AUC is the chance that it scores a real row of the fold higher
than a synthetic one, ties counting half. With the mean AUC over the folds, the risk is min(1, 2 (1 - AUC)): 1 where the
tables cannot be told apart, 0 where they can without error. A fresh sample of the same population scores about 1 too. A
copy has an AUC below one half: most rows to be judged have a twin among those learned, with the other label.

The interval is Student's t over the AUCs of the folds, made wider because folds share the rows they learn from (Nadeau
and Bengio 2003, doi:10.1023/A:1024068626366); its ends go through the same map as the mean, so the value lies inside.

Of a table with more than 100,000 rows so many are drawn at random (`most_rows`), and a warning says so. AUC is then
that of a network which has learned from that many, and the interval is that of the rows drawn. Rows of a copy rarely
have their twin in the draw, so the AUC of a large copy is about one half, and its risk 1 as before. Where people are
drawn who are attacked, or for whom controls are measured, as many released rows are drawn.

References
----------
Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Trudslev et al. 2025 and Hansen and Staer 2025
(reviews).

Deviations
----------
Trudslev et al. take the AUC itself (`score=auc`), which is lowest for a copy; Hansen and Staer print the same and
report the opposite; PrivEval takes 1 - AUC (`score=1-auc`), which is about one half for a copy. An AUC below one half
is clipped and not folded back, because it speaks for copies, not for differences. PrivEval standardises before it
splits and stops training by accuracy; here it is the log loss (`kernels/learning/perceptron.py` has measurements). Of
a column with more than 200 levels the rarer ones share one indicator.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedToLearn
from seethrough.bench.one_hot import matrices
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints, Single
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.classifiers import boosted_scores, logistic_scores
from seethrough.kernels.learning.perceptron import perceptron_scores
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.resampling import repeated_mean, standardise, stratified_folds
from seethrough.kernels.statistics.roc import area_under_roc, placements
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Measurement
from seethrough.seeds import Seed, begin_again, seed_of

Classifier = Literal["mlp", "logistic", "lightgbm"]
Score = Literal["clipped", "auc", "1-auc"]

Learner = Callable[[Single, Bools, Single, np.random.Generator], npt.NDArray[np.floating]]

LEARNERS: dict[Classifier, Learner] = {
    "mlp": perceptron_scores,
    "logistic": logistic_scores,
    "lightgbm": boosted_scores,
}

PARTS = ((Part.TRAIN, "real"), (Part.SYNTHETIC, "synthetic"))


@dataclass(frozen=True)
class DetectionMlp:
    """How badly a classifier tells real from synthetic rows."""

    card: ClassVar[Card] = Card(
        name="d-mlp",
        title="DetectionMLP",
        question="Does a small neural network fail to tell real rows from synthetic ones?",
        cannot_tell="Whether rows were copied: a fresh sample of the same population looks as real as a copy does.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.FIDELITY,
        raw_unit="mean area under the ROC curve",
        formula="min(1, 2 (1 - AUC)), with AUC the mean over folds of the area under the ROC curve",
        cites=("arXiv:2301.07573",),
        ordering=Verdict.WORKS,
        monotone=Verdict.WORKS,
        stochastic=True,
        slow=True,
        looks_at="The score that a classifier gives to a person whom it did not learn from.",
    )
    classifier: Classifier = "mlp"
    score: Score = "clipped"
    folds: int = 5
    most_rows: int = 100_000
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what leaves nothing to learn from."""
        if self.folds < 2:
            raise ConfigError(f"parameter d-mlp.folds is {self.folds}; at least 2 are expected")
        if self.most_rows < self.folds:
            raise ConfigError(f"parameter d-mlp.most_rows is {self.most_rows}; at least one for each fold is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Average the area over the folds."""
        for part, name in PARTS:
            if len(bench.table(part)) < self.folds:
                raise NotApplicable(f"{self.folds} folds need at least {self.folds} {name} rows")
        placed, drawn = draw_rows(bench, self.most_rows, rng)
        real, synthetic = matrices([points.take(rows) for points, rows in zip(placed, drawn, strict=True)])
        areas = fold_areas(real, synthetic, self.classifier, self.folds, bench.budget, rng)
        area, smaller = float(areas.mean()), min(len(real), len(synthetic))
        low, high = repeated_mean(areas, 1 / (self.folds - 1), smaller, self.confidence)
        least, most = sorted(risk_of(end, self.score) for end in (low, high))
        return Measurement(
            risk=Estimate(risk_of(area, self.score), least, most, self.confidence),
            raw=area,
            n=len(real) + len(synthetic),
            details={
                "mean AUC": round(area, 4),
                "standard deviation of the AUC over folds": round(float(areas.std(ddof=1)), 4),
                "AUC by fold": ", ".join(f"{each:.4f}" for each in areas),
            },
            warnings=tuple(
                f"{len(rows):,} of {len(points):,} {name} rows were drawn; the interval is that of the rows drawn"
                for (_, name), points, rows in zip(PARTS, placed, drawn, strict=True)
                if len(points) > len(rows)
            ),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the score that this person got when it was held out of training."""
        if example.row is None:
            return Lacking(self.card.name, "the classifier was asked about rows of the table only")
        seed = seed_of(example.rng)
        dealt = bench.get(DealtFolds(self.folds, self.most_rows, seed))
        fold = int(dealt.fold_of_real[example.row])
        if fold < 0:
            return Lacking(self.card.name, "this person was not among the rows drawn for the classifier")
        judged = bench.get(JudgedFold(self.classifier, self.folds, self.most_rows, fold, seed))
        score = float(judged.real[dealt.place_in_fold(example.row)])
        lower = float(placements(np.array([score]), judged.synthetic)[0])
        said = (
            f"The rows were dealt into {self.folds} folds; this person is in fold {fold + 1} and was scored by a "
            f"classifier that learned from the others: {say_number(score)}, where higher means real."
        )
        looked = Step(said, "", {"score": score, "fold": fold + 1.0})
        area = float(area_under_roc(*judged.labelled))
        told = f"Of {len(judged.synthetic):,} released rows of the fold this share scores lower, ties by half:"
        written = f"{say_number(lower)}; mean over {len(judged.real):,} real rows of the fold: AUC = {say_number(area)}"
        formula = Step(told, written, {"scores lower": lower, "AUC of the fold": area})
        mean = example.found.raw or 0.0
        ending = Step("The risk comes from the mean AUC over the folds:", f"AUC = {say_number(mean)}", {"AUC": mean})
        return whole_table(self.card.name, example, looked, formula, ending)


def draw_rows(bench: Bench[Part], most: int, rng: np.random.Generator) -> tuple[list[Points], list[Ints]]:
    """Give real and released rows, and which of them are learnt from; of the release as many as people were drawn."""
    placed, drawn = [bench.get(PlacedToLearn(part)) for part, _ in PARTS], []
    for (part, _), points in zip(PARTS, placed, strict=True):
        asked = bench.asking(part) if bench.drawn_from(Part.TRAIN) is not None else None
        among = np.arange(len(points)) if asked is None else asked
        drawn.append(among[few(len(among), most, rng)])
    return placed, drawn


def few(rows: int, most: int, rng: np.random.Generator) -> Ints:
    """Draw rows at random where there are more than `most`."""
    return np.arange(rows) if rows <= most else rng.choice(rows, most, replace=False)


def risk_of(area: float, score: Score) -> float:
    """Map an area under the ROC curve to a risk."""
    return {"clipped": min(1.0, 2 * (1 - area)), "auc": area, "1-auc": 1 - area}[score]


def fold_areas(
    real: Single, synthetic: Single, classifier: Classifier, folds: int, budget: Budget, rng: np.random.Generator
) -> Floats:
    """Area under the ROC curve in each fold, by a classifier that learned from the others."""
    rows = np.concatenate([real, synthetic])
    is_real = np.arange(len(rows)) < len(real)
    fold_of, areas = stratified_folds(is_real, folds, rng), np.empty(folds)

    def judge(fold: int, own_rng: np.random.Generator) -> None:
        judged = fold_of == fold
        areas[fold] = area_under_roc(is_real[judged], judge_rows(rows, is_real, judged, classifier, own_rng))

    # Each fold has its own generator, so that the number does not depend on which is done first.
    budget.run([partial(judge, fold, own_rng) for fold, own_rng in enumerate(rng.spawn(folds))])
    return areas


def judge_rows(
    rows: Single, is_real: Bools, judged: Bools, classifier: Classifier, rng: np.random.Generator
) -> npt.NDArray[np.floating]:
    """Score some rows by a classifier that learned from the others."""
    learned, others = standardise(rows[~judged], rows[judged])
    return LEARNERS[classifier](learned, is_real[~judged], others, rng)


@dataclass(frozen=True, eq=False)
class Dealt:
    """The rows that took part, real ones first, how they were dealt, and the fold of each real row, -1 for none."""

    rows: Single
    is_real: Bools
    fold_of: Ints
    drawn: Ints
    fold_of_real: Ints
    generators: tuple[np.random.Generator, ...]

    def place_in_fold(self, row: int) -> int:
        """Give the place of a row of the real table among the real rows of its fold."""
        place = int(np.flatnonzero(self.drawn == row)[0])
        return int(np.count_nonzero(self.fold_of[:place] == self.fold_of[place]))


@dataclass(frozen=True)
class DealtFolds:
    """Request: the folds of a run, dealt again."""

    folds: int
    most_rows: int
    seed: Seed

    def compute(self, bench: Bench[Part]) -> Dealt:
        """Draw and deal as the run did."""
        rng = begin_again(self.seed)
        placed, drawn = draw_rows(bench, self.most_rows, rng)
        tables = matrices([points.take(rows) for points, rows in zip(placed, drawn, strict=True)])
        rows = np.concatenate(tables)
        is_real = np.arange(len(rows)) < len(tables[0])
        fold_of = stratified_folds(is_real, self.folds, rng)
        fold_of_real = np.full(len(placed[0]), -1)
        fold_of_real[drawn[0]] = fold_of[is_real]
        return Dealt(rows, is_real, fold_of, drawn[0], fold_of_real, tuple(rng.spawn(self.folds)))


@dataclass(frozen=True, eq=False)
class Judged:
    """The scores of the real and of the released rows of one fold."""

    real: npt.NDArray[np.floating]
    synthetic: npt.NDArray[np.floating]

    @property
    def labelled(self) -> tuple[Bools, npt.NDArray[np.floating]]:
        """Give labels and scores, real rows first."""
        scores = np.concatenate([self.real, self.synthetic])
        return np.arange(len(scores)) < len(self.real), scores


@dataclass(frozen=True)
class JudgedFold:
    """Request: the scores of one fold, by a classifier that learned from the others as in the run."""

    classifier: Classifier
    folds: int
    most_rows: int
    fold: int
    seed: Seed

    def compute(self, bench: Bench[Part]) -> Judged:
        """Learn again."""
        dealt = bench.get(DealtFolds(self.folds, self.most_rows, self.seed))
        judged = dealt.fold_of == self.fold
        # A copy, because a generator that was used goes on from there.
        rng = deepcopy(dealt.generators[self.fold])
        scores = judge_rows(dealt.rows, dealt.is_real, judged, self.classifier, rng)
        real = dealt.is_real[judged]
        return Judged(scores[real], scores[~real])
