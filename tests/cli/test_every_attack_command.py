"""Every attribute attack of the catalogue through `attack` and `game`. A new one is picked up by itself."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.plugins import catalog, names

KNOWN = ["age", "education", "sex", "race", "disability"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("every-attack")
    found = samples.acs_release()
    found.real[:200].select(KNOWN).write_csv(folder / "real.csv")
    found.synthetic[:150].select(KNOWN).write_csv(folder / "synthetic.csv")
    found.real[:30].select(KNOWN[:-1]).write_csv(folder / "people.csv")
    return folder


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "80"})


def test_the_command_line_names_all_attacks_without_loading_them():
    assert names.own_attacks() == [*catalog.attacks()]


@pytest.mark.parametrize("name", catalog.attacks())
def test_an_attack_runs_on_a_release(name, folder, tmp_path):
    given = ("--people", folder / "people.csv", "--synthetic", folder / "synthetic.csv", "--secret", "disability")
    found = run("attack", name, *given, "--out", tmp_path / "guesses.csv", "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["attack"] == name
    assert pl.read_csv(tmp_path / "guesses.csv")["row"].to_list() == [*range(1, 31)]
    shown = run("attack", name, *given)
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", catalog.attacks())
def test_an_attack_plays_games(name, folder):
    rules = ("--secret", "disability", "--rows", 40, "--sizes", 40, "--games", 2, "--workers", 1, "--attacks", name)
    found = run("game", "--real", folder / "real.csv", *rules, "--json")
    assert found.exit_code == 0, found.output
    assert [score["attack"] for score in json.loads(found.stdout)["scores"]] == [name]


@pytest.mark.parametrize("name", catalog.attacks())
def test_the_help_of_an_attack_has_no_option_of_another(name):
    shown = run("attack", name, "--help").stdout
    assert "--variant" not in shown
    assert "--param" in shown


@pytest.mark.parametrize(
    ("how", "words", "expected"),
    [
        ("recon", ["--param", "variant=gls", "--param", "recon.k=2"], {"variant": "gls", "k": 2}),
        ("recon", ["--variant", "weighted", "--k", 2, "--queries", 40], {"variant": "weighted", "query_count": 40}),
        ("infer", ["--param", "classifier=logistic"], {"classifier": "logistic"}),
    ],
)
def test_parameters_are_set_with_and_without_the_name_of_the_attack(folder, how, words, expected):
    given = ("--people", folder / "people.csv", "--synthetic", folder / "synthetic.csv", "--secret", "disability")
    found = run("attack", how, *given, *words, "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["parameters"].items() >= expected.items()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--param", "recon.k=2"], "--param sets recon.k, but the attack is dcr"),
        (["--k", 2], "dcr has no parameter 'k'; it has distance"),
        (["--param", "distance"], "is not of the form NAME=VALUE"),
        (["--param", "distance=codes", "--param", "dcr.distance=mixed"], "--param sets distance twice"),
    ],
)
def test_a_parameter_at_fault_is_said_in_one_sentence(folder, words, said):
    given = ("--people", folder / "people.csv", "--synthetic", folder / "synthetic.csv", "--secret", "disability")
    found = run("attack", "dcr", *given, *words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
