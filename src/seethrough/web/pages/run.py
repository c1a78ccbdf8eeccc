"""The page of the run: how far it is, what has been measured so far, and how to stop it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from seethrough.report import untrusted
from seethrough.report.words import wording
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Controls, Failed, Measured, Outcome, Skipped
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.framing import has_results, make_frame
from seethrough.web.pages.question import chosen_checks, say_cost
from seethrough.web.rendering import duration, render
from seethrough.web.session.session import Session

UNDER_WAY = frozenset({"waiting", "running"})
_SURE = 0.05
"""Share of the run from which on the time left is said."""


@dataclass(frozen=True)
class CheckLine:
    """One check on one release: done with its score, or what is to be said instead."""

    check: str
    state: str
    score: str = ""
    between: str = ""
    time: str = ""
    said: str = ""


@dataclass(frozen=True)
class AttackLine:
    """One attack behind the verdict that has ended, and why it gave no answer."""

    attack: str
    time: str
    said: str = ""


@dataclass(frozen=True)
class ReleaseLines:
    """The checks of one release."""

    name: str
    lines: tuple[CheckLine, ...]


def page(session: Session, asked: Asked) -> Answer:
    """Show the run."""
    if asked.form is not None:
        return redirect("run")
    state = session.state
    missing = count_missing(session)
    html = render(
        "run",
        make_frame(session, "run", "Run"),
        state=state,
        why=session.why,
        waits=_waits(session.place),
        percent=round(100 * _share(session)),
        left=_left(session),
        doing=_doing(session),
        is_under_way=state in UNDER_WAY,
        opens_verdict=state in UNDER_WAY and not session.evidence,
        verdict_there=f"{missing} checks are still to come" if state == "running" and has_results(session) else "",
        can_run=bool(session.files["real"] and session.files["synthetic"]) and not session.is_read_only,
        is_settling=bool(session.files["real"]) and not session.columns and state not in UNDER_WAY,
        is_read_only=session.is_read_only,
        cost=say_cost(session),
        has_scores=bool(session.outcomes) and session.report is None,
        attacks=tuple(_attacks(session)),
        releases=tuple(_releases(session)),
        latest=_latest(session),
    )
    return Answer(200, html=html)


def count_missing(session: Session) -> int:
    """Count the checks that are still to come, over all releases."""
    releases = max(len(session.files["synthetic"]), 1)
    return max(len(chosen_checks(session.settings)) * releases - len(session.outcomes), 0)


def _waits(place: int) -> str:
    before = "Another audit runs" if place <= 1 else f"{place} other audits run"
    return f"{before} before this one; it begins by itself."


def _share(session: Session) -> float:
    found = session.progress
    return min(found.done / found.steps, 1.0) if found is not None and found.steps else 0.0


def _left(session: Session) -> str:
    share = _share(session)
    if share < _SURE or not session.began:
        return ""
    return f"about {duration((time.monotonic() - session.began) * (1 - share) / share)}"


def _doing(session: Session) -> str:
    return f"Now: {untrusted.visible(session.progress.doing, 80)}" if session.progress is not None else "Beginning"


def _attacks(session: Session) -> Iterator[AttackLine]:
    """List the attacks behind the verdict that have ended, in the order in which they did."""
    if session.progress is None or session.state != "running" or session.outcomes:
        return  # the verdict lists them with what they found
    for ended in session.progress.attacks:
        said = f"no answer, {untrusted.visible(ended.said, 200)}" if ended.said else ""
        yield AttackLine(untrusted.visible(ended.name, 80), wording.duration(ended.seconds), said)


def _releases(session: Session) -> Iterator[ReleaseLines]:
    """List what was measured and what waits, for each release."""
    names = list(dict.fromkeys(name for name, _ in session.outcomes))
    if not names and session.state not in UNDER_WAY:
        return
    doing = session.progress.doing if session.evidence and session.progress and session.state == "running" else ""
    for name in names or [""]:
        found = {outcome.check: outcome for release, outcome in session.outcomes if release == name}
        lines = [_line(outcome) for outcome in found.values()]
        waiting = [check for check in chosen_checks(session.settings) if check not in found]
        said = "waiting" if session.state in UNDER_WAY else "not measured"
        lines += [
            CheckLine(check, "waiting", said="under way" if check in doing.split() else said) for check in waiting
        ]
        yield ReleaseLines(name, tuple(lines))


def _line(outcome: Outcome) -> CheckLine:
    match outcome:
        case Measured():
            score, between = wording.format_fixed(outcome.risk.value), _between(outcome.controls)
            return CheckLine(outcome.check, "done", score, between, wording.duration(outcome.seconds))
        case Skipped(reason=reason):
            return CheckLine(outcome.check, "skipped", said=f"skipped: {untrusted.visible(reason, 200)}")
        case Failed(error=error):
            return CheckLine(outcome.check, "failed", said=f"failed: {untrusted.visible(error, 200)}")


def _between(controls: Controls) -> str:
    ends = controls.independent, controls.copy
    low, high = (wording.format_fixed(end.value) if isinstance(end, Estimate) else "?" for end in ends)
    return f"{low} and {high}"


def _latest(session: Session) -> str:
    """Say what ended last, for who listens instead of looking."""
    match session.state, session.outcomes:
        case "running", [*_, (_, outcome)]:
            line = _line(outcome)
            return f"{line.check}: {line.score or line.said}"
        case "running", [] if session.progress is not None and session.progress.attacks:
            return f"The attack {untrusted.visible(session.progress.attacks[-1].name, 80)} has ended."
        case "done", _:
            return "The run has ended."
        case _:
            return ""
