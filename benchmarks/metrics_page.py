"""Write the page and the tables of record of paper 003's experiments from a store: no number on the page is typed.

python -m benchmarks.metrics_page STORE

The store is that of the plans metric-sanity-25000 and metric-evidence-5000 of docs/results/plans.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from benchmarks.linkage_page import rows, write_figures
from benchmarks.measuring import ROOT
from seethrough.results.card import Verdict
from seethrough.results.figure import Figure, Listing
from seethrough.study.cells.results import Results
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import make_figures
from seethrough.study.kinds.metrics.evidence_agreement import agreements, scores_with_leaks
from seethrough.study.kinds.metrics.figures import selection
from seethrough.study.kinds.metrics.scores import MetricScores, card_of, metric_scores, order_verdict
from seethrough.study.kinds.published import NOT_REPRODUCED, REPRODUCED, read_facts
from seethrough.study.store.frame import load

ORDER_STUDY, EVIDENCE_STUDY = "metric-sanity-25000", "metric-evidence-5000"
RESULTS = ROOT / "docs" / "results"
PAGE, TEMPLATE = RESULTS / "metrics.md", Path(__file__).with_name("metrics.md.jinja")
KEPT = "kept"


def main(store: str) -> None:
    """Write the figures of both studies, their numbers and the page."""
    both = [load(store, study) for study in (ORDER_STUDY, EVIDENCE_STUDY)]
    drawn = [{figure.name: figure for figure in make_figures(results)} for results in both]
    for results, figures in zip(both, drawn, strict=True):
        (RESULTS / results.name).mkdir(exist_ok=True)
        write_figures(figures.values(), RESULTS / results.name)
    PAGE.write_text(page(both[0], both[1], drawn[0], drawn[1]), encoding="utf-8")


def page(order: Results, evidence: Results, pictures: dict[str, Figure], leaks: dict[str, Figure]) -> str:
    """Render the page."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    (scores,) = metric_scores(order)
    compared = compare_with_published(order)
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        order_study=ORDER_STUDY,
        evidence_study=EVIDENCE_STUDY,
        cells={results.name: told_cells(results) for results in (order, evidence)},
        works=sum(order_verdict(scores, metric) is Verdict.WORKS for metric in scores.metrics),
        metrics=len(scores.metrics),
        same=told_share([each for each in compared if each.what.endswith((": order", ": growth"))]),
        rest=[each for each in compared if not each.what.endswith((": order", ": growth"))],
        growth=listing(pictures["metric-monotone"]),
        choices=choices(scores, evidence),
        kept={name: ", ".join(found) for name, found in kept_sets(scores, evidence).items()},
        leaks=[(panel.title, listing_rows(panel)) for panel in leaks["metric-leaks"].panels],
        agreements=[(panel.title, listing_rows(panel)) for panel in leaks["metric-evidence"].panels],
    )


def told_cells(results: Results) -> str:
    """Say how many cells were computed, and how many are missing or were skipped."""
    counts = dict(results.cells["status"].value_counts().iter_rows())
    others = ", ".join(f"{many:,} {status}" for status, many in sorted(counts.items()) if status != "done")
    return f"{counts.get('done', 0):,} of {len(results.cells):,} cells computed" + (f", {others}" if others else "")


def told_share(compared: Sequence[object]) -> str:
    """Say how many verdicts are those of the paper."""
    same = sum(getattr(each, "verdict", "") == REPRODUCED for each in compared)
    judged = sum(getattr(each, "verdict", "") in {REPRODUCED, NOT_REPRODUCED} for each in compared)
    return f"{same} of {judged}"


def kept_sets(scores: MetricScores, evidence: Results) -> dict[str, list[str]]:
    """Name the metrics that each rule keeps."""
    found = {"published": list(read_facts("seethrough.study.kinds.metrics")["kept"])}
    found["25,000 rows"] = [row[0] for row in selection(scores) if row[4] == KEPT]
    for each in metric_scores(evidence):
        found[f"{each.data}, by order"] = [row[0] for row in selection(each) if row[4] == KEPT]
    right = set(scores.metrics)
    for each, leaks in scores_with_leaks(evidence):
        judged = agreements(each, leaks, evidence.seed)
        found[f"{each.data}, by evidence"] = [agreement.metric for agreement in judged if agreement.outcome == KEPT]
        right &= {agreement.metric for agreement in judged if agreement.verdict in {Verdict.WORKS, Verdict.SOMETIMES}}
    found["both tables, by evidence"] = [metric for metric in scores.metrics if metric in right]
    return found


def choices(scores: MetricScores, evidence: Results) -> str:
    """Mark for every metric by which rules it is kept."""
    found = kept_sets(scores, evidence)
    body = [
        (metric, card_of(metric).category.value, *(KEPT if metric in names else "" for names in found.values()))
        for metric in scores.metrics
    ]
    return rows(("metric", "kind", *found), body)


def listing(figure: Figure) -> str:
    """Give the first table of a figure as Markdown."""
    return listing_rows(figure.panels[0])


def listing_rows(panel: object) -> str:
    """Give a table as Markdown."""
    if not isinstance(panel, Listing):
        raise TypeError("a table is expected")
    return rows(panel.columns, list(panel.rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
