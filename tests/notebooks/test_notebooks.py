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


def test_there_is_a_notebook_for_each_task_and_a_page_that_leads_to_them():
    assert {"audit-a-release", "compare-generators", "dp-ladder", "what-if", "add-an-attack"} <= NAMES
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(([\w-]+)\.ipynb\)", page)) == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_stored(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = run_notebooks.read(path)
    cells = run_notebooks.code_cells(notebook)
    shown = list(run_notebooks.run(notebook))
    assert [cell["execution_count"] for cell in cells] == [number for number, _ in shown]
    # Numbers may change with versions of libraries; what kind of thing a cell shows may not.
    assert [_kinds(cell["outputs"]) for cell in cells] == [_kinds(outputs) for _, outputs in shown]


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
