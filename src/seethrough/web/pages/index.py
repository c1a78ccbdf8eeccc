"""The page that an audit opens with: the step it has reached."""

from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.session.session import Session


def page(session: Session, asked: Asked) -> Answer:
    """Lead to the step that the audit has reached, whatever was asked of the folder itself."""
    if asked.form is None and session.report is not None and session.state not in {"waiting", "running"}:
        return redirect("verdict")
    return redirect("run" if session.state in {"waiting", "running", "stopped", "failed"} else "files")
