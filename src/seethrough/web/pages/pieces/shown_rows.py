"""Rows of a table as a page lists them: a name, the values, and which of them differ from the person at hand."""

from dataclasses import dataclass

from seethrough.exploring.answers.persons import ShownCell
from seethrough.web.pages.asking.looking import PageView

PARTS = {"real": "real row", "released": "released row", "outside": "outside row", "person": "this person"}


@dataclass(frozen=True)
class ShownRow:
    """A row: its name, its cells as they may be shown with whether each differs, the columns that do, how far it is."""

    name: str
    cells: tuple[tuple[str, bool], ...]
    differs: tuple[str, ...]
    distance: str
    is_person: bool = False


def name_row(part: str, row: int | None) -> str:
    """Name a row of a table, from 1 on."""
    return PARTS[part] if row is None else f"{PARTS[part]} {row + 1:,}"


def make_row(
    view: PageView,
    named: tuple[str, int | None],
    cells: tuple[ShownCell, ...],
    differs: tuple[str, ...],
    distance: float | None,
) -> ShownRow:
    """Make a row from its part and number, its cells and the columns that differ."""
    shown = tuple((view.say(cell.text), cell.column in differs) for cell in cells)
    return ShownRow(
        name_row(*named), shown, differs, "" if distance is None else f"{distance:.4g}", named[0] == "person"
    )
