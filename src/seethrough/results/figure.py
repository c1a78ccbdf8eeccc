"""What a figure or a table shows, apart from how it is drawn: plain frozen values for any renderer."""

from collections.abc import Iterator
from dataclasses import dataclass

from seethrough.results.outcome import Value

CONFIDENCE_INTERVAL = "95% confidence interval"
"""What the legend of a chart calls the bars at its points, if they are that."""


@dataclass(frozen=True)
class Series:
    """Points under one name; `low` and `high` are the ends of their intervals, empty where there are none.

    `is_quiet` draws them grey, as what stands back.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    remarks: tuple[str, ...] = ()
    is_quiet: bool = False


@dataclass(frozen=True)
class FigureAxis:
    """What an axis measures; `ticks` are places with their words, `low` and `high` its ends where they are given."""

    label: str
    log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Chart:
    """Series over two axes; `steps` draws no marks, as for a ROC curve.

    `lines` are reference values of y by name, `diagonal` is the name of a reference line where x and y are the same,
    `interval` says what the bars at the points are; both are empty where there is none.
    """

    title: str
    x: FigureAxis
    y: FigureAxis
    series: tuple[Series, ...]
    lines: tuple[tuple[str, float], ...] = ()
    diagonal: str = ""
    interval: str = ""
    steps: bool = False
    joined: bool = True


@dataclass(frozen=True)
class Grid:
    """A table of coloured cells: `shades` run from 0 (low) to 1 (high), None where there is nothing.

    Before the rows and columns of the rules a line separates groups.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shades: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    low: str
    high: str
    row_rules: tuple[int, ...] = ()
    column_rules: tuple[int, ...] = ()


@dataclass(frozen=True)
class Listing:
    """A plain table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def numbers(self) -> tuple[bool, ...]:
        """Tell which columns hold numbers and nothing else."""
        return tuple(
            bool(self.rows) and all(not row[place] or _is_number(row[place]) for row in self.rows)
            for place in range(len(self.columns))
        )


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(",", "").replace(".", "", 1).isdigit()


Panel = Chart | Grid | Listing


@dataclass(frozen=True)
class FigureTable:
    """The numbers of a figure, one row for each, as they are exported."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True)
class Figure:
    """Panels under one title, `across` of them in a row, and the numbers in them."""

    name: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    table: FigureTable
    across: int = 2
    notes: tuple[str, ...] = ()

    @property
    def legend(self) -> tuple[str, ...]:
        """Names of all series, each once; a name looks the same in all panels."""
        charts = [panel for panel in self.panels if isinstance(panel, Chart)]
        return tuple(dict.fromkeys(series.name for chart in charts for series in chart.series))

    @property
    def quiet(self) -> frozenset[str]:
        """Names of series that are drawn grey."""
        charts = [panel for panel in self.panels if isinstance(panel, Chart)]
        return frozenset(series.name for chart in charts for series in chart.series if series.is_quiet)


def points(figure: Figure) -> Iterator[tuple[str, str, float, float]]:
    """Walk over the points of all charts: panel, series, x and y."""
    for panel in figure.panels:
        if isinstance(panel, Chart):
            for series in panel.series:
                for x, y in zip(series.x, series.y, strict=True):
                    yield panel.title, series.name, x, y
