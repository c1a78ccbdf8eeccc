"""The JSON Schema that ships: it takes the reports that are made, and refuses what no reader should meet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from seethrough.report.machine.report_schema import report_schema, schema_text
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.report import FORMAT, Report

Change = Callable[[dict[str, Any]], object]


def errors(report: dict[str, Any]) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(report_schema()).iter_errors(report)]


@pytest.fixture
def plain(two_tables: Report) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(two_tables.to_dict()))
    return found


def test_the_schema_is_one_and_of_the_format_that_is_written() -> None:
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["properties"]["format"] == {"const": FORMAT}
    assert schema["$id"].endswith(f":{FORMAT}")
    assert json.loads(schema_text()) == schema


def test_grades_and_families_are_those_of_the_program() -> None:
    schema = report_schema()["$defs"]
    assert schema["grade"]["enum"] == [grade.value for grade in Grade]
    assert schema["family"]["enum"] == [family.value for family in LeakFamily]


def test_reports_by_hand_are_valid(plain: dict[str, Any], report: Report, hostile: Report) -> None:
    assert errors(plain) == []
    assert errors(json.loads(json.dumps(report.to_dict()))) == []
    assert errors(json.loads(json.dumps(hostile.to_dict()))) == []


def test_what_the_issue_asks_for_is_there(plain: dict[str, Any]) -> None:
    assert set(plain["verdict"]) == {"grade", "sentence", "decided_by"}
    needed = {"family", "grade", "attack", "members", "outsiders", "leak", "p", "detectable", "cannot_tell"}
    attack = {"name", "family", "members", "outsiders", "leak", "p", "p_adjusted", "auc", "tpr", "seconds"}
    for table in (plain, plain["further"][0]):
        assert all(needed <= set(finding) for finding in table["findings"])
        assert [finding["family"] for finding in table["findings"]] == ["membership", "attribute", "identity"]
        assert all(attack <= set(each) for each in table["attacks"])
    rating, guess = plain["attacks"]
    assert set(plain["findings"][0]["leak"]) == {"value", "low", "high", "confidence"}
    assert list(rating["tpr"]) == ["0.1", "0.01", "0.001"]
    found = rating["tpr"]["0.1"]
    assert {"value": 0.21, "low": 0.2, "high": 0.22, "false_alarms": 299}.items() <= found.items()
    assert (found["false_alarm_low"], found["false_alarm_high"]) == (0.11, 0.14)
    assert found["precision"] == {
        "0.01": {"value": 0.02, "low": 0.01},
        "0.1": {"value": 0.16, "low": 0.13},
        "0.5": None,
    }
    assert rating["smallest_rate"] == 1 / 2401
    assert guess["smallest_rate"] is None
    assert rating["tpr"]["0.001"] is None
    assert (guess["auc"], guess["tpr"]) == (None, {"0.1": None, "0.01": None, "0.001": None})


def test_a_sign_of_real_rows_that_decides_has_no_test_of_its_own(plain: dict[str, Any]) -> None:
    plain["findings"][2].update(plain["findings"][0], family="identity", attack="identifiers", p=None, detectable=None)
    assert errors(plain) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.pop("verdict"),
        lambda report: report.pop("comparison"),
        lambda report: report["further"][0].pop("findings"),
        lambda report: report.update(format=1),
        lambda report: report.update(more=1),
        lambda report: report["further"][0].update(more=1),
        lambda report: report["verdict"].update(grade="exposed"),
        lambda report: report["verdict"].update(sentence=""),
        lambda report: report["verdict"].update(more=1),
        lambda report: report["findings"].pop(),
        lambda report: report["findings"].reverse(),
        lambda report: report["findings"].append(report["findings"][0]),
        lambda report: report["findings"][0].update(family="tracing"),
        lambda report: report["findings"][1].update(p=None),
        lambda report: report["findings"][0].update(p=1.5),
        lambda report: report["findings"][0].update(p="0.05"),
        lambda report: report["findings"][0].update(members=58),
        lambda report: report["findings"][0].update(attack=None),
        lambda report: report["findings"][0].update(leak=None),
        lambda report: report["findings"][0]["leak"].update(value=16),
        lambda report: report["findings"][0]["leak"].pop("confidence"),
        lambda report: report["findings"][0]["leak"].update(confidence=95),
        lambda report: report["findings"][1].update(detectable=None),
        lambda report: report["findings"][2].update(cannot_tell=[]),
        lambda report: report["attacks"][0].update(family="recon"),
        lambda report: report["attacks"][0].update(seconds=-1),
        lambda report: report["attacks"][0].update(families=[]),
        lambda report: report["attacks"][0]["tpr"].pop("0.001"),
        lambda report: report["attacks"][0]["tpr"]["0.1"].update(value=2),
        lambda report: report["attacks"][0]["auc"].update(value=-0.1),
        lambda report: report["evidence"].update(exchangeability="hoped for"),
        lambda report: report["outcomes"][0].update(status="done"),
        lambda report: report["outcomes"][0]["risk"].update(value=1.2),
        lambda report: report["record"].update(audience="everybody"),
        lambda report: report["release"].update(synthetic=[]),
    ],
)
def test_what_is_wrong_is_refused(plain: dict[str, Any], change: Change) -> None:
    change(plain)
    assert errors(plain)


def test_the_page_names_every_key_of_the_schema() -> None:
    page = (Path(__file__).parents[2] / "docs" / "report-format.md").read_text(encoding="utf-8")
    missing = sorted(name for name in keys(report_schema()) if f"`{name}`" not in page and f'"{name}"' not in page)
    assert missing == []


def keys(schema: object) -> set[str]:
    """All names of properties in a schema."""
    match schema:
        case dict():
            own = schema.get("properties")
            return set(own if isinstance(own, dict) else ()).union(*map(keys, schema.values()))
        case list():
            return set().union(*map(keys, schema))
    return set()
