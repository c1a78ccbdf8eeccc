"""Assume this is you: a field for each column, from which a person is made who is in no table.

What is typed is posted, kept in the memory of this session alone, and in no address. While values are hidden there are
no fields: their choices would be values.
"""

from dataclasses import dataclass

from seethrough.exploring.answers.persons import ValueField
from seethrough.web.messages import Answer
from seethrough.web.pages.asking.looking import TableView

_MOST_LEVELS = 200
"""Levels that are offered in a list; of more, one is typed."""


@dataclass(frozen=True)
class TypedField:
    """One column in the form: its levels to choose from, or the range of a number; `text` is what stands there."""

    name: str
    column: str
    levels: tuple[str, ...]
    hint: str
    text: str


def field_name(number: object) -> str:
    """Name the field of a column by its number."""
    return f"column-{number}"


def show_form(view: TableView) -> Answer:
    """Show the form, empty or with the values of the person at hand."""
    starts = view.query.get("describe") == "like"
    known = {cell.column: cell.text for cell in view.person.cells} if starts else {}
    fields = () if view.session.hidden else tuple(_fields(view, known))
    return view.show("describe", "Assume this is you", fields=fields, is_hidden=view.session.hidden)


def read_typed(view: TableView) -> dict[str, str]:
    """Read what was typed, by column; what was left empty is not known."""
    typed = {name: view.asked.first(field_name(number)) for number, name in enumerate(view.columns, start=1)}
    return {name: text for name, text in typed.items() if text.strip()}


def _fields(view: TableView, known: dict[str, str]) -> list[TypedField]:
    return [
        TypedField(field_name(number), field.column, _offered(field), _hint(field), known.get(field.column, ""))
        for number, field in enumerate(view.exploration.fields(), start=1)
    ]


def _offered(field: ValueField) -> tuple[str, ...]:
    return field.levels if len(field.levels) <= _MOST_LEVELS else ()


def _hint(field: ValueField) -> str:
    if field.levels:
        return f"one of {len(field.levels):,} values" if len(field.levels) > _MOST_LEVELS else ""
    return f"{field.low} to {field.high}"
