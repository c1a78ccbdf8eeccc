"""Pictures of a check's page: risks of all people, the ROC curve, a column; each with the place of the person."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from seethrough.exploring.answers.persons import Person
from seethrough.exploring.answers.tables import ColumnView
from seethrough.report.html import figures
from seethrough.report.pictures import score_pictures
from seethrough.results.outcome import Measured, Outcome
from seethrough.web.pages.asking.addresses import number_in
from seethrough.web.pages.asking.looking import PageView
from seethrough.web.pages.drawing.cells import draw_cell
from seethrough.web.pages.drawing.roc import describe_curve, draw_roc

BY_COLUMN = ("ks", "chi-squared", "js-distance", "inverse-kl")
"""Checks that look at one column after the other."""
MEMBERSHIP = "membership"


@dataclass(frozen=True)
class PictureWithWords:
    """A picture, and the same in words."""

    drawn: Markup
    said: str


@dataclass(frozen=True)
class DrawnCell:
    """One level or range of a column; `is_here` where the person at hand has it."""

    label: str
    real: str
    released: str
    outside: str
    drawn: Markup
    is_here: bool


@dataclass(frozen=True)
class DrawnColumn:
    """A column with its levels or ranges, and its number among all columns."""

    number: int
    name: str
    cells: tuple[DrawnCell, ...]
    has_outside: bool


def risk_of(outcome: Measured, person: Person | None) -> float | None:
    """Give the risk of the person at hand; None where it has none."""
    risks = outcome.measurement.per_record
    if risks is None or person is None or person.row is None or np.isnan(risks[person.row]):
        return None
    return float(risks[person.row])


def draw_histogram(view: PageView, outcome: Outcome) -> PictureWithWords | None:
    """Draw the risks of all people, with the one at hand marked."""
    if not isinstance(outcome, Measured):
        return None
    figure = score_pictures.histogram(outcome)
    if figure is None:
        return None
    own = risk_of(outcome, view.person)
    said = figure.description
    if own is not None:
        risks = outcome.measurement.per_record
        assert risks is not None
        known = risks[~np.isnan(risks)]
        higher = 100 * float((known > own).mean())
        said += f" The person at hand has {own:.3f}; {higher:.0f} of 100 people have a higher risk."
    drawn = figures.draw(replace(figure, picked=own, description=said), "histogram")
    return PictureWithWords(Markup(drawn), said)


def draw_members_found(view: PageView, outcome: Outcome) -> PictureWithWords | None:
    """Draw the ROC curve of the membership check, from the false alarm rate at which each member is found."""
    if outcome.check != MEMBERSHIP or not isinstance(outcome, Measured) or outcome.measurement.per_record is None:
        return None
    curve = found_by_alarms(outcome.measurement.per_record)
    own = risk_of(outcome, view.person)
    said = describe_curve(curve)
    if own is not None:
        said += f" The person at hand is found at {100 * (1 - own):.2g} false alarms in 100."
    return PictureWithWords(draw_roc(curve, None if own is None else 1 - own, "roc"), said)


def found_by_alarms(risks: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """Give false alarm rates and the share of members found at each: a member's risk is one minus its own rate."""
    rates, counts = np.unique(1 - risks[~np.isnan(risks)], return_counts=True)
    found = np.cumsum(counts) / max(counts.sum(), 1)
    return [(float(rate), float(share)) for rate, share in zip(rates, found, strict=True)]


def column_picture(view: PageView, outcome: Outcome) -> DrawnColumn | None:
    """Draw the column that is picked, for checks that look at one after the other; at first the one they name."""
    exploration = view.exploration
    if outcome.check not in BY_COLUMN or exploration is None or not isinstance(outcome, Measured):
        return None
    names = exploration.columns
    named = outcome.measurement.details.get("column that differs most")
    number = number_in(view.query, "column", len(names), "column")
    if number is None:
        number = names.index(named) + 1 if isinstance(named, str) and named in names else 1
    return draw_column(view, exploration.column(names[number - 1], view.release), number)


def draw_column(view: PageView, found: ColumnView, number: int) -> DrawnColumn:
    """Draw the distribution of a column in all tables, with the place of the person at hand."""
    end = max((max(cell.real, cell.released, cell.outside or 0.0) for cell in found.cells), default=1.0)
    here = _place(view, found)
    cells = tuple(
        DrawnCell(
            view.say(cell.label),
            _percent(cell.real),
            _percent(cell.released),
            "-" if cell.outside is None else _percent(cell.outside),
            draw_cell(cell.released, cell.real, cell.outside, end),
            place == here,
        )
        for place, cell in enumerate(found.cells)
    )
    return DrawnColumn(number, found.name, cells, any(cell.outside is not None for cell in found.cells))


def _place(view: PageView, found: ColumnView) -> int | None:
    if view.exploration is None or view.person is None:
        return None
    return view.exploration.cell_of(found.name, view.person, view.release)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
