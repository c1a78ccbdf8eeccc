"""Journeys through the tool in a browser: from files to the verdict, to people and attackers, and back.

In each: no request to anywhere else, no error on the console, no page heavier than promised.
"""

import json

import pytest
from browser import needs_browser
from tool_in_browser import at, choose_quick_run, hold, visit_tool, wait_for_end, wait_for_page, write_tables

import seethrough as st

pytestmark = [needs_browser, pytest.mark.xdist_group("journeys")]
LEVELS = "[...document.querySelectorAll('table.spreads tbody td b')].map(each => each.innerText)"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return write_tables(tmp_path_factory.mktemp("tables"))


def zone(role):
    return f".drop[data-role={role}]"


def drop_all(browser, tables):
    browser.follow("button[value=nothing]")
    wait_for_page(browser, "files")
    for role, path in tables.items():
        browser.drop_files(zone(role), [path])
        browser.until(f"document.querySelector('#zone-{role} article.file h3')", f"the file dropped as {role}")


@pytest.fixture(scope="module")
def done(tmp_path_factory, tables):
    """An audit that has been run in the tool, with attacks alone."""
    words = "--real", tables["real"], "--synthetic", tables["synthetic"], "--holdout", tables["holdout"]
    with visit_tool(tmp_path_factory.mktemp("done"), *words, "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        choose_quick_run(browser)
        wait_for_end(browser)
        yield server, browser


def test_dropped_files_run_with_defaults_and_the_verdict_appears(tmp_path, tables):
    with visit_tool(tmp_path, "--memory", "1GiB") as (server, browser):
        drop_all(browser, tables)
        run = "form[action$=run] .main-button"
        browser.until(f"document.querySelector({run!r})", "the button to run")
        assert "150 rows" in browser.text()
        hold(browser, server)
        browser.follow(run)
        browser.until("location.pathname.endsWith('/verdict')", "the verdict, which opens by itself")
        browser.until("document.querySelector('.banner .decides')", "the sentence of the verdict")
        assert browser.see("document.querySelectorAll('article.headline').length") == 3
        assert "safe" not in browser.text().lower()
        hold(browser, server)


def test_a_kind_and_a_role_are_changed_and_used(tmp_path, tables):
    with visit_tool(tmp_path) as (server, browser):
        drop_all(browser, tables)
        browser.until("document.querySelector('form[action$=run] .main-button')", "the button to run")
        browser.open(f"{at(browser)}columns")
        for field, value in (("kind-1", "categorical"), ("role-5", "secret")):
            browser.until(f"document.querySelector('select[name={field}]:not(:disabled)')", field)
            browser.see(
                f"(() => {{ const it = document.querySelector('select[name={field}]'); it.value = '{value}';"
                " it.dispatchEvent(new Event('change', {bubbles: true})); })()"
            )
            browser.settle(0.5)
        browser.open(f"{at(browser)}columns")
        chosen = (
            "[document.querySelector('select[name=kind-1]').value, document.querySelector('select[name=role-5]').value]"
        )
        assert browser.see(chosen) == ["categorical", "secret"]
        choose_quick_run(browser)
        wait_for_end(browser)
        said = browser.see("fetch('take/report-json').then(answer => answer.text())")
        columns = {column["name"]: column for column in json.loads(said)["schema"]["columns"]}
        assert (columns["age"]["kind"], columns["employed"]["role"]) == ("categorical", "secret")
        hold(browser, server)


def test_a_connection_that_breaks_is_taken_up_again(tmp_path, tables):
    words = "--real", tables["real"], "--synthetic", tables["synthetic"], "--holdout", tables["holdout"]
    with visit_tool(tmp_path, *words, "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        browser.open(f"{at(browser)}files")
        run = "form[action$=run] .main-button"
        browser.until(f"document.querySelector({run!r})", "the button to run")
        browser.follow(run)
        browser.switch_network(on=False)
        browser.settle(1.0)
        browser.switch_network(on=True)
        browser.until("location.pathname.endsWith('/verdict')", "the verdict, which opens by itself")
        wait_for_end(browser)
        names = browser.see("[...document.querySelectorAll('table.lines tbody th .mono')].map(each => each.innerText)")
        assert len(names) == len(set(names)) == 24
        journal = next(tmp_path.glob("state/**/events.jsonl")).read_text().splitlines()
        events = [json.loads(line) for line in journal]
        heard = [event["data"]["check"] for event in events if event["event"] == "outcome"]
        assert sorted(heard) == sorted(names)
        hold(browser, server, errors=("ERR_INTERNET_DISCONNECTED",))


def test_a_run_that_was_stopped_is_run_again_with_the_numbers_of_the_command_line(tmp_path, tables):
    words = "--real", tables["real"], "--synthetic", tables["synthetic"], "--holdout", tables["holdout"]
    with visit_tool(tmp_path, *words, "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        choose_quick_run(browser)
        browser.until("document.querySelector('form[action$=cancel] button')", "the button to stop")
        browser.click("form[action$=cancel] button")
        browser.until("document.body.innerText.includes('incomplete, no verdict')", "that it was stopped")
        browser.follow("form[action$=run] .main-button")
        wait_for_end(browser)
        said = browser.see("fetch('take/report-json').then(answer => answer.text())")
        found = st.verify(json.loads(said), tables["real"], tables["synthetic"], tables["holdout"])
        assert found.holds, (found.inputs, found.numbers)
        hold(browser, server)


def picked(browser):
    return browser.text("#person-bar p")


def test_any_person_is_picked_on_any_page(done):
    server, browser = done
    browser.open(f"{at(browser)}checks/gcap")
    assert "row" in picked(browser)
    browser.see("document.querySelector('#person-bar input[name=row]').focus()")
    browser.type("42")
    browser.press("Enter")
    browser.until("document.querySelector('#person-bar p').innerText.includes('row 42')", "row 42")
    assert "/checks/gcap" in browser.see("location.pathname")
    assert "42" in browser.text("main")
    browser.click("#person-bar button[value=random]")
    browser.until("!document.querySelector('#person-bar p').innerText.includes('row 42')", "another person")
    browser.open(f"{at(browser)}person?describe=1")
    browser.see(
        "(() => { for (const it of document.querySelectorAll('main form select'))"
        " if (it.options.length > 1) it.selectedIndex = 1; })()"
    )
    browser.see(
        "document.querySelector('main form [type=submit], main form button:not([name=hidden]):not([name=pick])')"
    )
    hold(browser, server)


def test_the_attackers_view_works_by_keyboard_alone(done):
    server, browser = done
    browser.open(f"{at(browser)}attacker")
    before = browser.see(LEVELS)
    assert len(before) == 3
    ticks = "[...document.querySelectorAll('input[name=known]')].filter(each => each.checked).length"
    first = browser.see(ticks)
    for _ in range(60):
        browser.press("Tab")
        if browser.see("document.activeElement.name") == "known":
            break
    assert browser.see("document.activeElement.name") == "known"
    place = browser.see("document.activeElement.value")
    browser.press(" ")
    browser.until(f"{ticks} !== {first} && document.querySelector('#rightness h2')", "the answer")
    assert browser.see("[document.activeElement.name, document.activeElement.value]") == ["known", place]
    assert "of 100" in browser.text("#rightness")
    hold(browser, server)
