"""Figures of the linkage experiment (Ruiz, Muralidhar, Domingo-Ferrer 2018): what more tables disclose together."""

from collections.abc import Iterator, Mapping

from seethrough.results.figure import CONFIDENCE_INTERVAL, Chart, Figure, FigureAxis, FigureTable, Listing, Series
from seethrough.results.outcome import Value
from seethrough.study.cells.results import Results
from seethrough.study.kinds.linkage.scores import BASELINE, LinkageScores, linkage_scores

DISCLOSURE = {
    "any_exact": ("exactly disclosed by some table", "share of records"),
    "narrow_right": ("narrow and right interval", "share of records"),
    "confused": ("narrow and wrong interval", "share of records"),
}
INTERVAL = {
    "right": ("interval contains the truth", "share of records"),
    "width": ("mean width of the interval", "share of all ranks"),
}
COLUMNS = ("data", "hidden", "closeness", "files", "share", "value", "low", "high", "runs")
CAPTION = (
    "Means over runs. Level 1 is closest to the real table, level 3 farthest. Permuted columns disclose nobody: their "
    "curve shows chance."
)


def disclosure_by_copies(results: Results) -> Figure:
    """Follow disclosure, narrowing and confusion over the number of tables."""
    caption = (
        f"{CAPTION} A record's interval runs from the smallest to the largest rank matched in any table; narrow: "
        "at most the share of all ranks that the plan sets, by default a quarter."
    )
    return _figure(results, "disclosure-by-copies", "Disclosure by number of tables", caption, DISCLOSURE)


def interval_by_copies(results: Results) -> Figure:
    """Follow the interval of ranks over the number of tables: how often it has the truth, and how wide it is."""
    caption = f"{CAPTION} More tables can only widen the interval; it is informative where it is right and narrow."
    return _figure(results, "interval-by-copies", "Rank intervals by number of tables", caption, INTERVAL)


def linkage_shares(results: Results) -> Figure:
    """Give every share as a table."""
    found = [
        row
        for scores in linkage_scores(results)
        for share in {**DISCLOSURE, **INTERVAL}
        for row in _rows(scores, share)
    ]
    head = ("real table", "secret", "tables", "closeness", "measure", "value", "95% interval", "runs")
    said = {share: told for share, (told, _) in {**DISCLOSURE, **INTERVAL}.items()}
    shown = tuple(
        (
            str(data),
            str(hidden),
            str(files),
            str(name),
            said[str(share)],
            f"{v:.3f}",
            f"{low:.3f} to {high:.3f}",
            str(runs),
        )
        for data, hidden, name, files, share, v, low, high, runs in found
    )
    title = "Disclosure by closeness and number of tables"
    return Figure(
        "linkage-shares", title, CAPTION, (Listing("", head, shown),), FigureTable(COLUMNS, tuple(found)), across=1
    )


def _figure(results: Results, name: str, title: str, caption: str, shares: Mapping[str, tuple[str, str]]) -> Figure:
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in linkage_scores(results):
        ticks = tuple((float(files), str(files)) for files in scores.files)
        x = FigureAxis("released tables (M)", log=True, ticks=ticks)
        for share, (told, label) in shares.items():
            series = tuple(_series(scores, each, share) for each in (*scores.closenesses, BASELINE))
            y = FigureAxis(label, low=0.0, high=1.0 if share in INTERVAL else None)
            panels.append(
                Chart(f"{scores.data}, secret {scores.hidden}: {told}", x, y, series, interval=CONFIDENCE_INTERVAL)
            )
            rows += _rows(scores, share)
    return Figure(name, title, caption, tuple(panels), FigureTable(COLUMNS, tuple(rows)), across=len(shares))


def _series(scores: LinkageScores, closeness: str, share: str) -> Series:
    found = [(files, mean) for files in scores.files if (mean := scores.mean(closeness, files, share))]
    return Series(
        closeness,
        tuple(float(files) for files, _ in found),
        tuple(mean.value for _, mean in found),
        tuple(mean.low for _, mean in found),
        tuple(mean.high for _, mean in found),
    )


def _rows(scores: LinkageScores, share: str) -> Iterator[tuple[Value, ...]]:
    for files in scores.files:
        for closeness in (*scores.closenesses, BASELINE):
            if mean := scores.mean(closeness, files, share):
                runs = len(scores.values(closeness, files, share))
                own = (mean.value, mean.low, mean.high)
                yield (scores.data, scores.hidden, closeness, files, share, *own, runs)
