"""A check worked through on the person at hand: its steps, with the values of the rows that it looks at."""

from dataclasses import dataclass

from seethrough.exploring.answers.persons import ShownCell
from seethrough.exploring.exploration import Exploration
from seethrough.results.explained.worked import Lacking, RowsOf, Step, Worked
from seethrough.results.outcome import Outcome
from seethrough.web.pages.asking.looking import PageView
from seethrough.web.pages.pieces.shown_rows import ShownRow, make_row

_GONE = "the tables of the audit are not here any more"
_LATER = "the tables are in use, or the run was not finished; it is worked through after the run"


@dataclass(frozen=True)
class WorkedRows:
    """Rows of one kind; `more` counts those that are not listed."""

    remark: str
    rows: tuple[ShownRow, ...]
    more: int
    has_distances: bool


@dataclass(frozen=True)
class WorkedStep:
    """One step with its rows."""

    said: str
    formula: str
    rows: tuple[WorkedRows, ...]


@dataclass(frozen=True)
class WorkedPage:
    """The worked example of a page; where there is none, `lacks` says why and `looks_at` what it would look at."""

    columns: tuple[str, ...] = ()
    steps: tuple[WorkedStep, ...] = ()
    lacks: str = ""
    looks_at: str = ""


def work_through(view: PageView, outcome: Outcome) -> WorkedPage:
    """Work the check through, or say what it lacks."""
    if view.exploration is None or view.person is None:
        return WorkedPage(lacks=_GONE if view.session.report is not None else _LATER)
    found = view.exploration.work_through(outcome.check, view.person, view.release)
    if isinstance(found, Lacking):
        return WorkedPage(lacks=found.reason, looks_at=found.looks_at)
    return WorkedPage(view.exploration.columns, _steps(view, view.exploration, found))


def _steps(view: PageView, exploration: Exploration, found: Worked) -> tuple[WorkedStep, ...]:
    return tuple(_step(view, exploration, step) for step in found.steps)


def _step(view: PageView, exploration: Exploration, step: Step) -> WorkedStep:
    listed = tuple(_rows(view, exploration, rows) for rows in step.rows)
    return WorkedStep(step.said, step.formula, listed)


def _rows(view: PageView, exploration: Exploration, of: RowsOf) -> WorkedRows:
    assert view.person is not None
    if of.part == "person":
        listed: list[tuple[int | None, tuple[ShownCell, ...]]] = [(None, view.person.cells)]
    else:
        listed = list(zip(of.rows, exploration.cells(of.part, of.rows, view.release), strict=True))
    rows = tuple(
        make_row(
            view,
            (of.part, row),
            cells,
            of.differs[place] if place < len(of.differs) else (),
            of.distances[place] if place < len(of.distances) else None,
        )
        for place, (row, cells) in enumerate(listed)
    )
    if of.part != "person" and rows:
        rows = (make_row(view, ("person", None), view.person.cells, (), None), *rows)
    return WorkedRows(of.remark, rows, max(0, of.total - len(listed)), bool(of.distances))
