"""The figure of metrics beside the evidence: which rise where members are told apart from people outside."""

from seethrough.results.figure import Figure, FigureTable, Listing
from seethrough.results.outcome import Value
from seethrough.study.cells.results import Results
from seethrough.study.kinds.metrics.evidence_agreement import MetricAgreement, agreements, scores_with_leaks
from seethrough.study.kinds.metrics.figures import selection
from seethrough.study.kinds.metrics.scores import metric_scores

HEAD = (
    "metric",
    "correlation",
    "95% interval",
    "right order",
    "spread without leak",
    "here",
    "by evidence",
    "by order",
)
CAPTION = (
    "A leak is what the evidence shows at least, 0 where none was found. Correlation: Spearman, over generators, of "
    "the score with the leak. Right order: share of pairs of generators whose leaks differ measurably that the metric "
    "orders alike. Spread without leak: how far scores of generators not shown to leak lie apart, as a share of how "
    "far all do. works: every such pair in order; sometimes: most of them, the others ties or within the standard "
    "errors; inadequate: otherwise. By evidence: kept, or not, on this ground; by order: by the tests of order and "
    "growth."
)


def metric_leaks(results: Results) -> Figure:
    """List what the evidence shows of each generator, on the releases that the metrics saw."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores, leaks in scores_with_leaks(results):
        own = [(label, *leaks.of(place)) for place, label in enumerate(scores.synthesizers)]
        shown = [(label, f"{mean:.3f} ±{error:.3f}", f"{found} of {runs}") for label, mean, error, found, runs in own]
        shown += [(label, "not tested", "") for label in leaks.untested]
        head = ("generator", "leak", "runs with a leak")
        panels.append(Listing(f"{scores.data}, m = {scores.size:,}", head, tuple(shown)))
        rows += [(scores.data, scores.size, *row) for row in own]
        rows += [(scores.data, scores.size, label, *[None] * 4) for label in leaks.untested]
    columns = ("data", "size", "synthesizer", "leak", "standard_error", "runs_with_leak", "runs")
    caption = "What members-against-outsiders evidence shows at least, 0 where no leak was found: mean over runs."
    title = "Leaks of the releases that metrics were measured on"
    return Figure("metric-leaks", title, caption, tuple(panels), FigureTable(columns, tuple(rows)), across=1)


def metric_evidence(results: Results) -> Figure:
    """Hold every metric against the evidence on the same releases, and select anew by that."""
    panels, rows = [], list[tuple[Value, ...]]()
    by_order = {(each.data, each.size): [row[4] for row in selection(each)] for each in metric_scores(results)}
    for scores, leaks in scores_with_leaks(results):
        found, before = agreements(scores, leaks, results.seed), by_order[scores.data, scores.size]
        pairs = int(leaks.told_apart.sum())
        kept = sum(each.outcome == "kept" for each in found)
        title = f"{scores.data}: {kept} of {len(found)} metrics kept by the evidence, {pairs} pairs of generators"
        shown = tuple(_told(each, outcome) for each, outcome in zip(found, before, strict=True))
        panels.append(Listing(title, HEAD, shown))
        rows += [(scores.data, *_row(each), outcome) for each, outcome in zip(found, before, strict=True)]
    columns = ("data", "metric", "correlation", "low", "high", "concordance", "free_spread")
    table = FigureTable((*columns, "verdict", "cluster", "by_evidence", "by_order"), tuple(rows))
    title = "Do metrics rise where members are told apart from people outside?"
    return Figure("metric-evidence", title, CAPTION, tuple(panels), table, across=1)


def _told(each: MetricAgreement, outcome: str) -> tuple[str, ...]:
    interval = "" if each.low is None or each.high is None else f"{each.low:.2f} to {each.high:.2f}"
    numbers = _text(each.correlation), interval, _text(each.concordance), _text(each.free_spread)
    return each.metric, *numbers, each.verdict.value if each.verdict else "not judged", each.outcome, outcome


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _row(each: MetricAgreement) -> tuple[Value, ...]:
    verdict = each.verdict.value if each.verdict else "not judged"
    numbers = each.correlation, each.low, each.high, each.concordance, each.free_spread
    return each.metric, *numbers, verdict, each.cluster, each.outcome
