"""What stands around a page of an open audit: its steps, and after the run the list of pages at its side."""

from typing import Protocol

from seethrough.web.rendering import JourneyStep, PageFrame, SideEntry

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
_REACHED = {"empty": 1, "files": 1, "ready": 4, "waiting": 4, "running": 4, "stopped": 5, "failed": 5, "done": 5}
"""How many steps are open in a state."""
_UNDER_WAY = frozenset({"waiting", "running"})
_LACKS = {
    "columns": "needs a real table",
    "question": "needs a real table",
    "run": "needs a real table and a release",
    "verdict": "comes from the run",
}


class Framed(Protocol):
    """What a session tells about itself around a page."""

    name: str
    state: str
    warning: str

    @property
    def has_verdict(self) -> bool:
        """Tell whether there is a verdict to show, be it before the last check."""


def make_frame(session: Framed, page: str, title: str, depth: int = 0) -> PageFrame:
    """Put a page of an audit in its frame; `page` is the first part of its address, `depth` counts the others."""
    is_after = session.has_verdict or session.state in {"done", "stopped"}
    return PageFrame(
        title=title,
        audit=session.name,
        depth=depth,
        steps=tuple(_step(session, number, page) for number in range(len(STEPS))),
        side=tuple(SideEntry(to, name, key, to == page) for to, name, key in SIDE) if is_after else (),
        warning=session.warning,
        announces="events" if session.state in _UNDER_WAY else "",
    )


def _step(session: Framed, number: int, page: str) -> JourneyStep:
    to, name = STEPS[number]
    reached = len(STEPS) if session.has_verdict else _REACHED[session.state]
    if to == page:
        return JourneyStep(to, name, "here")
    if number >= reached:
        return JourneyStep(to, name, "closed", _LACKS.get(to, ""))
    return JourneyStep(to, name, "done" if _is_passed(session, to) else "open")


def _is_passed(session: Framed, page: str) -> bool:
    """Tell whether a step has been taken: defaults of columns and question are passed once the run has begun."""
    match page:
        case "files":
            return session.state not in {"empty", "files"}
        case "verdict":
            return session.has_verdict
        case "run":
            return session.state == "done"
        case _:
            return session.state in {"done", "stopped", "failed", *_UNDER_WAY}
