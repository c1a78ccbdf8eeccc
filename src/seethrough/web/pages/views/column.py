"""One column: how it is distributed in all tables, how often it is guessed, what goes with it, what would help."""

from dataclasses import dataclass

from markupsafe import Markup

from seethrough.exploring.answers.tables import ColumnView
from seethrough.report.html import figures
from seethrough.report.pictures.diagnostic_pictures import Bar, Mark
from seethrough.results.evidence_words import people
from seethrough.results.report import TableAudit
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.addresses import number_in
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.pages.pieces.check_pictures import draw_column
from seethrough.web.session.session import Session

PAIRS = 5
"""Columns listed that go with this one most."""


@dataclass(frozen=True)
class ColumnLine:
    """A column in the list of all: distance of the release and of people outside, and how often it is guessed."""

    number: int
    name: str
    distance: Markup
    released: str
    outside: str
    guessed: Markup
    said: str


def page(session: Session, asked: Asked) -> Answer:
    """Show the column of a number."""
    number = asked.path.get("number", "")
    return show_tables(session, asked, f"columns/{number}", lambda view: _show(view, number))


def _show(view: TableView, text: str) -> Answer:
    number = number_in({"column": text}, "column", len(view.columns), "column") or 1
    found = view.exploration.column(view.columns[number - 1], view.release)
    return view.show(
        "column",
        "Column",
        found=found,
        number=number,
        drawn=draw_column(view, found, number),
        distances=say_distances(found),
        guessed=say_guessed(found),
        mark=_mark(found),
        pairs=[
            (view.columns.index(pair.other) + 1, pair) for pair in found.pairs[:PAIRS] if pair.other in view.columns
        ],
        lines=list_columns(view.table, view.columns),
        before=number - 1 if number > 1 else None,
        after=number + 1 if number < len(view.columns) else None,
    )


def say_distances(found: ColumnView) -> str:
    """Say how far the release is from the real table, and people outside."""
    said = f"Total variation from the real table: release {found.distance:.3f}"
    if found.outside_distance is None:
        return f"{said}. Nobody was kept out to compare with."
    how = "nearer to" if found.distance < found.outside_distance else "further from"
    outside = f"people outside {found.outside_distance:.3f}"
    return f"{said}, {outside}: the release is {how} the real table than other people are."


def say_guessed(found: ColumnView) -> str:
    """Say how often the most similar released row has the value."""
    if found.guessed is None:
        return "How often it is guessed was not measured."
    inside = people(found.guessed.value)
    said = f"The most similar released row has the right value for {inside} of 100 people in the table"
    if found.guessed_outside is not None:
        said += f" and for {people(found.guessed_outside.value)} of 100 outside"
    if found.most_frequent is not None:
        said += f"; the most frequent value is right for {people(found.most_frequent)}"
    return f"{said}."


def _mark(found: ColumnView) -> Markup | None:
    if found.guessed is None:
        return None
    return Markup(figures.draw_row(Mark(found.name, found.guessed, found.guessed_outside, found.most_frequent)))


def list_columns(table: TableAudit, names: tuple[str, ...]) -> list[ColumnLine]:
    """List all columns with what the audit found, those that are furthest from the real table first."""
    shown = table.exhibits
    exposure = {each.column: each for each in shown.columns}
    end = max((max(each.released, each.outside or 0.0) for each in shown.marginals), default=0.0)
    lines = []
    for each in sorted(shown.marginals, key=lambda column: -column.released):
        if each.column not in names:
            continue
        guessed = exposure.get(each.column)
        mark = Mark(each.column, guessed.real, guessed.outside, guessed.base_rate) if guessed else None
        lines.append(
            ColumnLine(
                names.index(each.column) + 1,
                each.column,
                Markup(figures.draw_row(Bar(each.column, each.released, each.outside, end))),
                f"{each.released:.3f}",
                "-" if each.outside is None else f"{each.outside:.3f}",
                Markup(figures.draw_row(mark)) if mark else Markup(""),
                "-" if guessed is None else people(guessed.real.value),
            )
        )
    return lines
