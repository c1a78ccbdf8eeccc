"""Hiding all values, and showing them again: a state of the open audit, so that hidden values never leave it."""

from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.views.person import lead_back
from seethrough.web.session.session import Session


def page(session: Session, asked: Asked) -> Answer:
    """Hide or show, and lead back to the page at hand."""
    session.hidden = asked.first("hidden") == "yes"
    return redirect(lead_back(asked, {}))
