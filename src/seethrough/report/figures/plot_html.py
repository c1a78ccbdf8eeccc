"""Figures of studies as interactive pages: Plotly from a file beside the page, nothing from the network."""

from html import escape
from math import isfinite, log10
from typing import Any

from seethrough.errors import ConfigError
from seethrough.report.figures.palette import HIGH, LOW, MIDDLE, look
from seethrough.report.figures.plot_scales import AxisScale, scales
from seethrough.results.figure import Chart, Figure, FigureAxis, Grid, Listing, Panel, Series

SCRIPT = "plotly.min.js"
_DASH = {"": "solid", "6 3": "dash", "2 3": "dot", "8 3 2 3": "dashdot", "12 4": "longdash", "4 2": "dash"}
_CONFIG = {"displaylogo": False, "responsive": True, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}
_STYLE = """
body { font-family: system-ui, sans-serif; color: #222; margin: 1.5rem auto; max-width: 1280px; padding: 0 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, WIDE), 1fr)); gap: 1rem; }
p { color: #555; max-width: 60rem; } section { overflow-x: auto; min-width: 0; }
table { border-collapse: collapse; font-size: 0.85rem; } th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
th { border-bottom: 1px solid #bbb; } h2 { font-size: 1rem; }
"""

# A panel that was drawn before the page had its width is drawn again to fit.
_FIT = (
    "<script>addEventListener('load', () => document.querySelectorAll('.chart .js-plotly-plot')"
    ".forEach((panel) => Plotly.Plots.resize(panel)));</script>"
)


def plotly() -> Any:
    """Load Plotly, or say what to install."""
    try:
        import plotly.graph_objects
        import plotly.offline
    except ImportError as error:
        raise ConfigError(
            "interactive figures need Plotly, which is not installed: pip install 'seethrough[figures]'"
        ) from error
    return plotly


def render(figure: Figure) -> str:
    """Write the page of a figure; it looks for Plotly's script beside itself."""
    library = plotly()
    sections = "".join(
        f"<section class='{type(panel).__name__.lower()}'>{_section(panel, figure, f'panel-{at}', library)}</section>"
        for at, panel in enumerate(figure.panels)
    )
    wide = {1: "100%", 2: "560px", 3: "400px"}.get(figure.across, "280px")
    notes = "".join(f"<p>{escape(note)}</p>" for note in figure.notes)
    return (
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{escape(figure.title)}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE.replace('WIDE', wide)}</style>"
        f"<script src='{SCRIPT}'></script></head><body><h1>{escape(figure.title)}</h1><p>{escape(figure.caption)}</p>"
        f"<main>{sections}</main>{notes}{_FIT}</body></html>"
    )


def script() -> str:
    """Give Plotly's own script, to stand beside the pages."""
    text: str = plotly().offline.get_plotlyjs()
    return text


def _section(panel: Panel, figure: Figure, ident: str, library: Any) -> str:
    match panel:
        case Chart():
            return _drawn(_chart(panel, figure, library), ident)
        case Grid():
            return _drawn(_grid(panel, library), ident)
        case Listing():
            return _table(panel)


def _drawn(graph: Any, ident: str) -> str:
    found: str = graph.to_html(full_html=False, include_plotlyjs=False, div_id=ident, config=_CONFIG)
    return found


def _table(listing: Listing) -> str:
    ways = [" class='number'" if is_number else "" for is_number in listing.numbers]
    head, *rows = (
        "".join(f"<{tag}{way}>{escape(cell)}</{tag}>" for cell, way in zip(row, ways, strict=True))
        for tag, row in [("th", listing.columns), *(("td", row) for row in listing.rows)]
    )
    return f"<h2>{escape(listing.title)}</h2><table>{''.join(f'<tr>{row}</tr>' for row in [head, *rows])}</table>"


def _chart(chart: Chart, figure: Figure, library: Any) -> Any:
    graph = library.graph_objects.Figure()
    for series in chart.series:
        graph.add_trace(_trace(series, figure.legend.index(series.name), chart, library))
    for place, (name, value) in enumerate(chart.lines):
        graph.add_hline(
            y=value, line={"dash": ("dash", "dot")[place % 2], "color": "#777"}, annotation_text=escape(name)
        )
    if chart.diagonal:
        graph.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line={"dash": "dash", "color": "#777"})
    x, y = scales(chart)
    small = figure.across > 3
    graph.update_layout(
        title={"text": escape(chart.title), "font": {"size": 14}},
        template="plotly_white",
        height=260 if small else 420,
        margin={"l": 60, "r": 20, "t": 48, "b": 50},
        legend={"orientation": "h", "y": -0.22},
        xaxis=_axis(x),
        yaxis=_axis(y),
    )
    return graph


def _trace(series: Series, place: int, chart: Chart, library: Any) -> Any:
    colour, mark, dash = look(place)
    mode = "lines" if chart.steps else "lines+markers" if chart.joined else "markers"
    bars = None
    if series.low and all(map(isfinite, (*series.low, *series.high))):
        above = [high - y for high, y in zip(series.high, series.y, strict=True)]
        below = [y - low for low, y in zip(series.low, series.y, strict=True)]
        bars = {"type": "data", "array": above, "arrayminus": below, "thickness": 1.2, "width": 3}
    return library.graph_objects.Scatter(
        x=list(series.x),
        y=list(series.y),
        name=escape(series.name),
        mode=mode,
        line={"color": colour, "dash": _DASH.get(dash, "solid")},
        marker={"color": colour, "symbol": mark, "size": 8},
        error_y=bars,
        text=[escape(remark) for remark in series.remarks] or None,
    )


def _axis(scale: AxisScale) -> dict[str, Any]:
    axis: FigureAxis = scale.axis
    ends = [log10(scale.low), log10(scale.high)] if axis.log else [scale.low, scale.high]
    ticks = {"tickvals": [place for place, _ in scale.ticks], "ticktext": [escape(word) for _, word in scale.ticks]}
    return {"title": escape(axis.label), "type": "log" if axis.log else "linear", "range": ends, **ticks}


def _grid(grid: Grid, library: Any) -> Any:
    ends = [[place, f"rgb{colour}"] for place, colour in ((0, LOW), (0.5, MIDDLE), (1, HIGH))]
    shown = [[escape(text).replace("\n", "<br>") for text in row] for row in grid.texts]
    bar = {"tickvals": [0, 1], "ticktext": [escape(grid.low), escape(grid.high)], "thickness": 12}
    heat = library.graph_objects.Heatmap(
        z=[list(row) for row in grid.shades],
        x=[escape(name) for name in grid.columns],
        y=[escape(name) for name in grid.rows],
        text=shown,
        texttemplate="%{text}",
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        colorscale=ends,
        zmin=0,
        zmax=1,
        colorbar=bar,
        xgap=1,
        ygap=1,
    )
    graph = library.graph_objects.Figure(heat)
    for rule in grid.row_rules:
        graph.add_hline(y=rule - 0.5, line={"width": 2, "color": "#222"})
    for rule in grid.column_rules:
        graph.add_vline(x=rule - 0.5, line={"width": 2, "color": "#222"})
    graph.update_yaxes(autorange="reversed")
    graph.update_layout(
        title=escape(grid.title),
        template="plotly_white",
        width=220 + 62 * len(grid.columns),
        height=200 + 34 * len(grid.rows),
        font={"size": 10},
    )
    return graph
