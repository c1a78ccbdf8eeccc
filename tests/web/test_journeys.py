"""Journeys through the tool in a browser: from files to the verdict, to people and attackers, and back.

In each: no request to anywhere else, no error on the console, no page heavier than promised.
"""

import csv
import json
import shlex
import subprocess
import sys
import time

import pytest
from browser import PATIENCE, needs_browser
from tool_in_browser import at, choose_quick_run, hold, visit_tool, wait_for_end, wait_for_page, write_tables

pytestmark = needs_browser
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
        version = "document.querySelector('#columns input[name=version]').value"
        for field, value in (("kind-1", "categorical"), ("role-5", "secret")):
            browser.until(f"document.querySelector('select[name={field}]:not(:disabled)')", field)
            before = browser.see(version)
            browser.see(
                f"(() => {{ const it = document.querySelector('select[name={field}]'); it.value = '{value}';"
                " it.dispatchEvent(new Event('change', {bubbles: true})); })()"
            )
            browser.until(f"{version} !== {before!r}", f"{field}, saved")
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


def test_a_run_that_was_stopped_is_run_again_with_the_numbers_of_the_command_that_is_shown(tmp_path, tables):
    words = "--real", tables["real"], "--synthetic", tables["synthetic"], "--holdout", tables["holdout"]
    with visit_tool(tmp_path, *words, "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        choose_quick_run(browser)
        browser.until("document.querySelector('form[action$=cancel] button')", "the button to stop")
        browser.click("form[action$=cancel] button")
        browser.until("document.body.innerText.includes('incomplete, no verdict')", "that it was stopped")
        browser.follow("form[action$=run] .main-button")
        wait_for_end(browser)
        browser.open(f"{at(browser)}take")
        report = json.loads(download(browser, tmp_path / "taken", "report.json").read_text())
        shown = browser.text("#as-sh")
        hold(browser, server)
    ask = shlex.split(shown.replace("\\\n", ""))
    assert ask[0] == "seethrough"
    made = subprocess.run([sys.executable, "-m", *ask], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert made.returncode == 0, made.stderr
    again = json.loads((tmp_path / "audit" / "report.json").read_text())
    assert again["verdict"] == report["verdict"]
    for name in ("findings", "attacks", "outcomes"):
        assert untimed(again[name]) == untimed(report[name])


def untimed(found):
    return [{name: value for name, value in each.items() if name != "seconds"} for each in found]


def download(browser, folder, name):
    """Take a file away by its button."""
    folder.mkdir()
    browser.keep_downloads(folder)
    browser.click(f"a[href$='take/{name.replace('.', '-')}']")
    ends = time.monotonic() + PATIENCE
    while not (folder / name).exists():
        assert time.monotonic() < ends, list(folder.iterdir())
        browser.settle(0.05)
    return folder / name


def is_picked(browser, said):
    """Wait for the person, and until the page's own script hears keys."""
    shown = f"document.querySelector('#person-bar').innerText.includes({said!r})"
    browser.until(f"document.readyState === 'complete' && {shown}", said)


def test_any_person_is_picked_on_any_page_and_the_example_ends_in_their_risk(done):
    server, browser = done
    browser.open(f"{at(browser)}scores")
    is_picked(browser, "most exposed #1")
    browser.press("j")
    is_picked(browser, "most exposed #2")
    browser.press("k")
    is_picked(browser, "most exposed #1")
    assert "/scores" in browser.see("location.pathname")
    browser.open(f"{at(browser)}checks/gcap")
    browser.see("document.querySelector('#person-bar input[name=row]').focus()")
    browser.type("42")
    browser.press("Enter")
    is_picked(browser, "row 42")
    assert "/checks/gcap" in browser.see("location.pathname")
    people = browser.see("fetch('../take/people-csv').then(answer => answer.text())")
    risk = float(list(csv.DictReader(people.splitlines()))[41]["gcap"])
    last = browser.see("[...document.querySelectorAll('ol.worked .formula')][0].innerText").rpartition("= ")[2]
    assert float(last) == pytest.approx(risk, rel=1e-3)
    browser.click("#person-bar button[value=random]")
    browser.until("!document.querySelector('#person-bar p').innerText.includes('row 42')", "another person")
    hold(browser, server)


def test_somebody_who_is_typed_in_is_attacked_and_worked_through(done):
    server, browser = done
    browser.open(f"{at(browser)}checks/gcap")
    browser.follow("#person-bar a[href*=describe]")
    for name in browser.see("[...document.querySelectorAll('.typed [name]')].map(each => each.name)"):
        field = f"document.querySelector('.typed [name={name}]')"
        if browser.see(f"{field}.localName") == "select":
            browser.see(f"{field}.selectedIndex = 1")
        else:
            browser.see(f"{field}.focus()")
            browser.type("33")
    browser.follow(".typed + p button")
    is_picked(browser, "typed in by you")
    assert browser.see("location.search").startswith("?typed=")
    assert len(browser.see(LEVELS)) == 3
    browser.open(browser.see("location.href").replace("/attacker", "/checks/gcap"))
    assert "gcap(y) =" in browser.text("ol.worked")
    assert "33" in browser.text("ol.worked")
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
