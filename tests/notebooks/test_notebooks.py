"""The notebooks of docs/notebooks run, and show nothing about the machine that ran them."""

import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
sys.path.insert(0, str(FOLDER))
import run_notebooks  # noqa: E402

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NAMES = {path.stem for path in NOTEBOOKS}
SMALLER = {
    "add-an-attack": {"[:2000]": "[:300]", "games=60": "games=3", "rows=200": "rows=40", "[200]": "[40]"},
    "compare-generators": {"[:1600]": "[:240]"},
    "dp-ladder": {"[:2000]": "[:240]"},
    "what-if": {"[:1600]": "[:240]"},
}
"""What makes a notebook quick: fewer rows and games."""


def test_there_is_a_notebook_for_each_task_and_a_page_that_leads_to_them():
    assert {"audit-a-release", "compare-generators", "dp-ladder", "what-if", "add-an-attack"} <= NAMES
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(([\w-]+)\.ipynb\)", page)) == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", ["smaller", pytest.param("whole", marks=pytest.mark.slow)])
def test_a_notebook_runs_and_shows_what_is_stored(path, size, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = run_notebooks.read(path)
    cells = run_notebooks.code_cells(notebook)
    for cell in cells if size == "smaller" else ():
        cell["source"] = _made_smaller("".join(cell["source"]), SMALLER.get(path.stem, {}))
    shown = list(run_notebooks.run(notebook))
    assert [cell["execution_count"] for cell in cells] == [number for number, _ in shown]
    # Numbers may change with versions of libraries; what kind of thing a cell shows may not.
    assert [_kinds(cell["outputs"]) for cell in cells] == [_kinds(outputs) for _, outputs in shown]


def _made_smaller(text, changes):
    for large, small in changes.items():
        text = text.replace(large, small)
    return text


@pytest.mark.parametrize("name", SMALLER)
def test_what_makes_a_notebook_quick_is_in_it(name):
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    assert [large for large in SMALLER[name] if large not in text] == []


def _kinds(outputs):
    return [(each["output_type"], sorted(each.get("data", ()))) for each in outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_nothing_of_the_machine_or_the_time(path):
    notebook = run_notebooks.read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert set(notebook["metadata"]) == {"kernelspec"}
    assert all(cell["metadata"] == {} for cell in notebook["cells"])
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(home|tmp|work|root|Users|private|var)/|[A-Z]:\\\\", text)
    assert "Traceback" not in text


def test_a_report_shows_itself_once_and_nothing_else():
    notebook = run_notebooks.read(FOLDER / "audit-a-release.ipynb")
    [cell] = [cell for cell in run_notebooks.code_cells(notebook) if "".join(cell["source"]).strip() == "report"]
    [output] = cell["outputs"]
    assert sorted(output["data"]) == ["text/html", "text/plain"]
    assert "".join(output["data"]["text/html"]).count("<iframe") == 1
