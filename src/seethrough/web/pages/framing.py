"""What stands around a page of an open audit: its steps, and after the run the list of pages at its side."""

from seethrough.web.rendering import JourneyStep, PageFrame, SideEntry
from seethrough.web.session.session import Session

STEPS = (("files", "Files"), ("columns", "Columns"), ("question", "Question"), ("run", "Run"), ("verdict", "Verdict"))
SIDE = (
    ("verdict", "Verdict", "g v"),
    ("scores", "Scores", "g s"),
    ("attacker", "Attacker", "g a"),
    ("people", "People", "g p"),
    ("columns", "Columns", "g c"),
    ("groups", "Groups", "g g"),
    ("map", "Map", "g m"),
    ("compare", "Compare", "g o"),
    ("whatif", "What if", "g w"),
    ("take", "Take away", "g t"),
)
"""Pages beside a verdict, with the keys that open them."""
_UNDER_WAY = frozenset({"waiting", "running"})
_LACKS = {
    "columns": "needs a real table",
    "question": "needs a real table",
    "run": "needs a real table and a release",
    "verdict": "comes from the run",
}


def make_frame(session: Session, page: str, title: str, depth: int = 0) -> PageFrame:
    """Put a page of an audit in its frame; `page` is the first part of its address, `depth` counts the others."""
    is_after = has_results(session)
    return PageFrame(
        title=title,
        audit=session.name or next((file.label for file in session.files["synthetic"]), ""),
        depth=depth,
        steps=tuple(_step(session, to, name, page) for to, name in STEPS),
        side=tuple(SideEntry(to, name, key, to == page) for to, name, key in SIDE) if is_after else (),
        warning=session.warning,
        announces="events" if session.state in _UNDER_WAY else "",
    )


def has_results(session: Session) -> bool:
    """Tell whether there is something to show of a run, be it before its last check."""
    return session.report is not None or bool(session.evidence)


def _step(session: Session, page: str, name: str, here: str) -> JourneyStep:
    if page == here:
        return JourneyStep(page, name, "here")
    if not _is_open(session, page):
        return JourneyStep(page, name, "closed", _LACKS.get(page, ""))
    return JourneyStep(page, name, "done" if _is_passed(session, page) else "open")


def _is_open(session: Session, page: str) -> bool:
    match page:
        case "files":
            return True
        case "columns" | "question":
            return bool(session.columns)
        case "run":
            return session.state not in {"empty", "files"} or session.report is not None
        case _:
            return has_results(session)


def _is_passed(session: Session, page: str) -> bool:
    """Tell whether a step has been taken: defaults of columns and question are passed once the run has begun."""
    match page:
        case "files":
            return session.state not in {"empty", "files"}
        case "verdict" | "run":
            return session.state == "done"
        case _:
            return session.state in {"done", "stopped", "failed", *_UNDER_WAY}
