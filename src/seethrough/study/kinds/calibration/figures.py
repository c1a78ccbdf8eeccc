"""Figures of the calibration: false alarms, power, and how precise the list of people is."""

from collections.abc import Sequence

import polars as pl

from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.figure import CONFIDENCE_INTERVAL, Chart, Figure, FigureAxis, FigureTable, Listing, Series
from seethrough.results.outcome import Value
from seethrough.study.cells.results import Results
from seethrough.study.kinds.calibration.releases import KINDS
from seethrough.study.kinds.calibration.scores import (
    LONG_LIST,
    CountedShare,
    audits_of,
    groups_of,
    leak_rate,
    precision,
    share_by_chance,
)

COLUMNS = (
    *("release", "data", "members", "outside", "audits", "leak", "share", "low", "high"),
    *(family.value for family in LeakFamily),
    *("cannot_tell", "seconds"),
)
WHERE = "synthesizer", "data", "name"
APART = 0.12
"""How far apart kinds of release stand at one size, as a share of the way to the next size."""


def false_alarms(results: Results) -> Figure:
    """Show how often an audit calls a release leaking that owes nothing to the members."""
    caption = (
        "Verdicts of a leak on releases that were made without looking at the members. By design at most 5 in 100; "
        "bars are 95 % Wilson intervals. Sizes are members / people outside."
    )
    lines = (("5 %", 0.05),)
    return _rates(results, "false-alarms", "False alarms on leak-free releases", caption, lines, leaking=False)


def power(results: Results) -> Figure:
    """Show how often an audit finds a leak that is there."""
    caption = (
        "Verdicts of a leak on releases that leak. Bars are 95 % Wilson intervals; sizes: members / people outside."
    )
    return _rates(results, "power", "Leaks found", caption, (("90 %", 0.9),), leaking=True)


def _rates(
    results: Results, name: str, title: str, caption: str, lines: tuple[tuple[str, float], ...], *, leaking: bool
) -> Figure:
    audits = audits_of(results, leaking=leaking)
    rows = tuple(_row(key, some) for key, some in groups_of(audits, WHERE))
    charts = [
        _chart(str(data), audits.filter(pl.col("data") == data), lines)
        for data in audits["data"].unique(maintain_order=True)
    ]
    return Figure(name, title, caption, (_totals(audits), *charts), FigureTable(COLUMNS, rows), across=1)


def _totals(audits: pl.DataFrame) -> Listing:
    """Sum up by kind of release, then over all; with the families that a leak was found in."""
    parts = [(KINDS[release].title, some) for (release,), some in groups_of(audits, WHERE[:1])]
    shown = tuple(_total(title, some) for title, some in [*parts, ("all", audits)] if len(some))
    families = tuple(family.value for family in LeakFamily)
    return Listing("", ("release", "audits", "leak", "share", "95% interval", *families, "cannot tell"), shown)


def _total(title: str, audits: pl.DataFrame) -> tuple[str, ...]:
    rate = leak_rate(audits)
    low, high = rate.interval
    families = (str(leak_rate(audits, family).found) for family in LeakFamily)
    counts = str(rate.audits), str(rate.found), f"{rate.share:.1%}", f"{low:.1%} to {high:.1%}"
    return (title, *counts, *families, str(_cannot_tell(audits)))


def _cannot_tell(audits: pl.DataFrame) -> int:
    return int((audits["grade"] == Grade.CANNOT_TELL.value).sum())


def _row(key: Sequence[str], audits: pl.DataFrame) -> tuple[Value, ...]:
    release, data, size = key
    members, outside = map(int, size.split("/"))
    rate = leak_rate(audits)
    families = (leak_rate(audits, family).found for family in LeakFamily)
    mean = round(float(audits["seconds"].to_numpy().mean()), 3)
    counts = rate.audits, rate.found, rate.share, *rate.interval
    return (release, data, members, outside, *counts, *families, _cannot_tell(audits), mean)


def _chart(data: str, audits: pl.DataFrame, lines: tuple[tuple[str, float], ...]) -> Chart:
    sizes = sorted(audits["name"].unique(), key=lambda size: tuple(map(int, size.split("/"))))
    ticks = tuple((float(place), size) for place, size in enumerate(sizes))
    found: dict[str, dict[int, CountedShare]] = {}
    for (release, size), some in groups_of(audits, ("synthesizer", "name")):
        found.setdefault(release, {})[sizes.index(size)] = leak_rate(some)
    middle = (len(found) - 1) / 2
    series = tuple(
        _series(KINDS[release].title, found[release], APART * (number - middle)) for number, release in enumerate(found)
    )
    x, y = FigureAxis("members / people outside", ticks=ticks), FigureAxis("audits with a leak", low=0.0)
    return Chart(data, x, y, series, lines=lines, interval=CONFIDENCE_INTERVAL, joined=False)


def _series(title: str, rates: dict[int, CountedShare], aside: float) -> Series:
    places = sorted(rates)
    ends = [rates[place].interval for place in places]
    return Series(
        title,
        tuple(place + aside for place in places),
        tuple(rates[place].share for place in places),
        tuple(low for low, _ in ends),
        tuple(high for _, high in ends),
        tuple(f"{rates[place].found} of {rates[place].audits}" for place in places),
    )


def people_precision(results: Results) -> Figure:
    """Show how many of the people listed were copied."""
    audits = audits_of(results, leaking=True).filter(pl.col("listed_copied").is_not_null())
    found = [(key, _precision_row(some)) for key, some in groups_of(audits, WHERE)]
    rows = tuple((*key, *row) for key, row in found)
    shown = tuple(
        (KINDS[release].title, data, size, *(_text(value) for value in row)) for (release, data, size), row in found
    )
    head = ("audits", "lists", "names", "copied", "precision", "low", "high", "by chance")
    caption = (
        f"Lists of at least {LONG_LIST} exposed people, at a false discovery rate of 10 %: names on them, and how many "
        "were copied into the release. By chance: the share of names who were not, averaged over all audits, "
        "0 where nobody is listed; it is what the false discovery rate bounds."
    )
    title = "Precision of the list of exposed people"
    listing = Listing("", ("release", "table", "size", *head), shown)
    table = FigureTable(("release", "data", "size", *head), rows)
    return Figure("people-precision", title, caption, (listing,), table, across=1)


def _precision_row(audits: pl.DataFrame) -> tuple[Value, ...]:
    rate = precision(audits)
    lists = int((audits["listed"] >= LONG_LIST).sum())
    share = (rate.share, *rate.interval) if rate.audits else (None, None, None)
    return (len(audits), lists, rate.audits, rate.found, *share, share_by_chance(audits))


def _text(value: Value) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
