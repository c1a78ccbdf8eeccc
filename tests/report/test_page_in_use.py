"""The page in a browser that does what readers do: sort a table by mouse or keyboard, switch scripts off, print."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Browser, needs_browser

from seethrough.report.html import audit_page, notebook
from seethrough.results.diagnostics import ColumnExposure, Diagnostics, ExposedRow, Rate
from seethrough.results.report import Report
from seethrough.results.timings import StepCost, Timings

pytestmark = needs_browser

HOSTILE = "<img src=x onerror=\"document.title='HACKED'\">"
LEADS = {"age": (0.9, 100), "sex": (0.10, 9), HOSTILE: (None, 1_000), "race": (0.25, 25), "income": (0.25, 250)}
A4_BETWEEN_MARGINS = 680  # 180 mm at 96 dots an inch


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as opened:
        yield opened


def exhibits() -> Diagnostics:
    columns = tuple(
        ColumnExposure(name, Rate(lead or 0.0, 0.0, 1.0, rows), None if lead is None else Rate(lead, 0, 1, rows), 0.1)
        for name, (lead, rows) in LEADS.items()
    )
    exposed = tuple(
        ExposedRow(row, ("membership",), "log-ratio", 0.01, row, (str(value), "yes", *["x"] * 10))
        for row, value in ((4_342, -5), (369, 10), (1_530, -50))
    )
    return Diagnostics(columns=columns, exposed=exposed, shows_values=True)


@pytest.fixture
def page(two_tables: Report, tmp_path: Path) -> Path:
    """A page with tables worth sorting, under names that try to run something."""
    tables = tuple(replace(table, exhibits=exhibits()) for table in two_tables.tables)
    timings = Timings(9.0, 1.0, steps=(StepCost("artefacts", HOSTILE, 2.0), StepCost("exhibits", "two.csv", 0.25)))
    path = tmp_path / "report.html"
    path.write_text(audit_page.render(replace(two_tables, tables=tables, timings=timings)), encoding="utf-8")
    return path


TABLE = "[aria-label='Which columns are easiest to guess'] table"


def open_unfolded(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.see("document.querySelectorAll('details').forEach(each => each.open = true)")


def order(browser: Browser, table: str = TABLE) -> list[str]:
    rows = f"[...document.querySelector({json.dumps(table)}).tBodies[0].rows]"
    return list(browser.see(f"{rows}.map(row => row.cells[0].innerText)"))


def sorts(browser: Browser, table: str = TABLE) -> list[str | None]:
    heads = f"[...document.querySelector({json.dumps(table)}).querySelectorAll('thead th')]"
    return list(browser.see(f"{heads}.map(head => head.ariaSort)"))


def test_a_click_sorts_by_number_and_the_third_gives_back_the_order(browser: Browser, page: Path) -> None:
    open_unfolded(browser, page)
    first = order(browser)
    assert set(first) == {*LEADS}
    outside = f"{TABLE} th:nth-child(4) button"
    assert browser.see(f"document.querySelector({json.dumps(outside)}).innerText") == "Outside"
    browser.click(outside)
    # The two at 0.25 keep the order that they had, and the one without a number is last both ways.
    equals = [name for name in first if LEADS[name][0] == 0.25]
    assert order(browser) == ["age", *equals, "sex", HOSTILE]
    assert sorts(browser) == [None, None, None, "descending", None, None]
    browser.click(outside)
    assert order(browser) == ["sex", *equals, "age", HOSTILE]
    assert sorts(browser)[3] == "ascending"
    browser.click(outside)
    assert order(browser) == first
    assert sorts(browser) == [None] * 6
    assert browser.see("document.title") == "Privacy audit: 2 synthetic tables"


def test_numbers_are_sorted_by_size_and_not_by_their_digits(browser: Browser, page: Path) -> None:
    open_unfolded(browser, page)
    rows = "[aria-label='Exposed people'] table"
    browser.click(f"{rows} th:nth-child(1) button")
    assert order(browser, rows) == ["4,342", "1,530", "369"]
    browser.click(f"{rows} th:nth-child(7) button")  # values of the column `age`, which has numbers
    assert order(browser, rows) == ["369", "4,342", "1,530"]
    assert sorts(browser, rows)[:7] == [None, None, None, None, None, None, "descending"]
    times = "[aria-label='Where the time went'] table"
    browser.click(f"{times} th:nth-child(4) button")
    assert order(browser, times) == ["rest", "artefacts", "reading", "exhibits"]  # 5.75 s, 2 s, 1 s, 250 ms


def test_a_heading_is_a_button_for_the_keyboard(browser: Browser, page: Path) -> None:
    open_unfolded(browser, page)
    first = order(browser)
    browser.see(f"document.querySelector({json.dumps(TABLE)} + ' th button').focus()")
    browser.press("Enter")
    assert order(browser) == [HOSTILE, "age", "income", "race", "sex"] != first
    assert sorts(browser)[0] == "ascending"
    browser.press(" ")
    assert sorts(browser)[0] == "descending"
    assert browser.see("document.activeElement.innerText") == "Column"


def test_everything_but_the_first_screen_is_folded_until_a_link_is_followed(browser: Browser, page: Path) -> None:
    browser.open(page)
    folded = "[...document.querySelectorAll('main > section')].map(each => !!each.querySelector(':scope > details'))"
    assert sorted(browser.see(folded)) == browser.see(folded)  # what is open comes first
    assert browser.see("document.querySelectorAll('details[open]').length") == 0
    browser.click("nav a[href='#attacks']")
    assert browser.see("document.querySelector('#attacks > details').open")
    assert browser.see("document.querySelectorAll('main > section > details[open]').length") == 1
    browser.click("nav button")
    assert browser.see("document.querySelectorAll('details:not([open])').length") == 0
    browser.click("nav button")
    assert browser.see("document.querySelectorAll('details[open]').length") == 0


def test_the_list_of_sections_stays_in_sight(browser: Browser, page: Path) -> None:
    for width in (1280, 390):
        browser.resize(width, 800)
        open_unfolded(browser, page)
        browser.see("scrollTo(0, 3000)")
        box = browser.see(
            "(() => { const b = document.querySelector('nav').getBoundingClientRect(); return [b.top, b.bottom]; })()"
        )
        assert 0 <= box[0] < box[1] <= 800


def test_small_tables_have_no_buttons(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.see(
        "[...document.querySelectorAll('table:has(button)')].every(each => each.tBodies[0].rows.length > 2)"
    )
    assert browser.see("document.querySelectorAll('table:has(th[data-sort]):not(:has(button))').length") > 0


def test_without_scripts_everything_is_there_but_the_buttons(browser: Browser, page: Path) -> None:
    browser.open(page)
    count = "[document.querySelectorAll('table').length, document.querySelectorAll('tbody tr').length]"
    with_scripts = browser.see(count)
    assert browser.see("document.querySelectorAll('button').length") > 10
    browser.switch_scripts(on=False)
    browser.open(page)
    assert browser.see("document.querySelectorAll('button').length") == 0
    assert browser.see(count) == with_scripts


def test_no_script_runs_but_the_one_of_the_page(browser: Browser, page: Path) -> None:
    foreign = page.with_name("foreign.html")
    foreign.write_text(page.read_text().replace("</body>", "<script>document.title = 'HACKED'</script></body>"))
    browser.open(foreign)
    assert browser.see("document.title") == "Privacy audit: 2 synthetic tables"
    assert browser.see("document.querySelectorAll('button').length") > 10


@pytest.mark.parametrize("which", ["good", "hostile"])
def test_print_has_white_paper_open_folds_no_buttons_and_fits_a4(
    browser: Browser, page: Path, hostile: Report, which: str
) -> None:
    if which == "hostile":
        tables = tuple(replace(table, exhibits=exhibits()) for table in hostile.tables)
        page.write_text(audit_page.render(replace(hostile, tables=tables)), encoding="utf-8")
    browser.prefer(color_scheme="dark")
    browser.on_paper()
    browser.resize(A4_BETWEEN_MARGINS, 990)
    browser.open(page)
    assert browser.see("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    folded = "[...document.querySelectorAll('details:not([open])')]"
    assert browser.see(f"{folded}.length") > 5
    assert browser.see(f"{folded}.every(each => each.lastElementChild.checkVisibility())")
    shown = "[...document.querySelectorAll('nav, .switch, button')].filter(each => each.getClientRects().length).length"
    assert browser.see(shown) == 0
    assert browser.see(f"document.querySelector({json.dumps(TABLE)} + ' th').innerText") == "Column"
    wide = (
        "[...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > innerWidth + 1)"
    )
    assert browser.see(f"{wide}.map(each => each.outerHTML.slice(0, 80))") == []
    assert browser.see("document.documentElement.scrollWidth") == A4_BETWEEN_MARGINS


def test_a_pdf_is_made_with_everything_in_it(browser: Browser, page: Path) -> None:
    browser.open(page)
    found = browser.pdf()
    assert found.startswith(b"%PDF-")
    whole = found.count(b"/Type /Page\n")
    browser.see("document.querySelectorAll('.card').forEach(each => each.remove())")
    less = browser.pdf().count(b"/Type /Page\n")
    assert whole > less  # ten folded cards take pages


def test_a_notebook_shows_a_frame_whose_tables_can_be_sorted(
    browser: Browser, two_tables: Report, tmp_path: Path
) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><p>before</p>{notebook.render(two_tables)}<p>after</p>", encoding="utf-8")
    browser.open(path)
    assert browser.see("document.querySelectorAll('iframe').length") == 1
    assert browser.see("document.querySelector('iframe').contentDocument") is None  # it reaches nothing, nor do we it
    numbers = "[...document.querySelector('table:has(th button)').tBodies[0].rows]"
    keys = f"{numbers}.map(row => row.cells[2].dataset.value)"
    before = browser.see_in_frame(keys)
    assert len(before) > 2
    browser.see_in_frame("document.querySelector('table:has(th button)').tHead.rows[0].cells[2].firstChild.click()")
    assert browser.see_in_frame(keys) != before
