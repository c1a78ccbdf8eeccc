"""Sessions of small audits that have run, for tests of the pages after a run; each is made once."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import mkdtemp

import polars as pl

import seethrough as st
from seethrough.data.samples import acs_release
from seethrough.web.messages import Asked
from seethrough.web.pages import make_page
from seethrough.web.session.session import Session

ROWS = 150
COLUMNS = ("age", "education", "marital_status", "sex", "race", "employed", "disability")
SECRET = "disability"
HOSTILE_NAMES = {"sex": "<img src=x onerror=alert(1)>", "race": "{{7*7}}\u202e</title>"}
HOSTILE_VALUES = ("</script><script>alert(1)</script>" * 300, "=cmd()", "\u202eevil\u0000", "<b>bold</b>")
CHECKS = ("gcap", "zcap", "linkage", "membership", "dcr", "crp", "ks", "chi-squared", "hidden-rate")


@cache
def frames(*, hostile=False):
    """Real rows, a careless release and people outside, of the shipped extract."""
    sample = acs_release(0)
    found = [frame[:ROWS].select(COLUMNS) for frame in (sample.real, sample.synthetic, sample.holdout)]
    if hostile:
        found = [_hostile(frame) for frame in found]
    return tuple(found)


def _hostile(frame):
    values = pl.Series("evil", [HOSTILE_VALUES[row % len(HOSTILE_VALUES)] for row in range(len(frame))])
    return frame.rename(HOSTILE_NAMES).with_columns(values)


@cache
def exploration(*, holdout=True, hostile=False, releases=1):
    """An exploration that has run."""
    real, synthetic, outside = frames(hostile=hostile)
    released = [synthetic.sample(fraction=1.0, shuffle=True, seed=number) for number in range(releases)]
    given = {f"release {number}": frame for number, frame in enumerate(released, 1)} if releases > 1 else synthetic
    found = st.explore(real, given, outside if holdout else None, secret=SECRET, checks=list(CHECKS), preset="attacks")
    found.run()
    return found


def make_session(**kind):
    """A session as it is after the run."""
    explored = exploration(**kind)
    session = Session(Path(mkdtemp(prefix="seethrough-test-")), name="synthetic.csv")
    session.exploration, session.report, session.state = explored, explored.report, "done"
    return session


def ask(session, page, path=None, form=None, **query):
    """Ask for a page as the worker does."""
    posted = (
        None if form is None else {name: (value,) if isinstance(value, str) else value for name, value in form.items()}
    )
    return make_page(session, Asked(page, path or {}, {name: str(value) for name, value in query.items()}, posted))


PAGES = (
    ("scores", {}, {}),
    ("person", {}, {}),
    ("person", {}, {"describe": "like"}),
    ("attacker", {}, {}),
    ("people", {}, {}),
    ("groups", {}, {}),
    ("map", {}, {}),
    ("compare", {}, {}),
    ("whatif", {}, {}),
    ("column", {"number": "2"}, {}),
    *(("checks", {"name": name}, {}) for name in CHECKS),
    ("checks", {"name": "recon"}, {}),
)
"""Every page after the run: its name, its path and its query."""


class Outline(HTMLParser):
    """What a page is made of: tags with their attributes, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]
