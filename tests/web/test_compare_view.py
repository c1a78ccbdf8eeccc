"""Comparing in the tool: releases of one audit, a person across them, and audits of the same real table."""

import json

from view_sessions import Outline, ask, frames, make_session

import seethrough as st


def test_releases_of_an_audit_are_ranked_and_a_person_is_followed_across():
    session = make_session(releases=2)
    text = Outline(ask(session, "compare", row=3).html).text
    assert "release 1" in text
    assert "release 2" in text
    assert "Row 3 across the releases" in text
    assert "All scores side by side" in text
    flags = {flag.check: flag for flag in session.exploration.flags(session.exploration.person(2), 1)}
    assert f"{flags['gcap'].risk:.2f}" in text


def test_the_second_release_has_its_own_pages():
    session = make_session(releases=2)
    for page, path in (("scores", {}), ("checks", {"name": "gcap"}), ("attacker", {}), ("people", {})):
        answer = ask(session, page, path, release=2, row=3)
        assert answer.status == 200, answer.said
        assert "release=2" in answer.html


def test_one_release_says_what_to_do_for_a_comparison():
    assert "This audit has one release" in ask(make_session(), "compare").html


def test_other_audits_of_the_same_real_table_are_found_by_its_digest(tmp_path):
    real, synthetic, outside = frames()
    session = make_session()
    session.folder = tmp_path / "mine"
    for name, table in (("other", real), ("stranger", outside)):
        report = st.audit(table, synthetic, None, checks=["crp"])
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.json").write_text(report.to_json())
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "report.json").write_text("{")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "report.json").write_text(json.dumps([1]))
    html = ask(session, "compare").html
    assert "../other/verdict" in html
    assert "stranger" not in html
    assert "broken" not in html
