"""What the one example of Ruiz et al. shows, beside what many runs of the same experiment show."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from seethrough.study.cells.results import Results
from seethrough.study.kinds.linkage.scores import LinkageScores, linkage_scores
from seethrough.study.kinds.published import (
    LEAST_RUNS,
    NOT_COMPARABLE,
    NOT_REPRODUCED,
    REPRODUCED,
    PublishedComparison,
    read_facts,
)

RULE = (
    "reproduced if the one example that is printed lies among the middle 95 % of runs; not comparable with fewer than "
    f"{LEAST_RUNS} runs, or of another number of records"
)


def compare_linkage(results: Results) -> list[PublishedComparison]:
    """Hold counts of the printed tables against runs with as many records and tables."""
    return [
        _compared(scores, fact, share)
        for scores in linkage_scores(results)
        for fact in read_facts("seethrough.study.kinds.linkage")["table"]
        if scores.hidden == fact["hidden"]
        for share in fact["counts"]
    ]


def _compared(scores: LinkageScores, fact: Mapping[str, Any], share: str) -> PublishedComparison:
    told = {"any_exact": "disclosed", "narrow_right": "narrow and right", "width": "mean width of the interval"}
    what = f"{scores.data}, {scores.hidden} hidden, {fact['files']} tables: {told.get(share, share)}"
    published = fact["counts"][share] / fact["records"]
    values = scores.values(fact["closeness"], fact["files"], share)
    if not len(values):
        return PublishedComparison(what, f"{published:.3f}", "", NOT_COMPARABLE, fact["source"])
    low, high = np.percentile(values, [2.5, 97.5])
    ours = f"{values.mean():.3f} (runs {low:.3f} to {high:.3f})"
    verdict = REPRODUCED if low - 1e-9 <= published <= high + 1e-9 else NOT_REPRODUCED
    if len(values) < LEAST_RUNS or scores.data != f"{fact['records']} records":
        verdict = NOT_COMPARABLE
    return PublishedComparison(what, f"{published:.3f}", ours, verdict, fact["source"])
