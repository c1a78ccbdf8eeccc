"""A plan that would run programs or import modules is run only where the user says so, and says what it would run."""

import sys

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.errors import ConfigError
from seethrough.study.plan.plan import read_plan, shipped_plans
from seethrough.study.plan.trust import foreign_code

PLAN = """
format = 1
name = "tiny"
[data.people]
file = "people.csv"
secret = "ill"
[[metrics]]
data = "people"
rows = 20
runs = 1
synthesizers = [{generator}]
checks = ["crp"]
"""
EVIL = """
from pathlib import Path
Path("imported").touch()
def fit(frame):
    return lambda n: frame.sample(n, replace=True)
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    rows = [f"{number % 7},{'yes' if number % 3 else 'no'}" for number in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["age,ill", *rows]))
    (tmp_path / "evil_generator.py").write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "evil_generator", raising=False)

    def plan(generator):
        (tmp_path / "plan.toml").write_text(PLAN.format(generator=generator))
        return tmp_path / "plan.toml"

    return plan


@pytest.mark.parametrize(
    ("generator", "said"),
    [
        ('"mine=command:run=touch {input} {output},seconds=5"', "runs the program 'touch {input} {output}'"),
        (
            '{ name = "command", label = "x", run = "touch {input} {output}" }',
            "runs the program 'touch {input} {output}'",
        ),
        ('"callable:object=evil_generator:fit"', "imports the Python module 'evil_generator'"),
        (
            '"indhist", { name = "callable", object = "evil_generator:fit" }',
            "imports the Python module 'evil_generator'",
        ),
    ],
)
def test_what_a_plan_would_run_is_said_and_refused(write, tmp_path, generator, said):
    path = write(generator)
    with pytest.raises(ConfigError, match="look at what it runs, then run it with --trust") as refused:
        st.run_study(path, tmp_path / "s.sqlite")
    assert said in str(refused.value)
    assert not (tmp_path / "imported").exists()
    assert not (tmp_path / "s.sqlite").exists()
    found = CliRunner().invoke(app, ["study", "run", str(path), "--store", str(tmp_path / "s.sqlite")])
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_plan_that_is_trusted_runs(write, tmp_path):
    pytest.importorskip("pandas")
    path = write('"callable:object=evil_generator:fit"')
    words = ["study", "run", str(path), "--store", str(tmp_path / "s.sqlite"), "--workers", "1", "--trust"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 0, found.stderr
    assert "this plan imports the Python module 'evil_generator'" in found.stderr
    assert (tmp_path / "imported").exists()


def test_a_plan_without_such_generators_runs_as_before(write, tmp_path):
    assert st.run_study(write('"indhist"'), tmp_path / "s.sqlite").progress.computed == 1


@pytest.mark.parametrize("name", shipped_plans())
@pytest.mark.parametrize("form", ["small", "full"])
def test_shipped_plans_run_nothing_of_others(name, form):
    assert foreign_code(read_plan(name, form)) == ()


def test_the_small_form_is_looked_at_where_it_is_run(write):
    path = write('"indhist"')
    more = '[small]\n[[small.metrics]]\ndata = "people"\nrows = 20\nruns = 1\nchecks = ["crp"]\n'
    path.write_text(path.read_text() + more + 'synthesizers = ["callable:object=evil_generator:fit"]\n')
    assert foreign_code(read_plan(path)) == ()
    assert len(foreign_code(read_plan(path, "small"))) == 1
