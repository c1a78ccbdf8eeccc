"""Comparing releases: those of this audit, a person across them, and other audits of the same real table."""

from dataclasses import dataclass

from seethrough.report.html import audit_page
from seethrough.report.sections.several import comparison, together
from seethrough.report.words import evidence_text
from seethrough.web.messages import Answer, Asked
from seethrough.web.pages.asking.looking import View, show_view
from seethrough.web.pages.pieces.other_audits import same_real_table
from seethrough.web.session.session import Session


@dataclass(frozen=True)
class AcrossLine:
    """One check, and what it says of the person at hand on each release."""

    check: str
    risks: tuple[str, ...]
    flagged: tuple[bool, ...]


def page(session: Session, asked: Asked) -> Answer:
    """Compare what there is to compare."""
    return show_view(session, asked, "compare", _show)


def _show(view: View) -> Answer:
    report = view.report
    several = len(report.tables) > 1
    sections = (*comparison.sections(report), *together.sections(report)) if several else ()
    return view.show(
        "compare",
        "Compare",
        several=several,
        sections=audit_page.render_sections(sections),
        names=view.releases,
        across=across(view) if several else (),
        others=same_real_table(view.session, report),
        grade=evidence_text.grade_name(report.verdict.grade),
    )


def across(view: View) -> tuple[AcrossLine, ...]:
    """Put what the checks say of the person at hand on all releases side by side."""
    exploration, person = view.exploration, view.person
    if exploration is None or person is None:
        return ()
    found = [
        {flag.check: flag for flag in exploration.flags(person, number)} for number in range(len(view.report.tables))
    ]
    checks = [check for check in found[0] if any(flags[check].risk is not None for flags in found if check in flags)]
    return tuple(
        AcrossLine(
            check,
            tuple(
                "-" if (flag := flags.get(check)) is None or flag.risk is None else f"{flag.risk:.2f}"
                for flags in found
            ),
            tuple(bool(flag and flag.flagged) for flags in found for flag in (flags.get(check),)),
        )
        for check in checks
    )
