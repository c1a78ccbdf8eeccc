"""Pages of the tool, made in a worker: one module a page, from answers of an exploration to a template."""

from collections.abc import Callable
from html import escape
from importlib import import_module
from importlib.util import find_spec

from seethrough.web.messages import Answer, Asked
from seethrough.web.session.session import Session

Page = Callable[[Session, Asked], Answer]

MODULES = {
    "index": "index",
    "files": "files",
    "columns": "columns",
    "question": "question",
    "run": "run",
    "verdict": "verdict",
    "scores": "views.scores",
    "checks": "views.check",
    "person": "views.person",
    "attacker": "views.attacker",
    "people": "views.people",
    "column": "views.column",
    "groups": "views.groups",
    "map": "views.map",
    "compare": "views.compare",
    "whatif": "views.whatif",
    "take": "take",
    "hide": "views.hiding",
}
"""Names of pages, and the module here whose `page` makes each; loaded when first asked for."""
PAGES: dict[str, Page] = {}
"""Pages that are loaded."""


def find_page(name: str) -> Page | None:
    """Find what makes a page; None where nothing does."""
    if name not in PAGES and name in MODULES:
        module = f"{__name__}.{MODULES[name]}"
        if find_spec(module) is not None:
            PAGES[name] = import_module(module).page
    return PAGES.get(name)


def make_page(session: Session, asked: Asked) -> Answer:
    """Make the page that is asked for."""
    page = find_page(asked.page)
    if page is None:
        title = escape(asked.page)
        return Answer(501, html=f"<!doctype html><title>{title}</title><h1>{title}</h1><p>Not built yet.</p>")
    return page(session, asked)
