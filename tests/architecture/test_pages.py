"""What the pages name is there: files, modules, targets of make, links."""

import os
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from seethrough.plugins import catalog
from seethrough.study.kinds import registry

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "seethrough"
PAGES = [
    *ROOT.glob("*.md"),
    *(page for room in ("", "attacks", "readers") for page in (ROOT / "docs" / room).glob("*.md")),
]
PAGES = sorted(page for page in PAGES if page.name != "CHANGELOG.md")  # which may name what is gone
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
ROOMS = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
GROUPS = {value for value in vars(catalog).values() if isinstance(value, str) and value.startswith("seethrough.")}
GROUPS |= {registry.GROUP}
"""Groups of entry points."""
PLACEHOLDER = re.compile(r"your_|my_|YOUR|NAME|\*")


def is_there(path):
    return any((base / path).exists() for base in (ROOT, PACKAGE, ROOT / "src"))


def named_paths(text):
    """What stands between backticks, has a slash, and is a Python file or begins with a room of ours.

    A page that leads through files shows each under its name; those are not ours.
    """
    shown = set(re.findall(r"^\*\*`([^`]+)`\*\*$", text, re.MULTILINE))
    for path in re.findall(r"`([\w./*-]+/[\w./*-]*)`", text):
        if (path.endswith(".py") or path.split("/")[0] in ROOMS) and path not in shown and not PLACEHOLDER.search(path):
            yield path


def named_modules(text):
    return {name for name in re.findall(r"\bseethrough(?:\.[a-z_]\w*)+", text) if not PLACEHOLDER.search(name)} - GROUPS


def resolves(name):
    """A module, or what is in one, is there."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        try:
            if find_spec(module) is None:
                continue
        except ModuleNotFoundError:
            continue
        value = import_module(module)
        for part in parts[length:]:
            value = getattr(value, part, None)
        return value is not None
    return False


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_files_that_a_page_names_are_there(page):
    assert [path for path in named_paths(page.read_text(encoding="utf-8")) if not is_there(path)] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_modules_that_a_page_names_are_there(page):
    files = {"seethrough.csv", "seethrough.toml"}
    assert [name for name in named_modules(page.read_text(encoding="utf-8")) - files if not resolves(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_of_a_page_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def anchors_in(page):
    """Give the addresses of the headings of a page, as hosts of Markdown make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_to_a_heading_find_it(page):
    links = re.findall(r"\]\(([^)#\s]*\.md)?#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    places = [((page.parent / file) if file else page, anchor) for file, anchor in links]
    assert [f"{place.name}#{anchor}" for place, anchor in places if anchor not in anchors_in(place)] == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_targets_that_a_page_names_are_in_the_makefile(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:`|^ {4})make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= targets


def links_of(page):
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in links if "://" not in link}


def test_the_indices_lead_to_every_page():
    links = links_of(ROOT / "docs" / "README.md") | links_of(ROOT / "docs" / "attacks" / "README.md")
    pages = {
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "attacks").glob("*.md"),
        *(ROOT / "docs/results").glob("*.md"),
        *(ROOT / "docs/readers").glob("*.md"),
    }
    assert {page.name for page in pages - links} == {"README.md"}


def test_paths_and_modules_that_are_gone_are_seen():
    assert list(named_paths("`kernels/gone.py`, `metrics/your_metric.py`, `audit/report.json`, `data/reading/`")) == [
        "kernels/gone.py",
        "data/reading/",
    ]
    assert not is_there("kernels/gone.py")
    assert not resolves("seethrough.shared.bench")
    assert resolves("seethrough.bench.bench.Bench")
    assert resolves("seethrough.audit")


def test_the_site_leads_to_every_page():
    """A page that no list of the site names is an error when it is built, which takes longer than this."""
    lists = re.findall(r"```\{toctree\}\n(.*?)```", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.DOTALL)
    named = {re.sub(r".*<(.*)>", r"\1", line) for found in lists for line in found.splitlines()}
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "readers").glob("*.md")]
    expected = {os.path.relpath(page.with_suffix(""), ROOT / "docs") for page in pages} - {"index"}
    assert expected - named == set()
