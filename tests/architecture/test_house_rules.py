"""House rules that no linter checks."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
IDS = [str(path.relative_to(ROOT)) for path in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=IDS)
def test_a_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", SOURCES, ids=IDS)
def test_functions_fit_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            assert not body or node.end_lineno - body[0].lineno <= 30, node.name


LISTENS = ROOT / "src/seethrough/web/listening/connections.py"
"""The one file that opens a socket: the tool in the browser listens there, and connects to nothing."""


@pytest.mark.parametrize("path", SOURCES, ids=IDS)
def test_nothing_is_pickled_and_nothing_leaves_the_machine(path):
    banned = {"pickle", "marshal", "shelve", "socket", "urllib.request", "http.client", "requests", "httpx"}
    banned -= {"socket"} if path == LISTENS else set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not banned & set(names)


def test_the_file_that_listens_connects_to_nothing():
    calls = {node.attr for node in ast.walk(ast.parse(LISTENS.read_text())) if isinstance(node, ast.Attribute)}
    assert {"bind", "listen"} <= calls
    assert not calls & {"connect", "connect_ex", "create_connection", "sendto", "getaddrinfo"}


def test_import_contracts_hold(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename="pyproject.toml", cache_dir=None) == 0


def test_help_loads_nothing_heavy():
    heavy = {"numpy", "polars", "scipy", "rich", "jinja2"}
    code = f"import sys, seethrough.cli.main; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_what_make_names_among_the_tests_is_there():
    named = re.findall(r"tests/[\w/.-]+", (ROOT / "Makefile").read_text())
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
