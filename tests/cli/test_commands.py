"""The commands as a user runs them: what they print, what they write, how they end."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Annotated

import jsonschema
import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from seethrough import __main__ as started
from seethrough.cli.main import app
from seethrough.data import samples


def run(*words, **options):
    command = [sys.executable, "-m", "seethrough", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def call(*words):
    """The same command in this process, without the second that Python takes to load it."""
    return CliRunner().invoke(app, [*map(str, words)])


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """A small release on disk."""
    folder = tmp_path_factory.mktemp("release")
    found = samples.acs_release()
    for name in ("real", "synthetic", "holdout"):
        getattr(found, name)[:400].write_csv(folder / f"{name}.csv")
    return folder


@pytest.fixture
def audit(tables):
    """An audit in a process of its own, as a user starts it."""

    def go(*more, **options):
        return run("audit", "--real", tables / "real.csv", "--synthetic", tables / "synthetic.csv", *more, **options)

    return go


@pytest.fixture
def audit_here(tables):
    """An audit in this process."""

    def go(*more):
        return call("audit", "--real", tables / "real.csv", "--synthetic", tables / "synthetic.csv", *more)

    return go


WHOLE = ("--secret", "disability", "--keys", "age,sex,race", "--seed", "3")


@pytest.fixture(scope="session")
def whole(tables, tmp_path_factory):
    """An audit with all checks: how it ended, and the folder that it made."""
    folder = tmp_path_factory.mktemp("whole") / "deep" / "audit"
    paths = {name: tables / f"{name}.csv" for name in ("real", "synthetic", "holdout")}
    ended = run(
        "audit", *(word for name, path in paths.items() for word in (f"--{name}", path)), *WHOLE, "--out", folder
    )
    assert ended.returncode == 0, ended.stderr
    return ended, folder


def test_an_audit_prints_a_summary(whole):
    ended, _ = whole
    for said in ("VERDICT", "Membership (who was in the data): ", "NOT TESTED", "signs of real rows: --verbose"):
        assert said in ended.stdout
    assert "\x1b" not in ended.stdout


def test_verbose_prints_all_scores(audit_here):
    brief, verbose = audit_here("--checks", "crp"), audit_here("--checks", "crp", "--verbose")
    assert "crp" not in brief.stdout
    assert "of the way to a copy" in verbose.stdout or "to copy" in verbose.stdout


def test_an_audit_writes_nothing_unasked(audit, tables, tmp_path):
    before = sorted(tables.iterdir())
    found = audit("--checks", "crp", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert sorted(tables.iterdir()) == before
    assert list(tmp_path.iterdir()) == []


def test_out_writes_files_that_only_the_user_reads(whole):
    written = sorted(whole[1].iterdir())
    assert [path.name for path in written] == [
        *("inputs.json", "records.parquet", "report.html", "report.json", "report.md")
    ]
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    records = pl.read_parquet(whole[1] / "records.parquet")
    assert records["row"].to_list() == list(range(1, 401))
    families = "membership", "attribute", "identity"
    assert records.columns[:8] == [
        "row",
        "synthetic",
        *(f"{each}_{what}" for each in families for what in ("p", "listed")),
    ]
    for family in families:
        p, listed = records[f"{family}_p"], records[f"{family}_listed"]
        assert p.is_null().to_list() == listed.is_null().to_list()
        assert p.drop_nulls().is_between(0, 1, closed="right").all()
        last = p.filter(listed).max()  # a list has everybody up to a p
        assert listed.drop_nulls().to_list() == [last is not None and each <= last for each in p.drop_nulls()]


def test_json_is_all_that_stands_on_standard_output(audit):
    found = audit("--json", "--secret", "disability", "--checks", "gcap,crp", "--seed", "5")
    report = json.loads(found.stdout)
    assert (report["format"], report["seed"]) == (2, 5)
    assert [outcome["check"] for outcome in report["outcomes"]] == ["gcap", "crp"]
    gcap = report["outcomes"][0]
    assert gcap["status"] == "measured"
    assert set(gcap["risk"]) == {"value", "low", "high", "confidence"}
    assert set(gcap["controls"]) == {"copy", "independent"}
    assert gcap["n"] == 400
    assert gcap["params"]["confidence"] == 0.95


def test_the_report_is_as_the_schema_says_that_the_command_prints(whole):
    printed = call("schema", "--report")
    assert printed.exit_code == 0, printed.stderr
    schema = json.loads(printed.stdout)
    assert schema["properties"]["format"] == {"const": 2}
    jsonschema.Draft202012Validator(schema).validate(json.loads((whole[1] / "report.json").read_text()))


@pytest.mark.parametrize("words", [(), ("--report", "real.csv")])
def test_schema_is_asked_for_one_thing(words):
    found = call("schema", *words)
    assert found.exit_code == 2
    assert "name the real table, or give --report" in found.stderr


def test_the_report_holds_no_value_of_a_record(whole, tables):
    report = (whole[1] / "report.json").read_text()
    levels = set(pl.read_csv(tables / "real.csv")["education"]) | set(pl.read_csv(tables / "real.csv")["relationship"])
    assert not [level for level in levels if level in report]


def test_several_synthetic_tables_have_an_outcomes_list_each(audit_here, tables):
    found = audit_here("--synthetic", tables / "holdout.csv", "--json", "--checks", "crp")
    report = json.loads(found.stdout)
    assert [table["name"] for table in report["release"]["synthetic"]] == ["synthetic.csv", "holdout.csv"]
    assert report["outcomes"][0]["risk"]["value"] > report["further"][0]["outcomes"][0]["risk"]["value"]


@pytest.mark.parametrize("more", [("--threads", "1", "--memory", "64M"), ("--threads", "2")], ids=" ".join)
def test_the_same_seed_gives_the_same_report_whatever_the_threads_and_memory(audit_here, whole, tables, more):
    def numbers(text):
        report = json.loads(text)
        del report["timings"], report["digest"]
        for outcome in (*report["outcomes"], *report["attacks"]):
            outcome.pop("seconds", None)  # a skipped check has none
        return report

    again = audit_here("--holdout", tables / "holdout.csv", *WHOLE, "--json", *more)
    assert numbers(again.stdout) == numbers((whole[1] / "report.json").read_text())


@pytest.mark.parametrize(
    ("limit", "code"),
    [("crp > 0.0", 1), ("crp >= 1.5", 0), ("crp.low > 0.99", 0), ("crp.raw < 2", 1)],
)
def test_a_broken_limit_ends_with_one(audit_here, limit, code):
    found = audit_here("--checks", "crp", "--fail-if", limit)
    assert found.exit_code == code, found.stderr
    assert (repr(limit) in found.stderr) == (code == 1)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("crp", "it ends too early"),
        ("crp > much", "at character 7: the check 'much' is not run"),
        ("crp > 1e", "is not understood"),
        ("nope > 1", "the check 'nope' is not run"),
        ("crp.middle > 1", "unknown field 'middle'"),
        ("__import__('os') > 1", "is not understood"),
    ],
)
def test_a_limit_that_is_not_understood_ends_with_two(audit_here, limit, said):
    found = audit_here("--checks", "crp", "--fail-if", limit)
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_limit_may_be_on_findings_and_artefacts(audit_here, tables):
    limit = "membership.leak.low > -1 and artefacts.exact-copies.share >= 0"
    found = audit_here("--holdout", tables / "holdout.csv", "--checks", "crp", "--fail-if", limit)
    assert found.exit_code == 1
    assert "synthetic.csv breaks the limit" in found.stderr
    assert "membership.leak.low = " in found.stderr


def test_a_limit_on_the_verdict_is_judged(audit_here, tables):
    words = ("--holdout", tables / "holdout.csv", "--checks", "crp", "--fail-if")
    found = audit_here(*words, "verdict >= no-leak-found")
    assert found.exit_code == 1
    assert "seethrough: synthetic.csv breaks the limit 'verdict >= no-leak-found': verdict = " in found.stderr
    assert audit_here(*words, "verdict == cannot-tell").exit_code == 0


def test_without_people_outside_a_limit_on_the_verdict_is_undecided_and_fails(audit_here):
    found = audit_here("--checks", "crp", "--fail-if", "verdict >= clear")
    assert found.exit_code == 1
    assert "seethrough: limit 'verdict >= clear' is undecided for synthetic.csv, which counts as broken" in found.stderr
    assert "no people outside were given" in found.stderr.lower()


def test_a_report_for_others_has_no_records(audit_here, tmp_path):
    found = audit_here("--secret", "disability", "--checks", "gcap,crp", "--external", "--out", tmp_path)
    assert found.exit_code == 0, found.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "report.md"]
    assert "Left out of this report for others" in found.stdout
    assert "tell more together than each alone" in " ".join(found.stdout.split())


def test_a_broken_limit_has_no_numbers_for_others(audit_here):
    words = "--checks", "crp", "--fail-if", "crp >= 0"
    assert "synthetic.csv breaks the limit 'crp >= 0': crp = 0" in audit_here(*words).stderr
    found = audit_here(*words, "--external")
    assert found.exit_code == 1
    assert "seethrough: limit 'crp >= 0' is broken by synthetic.csv\n" in found.stderr


def test_records_of_an_earlier_run_are_pointed_out(audit_here, tmp_path):
    assert audit_here("--checks", "crp", "--out", tmp_path).exit_code == 0
    assert (
        "is from another run and not for others"
        in audit_here("--checks", "crp", "--external", "--out", tmp_path).stderr
    )


def test_values_are_shown_only_when_asked_for_and_never_to_others(audit_here, tables, tmp_path):
    real = pl.read_csv(tables / "real.csv", infer_schema=False)
    real.reverse().write_csv(tmp_path / "copy.csv")
    words = "audit", "--real", tables / "real.csv", "--synthetic", tmp_path / "copy.csv"
    out = tmp_path / "audit"
    found = call(*words, "--holdout", tables / "holdout.csv", "--checks", "crp", "--show-values", "--out", out)
    assert found.exit_code == 0, found.stderr
    exposed = json.loads((out / "report.json").read_text())["exhibits"]["exposed"]
    assert len(exposed) == 20
    assert all(each["shown"] == list(real.row(each["row"] - 1)) for each in exposed)
    assert all(real.row(each["row"] - 1) == real.row(400 - each["released_row"]) for each in exposed)
    both = audit_here("--checks", "crp", "--show-values", "--external")
    assert both.exit_code == 2
    assert "--external leaves out" in both.stderr


def test_a_limit_on_a_skipped_check_does_not_pass(tmp_path):
    for name in ("real", "synthetic"):
        pl.DataFrame({"v": [0.5 * i for i in range(50)]}).write_csv(tmp_path / f"{name}.csv")
    found = call(
        "audit", "--real", tmp_path / "real.csv", "--synthetic", tmp_path / "synthetic.csv", "--fail-if", "gcap > 0.4"
    )
    assert found.exit_code == 2
    assert "cannot be judged: gcap was skipped" in found.stderr


BAD = [
    (["--real", "none.csv"], "none.csv is not there"),
    (["--secret", "shoe size"], "'shoe size' is not in the real table"),
    (["--keys", "age,hat"], "'hat' is not in the real table"),
    (["--secret", "age", "--keys", "age"], "both as secret and as key"),
    (["--checks", "crp,nope"], "no check 'nope'"),
    (["--preset", "slow"], "no preset 'slow'"),
    (["--memory", "lots"], "--memory 'lots' is not an amount"),
    (["--memory", "3k"], "too little"),
    (["--schema", "none.toml"], "none.toml"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_a_request_at_fault_ends_with_one_sentence_and_nothing_written(audit_here, words, said, tmp_path):
    found = audit_here(*words, "--out", tmp_path / "audit")
    assert found.exit_code == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert found.stdout == ""
    assert not (tmp_path / "audit").exists()


def test_a_folder_that_cannot_be_written_is_said_so(audit_here, tmp_path):
    (tmp_path / "file").write_text("")
    found = audit_here("--checks", "crp", "--out", tmp_path / "file")
    assert found.exit_code == 2
    assert "cannot write to" in found.stderr


def test_ctrl_c_leaves_no_partial_files(tmp_path):
    frame = pl.concat([samples.acs()] * 12).with_columns(noise=pl.int_range(pl.len()) * 0.37 % 1)
    frame.write_parquet(tmp_path / "real.parquet")
    frame.with_columns(noise=pl.col("noise").reverse()).write_parquet(tmp_path / "synthetic.parquet")
    command = [sys.executable, "-m", "seethrough", "audit", "--real", str(tmp_path / "real.parquet")]
    command += ["--synthetic", str(tmp_path / "synthetic.parquet"), "--out", str(tmp_path / "audit"), "--threads", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        time.sleep(4)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "stopped; no report was written" in err
    assert "Traceback" not in err
    assert out == ""
    assert not (tmp_path / "audit").exists()


@pytest.fixture
def not_its_own(monkeypatch):
    """Leave the process of the tests as it is: it is not the command's own."""
    monkeypatch.setattr("seethrough.system.own_process.settle_own_process", lambda: None)


@pytest.mark.usefixtures("not_its_own")
def test_ctrl_c_is_told_while_the_command_line_is_understood(monkeypatch, capsys):
    def interrupt(value):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
        return value

    def command(word: Annotated[str, typer.Option(callback=interrupt)] = "word"): ...

    program = typer.Typer()
    program.command()(command)
    monkeypatch.setattr("seethrough.cli.main.main", lambda: program([]))
    monkeypatch.delitem(sys.modules, "seethrough.results.whole_files", raising=False)  # what other tests wrote here
    with pytest.raises(SystemExit) as ended:
        started.run_here()
    assert ended.value.code == 130
    assert capsys.readouterr().err.count("stopped; no report was written") == 1


@pytest.mark.usefixtures("not_its_own")
def test_ctrl_c_ends_in_the_same_way_while_the_program_is_loading(monkeypatch, capsys):
    class Interrupted:
        def find_spec(self, name, path=None, target=None):
            if name == "seethrough.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "seethrough.cli.main")
    monkeypatch.delitem(sys.modules, "seethrough.results.whole_files", raising=False)  # what other tests wrote here
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        started.run_here()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "seethrough: stopped; no report was written, nothing is left behind\n"


def test_ctrl_c_inside_an_exec_ends_with_the_exit_code_too(tmp_path):
    code = """
import sys, types
from seethrough import __main__ as started

fake = types.ModuleType("seethrough.cli.main")

def main():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        sys.exit(130)

fake.main = main
sys.modules["seethrough.cli.main"] = fake
"""
    found = []
    for name, start in (("ours", "started.main()"), ("plain", "main()")):
        (tmp_path / f"{name}.py").write_text(code + start)
        found.append(subprocess.run([sys.executable, "-m", name], cwd=tmp_path, timeout=60, check=False).returncode)
    # The second shows how Python would end it.
    assert found == [130, -signal.SIGINT]


def test_parameters_are_set_and_timings_stand_beside_the_report(audit):
    found = audit("--json", "--timings", "--checks", "dcr,nnaa,auth", "--param", "dcr.dimensions=3")
    report = json.loads(found.stdout)
    assert report["outcomes"][0]["params"]["dimensions"] == 3
    assert found.stderr.lstrip().startswith("Where the time went:")
    assert "\x1b" not in found.stderr
    timings = report["timings"]
    assert {cost["check"] for cost in timings["checks"]} == {"dcr", "nnaa", "auth"}
    searches = [cost for cost in timings["shared"] if cost["request"] == "NearestOther" and cost["tables"] == ["real"]]
    assert [cost["computed"] == cost["different"] for cost in searches] == [True]
    assert searches[0]["asked"] >= 6  # two checks, on the release and on two controls
    assert "NearestOther" in found.stderr
    assert "What would have made it faster" in found.stderr
    assert {cost["step"] for cost in timings["steps"]} == {
        "advice",
        "artefacts",
        "evidence",
        "exhibits",
        "groups",
        "isolation",
    }
    assert 0 < timings["reading"] < timings["total"]


BAD_PARAMETERS = [
    ("dcr", "--param 'dcr' is not of the form CHECK.NAME=VALUE"),
    ("dcr.dimensions", "is not of the form"),
    ("nope.dimensions=3", "there is no check 'nope'"),
    ("gcap.confidence=0.9", "a parameter of gcap is set, which is not run; these are: dcr"),
    ("dcr.hat=3", "dcr has no parameter 'hat'; it has dimensions"),
    ("dcr.dimensions=many", "parameter dcr.dimensions is 'many'; whole number"),
    ("dcr.confidence=2", "parameter dcr.confidence is 2.0; a number between 0 and 1 is expected"),
]


@pytest.mark.parametrize(("text", "said"), BAD_PARAMETERS)
def test_a_parameter_at_fault_ends_with_one_sentence(text, said):
    words = ["audit", "--real", "r.csv", "--synthetic", "s.csv", "--checks", "dcr", "--param", text]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert found.stdout == ""


def test_list_names_every_check():
    plain, machine = call("list").stdout, json.loads(call("list", "--json").stdout)
    assert len(machine) >= 7
    for check in machine:
        assert check["check"] in plain
        assert set(check) >= {"question", "category", "needs", "references", "params", "formula", "verdicts"}
    assert "dimensions=2" in plain
    [dcr] = [check for check in machine if check["check"] == "dcr"]
    assert dcr["params"]["dimensions"].keys() == {"kind", "choices", "optional", "default"}
    assert dcr["params"]["dimensions"]["kind"] == "whole number"


def test_explain_says_all_about_a_check():
    shown = run("explain", "gcap", env={**os.environ, "COLUMNS": "80"}).stdout
    assert shown.startswith(
        "gcap is a check of audits and an attack; both are explained, the check first.\n\nGeneralized CAP (gcap)\n"
    )
    for said in ("--param gcap.NAME=VALUE", "grows with epsilon: works", "Deviations", "doi:10.1145/3374664.3375722"):
        assert said in shown
    found = CliRunner().invoke(app, ["explain", "gcap", "--json"])
    assert json.loads(found.stdout)["text"].keys() == {"definition", "references", "deviations"}


def test_explain_helps_who_mistypes():
    found = CliRunner().invoke(app, ["explain", "gcpa"])
    assert found.exit_code == 2
    assert "there is no check or attack 'gcpa'; did you mean gcap" in found.stderr
    assert found.stdout == ""


def test_schema_prints_toml_that_an_audit_takes(audit_here, tables, tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text(call("schema", tables / "real.csv").stdout)
    assert audit_here("--schema", path, "--checks", "crp").exit_code == 0
    assert json.loads(call("schema", tables / "real.csv", "--json").stdout)["columns"]


@pytest.mark.parametrize("rows", [300, pytest.param(None, marks=pytest.mark.slow)])
def test_demo_writes_tables_and_report(tmp_path, monkeypatch, rows):
    sample = samples.acs_release()
    few = samples.SampleRelease(sample.real[:rows], sample.holdout[:rows], sample.synthetic[:rows])
    monkeypatch.setattr(samples, "acs_release", lambda seed: few)
    found = call("demo", "--out", tmp_path / "demo")
    assert found.exit_code == 0, found.stderr
    assert {path.name for path in (tmp_path / "demo").iterdir()} == {
        "real.csv",
        "synthetic.csv",
        "holdout.csv",
        "inputs.json",
        "report.html",
        "report.json",
        "report.md",
        "records.parquet",
    }
    assert "seethrough audit --real" in found.stderr


def test_version_and_wrong_words():
    assert run("--version").stdout.startswith("seethrough 0.")
    wrong = run("audit", "--real")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


def test_the_preset_decides_the_attacks_and_is_recorded(audit_here, tables):
    found = audit_here(
        "--holdout", tables / "holdout.csv", "--secret", "disability", "--preset", "fast", "--checks", "crp", "--json"
    )
    report = json.loads(found.stdout)
    assert report["record"]["preset"] == "fast"
    names = {attack["name"] for attack in report["attacks"]}
    assert "dcr" in names
    assert "recon" not in names
