"""What-if as a standalone page: the answer, the picture, the table; no script, nothing from outside."""

from html import escape

from seethrough.report import untrusted
from seethrough.report.figures import figure_page, figure_svg
from seethrough.report.figures.svg_text import without_hostile_text
from seethrough.report.what_if import wording
from seethrough.report.what_if.picture import trade_off
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import NAMES
from seethrough.results.figure import Figure
from seethrough.results.levers.what_if import LeverRow, WhatIf

STYLE = """
.scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; background: #fff; }
table { border-collapse: collapse; font-size: 0.875rem; overflow-wrap: normal; margin: 0 0 1.5rem; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td:not(:last-child) { white-space: nowrap; }
tr.grey td { color: var(--quiet); opacity: 0.7; }
tr.best td { font-weight: 600; }
strong { color: var(--ink); }
"""


def render(found: WhatIf) -> str:
    """Write the page."""
    figure = without_hostile_text(trade_off(found))
    drawn = Figure(figure.name, figure.title, "", figure.panels[:1], figure.table, across=1)
    parts = [
        f"<h1>{escape(figure.title)}</h1>",
        f"<p><strong>{_safe(wording.headline(found))}</strong></p>",
        *(f"<p>{_safe(said)}</p>" for said in (wording.before(found), wording.ranked_by(found)) if said),
        f"<div class='scroll' tabindex='0'>{figure_svg.render(drawn)}</div>",
        _table(found),
        "<h2>By family: leak now, and its change</h2>",
        _families(found),
        *(f"<p>{_safe(said)}</p>" for said in (wording.LEGEND, wording.quick_pass(found), *found.notes) if said),
    ]
    return figure_page.page(figure.title, "".join(parts), STYLE)


def _table(found: WhatIf) -> str:
    best = found.recommended
    head = _cells("th", (*wording.COLUMNS, "")[1:])
    rows = [_line(found.baseline, "")]
    for row in found.rows:
        is_grey = row.is_dominated or not row.helps or not row.is_remedy
        rows.append(_line(row, "best" if row is best else "grey" if is_grey else ""))
    return f"<div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _line(row: LeverRow, kind: str) -> str:
    return f"<tr class='{kind}'>{_cells('td', (*wording.cells(row)[1:], wording.remarks(row)))}</tr>"


def _families(found: WhatIf) -> str:
    head = _cells("th", ("lever", *(NAMES[family] for family in LeakFamily), "near copies, of 100 rows"))
    rows = [
        f"<tr>{_cells('td', (row.lever, *wording.by_family(row), wording.out_of_100(row.near_copies)))}</tr>"
        for row in (found.baseline, *found.rows)
        if row.families
    ]
    return f"<div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _cells(tag: str, texts: tuple[str, ...]) -> str:
    return "".join(f"<{tag}>{_safe(text)}</{tag}>" for text in texts)


def _safe(text: str) -> str:
    return escape(untrusted.visible(text))
