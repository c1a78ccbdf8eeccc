"""What-if as Markdown."""

from seethrough.report.markdown.escaping import escape_markdown
from seethrough.report.what_if import wording
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import NAMES
from seethrough.results.levers.what_if import LeverRow, WhatIf


def render(found: WhatIf) -> str:
    """Write the document."""
    families = ("lever", *(NAMES[family] for family in LeakFamily), "near copies, of 100 rows")
    parts = [
        "# What would help, measured",
        f"**{escape_markdown(wording.headline(found))}**",
        escape_markdown(wording.before(found)),
        escape_markdown(wording.ranked_by(found)),
        "![Leak removed over utility lost](whatif.svg)",
        _table((*wording.COLUMNS[1:], "remarks"), [_cells(row) for row in (found.baseline, *found.rows)]),
        "By family: leak now, and its change.",
        _table(families, [_by_family(row) for row in (found.baseline, *found.rows) if row.families]),
        *(escape_markdown(said) for said in (wording.LEGEND, wording.quick_pass(found), *found.notes) if said),
    ]
    return "\n\n".join(parts) + "\n"


def _cells(row: LeverRow) -> tuple[str, ...]:
    return (*wording.cells(row)[1:], wording.remarks(row))


def _by_family(row: LeverRow) -> tuple[str, ...]:
    return (row.lever, *wording.by_family(row), wording.out_of_100(row.near_copies))


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [columns, tuple("---" for _ in columns), *(tuple(map(escape_markdown, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
