"""All checks of a release on one line each: the score between its controls, and what it says of the person at hand."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from seethrough.exploring.answers.persons import CheckFlag
from seethrough.plugins import catalog
from seethrough.report.html import figures
from seethrough.report.pictures import score_pictures
from seethrough.report.words import facts, position, readings, wording
from seethrough.results.card import Card, Category, Evidence
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.addresses import choice_in
from seethrough.web.pages.asking.looking import PageView, show_found
from seethrough.web.pages.pieces.beyond import beyond_outsiders
from seethrough.web.pages.question import chosen_checks
from seethrough.web.pages.run import UNDER_WAY
from seethrough.web.session.session import Session

_SORTS = ("kind", "check", "risk", "place", "outside", "flagged")
_UNITS = ("risk", "raw")


@dataclass(frozen=True)
class ScoreLine:
    """One check; `status` is "measured", "skipped", "failed" or "waiting", and then `why` says why it has no score."""

    check: str
    title: str
    kind: str
    category: str
    status: str
    why: str = ""
    strip: str = ""
    score: str = ""
    interval: str = ""
    raw: str = ""
    reading: str = ""
    beyond: str = ""
    flagged: str = ""
    of_outside: str = ""
    conditions: str = ""
    risk: float | None = None
    share: float | None = None


def page(session: Session, asked: Asked) -> Answer:
    """Show the scores."""
    return show_found(session, asked, "scores", _show)


def _show(view: PageView) -> Answer:
    sort = choice_in(view.query, "sort", _SORTS, "kind")
    kind = choice_in(view.query, "kind", [each.value for each in Evidence], "")
    category = choice_in(view.query, "category", [each.value for each in Category], "")
    unit = choice_in(view.query, "unit", _UNITS, "risk")
    flags = _flags(view)
    lines = [*(_line(view, outcome, flags.get(outcome.check)) for outcome in view.outcomes), *_missing(view)]
    kept = [line for line in lines if kind in ("", line.kind) and category in ("", line.category)]
    chosen = {"kind": kind, "category": category, "unit": "" if unit == "risk" else unit}
    return view.show(
        "scores",
        "Scores",
        lines=sorted(kept, key=_ORDERS[sort]),
        sorts={name: view.to("scores", sort=name, **chosen) for name in _SORTS},
        sort=sort,
        kind=kind,
        category=category,
        unit=unit,
        kinds=[("", "all kinds"), *((each.value, each.value) for each in Evidence)],
        categories=[("", "all questions"), *((each.value, each.value) for each in Category)],
        measured=sum(line.status == "measured" for line in lines),
        total=len(lines),
        so_far=_so_far(view),
    )


def _missing(view: PageView) -> list[ScoreLine]:
    """List the checks that are still to come, or were not come to; none where there is a report."""
    if view.session.report is not None:
        return []
    found, known = {outcome.check for outcome in view.outcomes}, catalog.load()
    names = [name for name in chosen_checks(view.session.settings) if name not in found]
    why = "still to come" if view.session.state in UNDER_WAY else "not measured"
    return [ScoreLine(*_head(known[name].card), "waiting", why) for name in names]


def _so_far(view: PageView) -> str:
    """Say that there is more to come, or that there is not though there should be."""
    if view.session.report is not None:
        return ""
    return (
        "The run is under way." if view.session.state in UNDER_WAY else "Incomplete, no verdict: the run did not end."
    )


def _flags(view: PageView) -> dict[str, CheckFlag]:
    if view.exploration is None or view.person is None:
        return {}
    return {flag.check: flag for flag in view.exploration.flags(view.person, view.release)}


def _line(view: PageView, outcome: Outcome, flag: CheckFlag | None) -> ScoreLine:
    head = _head(outcome.card)
    match outcome:
        case Skipped(reason=why):
            return ScoreLine(*head, "skipped", why, beyond=beyond_outsiders(outcome, view.evidence))
        case Failed(error=why):
            return ScoreLine(*head, "failed", why, beyond=beyond_outsiders(outcome, view.evidence))
        case Measured(risk=risk):
            return ScoreLine(
                *head,
                "measured",
                strip=Markup(figures.draw_row(score_pictures.strip(outcome))),
                score=wording.format_fixed(risk.value),
                interval=wording.span(risk),
                raw=facts.raw_value(outcome),
                reading=readings.brief_reading(outcome),
                beyond=beyond_outsiders(outcome, view.evidence),
                flagged=say_flag(flag),
                of_outside=say_of_outside(flag),
                conditions=_conditions(view, outcome.check),
                risk=risk.value,
                share=position.place(outcome).share,
            )


def _head(card: Card) -> tuple[str, str, str, str]:
    return card.name, card.title, card.evidence.value, card.category.value


def say_flag(flag: CheckFlag | None) -> str:
    """Say whether a check flags the person."""
    if flag is None or flag.flagged is None:
        return "-"
    return "yes" if flag.flagged else "no"


def say_of_outside(flag: CheckFlag | None) -> str:
    """Say how many of 100 people outside are flagged as well."""
    return "" if flag is None or flag.outside is None else f"{flag.outside:.0f} of 100 outside"


def _conditions(view: PageView, check: str) -> str:
    """Say how many conditions of a check hold here."""
    if view.exploration is None:
        return ""
    found = view.exploration.conditions(check, view.release)
    failed = sum(not each.holds for each in found)
    return "yes" if not failed else f"{failed} of {len(found)} fail"


_KINDS = [each.value for each in Evidence]
_STATES = ("measured", "failed", "skipped", "waiting")
_ORDERS: dict[str, Callable[[ScoreLine], tuple[object, ...]]] = {
    "kind": lambda line: (_STATES.index(line.status), _KINDS.index(line.kind), line.check),
    "check": lambda line: (line.check,),
    "risk": lambda line: (line.risk is None, -(line.risk or 0.0), line.check),
    "place": lambda line: (line.share is None, -(line.share or 0.0), line.check),
    "outside": lambda line: (line.beyond == "", line.beyond != "shows more than people outside", line.check),
    "flagged": lambda line: (line.flagged != "yes", line.flagged == "-", line.check),
}
