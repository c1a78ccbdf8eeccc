"""The page of the verdict: one sentence, three findings in people out of 100, what to do next, what was not tested."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from seethrough.report.html.audit_page import render_fragment
from seethrough.report.sections import next_steps
from seethrough.report.sections.several.matrix import SEVERITIES, matrix
from seethrough.report.words import artefact_text, evidence_text, missing_inputs
from seethrough.results.diagnostics import Artefact
from seethrough.results.evidence import Finding, Grade, ReleaseEvidence
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS, NAMES, QUESTIONS
from seethrough.results.levers.advice import Advice, AdviceRule
from seethrough.web.messages import Answer, Asked, not_found, redirect
from seethrough.web.pages.asking.addresses import AddressRefused
from seethrough.web.pages.asking.person_bar import PersonBar, make_bar
from seethrough.web.pages.asking.picking import asked_person
from seethrough.web.pages.framing import make_frame
from seethrough.web.pages.question import chosen_checks
from seethrough.web.pages.run import UNDER_WAY, count_missing
from seethrough.web.rendering import render
from seethrough.web.session.session import Session

_MOST_ADVICE = 5
_LATER = "What follows from the findings is said as soon as the report is complete."
_PAGES = {
    AdviceRule.NO_OUTSIDERS: ("files", "give people who were kept out"),
    AdviceRule.MORE_OUTSIDERS: ("files", "give more people who were kept out"),
    AdviceRule.LEAST_LEAK: ("compare", "compare the releases"),
    AdviceRule.FEWER_FILES: ("compare", "compare the releases"),
    AdviceRule.ATTRIBUTE_KEYS: ("whatif", "try it"),
    AdviceRule.FEWER_ROWS: ("whatif", "try it"),
    AdviceRule.COPIED_ROWS: ("whatif", "try it"),
    AdviceRule.MEASURE_CHANGES: ("whatif", "try changes"),
    AdviceRule.SMALL_GROUPS: ("groups", "see the groups"),
    AdviceRule.EXPOSED_PEOPLE: ("people", "see these people"),
}
"""Where the tool does what a line of advice says."""


@dataclass(frozen=True)
class DotRow:
    """A hundred people: so many found anyway, so many more because of the release; `says` is the same in words."""

    anyway: int
    added: int
    anyway_is: str
    added_is: str

    @property
    def says(self) -> str:
        """Say what the dots show."""
        others = 100 - self.anyway - self.added
        return f"Of 100: {self.anyway} {self.anyway_is}, {self.added} {self.added_is}, {others} not."


@dataclass(frozen=True)
class ShownFinding:
    """A finding as the page shows it."""

    name: str
    question: str
    grade: str
    severity: str
    sentence: str
    detail: str
    dots: DotRow | None


@dataclass(frozen=True)
class ShownSign:
    """A sign of real rows that goes beyond chance."""

    title: str
    sentence: str


@dataclass(frozen=True)
class ShownRelease:
    """The verdict on one release."""

    number: int
    name: str
    grade: str
    severity: str
    sentence: str
    findings: tuple[ShownFinding, ...]
    signs: tuple[ShownSign, ...] = ()
    remarks: tuple[str, ...] = ()
    rests_on: str = ""


@dataclass(frozen=True)
class AdviceLine:
    """What to do, and the page that does it."""

    action: str
    reason: str
    page: str
    link: str


def page(session: Session, asked: Asked) -> Answer:
    """Show the verdict, or as much of it as there is."""
    if asked.form is not None:
        return redirect("verdict")
    try:
        return _show(session, bar_of(session, asked, "verdict"))
    except AddressRefused as refused:
        return not_found(str(refused))


def _show(session: Session, bar: PersonBar | None) -> Answer:
    report = session.report
    is_incomplete = session.state in {"stopped", "failed"} and report is None
    html = render(
        "verdict",
        make_frame(session, "verdict", "Verdict"),
        releases=tuple(_releases(session)),
        matrix=_matrix(session),
        is_under_way=session.state in UNDER_WAY,
        incomplete=session.why or "The run has not ended." if is_incomplete else "",
        has_several=len(report.tables if report is not None else session.files["synthetic"]) > 1,
        to_come=_to_come(session) if session.state == "running" else "",
        advice=tuple(_advice(session)),
        no_advice=next_steps.NOTHING if report is not None else _LATER,
        not_tested=missing_inputs.missing(report) if report is not None else (missing_inputs.OTHER_ATTACKS,),
        bar=bar,
    )
    return Answer(200, html=html)


def _to_come(session: Session) -> str:
    """Say what a run that is under way has still to do."""
    releases, attacked = max(len(session.files["synthetic"]), 1), len(session.evidence)
    checks = len(chosen_checks(session.settings)) * releases
    rest = f"{count_missing(session)} of {checks} checks still to come"
    if attacked < releases:
        return f"{rest}; the attacks on {attacked} of {releases} releases have ended."
    return f"{rest}; the verdict rests on the attacks, which have ended."


def bar_of(session: Session, asked: Asked, to: str) -> PersonBar | None:
    """Make the bar of the picked person; None before the run has ended."""
    exploration = session.exploration
    if exploration is None or exploration.report is None:
        return None
    return make_bar(session, exploration, asked_person(session, exploration, asked.query), to, asked.query)


def _releases(session: Session) -> Iterator[ShownRelease]:
    if session.report is None:
        for number, (name, evidence) in enumerate(session.evidence.items(), 1):
            yield show_release(number, name, evidence)
        return
    for number, table in enumerate(session.report.tables, 1):
        if table.evidence is not None:
            yield show_release(number, table.synthetic.name, table.evidence, table.exhibits.artefacts)


def show_release(number: int, name: str, evidence: ReleaseEvidence, artefacts: Sequence[Artefact] = ()) -> ShownRelease:
    """Put the verdict on one release in the report's words."""
    verdict = evidence.verdict
    reasons = {finding.cannot_tell for finding in evidence.findings}
    is_told = any(finding.grade is not Grade.CANNOT_TELL for finding in evidence.findings) or len(reasons) > 1
    return ShownRelease(
        number,
        name,
        _capital(evidence_text.grade_name(verdict.grade)),
        SEVERITIES[verdict.grade].value,
        verdict.sentence,
        tuple(map(show_finding, evidence.findings)) if is_told else (),
        tuple(
            ShownSign(artefact_text.title(each), artefact_text.sentence(each))
            for each in artefact_text.showing(artefacts)
        ),
        tuple(evidence_text.remarks(evidence)),
        evidence_text.smallest_print(evidence) if evidence.sizes.members else "",
    )


def show_finding(finding: Finding) -> ShownFinding:
    """Put a finding in words and dots."""
    return ShownFinding(
        NAMES[finding.family],
        _capital(QUESTIONS[finding.family]),
        _capital(evidence_text.grade_name(finding.grade)),
        SEVERITIES[finding.grade].value,
        evidence_text.finding_sentence(finding),
        evidence_text.finding_detail(finding),
        dots_of(finding),
    )


def dots_of(finding: Finding) -> DotRow | None:
    """Lay a finding out as a hundred people, or pairs; nothing where it could not be told."""
    if finding.members is None or finding.outsiders is None or finding.grade is Grade.CANNOT_TELL:
        return None
    members = min(max(round(100 * finding.members), 0), 100)
    if finding.measure == IN_PAIRS:
        return DotRow(min(50, members), max(members - 50, 0), "pairs by chance", "added by the release")
    anyway = min(max(round(100 * finding.outsiders), 0), members)
    is_rate = finding.measure.startswith(AT_RATE)
    return DotRow(anyway, members - anyway, "by false alarm" if is_rate else "anyway", "added by the release")


def _matrix(session: Session) -> Markup | None:
    report = session.report
    return render_fragment((matrix(report),)) if report is not None and len(report.tables) > 1 else None


def _advice(session: Session) -> Iterator[AdviceLine]:
    if session.report is None:
        return
    tables = session.report.tables
    lines = [*session.report.advice_on_all_files, *(each for table in tables for each in table.advice)]
    for each in lines[:_MOST_ADVICE]:
        yield _line(each)


def _line(advice: Advice) -> AdviceLine:
    to, link = _PAGES.get(advice.rule, ("", ""))
    return AdviceLine(advice.action, advice.reason, to, link)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
