"""Pages after the run, each by a small real audit: hostile names and values, hidden values, no holdout, no tables."""

import re
from pathlib import Path

import pytest
from view_sessions import (
    CHECKS,
    COLUMNS,
    HOSTILE_VALUES,
    PAGES,
    ROWS,
    SECRET,
    Outline,
    ask,
    frames,
    make_session,
)

from seethrough.web.pages.views import person
from seethrough.web.session.session import HIDDEN, READING, GivenFile, Session

IDS = [f"{page}-{'-'.join((*path.values(), *query.values()))}".strip("-") for page, path, query in PAGES]


@pytest.fixture(scope="module")
def session():
    return make_session()


def page_of(session, which):
    page, path, query = which
    return ask(session, page, path, **query)


def refuse_misuse(html):
    """A page has one heading, a title, no style or script of its own, and does not call anything safe."""
    outline = Outline(html)
    assert len(outline.all("h1")) == 1
    assert len(outline.all("title")) >= 1
    assert [attributes for attributes in outline.all("script") if "src" not in attributes] == []
    assert outline.all("style") == []
    for tag, attributes in outline.tags:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], (tag, attributes)
    assert not re.search(r"\bsafe", outline.text, re.IGNORECASE)
    headed = html.count("<table"), html.count("<thead")
    assert headed[0] == headed[1]
    return outline


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_every_page_is_made(session, which):
    answer = page_of(session, which)
    assert answer.status == 200, answer.said
    outline = refuse_misuse(answer.html)
    assert "How to read it" in outline.text
    assert "What it cannot tell" in outline.text
    assert len(answer.html) < 200_000


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_hostile_names_and_values_stay_text(which):
    answer = page_of(make_session(hostile=True), which)
    assert answer.status == 200, answer.said
    refuse_misuse(answer.html)
    assert "<img" not in answer.html
    assert "<script>alert" not in answer.html
    assert "\u202e" not in answer.html
    assert HOSTILE_VALUES[0] not in Outline(answer.html).text


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_hidden_values_do_not_reach_the_browser(which):
    session = make_session()
    session.hidden = True
    answer = page_of(session, which)
    assert answer.status == 200, answer.said
    text = Outline(answer.html).text + " ".join(
        str(value) for _, attributes in Outline(answer.html).tags for value in attributes.values()
    )
    levels = {str(value) for name in COLUMNS if name != "age" for value in frames()[0][name].unique()}
    # Levels that are words of the page itself say nothing.
    shown = {level for level in levels - {"Yes", "No", "White", "Other"} if re.search(rf"\b{re.escape(level)}\b", text)}
    assert shown == set()


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_without_a_holdout_pages_say_so_and_promise_nothing(which):
    answer = page_of(make_session(holdout=False), which)
    assert answer.status == 200, answer.said
    refuse_misuse(answer.html)


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_before_the_run_a_page_leads_to_it(which, tmp_path):
    answer = page_of(Session(tmp_path, state="ready"), which)
    assert answer.status == 200
    outline = refuse_misuse(answer.html)
    assert "after the run" in outline.text
    assert any(link.get("href", "").endswith("run") for link in outline.all("a"))


@pytest.mark.parametrize("which", PAGES, ids=IDS)
def test_without_the_tables_a_page_shows_what_the_report_has(which):
    session = make_session()
    session.exploration, session.lacking = None, "The tables of this audit are gone."
    answer = page_of(session, which)
    assert answer.status == 200
    outline = refuse_misuse(answer.html)
    if which[0] not in {"scores", "checks", "compare"}:
        assert "The tables of this audit are gone." in outline.text


@pytest.mark.parametrize("row", ["0", "-1", "1" + "0" * 30, "1e3", str(ROWS + 1)])
@pytest.mark.parametrize("page", ["person", "attacker", "people", "map", "scores"])
def test_a_row_that_is_not_there_is_not_found(session, page, row):
    assert ask(session, page, row=row).status == 404


@pytest.mark.parametrize(
    ("page", "path", "query"),
    [
        ("checks", {"name": "nothing"}, {}),
        ("column", {"number": "99"}, {}),
        ("column", {"number": "0"}, {}),
        ("person", {}, {"typed": 7}),
        ("person", {}, {"release": 2}),
        ("map", {}, {"window": "5-1-0-9"}),
        ("people", {}, {"check": "nothing"}),
        ("groups", {}, {"column": 99}),
        ("attacker", {}, {"known": "1-99"}),
    ],
)
def test_what_is_not_there_is_not_found(session, page, path, query):
    answer = ask(session, page, path, **query)
    assert answer.status == 404
    assert answer.said


def test_somebody_else_is_picked_and_the_page_is_kept(session):
    keep = {"to": "checks/gcap", "keep": "release=1&column=2&bad=<b>"}
    assert ask(session, "person", form={**keep, "row": "12"}).to == "checks/gcap?row=12&release=1&column=2"
    found = ask(session, "person", form={**keep, "pick": "random"}).to
    assert 1 <= int(re.fullmatch(r"checks/gcap\?row=(\d+)&release=1&column=2", found)[1]) <= ROWS
    assert ask(session, "person", form={"to": "//evil.example", "row": "3"}).to == "person?row=3"
    assert ask(session, "person", form={"to": "map", "row": "x"}).status == 404


def test_at_random_is_somebody_else_whoever_is_at_hand(session, monkeypatch):
    found = set()
    for drawn in range(ROWS - 1):
        monkeypatch.setattr(person, "randbelow", lambda most, drawn=drawn: min(drawn, most - 1))
        found.add(ask(session, "person", form={"pick": "random", "but": "7"}).to)
    assert found == {f"person?row={row}" for row in range(1, ROWS + 1) if row != 7}
    assert 'name="but" value="7"' in ask(session, "person", row=7).html


def test_the_bar_leads_through_people_in_the_order_of_exposure(session):
    order = session.exploration.ranking()
    html = ask(session, "person", row=order[3] + 1).html
    assert "most exposed #4" in Outline(html).text
    assert f"person?row={order[2] + 1}" in html
    assert f"person?row={order[4] + 1}" in html


def test_a_typed_person_has_a_number_and_no_value_in_any_address():
    session = make_session()
    number = COLUMNS.index("marital_status") + 1
    level = frames()[0]["marital_status"][0]
    answer = ask(session, "person", form={"to": "attacker", f"column-{number}": level, "column-1": "44"})
    assert (answer.status, answer.to) == (303, "attacker?typed=1")
    for page in ("person", "attacker", "checks"):
        answer = ask(session, page, {"name": "gcap"} if page == "checks" else {}, typed=1)
        assert answer.status == 200, answer.said
        links = [link.get("href", "") for link in Outline(answer.html).all("a")]
        assert not [link for link in links if "44" in link or level.lower() in link.lower()]


def test_values_are_hidden_and_shown_again():
    session = make_session()
    value = frames()[0]["education"][session.exploration.ranking()[0]]
    assert value in Outline(ask(session, "person").html).text
    assert ask(session, "hide", form={"hidden": "yes", "to": "person"}).to == "person"
    hidden = ask(session, "person").html
    assert value not in hidden
    assert HIDDEN in hidden
    ask(session, "hide", form={"hidden": "no", "to": "person"})
    assert value in Outline(ask(session, "person").html).text


def test_the_secret_is_where_it_was_named(session):
    html = ask(session, "attacker").html
    chosen = re.search(rf'<option value="{COLUMNS.index(SECRET) + 1}" selected>', html)
    assert chosen


def under_way(measured, state="running", **kind):
    """A session of which the attacks on the first release and so many checks have ended."""
    session = make_session(**kind)
    tables, session.report, session.exploration, session.state = session.report.tables, None, None, state
    name = tables[0].synthetic.name
    session.evidence = {name: tables[0].evidence}
    session.outcomes = [(name, outcome) for outcome in tables[0].outcomes[:measured]]
    session.change(checks=CHECKS)
    return session, tables[0].outcomes


@pytest.mark.parametrize(
    ("state", "to_come", "said"),
    [("running", "still to come", "The run is under way."), ("stopped", "not measured", "Incomplete, no verdict")],
)
def test_scores_fill_in_while_the_run_goes_on_and_stay_when_it_is_stopped(state, to_come, said):
    session, outcomes = under_way(3, state)
    outline = refuse_misuse(ask(session, "scores").html)
    assert said in outline.text
    assert f"3 of {len(CHECKS)} checks are measured so far." in outline.text
    assert outline.text.count(to_come) == len(CHECKS) - 3
    for outcome in outcomes[:3]:
        assert outcome.card.title in outline.text
    assert {"so-far", "lines", "person-bar"} <= {each.get("id") for _, each in outline.tags if "data-live" in each}


def test_a_check_that_has_ended_has_its_page_during_the_run_and_one_that_has_not_says_so():
    session, outcomes = under_way(3)
    ended, waits = (ask(session, "checks", {"name": each.check}).html for each in (outcomes[0], outcomes[3]))
    assert "Risk of all people" in Outline(ended).text
    assert "after the run" in Outline(ended).text
    assert "This check has not ended yet." in Outline(waits).text


def test_the_verdict_on_the_first_of_several_releases_says_whose_it_is():
    session, _ = under_way(0, releases=2)
    session.files["synthetic"] = [GivenFile("synthetic", number, f"release {number}", Path()) for number in (1, 2)]
    text = Outline(ask(session, "verdict").html).text
    assert "the attacks on 1 of 2 releases have ended" in text
    assert "release 1" in text
    assert "release 2" not in text
    assert ask(session, "scores", release=2).status == 404


def test_columns_of_a_report_whose_tables_are_elsewhere_are_those_of_the_report():
    session = make_session()
    session.exploration = None
    text = Outline(ask(session, "columns").html).text
    assert [name for name in COLUMNS if name not in text] == []
    assert "To read columns another way, give the tables on the page Files." in text


def test_a_page_whose_tables_are_being_read_opens_by_itself():
    session = make_session()
    session.exploration, session.lacking = None, READING
    refreshing = [each for each in Outline(ask(session, "people").html).all("meta") if each.get("http-equiv")]
    assert refreshing == [{"http-equiv": "refresh", "content": "2"}]
