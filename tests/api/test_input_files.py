"""inputs.json: an audit finds its tables again, by path and digest, and hands them to nobody else."""

import json
import os
import shlex
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.errors import ConfigError, SeethroughError

COLUMNS = ["age", "education", "marital_status", "sex", "employed"]
CHOSEN: dict[str, Any] = {"secret": "employed", "checks": "dcr", "preset": "fast"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Tables in files, the release a copy of the real table, so that there is something to advise."""
    release = samples.acs_release()
    for name, table in {"real": release.real, "synth": release.real, "outside": release.holdout}.items():
        table[:150].select(COLUMNS).write_csv(tmp_path / f"{name}.csv")
    return tmp_path


def call(*words: object) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, [str(word) for word in words])
    return found.exit_code, found.stdout, found.stderr


def audit_in(folder: Path, *more: object) -> tuple[int, str, str]:
    tables = "--real", folder / "real.csv", "--synthetic", folder / "synth.csv", "--holdout", folder / "outside.csv"
    words = "--secret", "employed", "--checks", "dcr", "--preset", "fast", "--out", folder / "audit"
    return call("audit", *tables, *words, *more)


def test_it_says_where_the_tables_lie_to_its_owner_alone(folder: Path) -> None:
    assert audit_in(folder, "--separator", ",")[0] == 0
    path = folder / "audit" / "inputs.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    said = json.loads(path.read_text())
    report = json.loads((folder / "audit" / "report.json").read_text())
    real = folder / "real.csv"
    assert said["real"] == {
        "path": str(real),
        "bytes": real.stat().st_size,
        "modified": said["real"]["modified"],
        "digest": report["release"]["real"]["digest"],
    }
    assert said["real"]["modified"].endswith("+00:00")
    assert [each["path"] for each in said["synthetic"]] == [str(folder / "synth.csv")]
    assert said["holdout"]["path"] == str(folder / "outside.csv")
    assert (said["csv"], said["schema"], said["format"]) == ({"separator": ",", "encoding": None}, None, 1)
    for name in ("report.json", "report.html", "report.md"):
        assert str(folder) not in (folder / "audit" / name).read_text(encoding="utf-8")


def test_others_and_frames_have_none(folder: Path) -> None:
    assert audit_in(folder, "--external")[0] == 0
    assert not (folder / "audit" / "inputs.json").exists()
    release = samples.acs_release()
    real = release.real[:150].select(COLUMNS)
    made = st.audit(real, folder / "synth.csv", folder / "outside.csv", **CHOSEN)
    made.save(folder / "frames")
    assert not (folder / "frames" / "inputs.json").exists()
    commands = [each.command for each in made.tables[0].advice if " whatif " in each.command]
    assert commands
    assert all("--real" in command for command in commands)


def test_that_of_an_earlier_audit_does_not_stay(folder: Path) -> None:
    assert audit_in(folder)[0] == 0
    frames = [samples.acs_release().real[:150].select(COLUMNS)] * 2
    st.audit(*frames, **CHOSEN).save(folder / "audit")
    assert not (folder / "audit" / "inputs.json").exists()


def test_others_are_told_apart_from_an_earlier_audit(folder: Path) -> None:
    audit_in(folder)
    code, _, said = audit_in(folder, "--external")
    assert code == 0
    assert "inputs.json is from another run and not for others" in said.replace("\n", " ")


def test_verify_and_whatif_find_the_tables(folder: Path) -> None:
    audit_in(folder)
    for given in (folder / "audit", folder / "audit" / "report.json"):
        code, said, error = call("verify", given)
        assert code == 0, error
        assert said.startswith("verified: ")
    code, said, error = call("whatif", folder / "audit", "--lever", "drop near copies", "--draws", "1", "--json")
    assert code == 0, error
    assert [row["lever"] for row in json.loads(said)["levers"]] == ["drop near copies"]


def test_a_short_command_of_the_advice_runs(folder: Path) -> None:
    _, said, _ = audit_in(folder, "--json")
    commands = [each["command"] for each in json.loads(said)["advice"] if " whatif " in each["command"]]
    assert commands
    assert all(shlex.split(command)[:4] == ["seethrough", "whatif", ".", "--lever"] for command in commands)
    near = next(command for command in commands if "drop near copies" in command)
    here = Path.cwd()
    os.chdir(folder / "audit")
    try:
        code, _, error = call(*shlex.split(near)[1:], "--draws", "1", "--json")
    finally:
        os.chdir(here)
    assert code == 0, error


def test_a_schema_is_found_again_and_names_of_tables_are_kept(folder: Path) -> None:
    (folder / "schema.toml").write_text('format = 1\n[columns.age]\nkind = "categorical"\n')
    tables = (
        folder / "real.csv",
        {"first": folder / "synth.csv", "second": folder / "outside.csv"},
        folder / "outside.csv",
    )
    made = st.audit(*tables, **CHOSEN, schema=folder / "schema.toml")
    made.save(folder / "audit")
    assert st.verify(folder / "audit").holds
    assert st.verify(folder / "audit").names == ()


def test_the_report_in_hand_knows_its_tables(folder: Path) -> None:
    made = st.audit(folder / "real.csv", folder / "synth.csv", folder / "outside.csv", **CHOSEN)
    assert [row.lever for row in st.whatif(made, levers="drop near copies", draws=1).rows] == ["drop near copies"]
    with pytest.raises(ConfigError, match="the report does not say where they lie"):
        st.whatif(made.to_dict())


def test_what_is_not_found_is_said_in_a_sentence(folder: Path) -> None:
    audit_in(folder)
    inputs, report = folder / "audit" / "inputs.json", folder / "audit" / "report.json"
    said = json.loads(inputs.read_text())
    with pytest.raises(ConfigError, match="give the real and the synthetic table, or none at all"):
        st.whatif(folder / "audit", holdout=folder / "outside.csv")
    (folder / "real.csv").rename(folder / "elsewhere.csv")
    with pytest.raises(ConfigError, match=r"the real table is no longer at .*real\.csv; name the tables: --real"):
        st.verify(report)
    (folder / "real.csv").write_text((folder / "elsewhere.csv").read_text()[:-20])
    with pytest.raises(SeethroughError, match=r"real\.csv ends in the middle"):
        st.whatif(folder / "audit")
    inputs.write_text(json.dumps({**said, "holdout": None}))
    with pytest.raises(ConfigError, match=r"inputs\.json is of another audit than report\.json"):
        st.whatif(folder / "audit")
    for odd in ("[]", "{}", '{"format": 1}', '{"format": 1, "real": 3}', '{"format": 2}'):
        inputs.write_text(odd)
        with pytest.raises(ConfigError, match=r"inputs\.json is not what an audit writes"):
            st.whatif(folder / "audit")
    inputs.unlink()
    with pytest.raises(ConfigError, match=r"there is no inputs\.json beside report\.json"):
        st.whatif(folder / "audit")


def test_another_table_at_the_same_place_is_refused_by_its_digest(folder: Path) -> None:
    audit_in(folder)
    samples.acs_release().holdout[150:300].select(COLUMNS).write_csv(folder / "outside.csv")
    code, _, said = call("whatif", folder / "audit", "--lever", "drop near copies")
    assert code == 2
    assert "outside.csv is not the holdout table of the audit" in said
    code, said, error = call("verify", folder / "audit")
    assert code == 1
    assert "the tables are not those of the report" in error
