"""What is needed is little, has a lower bound that is tested, and is justified where contributors look."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

from lowest_versions import lowest_versions
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def test_every_dependency_has_a_lower_bound_and_nothing_else():
    pins = lowest_versions(ROOT / "pyproject.toml")
    assert {pin.partition("==")[0] for pin in pins} >= {"numpy", "polars", "typer", "pytest", "dask"}
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9.]+", pin) for pin in pins)


def test_the_script_prints_them():
    script = Path(__file__).with_name("lowest_versions.py")
    found = subprocess.run(
        [sys.executable, script, ROOT / "pyproject.toml"], capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines() == lowest_versions(ROOT / "pyproject.toml")


def test_contributors_read_why_each_dependency_is_there():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z0-9-]+)`", page, re.MULTILINE))
    asked = [*told["dependencies"], *told["optional-dependencies"]["web"]]
    assert rows == {each.partition(">=")[0] for each in asked}


def test_the_tool_in_the_browser_needs_at_most_six_packages_more():
    installed = {_plain_name(each.metadata["Name"]): each.requires or () for each in distributions()}
    found = _closure({"starlette", "uvicorn"}, installed) - _closure({"seethrough"}, installed)
    assert found <= {"starlette", "uvicorn", "anyio", "h11", "idna", "click"}


def _closure(names, installed):
    """All distributions that these need without extras, on this Python and system."""
    found, left = set(), set(names)
    while left:
        name = left.pop()
        found.add(name)
        asked = [re.match(r"[A-Za-z0-9_.-]+", each)[0] for each in installed[name] if is_needed(each)]
        left |= ({_plain_name(each) for each in asked} & set(installed)) - found
    return found


def is_needed(requirement):
    """A requirement holds here, without any extra."""
    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"extra": ""})


def _plain_name(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def loaded_by(statement):
    """Name the modules that a fresh Python has after a statement, beyond those of the standard library."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return {name for name in said if name.partition(".")[0] not in sys.stdlib_module_names}


def test_importing_loads_nothing_but_the_standard_library():
    """Counted and not timed: 10 ms where this was written."""
    assert loaded_by("import seethrough") == {"seethrough"}


def test_the_command_line_loads_its_own_library_alone_before_it_knows_the_command():
    found = {name.partition(".")[0] for name in loaded_by("import seethrough.cli.main")}
    assert found <= {"seethrough", "typer", "click", "shellingham", "annotated_doc", "typing_extensions"}


def test_the_page_on_installing_names_every_extra_and_what_it_brings():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z]+)` \| .*? \| (.*?) \|", page, re.MULTILINE))
    for extra in ("web", "cluster", "figures", "deep"):
        assert all(f"`{each.partition('>=')[0]}`" in rows[extra] for each in told["optional-dependencies"][extra])
    needed = {each.partition(">=")[0] for each in told["dependencies"]}
    assert [name for name in needed if f"`{name}`" not in page.partition("## Size")[2]] == []
