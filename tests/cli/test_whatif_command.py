"""`seethrough whatif` and `st.whatif` as users have them."""

import json

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.errors import ConfigError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An audited release with the card of its generator beside it."""
    folder = tmp_path_factory.mktemp("whatif")
    release = samples.acs_release()
    columns = ["age", "education", "marital_status", "sex", "employed"]
    release.real[:150].select(columns).write_csv(folder / "real.csv")
    release.holdout[:150].select(columns).write_csv(folder / "holdout.csv")
    st.synthesize("baynet", folder / "real.csv", 150, seed=0).write(folder / "synth.csv")
    report = st.audit(
        folder / "real.csv",
        folder / "synth.csv",
        folder / "holdout.csv",
        secret="employed",
        checks="dcr",
        preset="fast",
        seed=3,
    )
    report.save(folder / "audit")
    return folder


def words(folder, *more, audit="audit", synthetic="synth.csv"):
    given = ["--real", folder / "real.csv", "--synthetic", folder / synthetic, "--holdout", folder / "holdout.csv"]
    return ["whatif", str(folder / audit), *map(str, given), "--threads", "1", "--draws", "1", *map(str, more)]


def run(*given):
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, list(given))


def test_levers_are_tried_and_written(folder, tmp_path):
    levers = ("fewer rows 50%", "drop column age", "drop near copies", "regenerate without 5")
    options = [word for lever in levers for word in ("--lever", lever)]
    found = run(*words(folder, *options, "--out", tmp_path / "out"))
    assert found.exit_code == 0, found.output
    for lever in levers:
        assert lever in " ".join(found.stdout.split())
    told = json.loads((tmp_path / "out" / "whatif.json").read_text())
    assert sorted(row["lever"] for row in told["levers"]) == sorted(levers)
    assert (told["seed"], told["preset"], told["targets"]) == (3, "fast", ["employed"])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "whatif.html",
        "whatif.json",
        "whatif.md",
        "whatif.svg",
    ]


def test_python_gives_the_same_as_the_command_line(folder):
    found = run(*words(folder, "--lever", "fewer rows 50%", "--json"))
    tables = folder / "real.csv", folder / "synth.csv", folder / "holdout.csv"
    same = st.whatif(folder / "audit" / "report.json", *tables, levers="fewer rows 50%", threads=1, draws=1)
    [told], [row] = json.loads(found.stdout)["levers"], same.rows
    plain = json.loads(json.dumps(row.to_dict()))
    assert {**told, "seconds": 0} == {**plain, "seconds": 0}
    assert same["fewer rows 50%"] is row


def test_a_generator_may_be_an_object_and_a_report_may_be_at_hand(folder):
    class Copies:
        def fit(self, frame):
            self.frame = frame

        def sample(self, rows):
            return self.frame.sample(rows, replace=True, random_state=0)

    tables = folder / "real.csv", folder / "synth.csv", folder / "holdout.csv"
    report = st.audit(*tables, secret="employed", checks="dcr", preset="fast", threads=1)
    found = st.whatif(
        report,
        *tables,
        levers=["generator mine", "generator indhist"],
        generators={"mine": Copies()},
        family="identity",
        threads=1,
        draws=1,
    )
    assert found.ranked_by == "identity"
    assert found["generator mine"].leak.value > found["generator indhist"].leak.value


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--lever", "drop column nope"), "there is no column 'nope' in use"),
        (("--lever", "less of everything"), "there is no lever 'less of everything'"),
        (("--lever", "generator bayne"), "there is no synthesizer 'bayne'; did you mean baynet"),
        (("--lever", "epsilon 1"), "the generator baynet has no parameter epsilon"),
        (("--family", "nobody"), "there is no family 'nobody' of leaks"),
        (("--target", "nope"), "there is no column 'nope' in use to be predicted"),
        (("--preset", "slow"), "there is no preset 'slow'"),
    ],
)
def test_a_bad_request_ends_with_one_sentence(folder, tmp_path, more, said):
    found = run(*words(folder, *more, "--out", tmp_path / "out"))
    assert found.exit_code == 2, found.output
    assert said in found.stderr
    assert found.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_tables_that_were_not_audited_are_refused(folder):
    found = run(*words(folder, synthetic="holdout.csv"))
    assert found.exit_code == 2
    assert "holdout.csv is not the synthetic table of the audit" in found.stderr


def test_what_is_no_audit_is_refused(folder, tmp_path):
    assert "an audit with --out writes it" in run(*words(folder, audit="nothing")).stderr
    (tmp_path / "report.json").write_text("{}")
    found = run(*words(folder, audit=tmp_path))
    assert found.exit_code == 2
    assert "not a report of `seethrough audit`" in found.stderr


def test_a_report_for_others_is_not_enough(folder):
    tables = folder / "real.csv", folder / "synth.csv", folder / "holdout.csv"
    report = st.audit(*tables, secret="employed", checks="dcr", preset="fast", threads=1)
    with pytest.raises(ConfigError, match="the custodian's report is needed"):
        st.whatif(report.for_others(), *tables)


def test_a_card_that_names_a_program_is_not_followed(folder, tmp_path):
    card = json.loads((folder / "synth.csv.card.json").read_text())
    for name in ("real.csv", "synth.csv", "holdout.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    card |= {"synthesizer": "command", "parameters": {"run": f"touch {tmp_path}/ran {{input}} {{output}}"}}
    (tmp_path / "synth.csv.card.json").write_text(json.dumps(card))
    found = run(*words(tmp_path, "--lever", "regenerate without 5", audit=folder / "audit"))
    assert found.exit_code == 2
    assert "needs the generator that made the release" in found.stderr
    assert not (tmp_path / "ran").exists()
