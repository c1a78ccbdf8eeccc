"""One page per check: question, answer, the score between its controls, all people's risks, and a worked example."""

from markupsafe import Markup

from seethrough.plugins import catalog
from seethrough.protocols.parameters import Parameter
from seethrough.report.html import figures
from seethrough.report.pictures import score_pictures
from seethrough.report.words import explanation, facts, readings
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.addresses import AddressRefused
from seethrough.web.pages.asking.looking import PageView, show_found
from seethrough.web.pages.pieces.beyond import beyond_outsiders, leak_sentence
from seethrough.web.pages.pieces.check_pictures import column_picture, draw_histogram, draw_members_found
from seethrough.web.pages.pieces.working import work_through
from seethrough.web.pages.run import UNDER_WAY
from seethrough.web.session.session import Session


def page(session: Session, asked: Asked) -> Answer:
    """Show a check of the audit, or what it would ask where it was not run."""
    name = asked.path.get("name", "")
    return show_found(session, asked, f"checks/{name}", lambda view: _show(view, name))


def _show(view: PageView, name: str) -> Answer:
    outcome = next((each for each in view.outcomes if each.check == name), None)
    if outcome is None:
        return _not_run(view, name)
    return view.show(
        "check",
        outcome.card.title,
        outcome=outcome,
        card=outcome.card,
        answers=_answers(view, outcome),
        beyond=beyond_outsiders(outcome, view.evidence),
        strip=_strip(outcome),
        numbers=facts.numbers(outcome) if isinstance(outcome, Measured) else (),
        warnings=outcome.measurement.warnings if isinstance(outcome, Measured) else (),
        histogram=draw_histogram(view, outcome),
        members_found=draw_members_found(view, outcome),
        column=column_picture(view, outcome),
        conditions=_conditions(view, name),
        worked=work_through(view, outcome),
        explained=_explained(name),
    )


def _not_run(view: PageView, name: str) -> Answer:
    known = catalog.load()
    if name not in known:
        raise AddressRefused("There is no such check.")
    card, is_to_come = known[name].card, view.session.state in UNDER_WAY
    return view.show("check_not_run", card.title, card=card, explained=_explained(name), is_to_come=is_to_come)


def _answers(view: PageView, outcome: Outcome) -> tuple[str, ...]:
    """Say what came out, in a sentence or two."""
    match outcome:
        case Skipped(reason=why):
            return (f"Skipped: {why}.",)
        case Failed(error=why):
            return (f"Failed: {why}.", "This is a defect of the check; it says nothing about the release.")
        case Measured():
            return tuple(filter(None, (leak_sentence(outcome, view.evidence), readings.reading(outcome))))


def _strip(outcome: Outcome) -> Markup | None:
    if not isinstance(outcome, Measured):
        return None
    return Markup(figures.draw(score_pictures.strip(outcome), "strip"))


def _conditions(view: PageView, name: str) -> tuple[object, ...]:
    return () if view.exploration is None else tuple(view.exploration.conditions(name, view.release))


def _explained(name: str) -> dict[str, object] | None:
    known = catalog.load()
    if name not in known:  # of a report that another version wrote, or with another plug-in
        return None
    found = explanation.explain(known[name])
    return {
        "formula": found.card.formula,
        "facts": found.facts,
        "parameters": tuple(_parameter(each) for each in found.parameters),
        "sections": found.sections,
    }


def _parameter(parameter: Parameter) -> tuple[str, str, str]:
    return parameter.name, explanation.kind(parameter), explanation.default(parameter)
