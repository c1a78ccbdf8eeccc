"""Figures of the comparison of metrics (Hansen and Staer 2025): what they show, not how."""

import numpy as np

from seethrough.results.card import Verdict
from seethrough.results.figure import Chart, Figure, FigureAxis, FigureTable, Grid, Listing, Series
from seethrough.results.outcome import Value
from seethrough.study.cells.results import Results
from seethrough.study.kinds.label_settings import families
from seethrough.study.kinds.metrics.scores import (
    ORDER,
    RANDOM,
    REAL,
    MetricScores,
    card_of,
    clusters,
    growth_verdict,
    metric_scores,
    order_verdict,
    spearman,
    spearman_intervals,
)

PRIVATE = "privbayes"
"""The generator by which growth with epsilon is judged, as in the paper."""
KINDS = (
    "Rules separate reconstruction (attribute inference), re-identification (linkage) and tracing "
    "(membership inference)."
)
ENDS = (0.01, 200.0)
"""Where random data and the real table stand on the axis of epsilon, as in the paper."""


def metric_table(results: Results) -> Figure:
    """Figures 5 and 6: means and standard errors, coloured by the rank of the generator for each metric."""
    panels, rows, notes = [], list[tuple[Value, ...]](), list[str]()
    for scores in metric_scores(results):
        ranks = (scores.ranks - 1) / max(1, len(scores.synthesizers) - 1)
        texts = [
            tuple(f"{mean:.2f}\n±{error:.2f}" for mean, error in zip(*pair, strict=True))
            for pair in zip(scores.means, scores.errors, strict=True)
        ]
        panels.append(
            Grid(
                f"{scores.data}, m = {scores.size:,}, {scores.runs} runs",
                scores.metrics,
                scores.synthesizers,
                tuple(tuple(row) for row in ranks.tolist()),
                tuple(texts),
                "lowest in the row",
                "highest in the row",
                scores.rules,
            )
        )
        rows += _rows(scores)
        notes += [f"{scores.data}: {name} was not measured for every generator" for name in scores.lacking]
    columns = ("data", "size", "metric", "category", "synthesizer", "mean", "standard_error", "rank", "runs")
    caption = f"Mean risk over runs, its standard error below, coloured by rank within the row. {KINDS}"
    title = "Metric scores by generator"
    return Figure("metric-table", title, caption, tuple(panels), FigureTable(columns, tuple(rows)), 1, tuple(notes))


def _rows(scores: MetricScores) -> list[tuple[Value, ...]]:
    ranks = scores.ranks
    return [
        (
            *(scores.data, scores.size, metric, scores.category(metric), label),
            *(float(scores.means[i, j]), float(scores.errors[i, j]), float(ranks[i, j]), scores.runs),
        )
        for i, metric in enumerate(scores.metrics)
        for j, label in enumerate(scores.synthesizers)
    ]


def metric_order(results: Results) -> Figure:
    """Experiment 1.1: is random data lowest and the real table highest?"""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        shown = []
        for place, metric in enumerate(scores.metrics):
            mean = scores.means[place]
            verdict = order_verdict(scores, metric)
            low, high = scores.synthesizers[int(mean.argmin())], scores.synthesizers[int(mean.argmax())]
            told = verdict.value if verdict else "not judged"
            published = card_of(metric).ordering
            shown.append((metric, low, high, told, published.value if published else ""))
            rows.append((scores.data, metric, low, high, told, published.value if published else None))
        good = sum(row[3] == Verdict.WORKS.value for row in shown)
        title = f"{scores.data}: {good} of {len(shown)} metrics score random data lowest and the real table highest"
        panels.append(Listing(title, ("metric", "lowest", "highest", "here", "published"), tuple(shown)))
    table = FigureTable(("data", "metric", "lowest", "highest", "verdict", "published"), tuple(rows))
    caption = (
        "works: random data strictly lowest, the real table strictly highest; sometimes: apart from ties or "
        "differences within the standard errors; inadequate: otherwise."
    )
    return Figure(
        "metric-order",
        "Do metrics rank random data lowest and the real table highest?",
        caption,
        tuple(panels),
        table,
        across=1,
    )


def metric_epsilon(results: Results) -> Figure:
    """Figures 7 to 10: each metric against epsilon, random data and the real table at its ends."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        for metric in scores.metrics:
            series = []
            for family, members in families(scores.synthesizers, "epsilon").items():
                ends = [
                    (at, name) for at, name in zip(ENDS, (RANDOM, REAL), strict=True) if name in scores.synthesizers
                ]
                along = sorted([*members, *ends])
                series.append(_curve(scores, metric, family, along))
                rows += [
                    (scores.data, metric, family, label, at, y, y - low)
                    for (at, label), y, low in zip(along, series[-1].y, series[-1].low, strict=True)
                ]
            ticks = ((ENDS[0], "random"), (0.2, "0.2"), (1.0, "1"), (10.0, "10"), (ENDS[1], "real"))
            x = FigureAxis("epsilon", log=True, low=ENDS[0], high=ENDS[1], ticks=ticks)
            title = metric if len(metric_scores(results)) == 1 else f"{scores.data}, {metric}"
            panels.append(
                Chart(title, x, FigureAxis("risk", low=0.0, high=1.0), tuple(series), interval="standard error")
            )
    table = FigureTable(("data", "metric", "synthesizer", "label", "epsilon", "mean", "standard_error"), tuple(rows))
    caption = "Mean over runs; random data and the real table stand at the ends of the axis."
    return Figure("metric-epsilon", "Metric scores by epsilon", caption, tuple(panels), table, across=4)


def _curve(scores: MetricScores, metric: str, name: str, along: list[tuple[float, str]]) -> Series:
    place = scores.metrics.index(metric)
    columns = [scores.synthesizers.index(label) for _, label in along]
    mean, error = scores.means[place][columns], scores.errors[place][columns]
    x = tuple(at for at, _ in along)
    low, high = (mean - error).tolist(), (mean + error).tolist()
    return Series(name, x, tuple(mean.tolist()), tuple(low), tuple(high), tuple(label for _, label in along))


def metric_monotone(results: Results) -> Figure:
    """Experiment 1.2: does the score grow with epsilon?"""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        kinds = tuple(families(scores.synthesizers, "epsilon"))
        shown = []
        for metric in scores.metrics:
            told = [growth_verdict(scores, metric, family) for family in kinds]
            words = [verdict.value if verdict else "not judged" for verdict in told]
            published = card_of(metric).monotone
            shown.append((metric, *words, published.value if published else ""))
            rows += [(scores.data, metric, family, word) for family, word in zip(kinds, words, strict=True)]
        panels.append(Listing(scores.data, ("metric", *kinds, "published"), tuple(shown)))
    caption = (
        "works: no step falls by more than the standard errors, and the whole rises by more; sometimes: no measurable "
        "rise; inadequate: a step falls."
    )
    table = FigureTable(("data", "metric", "synthesizer", "verdict"), tuple(rows))
    return Figure("metric-monotone", "Do metric scores rise with epsilon?", caption, tuple(panels), table, across=1)


def metric_correlation(results: Results) -> Figure:
    """Figures 11 and 12: Spearman correlations between metrics over the averaged results."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        found, (low, high) = spearman(scores.means), spearman_intervals(scores.means, results.seed)
        names = scores.metrics
        texts, shades = [], []
        for i in range(len(names)):
            texts.append(tuple(_correlation(found[i, j], low[i, j], high[i, j], i == j) for j in range(len(names))))
            shades.append(tuple(_shade(found[i, j]) for j in range(len(names))))
            rows += [(scores.data, names[i], names[j], *_plain(found[i, j], low[i, j], high[i, j])) for j in range(i)]
        title = f"{scores.data}, {len(scores.synthesizers)} generators"
        ends = "-1, opposite order", "1, same order"
        panels.append(Grid(title, names, names, tuple(shades), tuple(texts), *ends, scores.rules, scores.rules))
    columns = ("data", "metric", "other", "correlation", "low", "high")
    caption = (
        "The 95% bootstrap interval over generators stands below each correlation; empty where a metric is constant. "
        f"{KINDS}"
    )
    title = "Spearman correlation between metrics"
    return Figure("metric-correlation", title, caption, tuple(panels), FigureTable(columns, tuple(rows)), across=1)


def _correlation(value: float, low: float, high: float, same: bool) -> str:
    if not np.isfinite(value):
        return ""
    return "1" if same else f"{value:.2f}\n{low:.1f}..{high:.1f}"


def _shade(value: float) -> float | None:
    return float(value + 1) / 2 if np.isfinite(value) else None


def _plain(*values: float) -> tuple[float | None, ...]:
    return tuple(float(value) if np.isfinite(value) else None for value in values)


def metric_agreement(results: Results) -> Figure:
    """Experiment 2.1: do metrics of one kind of attack agree more than metrics of two?"""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        found = spearman(scores.means)
        kinds = [scores.category(metric) for metric in scores.metrics]
        shown = []
        for first, second in [(a, b) for i, a in enumerate(ORDER) for b in ORDER[i:]]:
            pairs = [
                found[i, j]
                for i in range(len(kinds))
                for j in range(i)
                if {kinds[i], kinds[j]} == {first, second} and np.isfinite(found[i, j])
            ]
            mean = float(np.mean(pairs)) if pairs else None
            words = "" if mean is None else f"{mean:.2f}"
            shown.append((first, second, words, str(len(pairs))))
            rows.append((scores.data, first, second, mean, len(pairs)))
        panels.append(Listing(scores.data, ("kind of attack", "other kind", "mean correlation", "pairs"), tuple(shown)))
    table = FigureTable(("data", "kind", "other", "correlation", "pairs"), tuple(rows))
    title = "Do metrics of the same kind of attack agree more?"
    return Figure("metric-agreement", title, "", tuple(panels), table, across=1)


def metric_clusters(results: Results) -> Figure:
    """Tables 9 and 10: OPTICS on the scores, and on the ranks."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        for what, values in (("scores", scores.means), ("ranks", scores.ranks)):
            labels = clusters(values)
            shown = [
                ("outliers" if label < 0 else f"cluster {label}", ", ".join(_members(scores, labels, label)))
                for label in sorted(set(labels))
            ]
            panels.append(Listing(f"{scores.data}, by {what}", ("", "metrics"), tuple(shown)))
            rows += [(scores.data, what, metric, label) for metric, label in zip(scores.metrics, labels, strict=True)]
    table = FigureTable(("data", "on", "metric", "cluster"), tuple(rows))
    caption = "OPTICS with Euclidean distance, at least two members per cluster; outliers belong to no cluster."
    return Figure("metric-clusters", "Clusters of metrics", caption, tuple(panels), table, across=1)


def _members(scores: MetricScores, labels: tuple[int, ...], label: int) -> list[str]:
    return [metric for metric, own in zip(scores.metrics, labels, strict=True) if own == label]


def metric_selection(results: Results) -> Figure:
    """Section 7.5: leave out what is inadequate, then what shares a cluster with a metric that works better."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in metric_scores(results):
        shown = selection(scores)
        kept = sum(row[4] == "kept" for row in shown)
        title = f"{scores.data}: {kept} of {len(shown)} metrics kept"
        panels.append(Listing(title, ("metric", "order", "growth", "cluster", "outcome"), tuple(shown)))
        rows += [(scores.data, *row) for row in shown]
    table = FigureTable(("data", "metric", "order", "growth", "cluster", "outcome"), tuple(rows))
    caption = (
        f"Dropped: inadequate in order or in growth with epsilon ({PRIVATE}); or growth works only sometimes, and a "
        "metric of the same cluster works."
    )
    return Figure("metric-selection", "Selection of metrics", caption, tuple(panels), table, across=1)


def selection(scores: MetricScores) -> list[tuple[str, str, str, str, str]]:
    """Follow the argument of section 7.5 for every metric: order, growth, cluster on scores, outcome."""
    labels = clusters(scores.means)
    order = [order_verdict(scores, metric) for metric in scores.metrics]
    growth = [growth_verdict(scores, metric, PRIVATE) for metric in scores.metrics]
    left = {i for i in range(len(labels)) if Verdict.INADEQUATE not in {order[i], growth[i]} and order[i] and growth[i]}
    found = []
    for i, metric in enumerate(scores.metrics):
        twins = [j for j in left if j != i and labels[j] == labels[i] >= 0 and growth[j] is Verdict.WORKS]
        if order[i] is None or growth[i] is None:
            outcome = "not judged"
        elif i not in left:
            outcome = "inadequate"
        elif growth[i] is Verdict.SOMETIMES and twins:
            outcome = f"as {scores.metrics[twins[0]]}"
        else:
            outcome = "kept"
        words = [verdict.value if verdict else "not judged" for verdict in (order[i], growth[i])]
        cluster = str(labels[i]) if labels[i] >= 0 else "none"
        found.append((metric, words[0], words[1], cluster, outcome))
    return found
