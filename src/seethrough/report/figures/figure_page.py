"""Figures of studies as standalone pages around the drawings of `figure_svg`: no script, nothing from outside.

Panels stand beside each other where the window is wide enough and below each other on a phone; tables are tables of the
page, and what is wider than the window scrolls by itself. The boxes of the legend hide series by style alone.
"""

from html import escape

from seethrough.report.figures.figure_svg import FONT, LegendEntry, draw_panel, legend_of, panel_size
from seethrough.report.figures.svg_text import without_hostile_text
from seethrough.results.figure import Chart, Figure, Listing, Panel

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'"
STYLE = """
:root { color-scheme: light dark; --paper: #fcfbf8; --ink: #1d1c1a; --quiet: #5b5750; --rule: #d9d4c8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #ebe8e2; --quiet: #aaa69d; --rule: #3a3e44; }
}
* { box-sizing: border-box; }
body {
  font: 100%/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  margin: 0 auto; max-width: 84rem; padding: 1.5rem 1rem 3rem;
}
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1rem; margin: 0 0 0.25rem; }
p { color: var(--quiet); max-width: 60rem; margin: 0 0 1rem; }
a { color: inherit; }
"""
_PANELS = """
main { display: grid; gap: 1.5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, LEASTpx), 1fr)); }
section { min-width: 0; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 3px solid #0072b2; }
svg.chart { display: block; width: 100%; height: auto; max-width: MOSTpx; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.legend li, .legend label { display: flex; align-items: center; gap: 0.4rem; min-width: 0; }
.legend svg, .legend input { flex: none; margin: 0; }
@supports not selector(:has(a)) { .legend input { display: none; } }
table { border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; }
th, td { padding: 0.2rem 1rem 0.2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
"""
_LARGER = 1.5
"""How much larger than in the file a chart may be drawn in a wide window."""


def render(figure: Figure) -> str:
    """Write the page of a figure."""
    figure = without_hostile_text(figure)
    legend = legend_of(figure)
    sections = "".join(f"<section>{_section(panel, figure)}</section>" for panel in figure.panels)
    body = f"<h1>{escape(figure.title)}</h1>{_paragraphs((figure.caption,))}{_legend(legend)}<main>{sections}</main>"
    return page(figure.title, body + _paragraphs(figure.notes), _style(figure, legend))


def page(title: str, body: str, style: str = "") -> str:
    """Put a page around what it shows, with a policy that lets nothing run and nothing be fetched from elsewhere."""
    return (
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<meta name='viewport' content='width=device-width'><title>{escape(title)}</title>"
        f"<style>{STYLE}{style}</style></head><body>{body}</body></html>"
    )


def _style(figure: Figure, legend: tuple[LegendEntry, ...]) -> str:
    """Give the style of the panels: their least and largest width, and what an empty box of the legend hides."""
    width = max((panel_size(panel, figure)[0] for panel in figure.panels if isinstance(panel, Chart)), default=0)
    hidden = "".join(
        f"body:has(#series-{entry.place}:not(:checked)) .series-{entry.place} {{ display: none; }}\n"
        for entry in legend
        if entry.place is not None
    )
    least = width if figure.across > 1 else 10_000
    return _PANELS.replace("LEAST", str(least)).replace("MOST", f"{_LARGER * width:.0f}") + hidden


def _paragraphs(said: tuple[str, ...]) -> str:
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in said if sentence)


def _legend(legend: tuple[LegendEntry, ...]) -> str:
    if not legend:
        return ""
    return f"<ul class='legend'>{''.join(f'<li>{_entry(entry)}</li>' for entry in legend)}</ul>"


def _entry(entry: LegendEntry) -> str:
    key = f"<svg aria-hidden='true' width='26' height='14' viewBox='-1 -7 26 14'>{entry.key}</svg>"
    shown = f"{key}<span>{escape(entry.name)}</span>"
    if entry.place is None:
        return shown
    return f"<label><input type='checkbox' id='series-{entry.place}' checked>{shown}</label>"


def _section(panel: Panel, figure: Figure) -> str:
    title = f"<h2>{escape(panel.title)}</h2>" if panel.title else ""
    if isinstance(panel, Listing):
        return f"{title}<div class='scroll' tabindex='0'>{_table(panel)}</div>"
    width, height = panel_size(panel, figure)
    kind = "chart" if isinstance(panel, Chart) else "grid"
    label = escape(panel.title or figure.title, quote=True)
    size = f"width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
    drawn = f"<svg class='{kind}' role='img' aria-label='{label}' {size} {FONT}>{draw_panel(panel, figure)}</svg>"
    return title + (drawn if kind == "chart" else f"<div class='scroll' tabindex='0'>{drawn}</div>")


def _table(listing: Listing) -> str:
    ways = [" class='number'" if is_number else "" for is_number in listing.numbers]
    head, *rows = (
        "".join(f"<{tag}{way}>{escape(cell)}</{tag}>" for cell, way in zip(row, ways, strict=True))
        for tag, row in [("th", listing.columns), *(("td", row) for row in listing.rows)]
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
