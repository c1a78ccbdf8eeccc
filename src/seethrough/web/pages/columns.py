"""The page of columns: how each was understood, and what the user makes of it."""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from markupsafe import Markup

from seethrough.report.html.audit_page import render_fragment
from seethrough.report.sections.blocks import Block, Fold
from seethrough.report.sections.exposure import likeness
from seethrough.results.report import ColumnNote, TableAudit
from seethrough.web.messages import Answer, Asked, conflict, not_found, redirect
from seethrough.web.pages.framing import make_frame
from seethrough.web.rendering import render
from seethrough.web.session.session import ColumnUnderstood, Session
from seethrough.web.session.settings import SettingsChanged

KINDS = (("numeric", "numeric"), ("categorical", "categorical"), ("binary", "binary"), ("date", "date"))
ROLES = (("", "none"), ("secret", "secret"), ("key", "key"), ("id", "id"), ("ignore", "ignore"))
MOST_RELEASES = 3
"""Releases whose columns are drawn here; the page of a column shows any."""
PER_PAGE = 100
"""Columns of a page; one of a thousand columns would be too heavy."""
_READ_ONLY = "This audit is open in another Seethrough, so nothing can be changed here."
_UNDER_WAY = "Nothing can be changed while the run is under way."
_NO_TABLES = "To read columns another way, give the tables on the page Files."


def page(session: Session, asked: Asked) -> Answer:
    """Show the columns, or change how they are read."""
    if asked.form is None:
        return _show(session, asked)
    if why := why_fixed(session):
        return conflict(why)
    if "schema" in asked.form:
        return _give_schema(session, asked.first("schema"))
    return _change(session, asked)


def why_fixed(session: Session) -> str:
    """Say why nothing can be changed; empty where everything can."""
    if session.is_read_only:
        return _READ_ONLY
    if session.state in {"waiting", "running"}:
        return _UNDER_WAY
    return "" if session.desk is not None and session.files["real"] else _NO_TABLES


def _show(session: Session, asked: Asked, said: str = "") -> Answer:
    number = asked.query.get("page", "1")
    columns = session.columns or _as_reported(session)
    pages = max(ceil(len(columns) / PER_PAGE), 1)
    if not number.isdecimal() or not 1 <= int(number) <= pages:
        return not_found("There is no such page of columns.")
    first = (int(number) - 1) * PER_PAGE
    html = render(
        "columns",
        make_frame(session, "columns", "Columns"),
        rows=tuple(enumerate(columns[first : first + PER_PAGE], first + 1)),
        views=_views(session),
        version=session.settings.version,
        first=first,
        kinds=KINDS,
        roles=ROLES,
        is_fixed=why_fixed(session),
        likeness=_likeness(session),
        pages=pages,
        page_number=int(number),
        said=said,
    )
    return Answer(200, html=html)


def _as_reported(session: Session) -> tuple[ColumnUnderstood, ...]:
    """Give the columns as a report has them whose tables were not given here."""
    notes = session.report.column_notes if session.report is not None else ()
    return tuple(ColumnUnderstood(note.name, note.kind, note.role, _counted(note), "-", note.reason) for note in notes)


def _counted(note: ColumnNote) -> str:
    levels = "" if note.levels is None else f"{note.levels:,} level{'' if note.levels == 1 else 's'}"
    missing = "" if note.missing is None else f"{note.missing:,} missing"
    return ", ".join(filter(None, (levels, missing))) or "-"


def _views(session: Session) -> Mapping[str, int]:
    """Give the columns that have a page of their own, with their number there."""
    if session.exploration is None or session.report is None:
        return {}
    return {name: number for number, name in enumerate(session.exploration.columns, 1)}


def _likeness(session: Session) -> tuple[tuple[str, Markup], ...]:
    """Draw how the columns of each release are distributed; nothing while values are hidden."""
    if session.report is None or session.hidden:
        return ()
    return tuple(
        (table.synthetic.name, render_fragment(_opened(table), 3, f"release-{number}"))
        for number, table in enumerate(session.report.tables[:MOST_RELEASES], 1)
    )


def _opened(table: TableAudit) -> tuple[Block, ...]:
    listed = (block for part in likeness.parts(table) for block in part.blocks if part.title == likeness.FIDELITY)
    return tuple(replace(block, is_open=True) if isinstance(block, Fold) else block for block in listed)


def _give_schema(session: Session, text: str) -> Answer:
    assert session.desk is not None
    if problem := session.desk.give_schema(text):
        return _show(session, Asked("columns"), problem)
    return redirect("columns")


def _change(session: Session, asked: Asked) -> Answer:
    assert session.desk is not None
    version = asked.first("version")
    try:
        session.change(int(version) if version.isdecimal() else None, **changes_of(session, asked))
    except SettingsChanged as changed:
        return conflict(f"Meanwhile changed in another tab: {changed}. Reload, then make your change again.")
    session.desk.understand()
    first = asked.first("from", "0")
    number = int(first) // PER_PAGE + 1 if first.isdecimal() else 1
    return redirect(f"columns?page={number}" if number > 1 else "columns")


def changes_of(session: Session, asked: Asked) -> Mapping[str, object]:
    """Read from the form which kinds and roles differ from what is shown; secrets and keys are lists of their own."""
    settings = session.settings
    kinds, roles = dict(settings.kinds), dict(settings.roles)
    secrets, keys = list(_with_role(session, "secret")), list(_with_role(session, "key"))
    for number, column in enumerate(session.columns, 1):
        kind, role = _asked_of(asked, number, column)
        if kind != column.kind:
            kinds[column.name] = kind
        if role == column.role:
            continue
        secrets, keys = ([each for each in listed if each != column.name] for listed in (secrets, keys))
        roles.pop(column.name, None)
        match role:
            case "secret":
                secrets.append(column.name)
            case "key":
                keys.append(column.name)
            case _:
                roles[column.name] = role
    return {"kinds": kinds, "roles": roles, "secrets": tuple(secrets), "keys": tuple(keys)}


def _with_role(session: Session, role: str) -> tuple[str, ...]:
    return tuple(column.name for column in session.columns if column.role == role)


def _asked_of(asked: Asked, number: int, column: ColumnUnderstood) -> tuple[str, str]:
    """Give kind and role as asked for; what the form does not have, or no list offers, stays as it is."""
    kind, role = asked.first(f"kind-{number}", column.kind), asked.first(f"role-{number}", column.role)
    if asked.first("use") == str(number):
        role = ""
    return kind if kind in dict(KINDS) else column.kind, role if role in dict(ROLES) else column.role
