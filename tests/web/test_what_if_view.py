"""What if in the tool: levers are read from forms by number, tried apart from the page, and stay with what came out."""

import pytest
from view_sessions import COLUMNS, Outline, ask, make_session

from seethrough.errors import ConfigError
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.levers.what_if import FamilyLeak, LeverRow, UtilityFigures
from seethrough.results.timings import Progress


def measured(lever):
    """A lever as it would come out."""
    leak, change = Estimate(0.2, 0.15, 0.25), Estimate(-0.1, -0.14, -0.06)
    families = tuple(FamilyLeak(family, Grade.CLEAR, "nearness", leak, change) for family in LeakFamily)
    utility = UtilityFigures(0.1, 0.1, 0.8, 0.88)
    return LeverRow(lever, "", families, LeakFamily.MEMBERSHIP, Grade.CLEAR, leak, change, utility, -0.06, helps=True)


@pytest.fixture
def session(monkeypatch):
    made = make_session()
    monkeypatch.setattr(type(made.exploration), "apply", lambda self, lever, tell: measured(lever))
    return made


@pytest.mark.parametrize(
    ("form", "lever"),
    [
        ({"lever": "rows", "share": "25"}, "fewer rows 25%"),
        ({"lever": "coarsen", "column": "1", "values": "5"}, f"coarsen {COLUMNS[0]} to 5"),
        ({"lever": "drop", "column": "2"}, f"drop column {COLUMNS[1]}"),
        ({"lever": "copies"}, "drop near copies"),
    ],
)
def test_a_lever_is_read_tried_once_and_shown(session, form, lever):
    for _ in range(2):
        assert ask(session, "whatif", form=form).to == "whatif"
    assert [row.lever for row in session.levers] == [lever]
    text = Outline(ask(session, "whatif").html).text
    assert lever in text
    assert "-10.0 (-14.0 to -6.0)" in text
    assert "88.0" in text


@pytest.mark.parametrize(
    "form", [{"lever": "magic"}, {"lever": "drop", "column": "99"}, {"lever": "rows", "share": "0"}, {"lever": "files"}]
)
def test_a_lever_that_is_none_is_refused(session, form):
    assert ask(session, "whatif", form=form).status == 404
    assert session.levers == []


def test_a_lever_that_cannot_be_applied_says_why(session, monkeypatch):
    def refuse(self, lever, tell):
        raise ConfigError("the column has no more than 2 values")

    monkeypatch.setattr(type(session.exploration), "apply", refuse)
    ask(session, "whatif", form={"lever": "drop", "column": "1"})
    assert "the column has no more than 2 values" in Outline(ask(session, "whatif").html).text


def test_while_a_lever_is_tried_the_page_says_so_and_asks_again(session):
    jobs = []
    session.starter = jobs.append
    ask(session, "whatif", form={"lever": "copies"})
    session.under_way.tell(Progress(0.5, 2, "attacking"))
    html = ask(session, "whatif").html
    assert 'data-again="1000"' in html
    assert "Trying: drop near copies: attacking" in Outline(html).text
    ask(session, "whatif", form={"lever": "rows", "share": "25"})
    assert len(jobs) == 1
    jobs[0]()
    assert [row.lever for row in session.levers] == ["drop near copies"]
    assert "data-again" not in ask(session, "whatif").html


def test_regenerating_is_offered_as_commands(session):
    assert "--lever 'regenerate without 10'" in Outline(ask(session, "whatif").html).text


def test_without_a_holdout_nothing_is_offered_to_try():
    html = ask(make_session(holdout=False), "whatif").html
    assert "Try it" not in html
    assert "Nobody was kept out" in html
