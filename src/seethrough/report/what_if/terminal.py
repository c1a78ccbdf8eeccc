"""What-if for the terminal: the answer, then a row for each lever, those that are not worth a look grey."""

from rich.console import Console
from rich.table import Table

from seethrough.report.terminal.printing import show, text
from seethrough.report.what_if import wording
from seethrough.results.levers.what_if import LeverRow, WhatIf

WIDE = 150
"""Width from which on all measures are shown; a narrow terminal has the most important, and the page has all."""


def render(found: WhatIf, console: Console, *, verbose: bool = False) -> None:
    """Print the levers."""
    show(lambda on: _print(found, on, verbose=verbose), console)


def _print(found: WhatIf, console: Console, *, verbose: bool) -> None:
    console.print(text(console, wording.headline(found), "bold"))
    console.print(text(console, wording.before(found)))
    is_wide = verbose or console.width >= WIDE
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for name in wording.COLUMNS[1:] if is_wide else wording.SHORT_COLUMNS:
        table.add_column(name, header_style="dim", overflow="fold", min_width=len(name))
    table.add_column("", overflow="fold")
    for row in found.rows:
        cells = wording.cells(row)[1:] if is_wide else wording.short_cells(row)
        shown = [text(console, cell, _style(row, found)) for cell in cells]
        table.add_row(*shown, text(console, wording.remark(row), "dim"))
    console.print(table)
    for said in (wording.ranked_by(found), wording.quick_pass(found), *found.notes):
        if said:
            console.print(text(console, said, "dim"))
    if verbose:
        console.print(text(console, wording.LEGEND, "dim"))
        for row in found.rows:
            for note in row.notes:
                console.print(text(console, f"{row.lever}: {note}", "dim"))


def _style(row: LeverRow, found: WhatIf) -> str:
    if row is found.recommended:
        return "bold"
    return "dim" if row.is_dominated or not row.helps or not row.is_remedy else ""
