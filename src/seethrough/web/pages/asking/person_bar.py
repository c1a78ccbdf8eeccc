"""The bar under the heading: who is picked, how exposed, and how to pick somebody else or hide all values."""

from collections.abc import Mapping
from dataclasses import dataclass

from seethrough.exploring.answers.persons import Person
from seethrough.exploring.exploration import Exploration
from seethrough.web.pages.asking.addresses import address
from seethrough.web.pages.asking.picking import who
from seethrough.web.session.session import Session

_OF_THE_PERSON = ("row", "typed", "describe", "live")


@dataclass(frozen=True)
class PersonBar:
    """What the bar shows; `before` and `after` lead to the neighbours in the order of exposure.

    `page` and `keeps` lead back to the page at hand when somebody else was picked.
    """

    said: str
    row: int | None
    own: str
    people: int
    rank: int | None
    before: str
    after: str
    page: str
    keeps: str
    hidden: bool


def make_bar(
    session: Session, exploration: Exploration | None, person: Person | None, page: str, query: Mapping[str, str]
) -> PersonBar | None:
    """Make the bar of a page; None where the tables are gone."""
    if exploration is None or person is None:
        return None
    kept = {name: value for name, value in query.items() if name not in _OF_THE_PERSON}
    order = exploration.ranking()
    place = order.index(person.row) if person.row is not None else None
    before = address(page, row=order[place - 1] + 1, **kept) if place else ""
    after = address(page, row=order[place + 1] + 1, **kept) if place is not None and place + 1 < len(order) else ""
    return PersonBar(
        said="typed in by you" if person.row is None else f"row {person.row + 1:,}",
        row=None if person.row is None else person.row + 1,
        own=address("person", **who(session, person)),
        people=exploration.people_count,
        rank=None if place is None else place + 1,
        before=before,
        after=after,
        page=page,
        keeps=address("", **kept).removeprefix("?"),
        hidden=session.hidden,
    )
