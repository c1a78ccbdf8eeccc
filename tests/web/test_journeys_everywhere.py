"""Journeys through all pages of the tool: hostile names, phone and dark, without scripts, two tabs, folders, paper.

In each: no request to anywhere else, no error on the console, no page heavier than promised.
"""

import json
import time

import pytest
from browser import PATIENCE, needs_browser
from tool_in_browser import (
    PAGES,
    at,
    choose_quick_run,
    hold,
    open_tool,
    visit_tool,
    wait_for_end,
    write_tables,
)

import seethrough as st

pytestmark = needs_browser
HOSTILE = {
    "age": "<script>document.title='HACKED'</script>",
    "education": '"><img src=x onerror="document.title=\'HACKED\'">',
    "sex": "{{7*7}}\u202ereversed",
    "marital_status": "=cmd()|' /C calc'!A0",
}
OVERFLOW = """[...document.querySelectorAll('body *')].filter(each => !each.closest('.scroll, .unseen, .heard, .skip')
  && each.getBoundingClientRect().right > innerWidth + 1).map(each => each.outerHTML.slice(0, 120)).slice(0, 3)"""
CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const seen = (...layers) => { for (const [colour, opacity] of layers) { canvas.globalAlpha = opacity;
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); } return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, place) => sum + each * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = it => { const layers = []; for (let each = it; each; each = each.parentElement)
    layers.unshift([getComputedStyle(each).backgroundColor, 1]); return [['white', 1], ...layers]; };
  const ratio = (it, colour, opacity = 1) => { const under = behind(it);
    const [a, b] = [light(seen(...under, [colour, opacity])), light(seen(...under))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05); };
  const texts = [...document.querySelectorAll('main *')].filter(each => each.checkVisibility()
      && [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
      && !each.closest('svg, :disabled, option'))
    .map(each => [ratio(each, getComputedStyle(each).color) / 4.5, each.outerHTML.slice(0, 100)]);
  // Lines that only guide the eye need no contrast, nor does the low end of a scale; a number on a spot has its own.
  const marks = [...document.querySelectorAll('main svg :is(path, circle, rect, line, text)')]
    .filter(each => each.checkVisibility() && !each.matches('.grid, .rail, .spot, [class^=shade]'))
    .map(each => { const is = getComputedStyle(each), inks = [[is.fill, is.fillOpacity], [is.stroke, is.strokeOpacity]]
        .filter(([colour], place) => colour !== 'none' && !(each.localName === 'line' && place === 0));
      return [Math.max(...inks.map(([colour, part]) => ratio(each, colour, is.opacity * part)))
        / (each.localName === 'text' ? 4.5 : 3), each.outerHTML.slice(0, 100)]; });
  return [...texts, ...marks].filter(([share]) => share < 1).slice(0, 3);
})()"""


def wait_for_tables(browser, page="attacker", selector="table.spreads"):
    """Open a page until the tables have been read that it needs."""
    ends = time.monotonic() + PATIENCE
    browser.open(f"{at(browser)}{page}")
    while not browser.see(f"document.querySelectorAll({selector!r}).length"):
        assert time.monotonic() < ends, browser.text("main")
        time.sleep(0.5)
        browser.open(f"{at(browser)}{page}")


def words_of(tables):
    return "--real", tables["real"], "--synthetic", tables["synthetic"], "--holdout", tables["holdout"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """An audit of tables with hostile names of columns, run in the tool."""
    folder = tmp_path_factory.mktemp("hostile")
    tables = write_tables(folder / "tables", **HOSTILE)
    with visit_tool(folder, *words_of(tables), "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        choose_quick_run(browser)
        wait_for_end(browser)
        yield server, browser, tables


def test_hostile_names_run_nothing_on_any_page(hostile):
    server, browser, _ = hostile
    for page in PAGES:
        browser.open(f"{at(browser)}{page}")
        assert "HACKED" not in browser.see("document.title")
        assert browser.see("[...document.scripts].filter(each => !each.src).length") == 0
        assert browser.see("document.querySelectorAll('main img').length") == 0
        assert "49" not in browser.text("h1")
        hold(browser, server)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_every_page_fits_and_can_be_read(hostile, width, scheme):
    server, browser, _ = hostile
    browser.resize(width, 844)
    browser.prefer(color_scheme=scheme)
    found = {}
    for page in PAGES:
        browser.open(f"{at(browser)}{page}")
        wide = browser.see("document.documentElement.scrollWidth - innerWidth")
        seen = (wide if wide > 0 else 0, browser.see(OVERFLOW), browser.see(CONTRAST), browser.nameless())
        found[page] = [each for each in seen if each]
        hold(browser, server)
    browser.resize(1280)
    browser.prefer()
    assert json.dumps({page: said for page, said in found.items() if said}) == "{}"


def test_a_second_tab_sees_the_same_and_a_second_server_lets_nobody_in(hostile, tmp_path):
    server, browser, _ = hostile
    page = f"{at(browser)}verdict"
    other = browser.another_tab()
    other.open(page)
    browser.open(page)
    assert other.text("main") == browser.text("main")
    hold(other, server)
    with open_tool(tmp_path / "second") as second:
        theirs = page.replace(server.origin, second.origin)
        told = other.ask("Page.navigate", url=theirs)
        other.settle(0.5)
        assert "errorText" not in told
        assert "Severe leak" not in other.text()
        assert "Press Enter in the terminal" in other.text()
    other.close()


@pytest.mark.parametrize("page", ["verdict", "checks/gcap", "person"])
def test_paper_has_no_controls(hostile, page):
    _, browser, _ = hostile
    browser.open(f"{at(browser)}{page}")
    browser.on_paper()
    shown = "[...document.querySelectorAll('button, input, select, nav')].filter(each => each.checkVisibility()).length"
    assert browser.see(shown) == 0
    assert browser.pdf().startswith(b"%PDF-")
    browser.on_paper(printed=False)


def test_without_scripts_from_the_command_line_to_the_attackers_view(tmp_path):
    tables = write_tables(tmp_path / "tables")
    with visit_tool(tmp_path, *words_of(tables), "--secret", "employed") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        browser.switch_scripts(on=False)
        wait_for_tables(browser, "question", "input[name=preset][value=attacks]")
        browser.click("input[name=preset][value=attacks]")
        browser.follow("button[formaction$=run]")
        wait_for_end(browser)
        browser.open(f"{at(browser)}verdict")
        assert browser.see("document.querySelectorAll('article.headline').length") == 3
        browser.open(f"{at(browser)}attacker")
        ticked = browser.see("document.querySelectorAll('input[name=known]:checked').length")
        browser.click("input[name=known]")
        browser.follow("form.guessing button.main-button")
        assert browser.see("document.querySelectorAll('input[name=known]:checked').length") != ticked
        assert browser.see("document.querySelectorAll('table.spreads tbody tr').length") == 3
        hold(browser, server)


def test_the_folder_of_an_audit_opens_with_its_tables_and_without(tmp_path):
    tables = write_tables(tmp_path / "tables")
    made = st.audit(*tables.values(), secret="employed", preset="attacks", checks=["gcap", "dcr"])
    made.save(tmp_path / "audit")
    with visit_tool(tmp_path / "with", tmp_path / "audit") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the folder")
        browser.open(f"{at(browser)}verdict")
        assert made.verdict.sentence in browser.text("main")
        wait_for_tables(browser)
        assert browser.see("document.querySelectorAll('table.spreads tbody tr').length") == 3
        hold(browser, server)
    for path in tables.values():
        path.unlink()
    with visit_tool(tmp_path / "without", tmp_path / "audit") as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the folder")
        browser.open(f"{at(browser)}verdict")
        assert made.verdict.sentence in browser.text("main")
        browser.open(f"{at(browser)}attacker")
        assert browser.see("document.querySelectorAll('table.spreads').length") == 0
        hold(browser, server)


def test_entering_twice_needs_a_new_link(tmp_path):
    with visit_tool(tmp_path) as (server, browser):
        other = browser.another_tab()
        other.open(f"{server.link}")
        assert "Press Enter in the terminal" in other.text()
        other.close()


@pytest.mark.slow
def test_releases_are_compared_and_a_lever_is_tried_on_them(tmp_path):
    tables = write_tables(tmp_path / "tables")
    other = tables["real"].with_name("other.csv")
    other.write_bytes(tables["holdout"].read_bytes())
    words = (*words_of(tables), "--synthetic", other, "--secret", "employed")
    with visit_tool(tmp_path, *words) as (server, browser):
        browser.until("location.pathname.includes('/a/')", "the audit of the command line")
        choose_quick_run(browser)
        wait_for_end(browser)
        browser.open(f"{at(browser)}compare")
        for said in ("synthetic.csv", "other.csv", "Which releases differ", "across the releases"):
            assert said in browser.text("main")
        browser.open(f"{at(browser)}whatif")
        browser.follow("button[value=files]")
        disabled = "[...document.querySelectorAll('#levers button')].filter(each => each.disabled).length"
        browser.until("document.querySelector('#tried table')", "the row of the lever")
        browser.until(f"{disabled} === 0", "the buttons for the next one")
        assert "fewer files 1" in browser.text("#tried")
        hold(browser, server)
