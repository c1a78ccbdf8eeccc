"""Repeating an audit from its record."""

import json
import random
from collections.abc import Callable, Iterator
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
from seethrough.results.provenance import report_digest

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
    assert first.startswith("outcomes[gcap].risk.low: the report says ")
    assert second.startswith("exhibits.artefacts[1].found: the report says ")
    assert "the numbers are not those of the report" in found.stderr


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda report: report["verdict"].update(grade="none"), "verdict.grade"),
        (lambda report: report["verdict"].update(sentence="All is well."), "verdict.sentence"),
        (lambda report: report["findings"][1].update(p=0.99), "findings[2].p"),
        (lambda report: report["findings"][0]["leak"].update(low=-0.5), "findings[1].leak.low"),
        (lambda report: report["attacks"][0].update(p_adjusted=0.123), "attacks[1].p_adjusted"),
        (lambda report: report["evidence"].update(permutations=10), "evidence.permutations"),
        (lambda report: report.pop("verdict"), "verdict"),
        (lambda report: report["attacks"].pop(), "attacks"),
        (lambda report: report["further"].append({}), "further"),
        (lambda report: report["outcomes"].clear(), "outcomes"),
        (lambda report: report["outcomes"].pop(1), "outcomes"),
        (lambda report: report.pop("further"), "further"),
        (lambda report: report["notes"].append("All is well."), "notes"),
        (lambda report: report.update(growth=[{}]), "growth"),
        (lambda report: report["record"]["thresholds"][0].update(text="none"), "record.thresholds[1].text"),
        (lambda report: report["record"]["params"]["dcr"].update(dimensions=2), "record.params.dcr.dimensions"),
        (lambda report: report["record"].update(extra=1), "record.extra"),
        (lambda report: report["evidence"]["warnings"].append("None."), "evidence.warnings"),
        (lambda report: report["outcomes"][0]["warnings"].append("None."), "outcomes[gcap].warnings"),
        (lambda report: report["release"]["real"].update(rows=10_000), "release.real.rows"),
        (lambda report: report["release"].update(independent="none"), "release.independent"),
        (lambda report: report["schema"]["columns"][0].update(kind="date"), "schema.columns[1].kind"),
        (lambda report: report["schema"]["columns"][0].update(name="x"), "schema.columns[1].name"),
        (lambda report: report["release"]["real"].update(name="x.csv"), "name of real"),
        (lambda report: report.update(comparison={"best": "a"}), "comparison"),
    ],
)
def test_evidence_that_was_changed_is_found(repeated: dict, change: Change, where: str) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    change(said)
    found = verification.compare_reports(said, repeated)
    assert [difference.where for difference in (*found.inputs, *found.numbers)] == [where]
    assert found.is_edited


def test_seconds_may_differ(repeated: dict) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    for attack in said["attacks"]:
        attack["seconds"] += 1
    said["digest"] = report_digest(said)
    found = verification.compare_reports(said, repeated)
    assert (found.inputs, found.numbers, found.is_edited) == ((), (), False)


def test_another_table_is_told_before_any_number(folder: Path) -> None:
    pl.read_csv(folder / "synthetic.csv")[::-1].write_csv(folder / "turned.csv")
    found = command(folder, synthetic="turned.csv")
    assert found.exit_code == 1
    assert found.stdout.splitlines()[0] == "holdout: the report says one was given, now it is none was given"
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
    report["digest"] = report_digest(report)
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


def test_times_that_were_changed_show_in_the_digest(repeated: dict) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    said["timings"] = {}
    found = verification.compare_reports(said, repeated)
    assert (found.inputs, found.numbers, found.is_edited) == ((), (), True)


def test_any_single_value_that_is_edited_is_told(repeated: dict) -> None:  # type: ignore[type-arg]
    """Places of the report, drawn by a fixed seed, are changed or taken away, each by itself."""
    passed = []
    for path in random.Random(0).sample(list(leaves(repeated)), 60):
        for edit in (changed, removed):
            said = json.loads(json.dumps(repeated))
            edit(said, path)
            found = verification.compare_reports(said, repeated)
            if not (found.inputs or found.numbers or found.is_edited):
                passed.append((path, edit.__name__))
    assert passed == []


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Go through all places of a report, but for what the record needs to be understood at all."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        if (*path, key) not in {("record",), ("release",)} and key != "versions":
            yield (*path, key)
        yield from leaves(each, (*path, key))


def changed(report: Any, path: tuple[Any, ...]) -> None:
    """Exchange one value for another of its kind."""
    holder = _holder(report, path)
    value = holder[path[-1]]
    match value:
        case bool():
            holder[path[-1]] = not value
        case int() | float():
            holder[path[-1]] = value + 1
        case str():
            holder[path[-1]] = value + "x"
        case dict():
            holder[path[-1]] = {**value, "more": 1}
        case list():
            holder[path[-1]] = [*value, "more"]
        case _:
            holder[path[-1]] = "more"


def removed(report: Any, path: tuple[Any, ...]) -> None:
    """Take one value away."""
    del _holder(report, path)[path[-1]]


def _holder(report: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        report = report[key]
    return report


def test_limits_of_the_user_are_judged_again(folder: Path) -> None:
    words = ["audit", "--real", folder / "real.csv", "--synthetic", folder / "synthetic.csv", "--checks", "crp"]
    CliRunner().invoke(app, [*map(str, words), "--fail-if", "crp > 0", "--out", str(folder / "limits")])
    assert command(folder, report="limits/report.json").exit_code == 0
    report = json.loads((folder / "limits" / "report.json").read_text(encoding="utf-8"))
    report["record"]["thresholds"][-1]["broken"] = False
    report["digest"] = report_digest(report)
    (folder / "limits" / "edited.json").write_text(json.dumps(report), encoding="utf-8")
    found = command(folder, report="limits/edited.json")
    assert found.exit_code == 1
    assert found.stdout == "record.thresholds[4].broken: the report says False, now it is True\n"


def test_renamed_tables_are_noted_and_no_difference(folder: Path) -> None:
    (folder / "other.csv").write_bytes((folder / "synthetic.csv").read_bytes())
    found = command(folder, "--holdout", folder / "holdout.csv", synthetic="other.csv")
    assert found.exit_code == 0, found.stdout
    assert "note: name of synthetic table 1: the report says synthetic.csv, now it is other.csv" in found.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": NaN}', "is not JSON"),
        ("[" * 100_000, "nested too deep"),
        ("[]", "not a report"),
        ("null", "not a report"),
        (b"\xff\xfe".decode("latin-1"), "is not JSON"),
    ],
)
def test_hostile_json_gets_a_sentence(folder: Path, text: str, said: str) -> None:
    (folder / "hostile.json").write_text(text, encoding="utf-8")
    found = command(folder, report="hostile.json")
    assert found.exit_code == 2
    assert said in found.stderr


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [[]], {"a": 1}, True, -1, 1e300])
@pytest.mark.parametrize(
    "path",
    [("record",), ("seed",), ("release",), ("outcomes",), ("exhibits",), ("further",), ("format",)]
    + [("record", name) for name in ("checks", "params", "secrets", "keys", "entity", "grades", "csv", "thresholds")]
    + [("record", name) for name in ("preset", "declared", "versions", "has_card", "schema")],
)
def test_wrong_types_get_a_sentence_or_are_told(folder: Path, repeated: dict, path: tuple[str, ...], odd: Any) -> None:  # type: ignore[type-arg]
    said = json.loads(json.dumps(repeated))
    if _holder(said, path)[path[-1]] == odd:
        return
    _holder(said, path)[path[-1]] = odd
    try:
        form = verification.checked_form(said)
    except ConfigError:
        return
    found = verification.compare_reports(form, repeated)
    assert found.is_edited


@pytest.mark.parametrize("odd", [True, False, "x", "", 0, {}, [[]], ["0.1", "0.2"], [True, True]])
def test_grades_that_are_no_numbers_get_a_sentence(repeated: dict, odd: Any) -> None:  # type: ignore[type-arg]
    with pytest.raises(ConfigError, match=r"^record\.grades of the report is not what an audit writes there"):
        verification.checked_form(repeated | {"record": repeated["record"] | {"grades": odd}})
