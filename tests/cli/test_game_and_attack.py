"""`seethrough game` and `seethrough attack` as a user runs them."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.data import samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A population, a release of its first records, and those without their secret."""
    folder = tmp_path_factory.mktemp("game")
    found = samples.acs_release()
    found.real[:600].write_csv(folder / "real.csv")
    found.synthetic[:400].write_csv(folder / "synthetic.csv")
    found.synthetic[400:700].write_csv(folder / "more.csv")
    found.real[:50].drop("disability").write_csv(folder / "people.csv")
    found.real[:50].write_csv(folder / "truth.csv")
    return folder


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)])


@pytest.fixture
def game(folder):
    words = ["--secret", "disability", "--rows", "60", "--sizes", "60,300", "--games", "4", "--workers", "1"]

    def go(*more):
        return run("game", "--real", folder / "real.csv", *words, "--attacks", "dcr", *more)

    return go


@pytest.fixture
def attack(folder):
    def go(*more, how="dcr", people="people.csv"):
        words = ["--people", folder / people, "--synthetic", folder / "synthetic.csv", "--secret", "disability"]
        return run("attack", how, *words, *more)

    return go


def test_a_game_prints_scores_baselines_and_utility(game):
    found = game("--synthesizer", "nonprivate", "--synthesizer", "indhist")
    assert found.exit_code == 0, found.output
    for said in ("chance is 0.5000", "random", "majority", "imputation", "nonprivate", "indhist", "MRE>10", "3-TVD"):
        assert said in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80
    assert [line.split()[1] for line in found.stdout.splitlines() if " dcr  " in line] == ["60", "300"] * 2


def test_generators_with_parameters_stand_side_by_side_and_warn(game):
    found = game("--synthesizer", "privbayes:epsilon=1,k=1", "--synthesizer", "own=privbayes:epsilon=50,k=1", "--json")
    assert found.exit_code == 0, found.output
    report = json.loads(found.stdout)
    assert [score["synthesizer"] for score in report["scores"][::2]] == ["privbayes:epsilon=1,k=1", "own"]
    notes = [note for note in report["notes"] if "was read from the data" in note]
    assert [note.partition(": the domain")[0] for note in notes] == ["privbayes:epsilon=1,k=1", "own"]
    shown = game("--synthesizer", "privbayes:epsilon=1,k=1").stdout
    assert "privbayes:epsilon=1,k=1: the domain of" in " ".join(shown.split())


def test_a_game_is_repeatable_and_writes_every_answer(game, tmp_path):
    first, second = (game("--json", "--seed", "7", "--out", tmp_path / f"{n}.csv") for n in (1, 2))
    report = json.loads(first.stdout)
    assert report["seed"] == 7
    assert [score["attack"] for score in report["scores"]] == ["dcr", "dcr"]
    assert {score["attack"] for score in report["baselines"]} == {"random", "majority", "imputation"}
    assert report["scores"][0]["accuracy"].keys() == {"value", "low", "high", "confidence"}
    answers, again = (pl.read_csv(tmp_path / f"{n}.csv").drop("seconds") for n in (1, 2))
    assert answers.equals(again)
    assert len(answers) == 4 * (3 + 2)
    hits = answers.filter(attack="dcr", size=300)["hit"].mean()
    assert report["scores"][1]["accuracy"]["value"] == pytest.approx(hits)
    assert second.exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sizes", "0"], "--sizes '0' is not a list of whole numbers from 1 on"),
        (["--sizes", "many"], "is not a list of whole numbers"),
        (["--rows", "1"], "at least 2 are needed"),
        (["--rows", "601"], "601 rows cannot be drawn from a population of 600 records"),
        (["--synthesizer", "real"], "300 rows are more than its 60 records"),
        (["--synthesizer", "gan"], "there is no synthesizer 'gan'"),
        (["--secret", "shoe"], "real.csv has no column 'shoe'"),
        (["--secret", "age"], "a category is expected"),
        (["--attacks", "nope"], "there is no attack 'nope'"),
        (["--param", "infer.classifier=forest"], "which is not run"),
        (["--param", "dcr.distance=far"], "mixed or codes is expected"),
    ],
)
def test_a_game_that_cannot_be_played_ends_with_one_sentence(game, words, said):
    found = game(*words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert found.stdout == ""


def test_an_attack_writes_a_guess_for_each_person(attack, tmp_path):
    found = attack("--out", tmp_path / "guesses.csv")
    assert found.exit_code == 0, found.output
    assert "50 people" in found.stdout
    assert "% above 0.5" in found.stdout
    assert "Right about" not in found.stdout
    guesses = pl.read_csv(tmp_path / "guesses.csv")
    assert guesses.columns == ["row", "guess", "score", "certainty"]
    assert guesses["row"].to_list() == list(range(1, 51))
    assert set(guesses["guess"]) <= {"Yes", "No"}


def test_an_attack_scores_itself_where_the_truth_is_known(attack, folder, tmp_path):
    words = ["--synthetic", folder / "more.csv", "--truth", folder / "truth.csv", "--out", tmp_path / "guesses.csv"]
    found = attack(*words, "--json")
    report = json.loads(found.stdout)
    assert report["synthetic"] == ["synthetic.csv", "more.csv"]
    assert report["truth"]["people"] == 50
    right = pl.read_csv(tmp_path / "guesses.csv")["guess"] == pl.read_csv(folder / "truth.csv")["disability"]
    assert report["truth"]["accuracy"]["value"] == pytest.approx(right.mean())
    assert report["decided"].keys() == {"0.5", "0.9"}
    assert "Right about" in attack(*words).stdout


def test_a_secret_that_is_known_is_ignored_and_changes_nothing(attack):
    plain, known = (json.loads(attack("--json", people=name).stdout) for name in ("people.csv", "truth.csv"))
    assert plain["guesses"] == known["guesses"]
    assert any("which is ignored" in note for note in known["notes"])


def test_formulas_in_values_are_defused(folder, tmp_path):
    table = pl.read_csv(folder / "synthetic.csv").with_columns(pl.col("disability").replace({"Yes": "=1+1"}))
    table.write_csv(tmp_path / "synthetic.csv")
    words = ["--people", folder / "people.csv", "--synthetic", tmp_path / "synthetic.csv", "--secret", "disability"]
    assert run("attack", "dcr", *words, "--out", tmp_path / "guesses.csv").exit_code == 0
    assert "'=1+1" in (tmp_path / "guesses.csv").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--truth", "none.csv"], "none.csv is not there"),
        (["--secret", "shoe"], "synthetic.csv has no column 'shoe', which is to be guessed"),
        (["--variant", "lp"], "dcr has no parameter 'variant'"),
        (["--param", "infer.classifier=forest"], "but the attack is dcr"),
    ],
)
def test_an_attack_that_cannot_be_run_ends_with_one_sentence(attack, words, said):
    found = attack(*words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1


def test_recon_takes_its_options(attack):
    report = json.loads(attack("--json", "--variant", "gls", "--k", "2", "--queries", "40", how="recon").stdout)
    assert report["parameters"].items() >= {"variant": "gls", "k": 2, "query_count": 40}.items()
    assert report["details"]["queries"] <= 40
    shown = attack(how="recon").stdout
    for said in ("queries", "objective", "status", "% above 0.9"):
        assert said in shown


def test_variants_play_the_same_games(game):
    report = json.loads(game("--json", "--attacks", "recon:lp,recon:gls", "--games", "2", "--sizes", "60").stdout)
    assert [score["attack"] for score in report["scores"]] == ["recon:lp", "recon:gls"]
    wrong = game("--attacks", "recon", "--variant", "magic")
    assert wrong.exit_code == 2
    assert "parameter recon.variant is 'magic'" in wrong.stderr


def test_the_same_from_python(folder):
    frame = pl.read_csv(folder / "real.csv")
    report = st.play_game(frame, secret="disability", rows=60, sizes=[300], games=4, attacks="dcr", utility_games=1)
    assert report.score("dcr").plays == 4
    assert report.utility[0].tvd < 0.2
    synthetic = pl.read_csv(folder / "synthetic.csv").to_pandas()
    guesses = st.attack("infer", frame[:20].drop("disability"), synthetic, secret="disability", truth=frame[:20])
    assert len(guesses.guesses) == 20
    assert guesses.truth.people == 20


def test_a_game_may_attack_the_isolated(game):
    found = game("--aim", "isolated")
    assert found.exit_code == 0, found.output
    assert "4 games with 1 isolated target among 60 rows" in " ".join(found.stdout.split())
    assert json.loads(game("--aim", "isolated", "--json").stdout)["aim"] == "isolated"
    assert game("--aim", "loud").exit_code == 2
