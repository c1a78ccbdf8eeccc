"""Repeating an audit from its record."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.api.verify import verify
from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.errors import ConfigError
from seethrough.report.machine import verification

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables on disk and a report on them."""
    path = tmp_path_factory.mktemp("verify")
    sample = samples.acs_release()
    for name in ("real", "synthetic", "holdout"):
        getattr(sample, name)[:300].write_csv(path / f"{name}.csv")
    tables = [path / f"{name}.csv" for name in ("real", "synthetic", "holdout")]
    report = st.audit(
        *tables,
        secret="disability",
        keys=["age", "sex"],
        checks=["gcap", "dcr", "hidden-rate", "recon"],
        params={"dcr": {"dimensions": 3}, "recon": {"most_records": 100}},
        seed=7,
    )
    report.save(path)
    return path


@pytest.fixture
def repeated(folder: Path) -> dict:  # type: ignore[type-arg]
    """The report as the same tables give it again."""
    found: dict = json.loads((folder / "report.json").read_text(encoding="utf-8"))  # type: ignore[type-arg]
    return found


def command(
    folder: Path, *more: object, report: str = "report.json", real: str = "real.csv", synthetic: str = "synthetic.csv"
):  # type: ignore[no-untyped-def]
    words = ["verify", folder / report, "--real", folder / real, "--synthetic", folder / synthetic, *more]
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_same_tables_give_the_same_report(folder: Path) -> None:
    found = command(folder, "--holdout", folder / "holdout.csv")
    assert found.exit_code == 0, found.stderr
    assert found.stdout == "verified: 4 checks on the same tables give the same numbers\n"


def test_a_number_that_was_changed_is_found(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    report["outcomes"][0]["risk"]["low"] += 0.001
    report["exhibits"]["artefacts"][0]["found"] += 1
    (folder / "changed.json").write_text(json.dumps(report), encoding="utf-8")
    found = command(folder, "--holdout", folder / "holdout.csv", report="changed.json")
    assert found.exit_code == 1
    first, second = found.stdout.splitlines()
    assert first.startswith("synthetic.csv, gcap.risk.low: the report says ")
    assert second.startswith("synthetic.csv, exhibits.artefacts[1].found: the report says ")
    assert "the numbers are not those of the report" in found.stderr


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda report: report["verdict"].update(grade="slight"), "synthetic.csv, verdict.grade"),
        (lambda report: report["verdict"].update(sentence="All is well."), "synthetic.csv, verdict.sentence"),
        (lambda report: report["findings"][1].update(p=0.99), "synthetic.csv, findings[2].p"),
        (lambda report: report["findings"][0]["leak"].update(low=-0.5), "synthetic.csv, findings[1].leak.low"),
        (lambda report: report["attacks"][0].update(p_adjusted=0.123), "synthetic.csv, attacks[1].p_adjusted"),
        (lambda report: report["evidence"].update(permutations=10), "synthetic.csv, evidence.permutations"),
        (lambda report: report.pop("verdict"), "synthetic.csv, verdict"),
        (lambda report: report["attacks"].pop(), "synthetic.csv, attacks"),
        (lambda report: report["further"].append({}), "further tables"),
    ],
)
def test_evidence_that_was_changed_is_found(repeated: dict, change: Change, where: str) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    change(said)
    assert [difference.where for difference in verification.numbers(said, repeated)] == [where]


def test_seconds_may_differ(repeated: dict) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    for attack in said["attacks"]:
        attack["seconds"] += 1
    assert verification.numbers(said, repeated) == ()


def test_another_table_is_told_before_any_number(folder: Path) -> None:
    pl.read_csv(folder / "synthetic.csv")[::-1].write_csv(folder / "turned.csv")
    found = command(folder, synthetic="turned.csv")
    assert found.exit_code == 1
    assert found.stdout.splitlines()[0] == "holdout: the report says one was given, now it is none"
    assert "synthetic table 1 (turned.csv): the report says 300 rows, digest " in found.stdout
    assert "the tables are not those of the report" in found.stderr


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 99}, "has format 99"),
        ({"format": 1}, "the report has format 1 and only 2 can be verified; audit the tables again"),
        ({"record": None}, "does not record which checks were run"),
        ({"outcomes": ...}, "not a report"),
    ],
)
def test_what_cannot_be_repeated_ends_with_two(folder: Path, change: dict, said: str) -> None:  # type: ignore[type-arg]
    report = json.loads((folder / "report.json").read_text(encoding="utf-8")) | change
    report = {key: value for key, value in report.items() if value is not ...}
    (folder / "odd.json").write_text(json.dumps(report), encoding="utf-8")
    found = command(folder, report="odd.json")
    assert found.exit_code == 2
    assert said in found.stderr


def test_files_that_are_no_report_end_with_two(folder: Path) -> None:
    (folder / "text.json").write_text("{", encoding="utf-8")
    assert command(folder, report="text.json").exit_code == 2
    assert command(folder, report="nowhere.json").exit_code == 2


def test_a_report_for_others_cannot_be_verified(folder: Path) -> None:
    others = st.audit(folder / "real.csv", folder / "synthetic.csv", checks="crp").for_others()
    with pytest.raises(ConfigError, match="made for others"):
        verify(others.to_dict(), folder / "real.csv", folder / "synthetic.csv")


def test_a_schema_that_the_audit_had_is_asked_for(folder: Path) -> None:
    schema = st.infer_schema(folder / "real.csv")
    report = st.audit(folder / "real.csv", folder / "synthetic.csv", schema=schema, checks="crp")
    with pytest.raises(ConfigError, match="given a schema"):
        verify(report.to_dict(), folder / "real.csv", folder / "synthetic.csv")
    assert verify(report.to_dict(), folder / "real.csv", folder / "synthetic.csv", schema=schema).holds


def test_other_programs_are_noted_and_no_difference(folder: Path) -> None:
    report = st.audit(folder / "real.csv", folder / "synthetic.csv", checks="crp").to_dict()
    report["record"]["versions"]["numpy"] = "0.1"
    found = verify(report, folder / "real.csv", folder / "synthetic.csv")
    assert found.holds
    assert [difference.where for difference in found.versions] == ["numpy"]


def test_limits_and_who_set_them_are_recorded(folder: Path) -> None:
    words = [
        "audit",
        "--real",
        folder / "real.csv",
        "--synthetic",
        folder / "synthetic.csv",
        "--checks",
        "crp",
        "--json",
    ]
    found = CliRunner().invoke(app, [*map(str, words), "--fail-if", "crp > 0", "--fail-if", "crp > 2"])
    thresholds = json.loads(found.stdout)["record"]["thresholds"]
    assert [(each["set_by"], each["broken"]) for each in thresholds] == [
        *[("Seethrough", None)] * 3,
        ("the user", True),
        ("the user", False),
    ]
    assert found.exit_code == 1
