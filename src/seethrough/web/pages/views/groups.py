"""Groups of people: how often they are flagged, and their mean risk by one check, the furthest from the mean first."""

from dataclasses import dataclass

from markupsafe import Markup

from seethrough.exploring.answers.tables import RiskGroup
from seethrough.report.html import figures
from seethrough.report.pictures.diagnostic_pictures import Mark
from seethrough.results.diagnostics import Rate
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.addresses import AddressRefused, number_in
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.session.session import Session


@dataclass(frozen=True)
class GroupLine:
    """A group as it may be shown; `people_at` leads to its people where it is one level."""

    label: str
    people: int
    drawn: Markup
    mean: str
    interval: str
    away: str
    people_at: str


def page(session: Session, asked: Asked) -> Answer:
    """Show the groups of one column."""
    return show_tables(session, asked, "groups", _show)


def _show(view: TableView) -> Answer:
    number = number_in(view.query, "column", len(view.columns), "column") or _usual(view)
    groups = view.exploration.groups(view.columns[number - 1], view.release)
    checks = sorted({check for group in groups for check in group.risks})
    check = view.query.get("check", "")
    if check and check not in checks:
        raise AddressRefused("There is no such check with a risk for each person.")
    mean = _mean(groups, check)
    return view.show(
        "groups",
        "Groups",
        number=number,
        column=view.columns[number - 1],
        columns=view.columns,
        checks=checks,
        check=check,
        mean=f"{mean:.3f}",
        lines=tuple(_line(view, group, check, (number, mean)) for group in _furthest_first(groups, check, mean)),
    )


def _usual(view: TableView) -> int:
    """Begin with the first column that has levels."""
    kinds = {note.name: note.kind for note in view.report.column_notes}
    levelled = (number for number, name in enumerate(view.columns, 1) if kinds.get(name) != "numeric")
    return next(levelled, 1)


def _rate(group: RiskGroup, check: str) -> Rate | None:
    return group.risks.get(check) if check else group.flagged


def _furthest_first(groups: tuple[RiskGroup, ...], check: str, mean: float) -> list[RiskGroup]:
    def away(group: RiskGroup) -> float:
        rate = _rate(group, check)
        return -1.0 if rate is None else abs(rate.value - mean)

    return sorted(groups, key=away, reverse=True)


def _mean(groups: tuple[RiskGroup, ...], check: str) -> float:
    known = [(group.people, rate.value) for group in groups if (rate := _rate(group, check)) is not None]
    return sum(people * value for people, value in known) / max(sum(people for people, _ in known), 1)


def _line(view: TableView, group: RiskGroup, check: str, at: tuple[int, float]) -> GroupLine:
    (number, mean), rate = at, _rate(group, check)
    label = _label(view, group)
    leads = view.to("people", column=number, level=group.level) if group.level is not None else ""
    if rate is None:
        return GroupLine(label, group.people, Markup(""), "-", "", "", leads)
    drawn = Markup(figures.draw_row(Mark(label, rate, None, mean)))
    ends = f"{rate.low:.3f} to {rate.high:.3f}"
    return GroupLine(label, group.people, drawn, f"{rate.value:.3f}", ends, f"{rate.value - mean:+.3f}", leads)


def _label(view: TableView, group: RiskGroup) -> str:
    if group.level is None and group.merged:
        return f"{group.merged:,} small groups together"
    return f"level {group.level}" if view.session.hidden else group.label
