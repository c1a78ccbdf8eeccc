"""Membership inference risk: how many real records would an attacker rightly call members?

Three attacks go by this name. All end in a recall, the share of real records that are called members.

* `attack=distance`, the default: a record is called a member if a synthetic row lies within dt, so the risk is the mean
  over i of [d_YZ(i) <= dt]. Unless given as `threshold`, dt is the median of d_YY, the distance of a real record to its
  nearest other one, in the distance space of the schema. A copy scores 1, a fresh sample of the same population about
  1/2, a far table 0. With a holdout the share of its records within dt (the false positive rate) and
  F1 = TP / (TP + (FP + FN) / 2) stand beside it: members are in danger where the recall is above that rate.
* `attack=classifier`: equal numbers of real (1) and synthetic rows (0) are drawn; LightGBM learns from 70 % of them and
  is asked about the rest, five times. The risk is 1 - recall: high where real rows pass for synthetic.
* `attack=holdout`: LightGBM learns synthetic (1) against one half of the holdout (0) and is asked about the real
  records and the other half, five times. The risk is the recall; compare it with the false positive rate. Of the three
  this alone measures membership and not similarity.

References
----------
Yan et al. 2022, doi:10.1038/s41467-022-35295-1 (distance); Lautrup et al. 2025, doi:10.1007/s10618-024-01081-4
(SynthEval: holdout); Trudslev et al. 2025 (classifier) and Hansen and Staer 2025 (distance) (reviews).

Deviations
----------
Hansen and Staer do not state dt. Yan et al. compare squared distances with 5, scaled by the synthetic range. Trudslev
et al. take the recall of the classifier as the risk, which is highest for the most different table; 1 - recall is what
PrivEval returns. It learns from all rows, so that the sizes of the tables decide where they differ. A record that a
classifier gives exactly one half counts half. SynthEval asks about a sample of the real records, as many as it has kept
out; here it is all of them, and synthetic and kept-out rows weigh the same in training and in F1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestFrom, NearestOther, NearestTo, PlacedRows, nearest_in
from seethrough.bench.one_hot import OneHotMatrices
from seethrough.bench.person.example import Example, mean_step, say_number, whole_table
from seethrough.bench.person.nearness import around_step, comparison_formula, rows_around
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints, Single
from seethrough.kernels.learning.classifiers import boosted_scores
from seethrough.kernels.statistics.intervals import bounded_mean, wilson
from seethrough.kernels.statistics.resampling import repeated_mean, stratified_split
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Measurement, Value
from seethrough.seeds import Seed, begin_again, seed_of, stream

ROUNDS = 5
JUDGED = 0.3
"""Share of the rows that the classifier is asked about."""
FEWEST = 10
"""Rows of each table without which there is nothing for a classifier to learn."""

MOST_OUTSIDE = 100_000
"""Records of the holdout that the false positive rate rests on; of more, so many are drawn."""
CALLED = {"classifier": "real", "holdout": "a member"}


@dataclass(frozen=True)
class MembershipInference:
    """The share of real records that an attacker calls members."""

    card: ClassVar[Card] = Card(
        name="mir",
        title="Membership inference risk",
        question="How many real records have a synthetic row as near as real records are to each other?",
        cannot_tell="Whether nearness betrays members: records that took no part may be as near; a holdout tells.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records called members",
        formula="mean over i of [d_YZ(i) <= dt], with dt the median of d_YY",
        cites=("doi:10.1038/s41467-022-35295-1", "doi:10.1007/s10618-024-01081-4"),
        ordering=Verdict.WORKS,
        monotone=Verdict.WORKS,
        version=2,
        looks_at="The released row nearest to a person, and whether it is as near as real records are to each other.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    attack: Literal["distance", "classifier", "holdout"] = "distance"
    threshold: float | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse a distance that is none."""
        if self.threshold is not None and self.threshold < 0:
            raise ConfigError(f"parameter mir.threshold is {self.threshold}; none or a number from 0 on is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Attack."""
        match self.attack:
            case "distance":
                return self._by_distance(bench)
            case "classifier":
                return self._by_classifier(bench, rng)
            case "holdout":
                return self._by_holdout(bench, rng)

    def _by_distance(self, bench: Bench[Part]) -> Measurement:
        threshold = _median_distance(bench) if self.threshold is None else self.threshold
        called = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC)) <= threshold
        share = float(called.mean())
        low, high = wilson(int(called.sum()), len(called), self.confidence)
        return Measurement(
            risk=Estimate(share, low, high, self.confidence),
            raw=share,
            n=len(called),
            per_record=called.astype(np.float64),
            details={"threshold": round(threshold, 6), **_beside_holdout(bench, called, threshold)},
            warnings=() if threshold else ("the threshold is 0, so only rows that equal a record count",),
        )

    def _by_classifier(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        _refuse_few(bench, (Part.TRAIN, Part.SYNTHETIC))
        real, synthetic = bench.get(OneHotMatrices((Part.TRAIN, Part.SYNTHETIC)))
        size = min(len(real), len(synthetic))
        recalls = np.empty(ROUNDS)

        def attack(position: int, own_rng: np.random.Generator) -> None:
            _, rows, is_real = draw_equal(real, synthetic, own_rng)
            judged = stratified_split(is_real, JUDGED, own_rng)
            scores = boosted_scores(rows[~judged], is_real[~judged], rows[judged], own_rng)
            recalls[position] = recall(is_real[judged], verdicts(scores))

        bench.budget.run([partial(attack, *each) for each in enumerate(rng.spawn(ROUNDS))])
        found = float(recalls.mean())
        low, high = repeated_mean(recalls, JUDGED / (1 - JUDGED), size, self.confidence)
        return Measurement(
            risk=Estimate(1 - found, 1 - high, 1 - low, self.confidence),
            raw=found,
            n=size,
            details=_spread("recall", recalls),
        )

    def _by_holdout(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        _refuse_few(bench, (Part.TRAIN, Part.SYNTHETIC, Part.HOLDOUT))
        real, synthetic, kept_out = bench.get(OneHotMatrices((Part.TRAIN, Part.SYNTHETIC, Part.HOLDOUT)))
        called, alarms = np.empty((ROUNDS, len(real))), np.empty(ROUNDS)

        def attack(position: int, own_rng: np.random.Generator) -> None:
            members = verdicts(holdout_scores(real, synthetic, kept_out, own_rng))
            called[position], alarms[position] = members[: len(real)], members[len(real) :].mean()

        bench.budget.run([partial(attack, *each) for each in enumerate(rng.spawn(ROUNDS))])
        recalls, votes = called.mean(axis=1), called.mean(axis=0)
        f1s = [f1(hits, 1 - hits, alarm) for hits, alarm in zip(recalls, alarms, strict=True)]
        share = float(votes.mean())
        return Measurement(
            risk=Estimate(share, *bounded_mean(votes, self.confidence, rng), self.confidence),
            raw=share,
            n=len(real),
            per_record=votes,
            details=_spread("recall", recalls) | _spread("false positive rate", alarms) | _spread("F1", f1s),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the nearest released row beside the threshold, or what the classifiers said of this person."""
        if self.attack != "distance":
            return self._work_learner(bench, example)
        threshold = _median_distance(bench) if self.threshold is None else self.threshold
        across = rows_around(bench, example, Part.SYNTHETIC)
        value = float(across.smallest <= threshold)
        what = "the median distance of a real record to its nearest other one" if self.threshold is None else "as given"
        said = f"The person is called a member where that is at most dt = {say_number(threshold)}, {what}:"
        written = f"mir(y) = {comparison_formula('d_YZ', '<=', 'dt', (across.smallest, threshold), value)}"
        formula = Step(said, written, {"d_YZ": across.smallest, "dt": threshold, "mir(y)": value})
        last = mean_step(example, value)
        alarms = example.found.details.get("false positive rate")
        if alarms is not None:
            last = replace(last, said=f"Of people outside, the share {alarms} is called so too. {last.said}")
        return Worked(self.card.name, (around_step(bench, example, across), formula, last), value)

    def _work_learner(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        if example.row is None:
            return Lacking(self.card.name, "the classifiers were asked about rows of the table only")
        rounds = bench.get(JudgedRounds(self.attack, seed_of(example.rng)))
        scores = rounds[:, example.row]
        told = scores[~np.isnan(scores)]
        said = f"In {len(told)} of {ROUNDS} rounds this person was kept out of training and then asked about: "
        said += ", ".join(say_number(float(each)) for each in told) or "never, as it came"
        looked = Step(f"{said}. A score above one half calls it {CALLED[self.attack]}.", "", _numbered(told))
        if self.attack == "classifier":
            return whole_table(self.card.name, example, looked, Step("The risk is 1 - recall.", self.card.formula))
        value = float(verdicts(rounds).mean(axis=0)[example.row])
        written = f"mir(y) = mean of [score > 1/2] = {say_number(value)}"
        formula = Step("The share of rounds that call this person a member:", written, {"mir(y)": value})
        return Worked(self.card.name, (looked, formula, mean_step(example, value)), value)


@dataclass(frozen=True)
class JudgedRounds:
    """Request: the score of every real record in each round of a classifier, NaN where it was learned from."""

    attack: Literal["distance", "classifier", "holdout"]
    seed: Seed

    def compute(self, bench: Bench[Part]) -> Floats:
        """Repeat the rounds of the run."""
        scores = np.full((ROUNDS, len(bench.table(Part.TRAIN))), np.nan)
        parts = (Part.TRAIN, Part.SYNTHETIC, *([] if self.attack == "classifier" else [Part.HOLDOUT]))
        work = self._classified if self.attack == "classifier" else self._against_holdout
        tables, generators = bench.get(OneHotMatrices(parts)), begin_again(self.seed).spawn(ROUNDS)
        bench.budget.run([partial(work, tables, scores[place], rng) for place, rng in enumerate(generators)])
        return scores

    def _classified(self, tables: tuple[Single, ...], scores: Floats, rng: np.random.Generator) -> None:
        drawn, rows, is_real = draw_equal(tables[0], tables[1], rng)
        judged = stratified_split(is_real, JUDGED, rng)
        said = boosted_scores(rows[~judged], is_real[~judged], rows[judged], rng)
        scores[drawn[judged[: len(drawn)]]] = said[is_real[judged]]

    def _against_holdout(self, tables: tuple[Single, ...], scores: Floats, rng: np.random.Generator) -> None:
        real, synthetic, kept_out = tables
        scores[:] = holdout_scores(real, synthetic, kept_out, rng)[: len(real)]


def draw_equal(real: Single, synthetic: Single, rng: np.random.Generator) -> tuple[Ints, Single, Bools]:
    """Draw as many rows of both tables, for a classifier that sees more of one calls more rows so; real ones first."""
    size = min(len(real), len(synthetic))
    drawn, others = (rng.permutation(len(table))[:size] for table in (real, synthetic))
    return drawn, np.concatenate([real[drawn], synthetic[others]]), np.arange(2 * size) < size


def holdout_scores(real: Single, synthetic: Single, kept_out: Single, rng: np.random.Generator) -> Floats:
    """Learn released rows against one half of the holdout; score the real records, then the other half."""
    known, unknown = np.array_split(kept_out[rng.permutation(len(kept_out))], 2)
    rows, others = np.concatenate([synthetic, known]), np.concatenate([real, unknown])
    return boosted_scores(rows, np.arange(len(rows)) < len(synthetic), others, rng)


def _numbered(scores: Floats) -> dict[str, float]:
    return {f"round {number}": float(score) for number, score in enumerate(scores, 1)}


def verdicts(scores: Floats) -> Floats:
    """Call members (1) and others (0) by their probability, one half being either."""
    return np.asarray((1 + np.sign(scores - 0.5)) / 2)


def recall(positive: Bools, called: Floats) -> float:
    """Share of the positives that were called so."""
    return float(called[positive].mean())


def f1(hits: float, misses: float, false_alarms: float) -> float:
    """Harmonic mean of precision and recall; counts or rates."""
    return hits / (hits + (false_alarms + misses) / 2)


def _median_distance(bench: Bench[Part]) -> float:
    if len(bench.table(Part.TRAIN)) < 2:
        raise NotApplicable("a nearest other real record needs at least two real records; or give a threshold")
    return float(np.median(bench.get(NearestOther(Part.TRAIN))))


def _beside_holdout(bench: Bench[Part], called: Bools, threshold: float) -> dict[str, Value]:
    """Give what the same attack says of records that were kept out, where there are any."""
    try:
        rows = len(bench.table(Part.HOLDOUT))
    except NotApplicable:
        return {}
    if rows > MOST_OUTSIDE:
        drawn = np.sort(stream(0, "people outside of mir").permutation(rows)[:MOST_OUTSIDE])
        asking = bench.get(PlacedRows(Part.HOLDOUT)).take(drawn)
        near, rows = nearest_in(bench, asking, Part.SYNTHETIC), MOST_OUTSIDE
    else:
        near = bench.get(NearestTo(Part.HOLDOUT, Part.SYNTHETIC))
    alarms, hits = int((near <= threshold).sum()), int(called.sum())
    return {"false positive rate": round(alarms / rows, 4), "F1": round(f1(hits, len(called) - hits, alarms), 4)}


def _refuse_few(bench: Bench[Part], parts: Sequence[Part]) -> None:
    fewest = min(len(bench.table(part)) for part in parts)
    if fewest < FEWEST:
        raise NotApplicable(f"a classifier needs at least {FEWEST} rows of each table; one has {fewest}")


def _spread(name: str, values: Sequence[float] | Floats) -> dict[str, Value]:
    return {
        f"mean {name}": round(float(np.mean(values)), 4),
        f"standard deviation of the {name}": round(float(np.std(values, ddof=1)), 4),
    }
