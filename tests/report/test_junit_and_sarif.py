"""What continuous integration reads of a report: limits as JUnit XML, findings about released rows as SARIF."""

import json
from dataclasses import replace
from pathlib import PurePath
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from seethrough.errors import ConfigError
from seethrough.report.gates import junit, limits, sarif
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, ExposedRow, Rate
from seethrough.results.provenance import EXTERNAL
from seethrough.results.report import Report

CHECKS = ("gcap", "zcap", "crp", "hitting-rate", "auth", "dcr", "nnaa")


def parsed(*texts: str) -> list[limits.Limit]:
    return [limits.parse(text, CHECKS) for text in texts]


def cases(document: str) -> dict[str, ET.Element]:
    return {case.attrib["name"]: case for case in ET.fromstring(document).iter("testcase")}


def test_each_limit_is_a_case_of_each_table(two_tables: Report) -> None:
    # The evidence of both tables: a clear leak of membership, identity not tested (conftest.py).
    asked = parsed("verdict >= clear", "gcap > 0.99", "identity >= slight")
    document = ET.fromstring(junit.render(two_tables, asked, limits.judge(asked, two_tables)))
    assert [suite.attrib["name"] for suite in document] == ["synthetic.csv", "synthetic-private.csv"]
    # Three limits and the case that all ran; verdict and identity fail, and one check of the fixture failed.
    assert [document.attrib[name] for name in ("tests", "failures", "errors")] == ["8", "4", "2"]
    first = cases(ET.tostring(document[0], encoding="unicode"))
    assert list(first) == ["limit verdict >= clear", "limit gcap > 0.99", "limit identity >= slight", junit.RAN]
    broken = first["limit verdict >= clear"].find("failure")
    assert broken is not None
    assert broken.attrib["type"] == "broken"
    assert broken.attrib["message"] == "synthetic.csv breaks the limit 'verdict >= clear': verdict = clear"
    assert len(first["limit gcap > 0.99"]) == 0
    undecided = first["limit identity >= slight"].find("failure")
    assert undecided is not None
    assert undecided.attrib["type"] == "undecided"


def test_limits_that_cannot_be_judged_are_errors_and_no_passes(report: Report) -> None:
    found = cases(junit.render(report, parsed("gcap > 0.5"), None))
    assert [child.tag for child in found["limit gcap > 0.5"]] == ["error"]


def test_others_learn_no_numbers(two_tables: Report) -> None:
    asked = parsed("gcap > 0.4")
    broken = limits.judge(asked, two_tables)
    assert "0.463" in junit.render(two_tables, asked, broken)
    others = replace(two_tables, provenance=replace(two_tables.provenance, audience=EXTERNAL))
    document = junit.render(others, asked, broken)
    assert "0.463" not in document
    [said, _] = [each.attrib["message"] for each in ET.fromstring(document).iter("failure")]
    assert said == "limit 'gcap > 0.4' is broken by synthetic.csv"
    with pytest.raises(ConfigError, match="names released rows"):
        sarif.render(others)


def test_hostile_names_stay_text(hostile: Report) -> None:
    document = ET.fromstring(junit.render(hostile, parsed("verdict >= clear"), ()))
    assert len(document) == len(hostile.tables)
    json.loads(sarif.render(hostile))


def shown(report: Report, **exhibits: Any) -> Report:
    return replace(report, tables=(replace(report.tables[0], exhibits=Diagnostics(**exhibits)),))


def test_released_rows_are_named_by_number_and_line(report: Report) -> None:
    copies = Artefact("exact-copies", ArtefactSign.SHOWS, "real people", 2, 9, Rate(0.1, 0.05, 0.2, 100), rows=(3, 17))
    chance = replace(copies, name="row-order", sign=ArtefactSign.CHANCE)
    people = (
        ExposedRow(4711, ("membership",), "log-ratio", 0.0004, 17, ("secret",)),
        ExposedRow(5, ("membership",), "log-ratio", 0.001, 1204, ("secret",)),
        ExposedRow(6, ("membership",), "log-ratio", 0.001, None),
    )
    text = sarif.render(shown(report, artefacts=(copies, chance), exposed=people), ["out/my data.csv"])
    form = json.loads(text)
    assert form["version"] == "2.1.0"
    [run] = form["runs"]
    found = run["results"]
    assert [(each["ruleId"], each["level"], each["properties"]["row"]) for each in found] == [
        ("exact-copies", "error", 3),
        ("exact-copies", "error", 17),
        ("gives-a-person-away", "warning", 1204),
    ]
    assert found[2]["message"]["text"] == (
        "Released row 1,204 is the nearest to a real person on the list of exposed people."
    )
    place = {"artifactLocation": {"uri": "out/my%20data.csv"}, "region": {"startLine": 4}}  # one line for the header
    assert found[0]["locations"] == [{"physicalLocation": place}]
    assert {each["ruleId"] for each in found} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert "4711" not in text
    assert "secret" not in text


def test_what_concerns_the_whole_file_has_no_row_and_parquet_no_lines(report: Report) -> None:
    order = Artefact("row-order", ArtefactSign.SHOWS, "released rows", 90, 100, Rate(0.5, 0.4, 0.6, 100))
    copies = replace(order, name="exact-copies", rows=(3,))
    found = json.loads(sarif.render(shown(report, artefacts=(order, copies)), ["made.parquet"]))["runs"][0]["results"]
    assert found[0]["message"]["text"].startswith("90 of 100 released rows (90.0%) are more similar to the real row")
    assert [each["locations"][0]["physicalLocation"].get("region") for each in found] == [None, None]
    assert [each.get("properties") for each in found] == [None, {"row": 3}]


def test_a_release_without_signs_has_an_empty_list(report: Report) -> None:
    assert json.loads(sarif.render(shown(report)))["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("path", "address"), [("out/a.csv", "out/a.csv"), ("/home/me/a.csv", "a.csv"), ("../a.csv", "a.csv")]
)
def test_files_elsewhere_are_named_without_their_folder(path: str, address: str) -> None:
    assert sarif.address_of(PurePath(path)) == address
