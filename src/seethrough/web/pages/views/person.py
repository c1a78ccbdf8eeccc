"""The page of one person: values, flags of every check, nearest rows of each table; and picking somebody else.

Picking is posted and answered with the address of a page, in which a real row stands as its number. A person whose
values were typed in has a number of this session, which means nothing once the audit is closed.
"""

import re
from dataclasses import dataclass
from secrets import randbelow

from seethrough.exploring.answers.persons import CheckFlag, NearRow, Person
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.asking.addresses import AddressRefused, address, number_in
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.pages.pieces.describing import field_name, read_typed, show_form
from seethrough.web.pages.pieces.shown_rows import ShownRow, make_row
from seethrough.web.pages.views.map import pick_on_map
from seethrough.web.session.session import Session

BACK = re.compile(
    r"(person|verdict|scores|attacker|people|groups|map|compare|whatif|take|checks/[a-z0-9-]{1,40}|columns/[0-9]{1,6})"
)
_KEPT = re.compile(r"[a-z]{1,12}=[a-zA-Z0-9.-]{1,300}")
NEAREST = 10


@dataclass(frozen=True)
class PersonCell:
    """A value of the person as it may be shown, beside the number of its column."""

    number: int
    column: str
    text: str


@dataclass(frozen=True)
class NearTable:
    """The nearest rows of one table; `lacks` says why there are none."""

    title: str
    rows: tuple[ShownRow, ...]
    lacks: str = ""


def page(session: Session, asked: Asked) -> Answer:
    """Show a person, or the form in which one is typed in, or pick somebody."""
    if asked.form is not None:
        return show_tables(session, asked, "person", _pick)
    return show_tables(session, asked, "person", show_form if "describe" in asked.query else _show)


def lead_back(asked: Asked, person: dict[str, object]) -> str:
    """Give the address of the page from which somebody was picked, about that person now."""
    to = asked.first("to", "person")
    kept = dict(part.split("=", 1) for part in asked.first("keep").split("&") if _KEPT.fullmatch(part))
    return address(to if BACK.fullmatch(to) else "person", **{**person, **kept})


def _pick(view: TableView) -> Answer:
    session, asked, people = view.session, view.asked, view.exploration.people_count
    if any(name.startswith(field_name("")) for name in asked.form or {}):
        session.pick(values=read_typed(view))
        return redirect(lead_back(asked, {"typed": max(session.typed)}))
    if asked.first("x"):
        return pick_on_map(view)
    if asked.first("pick") == "random":
        but = number_in({"row": asked.first("but")}, "row", people, "row")
        return redirect(lead_back(asked, {"row": _random_row(people, but)}))
    text = asked.first("row").replace(",", "").replace(" ", "")
    row = number_in({"row": text}, "row", people, "row")
    if row is None:
        raise AddressRefused(f"A row is a number from 1 to {people:,}.")
    return redirect(lead_back(asked, {"row": row}))


def _random_row(people: int, but: int | None) -> int:
    """Draw somebody else than the person at hand, where there is anybody else."""
    if but is None or people == 1:
        return randbelow(people) + 1
    drawn = randbelow(people - 1) + 1
    return drawn + (drawn >= but)


def _show(view: TableView) -> Answer:
    person = view.person
    cells = tuple(
        PersonCell(number, cell.column, view.say(cell.text)) for number, cell in enumerate(person.cells, start=1)
    )
    flags = view.exploration.flags(person, view.release)
    return view.show(
        "person",
        "A person typed in" if person.row is None else f"Person in row {person.row + 1:,}",
        cells=cells,
        flags=sorted(flags, key=_order),
        flagged=sum(bool(flag.flagged) for flag in flags),
        asked_of=sum(flag.flagged is not None for flag in flags),
        near=near_tables(view, person),
    )


def _order(flag: CheckFlag) -> tuple[bool, bool, float]:
    """Put checks that flag first, then those that do not, then those without a risk."""
    return flag.risk is None, not flag.flagged, -(flag.risk or 0.0)


def near_tables(view: TableView, person: Person) -> tuple[NearTable, ...]:
    """Find the nearest rows of each table, with the cells that differ marked."""
    found = view.exploration.nearest(person, view.release, NEAREST)
    lacks = "" if found.outside is not None else "Nobody was kept out of the synthesis."
    return (
        NearTable("Released rows", _near(view, "released", found.released)),
        NearTable("Other real rows", _near(view, "real", found.real)),
        NearTable("People outside", _near(view, "outside", found.outside or ()), lacks),
    )


def _near(view: TableView, part: str, rows: tuple[NearRow, ...]) -> tuple[ShownRow, ...]:
    return tuple(make_row(view, (part, row.row), row.cells, row.differs, row.distance) for row in rows)
