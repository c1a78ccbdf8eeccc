"""The table of people: real rows with their flags and risks, sorted and filtered by what stands in the address."""

from collections.abc import Mapping
from dataclasses import dataclass

from seethrough.exploring.answers.tables import AttackOverlap, PeoplePage, PeopleQuestion
from seethrough.results.card import Evidence
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.addresses import AddressRefused, number_in
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.session.session import Session

_MOST_PAGES = 10**7
_MOST_FLAGS = 100
_CHECK, _COLUMN = "check-", "column-"
OVERLAPS = 6
"""Pairs of attacks of which it is said how many people they both flag."""


@dataclass(frozen=True)
class PersonLine:
    """A real row as it may be shown; `flagged_by` names attacks, `risks` are in the order of the attacks."""

    row: int
    flags: int
    flagged_by: str
    risks: tuple[str, ...]
    cells: tuple[str, ...]
    is_here: bool


@dataclass(frozen=True)
class PeopleAddress:
    """What an address asks about people: its words, and the question that they make."""

    words: Mapping[str, str]
    question: PeopleQuestion
    column: int | None


def page(session: Session, asked: Asked) -> Answer:
    """Show a page of people."""
    return show_tables(session, asked, "people", _show)


def _show(view: TableView) -> Answer:
    asked = read_people(view)
    found = view.exploration.people(asked.question, view.release)
    attacks = tuple(check for check in found.checks if check in _attacks(view))
    return view.show(
        "people",
        "People",
        asked=asked,
        question=asked.question,
        found=found,
        lines=tuple(_lines(view, found, attacks)),
        attacks=attacks,
        sorts=_sorts(view, asked, attacks),
        pages=_pages(view, asked, found),
        overlaps=tuple(map(say_overlap, _largest(view.exploration.overlap(view.release)))),
        levels=_levels(view, asked),
        checks=found.checks,
        here=lambda **more: view.to("people", **{**asked.words, **more}),
    )


def read_people(view: TableView) -> PeopleAddress:
    """Read the question of an address."""
    query, columns = view.query, view.columns
    column = number_in(query, "column", len(columns), "column")
    name = columns[column - 1] if column else ""
    question = PeopleQuestion(
        sort=_sort(query.get("sort", ""), columns),
        descending=query.get("way", "") != "up",
        page=(number_in(query, "page", _MOST_PAGES, "page") or 1) - 1,
        check=query.get("check", ""),
        fewest_flags=number_in({"flags": query.get("flags", "")}, "flags", _MOST_FLAGS, "number of flags") or 0,
        column=name,
        level=_level(query.get("level", "")) if name else None,
    )
    if question.check and question.check not in {outcome.check for outcome in view.table}:
        raise AddressRefused("There is no such check in this audit.")
    kept = ("sort", "way", "check", "flags", "column", "level")
    return PeopleAddress({word: query[word] for word in kept if query.get(word)}, question, column)


def _sort(text: str, columns: tuple[str, ...]) -> str:
    """Read what is sorted by: "row", "flags", a check, or a column by its number."""
    if text.startswith(_CHECK):
        return text.removeprefix(_CHECK)
    if text.startswith(_COLUMN):
        number = number_in({"n": text.removeprefix(_COLUMN)}, "n", len(columns), "column")
        return columns[number - 1] if number else "flags"
    return text if text in {"row", "flags"} else "flags"


def _level(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def _attacks(view: TableView) -> set[str]:
    return {outcome.check for outcome in view.table if outcome.card.evidence is Evidence.ATTACK}


def _said_flags(flagged_by: tuple[str, ...], attacks: tuple[str, ...]) -> str:
    """Name the attacks that flag a person, and count the other checks that do."""
    named = [check for check in flagged_by if check in attacks]
    others = len(flagged_by) - len(named)
    more = f"{others} other check{'' if others == 1 else 's'}" if others else ""
    return ", ".join([*named, *([more] if more else [])])


def _lines(view: TableView, found: PeoplePage, attacks: tuple[str, ...]) -> list[PersonLine]:
    return [
        PersonLine(
            row.row + 1,
            row.flags,
            _said_flags(row.flagged_by, attacks),
            tuple("-" if (risk := row.risks.get(check)) is None else f"{risk:.2f}" for check in attacks),
            tuple(view.say(cell.text) for cell in row.cells),
            row.row == view.person.row,
        )
        for row in found.rows
    ]


def _sorts(view: TableView, asked: PeopleAddress, checks: tuple[str, ...]) -> Mapping[str, tuple[str, str]]:
    """Give for each head of the table its address and how it is sorted now ("ascending", "descending" or "")."""
    now = view.query.get("sort", "flags") or "flags"
    keys = ("row", "flags", *(_CHECK + check for check in checks), *_column_keys(view))
    found = {}
    for key in keys:
        is_here = key == now
        way = "up" if (is_here and asked.question.descending) or (not is_here and key == "row") else None
        words = {**asked.words, "sort": key, "way": way}
        direction = ("descending" if asked.question.descending else "ascending") if is_here else ""
        found[key] = (view.to("people", **words), direction)
    return found


def _column_keys(view: TableView) -> list[str]:
    return [f"{_COLUMN}{number}" for number in range(1, len(view.columns) + 1)]


def _pages(view: TableView, asked: PeopleAddress, found: PeoplePage) -> Mapping[str, str]:
    """Lead to the first, the previous, the next and the last page, where there are any."""
    now, last = found.page + 1, found.pages
    ways = {"first": 1, "previous": now - 1, "next": now + 1, "last": last}
    return {
        name: view.to("people", **asked.words, page=number)
        for name, number in ways.items()
        if 1 <= number <= last and number != now
    }


def _levels(view: TableView, asked: PeopleAddress) -> tuple[tuple[int, str], ...]:
    """List the levels of the chosen column by number; their texts only where values may be shown."""
    if not asked.question.column:
        return ()
    levels = view.exploration.column(asked.question.column, view.release).levels
    return tuple(
        (number, f"level {number}" if view.session.hidden else text) for number, text in enumerate(levels, start=1)
    )


def _largest(found: tuple[AttackOverlap, ...]) -> list[AttackOverlap]:
    return sorted(found, key=lambda each: -(each.both - each.by_chance))[:OVERLAPS]


def say_overlap(found: AttackOverlap) -> str:
    """Say how many people two checks both flag."""
    chance = f"{found.by_chance:,.0f}" if found.by_chance >= 9.5 else f"{found.by_chance:.1f}"
    return f"{found.first} and {found.second} both flag {found.both:,}; by chance {chance}"
