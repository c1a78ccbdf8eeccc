"""Which person is meant: the one of the address, the one picked last, or the most exposed."""

from collections.abc import Mapping

from seethrough.exploring.answers.persons import Person
from seethrough.exploring.exploration import Exploration
from seethrough.web.pages.asking.addresses import AddressRefused, number_in
from seethrough.web.session.session import Session

_MOST_TYPED = 10**6


def asked_person(session: Session, exploration: Exploration, query: Mapping[str, str]) -> Person:
    """Find the person of an address; without one the person picked last, at first the most exposed."""
    row = number_in(query, "row", exploration.people_count, "row")
    typed = number_in(query, "typed", _MOST_TYPED, "person who was typed in")
    if row is not None:
        session.person = exploration.person(row - 1)
    elif typed is not None:
        if typed not in session.typed:
            raise AddressRefused("The values of this person were never stored, and are gone: type them in again.")
        session.person = session.typed[typed]
    elif session.person is None:
        session.person = exploration.person(exploration.ranking()[0])
    return session.person


def who(session: Session, person: Person | None) -> dict[str, object]:
    """Say in an address which person is meant."""
    if person is None:
        return {}
    if person.row is not None:
        return {"row": person.row + 1}
    return {"typed": next((number for number, typed in session.typed.items() if typed is person), None)}
