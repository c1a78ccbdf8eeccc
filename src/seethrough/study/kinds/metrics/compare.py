"""Verdicts, clusters and the selection of metrics beside the published ones."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from seethrough.results.card import Verdict
from seethrough.seeds import stream
from seethrough.study.cells.results import Results
from seethrough.study.kinds.metrics.figures import PRIVATE, selection
from seethrough.study.kinds.metrics.scores import (
    MetricScores,
    card_of,
    clusters,
    growth_verdict,
    metric_scores,
    order_verdict,
    spearman,
    spearman_intervals,
)
from seethrough.study.kinds.published import (
    NOT_COMPARABLE,
    NOT_REPRODUCED,
    REPRODUCED,
    PublishedComparison,
    read_facts,
)

GENERATORS = 12
SHUFFLES = 2000
RULE = (
    "reproduced if verdict and selection are the same, if clusters agree better than 95 % of shuffled ones, if the "
    f"interval of a correlation holds the published one; not comparable with fewer than {GENERATORS} generators"
)


def compare_metrics(results: Results) -> list[PublishedComparison]:
    """Compare what a study of metrics found with the experiments of Hansen and Staer."""
    facts = read_facts("seethrough.study.kinds.metrics")
    found: list[PublishedComparison] = []
    for scores in metric_scores(results):
        if "real" in scores.synthesizers and "random" in scores.synthesizers:
            found += [
                *_verdicts(scores, facts),
                *_clusters(scores, facts, results.seed),
                *_rest(scores, facts, results),
            ]
    return found


def _agreeing(scores: MetricScores, agrees: bool) -> str:
    if len(scores.synthesizers) < GENERATORS:
        return NOT_COMPARABLE
    return REPRODUCED if agrees else NOT_REPRODUCED


def _verdicts(scores: MetricScores, facts: Mapping[str, Any]) -> Iterator[PublishedComparison]:
    judged = {metric: order_verdict(scores, metric) for metric in scores.metrics}
    good = sum(verdict is Verdict.WORKS for verdict in judged.values())
    theirs = facts["order"]
    told = f"{theirs['texas']} and {theirs['medonc']} of {theirs['of']} (two tables)"
    between = theirs["medonc"] <= good <= theirs["texas"]
    what = f"{scores.data}: metrics that put random data lowest and the real table highest"
    yield PublishedComparison(what, told, f"{good} of {len(judged)}", _agreeing(scores, between), facts["source"])
    for metric, verdict in judged.items():
        if verdict and (published := card_of(metric).ordering):
            same = _agreeing(scores, verdict is published)
            yield PublishedComparison(
                f"{scores.data}, {metric}: order", published.value, verdict.value, same, "table 7"
            )
    for metric in scores.metrics:
        grows, published = growth_verdict(scores, metric, PRIVATE), card_of(metric).monotone
        if grows and published:
            same = _agreeing(scores, grows is published)
            yield PublishedComparison(f"{scores.data}, {metric}: growth", published.value, grows.value, same, "table 8")


def _clusters(scores: MetricScores, facts: Mapping[str, Any], seed: int) -> Iterator[PublishedComparison]:
    """Compare clusters by the adjusted Rand index; they agree where it is above that of 95 % of shuffled clusters."""
    from sklearn.metrics import adjusted_rand_score  # type: ignore[import-untyped]

    own = dict(zip(scores.metrics, clusters(scores.means), strict=True))
    for name, theirs in facts["clusters"].items():
        groups = [*theirs["clusters"], *([metric] for metric in theirs["outliers"])]
        place = {metric: number for number, group in enumerate(groups) for metric in group}
        both = [metric for metric in own if metric in place]
        # Outliers are clusters of one: they are not together.
        mine = [own[metric] if own[metric] >= 0 else -1 - number for number, metric in enumerate(both)]
        other = [place[metric] for metric in both]
        index = float(adjusted_rand_score(other, mine)) if both else 0.0
        rng = stream(seed, f"shuffled clusters {name}")
        chance = [adjusted_rand_score(other, list(rng.permutation(mine))) for _ in range(SHUFFLES)]
        limit = float(np.percentile(chance, 95))
        told = f"adjusted Rand index {index:.2f}, by chance below {limit:.2f}"
        what = f"{scores.data}: clusters on scores, as for {name}"
        yield PublishedComparison(
            what, f"{len(theirs['clusters'])} clusters", told, _agreeing(scores, index > limit), "tables 9, 10"
        )


def _rest(scores: MetricScores, facts: Mapping[str, Any], results: Results) -> Iterator[PublishedComparison]:
    kept = [row[0] for row in selection(scores) if row[4] == "kept"]
    same = _agreeing(scores, set(kept) == set(facts["kept"]))
    what = f"{scores.data}: metrics that are kept"
    yield PublishedComparison(what, ", ".join(facts["kept"]), ", ".join(kept) or "none", same, "table 12")
    fact = facts["correlation"]
    if {fact["metric"], fact["other"]} <= set(scores.metrics):
        i, j = scores.metrics.index(fact["metric"]), scores.metrics.index(fact["other"])
        value = spearman(scores.means)[i, j]
        low, high = (ends[i, j] for ends in spearman_intervals(scores.means, results.seed))
        agrees = bool(low <= fact["value"] <= high)
        told = f"{value:.2f} ({low:.2f} to {high:.2f})"
        what = f"{scores.data}: Spearman correlation of {fact['metric']} and {fact['other']}"
        yield PublishedComparison(what, f"{fact['value']}", told, _agreeing(scores, agrees), "section 8.1")
