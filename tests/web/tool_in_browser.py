"""The tool started for a test and opened in a browser, as a reader does; and what has to hold on every page."""

import sys
import time
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from browser import PATIENCE, Browser
from running_server import running

from seethrough.data import samples

COLUMNS = ["age", "education", "marital_status", "sex", "employed"]
ROWS = 150
MOST_BYTES = 300_000
"""Of the first load of a page."""
PAGES = (
    *("files", "columns", "question", "run", "verdict", "scores", "checks/gcap", "person", "attacker", "people"),
    *("columns/1", "groups", "map", "compare", "whatif", "take"),
)


def write_tables(folder: Path, **renamed: str) -> dict[str, Path]:
    """Write a real table, a release that has half of its rows, and people outside."""
    sample = samples.acs_release()
    tables = {
        "real": sample.real[:ROWS],
        "synthetic": pl.concat([sample.real[:75], sample.synthetic[:75]]),
        "holdout": sample.holdout[:ROWS],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.select(COLUMNS).rename(renamed).write_csv(folder / f"{name}.csv")
    return {name: folder / f"{name}.csv" for name in tables}


@contextmanager
def open_tool(folder: Path, *words: object):
    """Start the tool with a state folder of its own."""
    command = [sys.executable, "-m", "seethrough", "open", "--no-browser", *map(str, words)]
    with running(folder, command, {"SEETHROUGH_STATE": str(folder / "state"), "OMP_NUM_THREADS": "1"}) as server:
        yield server


@contextmanager
def visit_tool(folder: Path, *words: object):
    """Start the tool and enter it in a browser, by a file that leads to its link."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_tool(folder, *words) as server, Browser(folder / "profile") as browser:
        enter(browser, server, folder)
        yield server, browser


def enter(tab, server, folder: Path) -> None:
    """Follow the link of the tool."""
    start = folder / "start.html"
    start.write_text(
        f'<!doctype html><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0; url={server.link}">'
    )
    tab.open(start)
    tab.until("location.pathname.startsWith('/s-') && document.readyState === 'complete'", "the tool")


def at(tab) -> str:
    """Give the address of the open audit, which ends with a slash."""
    return str(tab.see("location.href.match(/^.*\\/a\\/[a-z0-9-]+\\//)[0]"))


def wait_for_page(tab, name: str) -> None:
    """Wait until the tab is at a page of the audit."""
    tab.until(f"location.pathname.endsWith('/{name}') && document.readyState === 'complete'", f"the page {name}")


def hold(tab, server, *, errors: tuple[str, ...] = ()) -> None:
    """Hold what a tab has done to what every journey promises; `errors` may be there."""
    tab.settle()
    assert tab.requests_elsewhere(server.origin, "file://") == []
    assert [error for error in tab.errors if not any(allowed in error for allowed in errors)] == []
    assert tab.dialogs == []
    assert tab.weight < MOST_BYTES


def choose_quick_run(tab) -> None:
    """Ask for the attacks alone, which take a few seconds, and run."""
    tab.open(f"{at(tab)}files")
    tab.until("document.querySelector('form[action$=run] .main-button')", "the button to run")
    tab.open(f"{at(tab)}question")
    version = "document.querySelector('input[name=version]').value"
    before = tab.see(version)
    tab.click("input[name=preset][value=attacks]")
    tab.until(f"{version} !== {before!r}", "the preset, saved")
    tab.follow("button[formaction$=run]")
    tab.until("location.pathname.endsWith('/run') || location.pathname.endsWith('/verdict')", "the run")


def wait_for_end(tab) -> None:
    """Wait until the run is over; not at its page, because the verdict opens by itself there."""
    page, ends = f"{at(tab)}run", time.monotonic() + PATIENCE
    tab.open(f"{at(tab)}files")
    while "See the verdict" not in tab.see(f"fetch({page!r}).then(answer => answer.text())"):
        assert time.monotonic() < ends, tab.text()
        tab.settle(0.5)
    tab.open(page)
