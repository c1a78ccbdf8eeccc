"""Attacks and exposed people as frames, from evidence by hand."""

from dataclasses import replace

import polars as pl
import pytest

from seethrough.errors import ConfigError
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine.evidence_frames import attack_frame, people_frame
from seethrough.results.evidence import Grade, LeakFamily
from seethrough.results.report import Report


def test_attacks_of_one_table(two_tables: Report) -> None:
    frame = attack_frame(replace(two_tables, tables=two_tables.tables[:1]))
    assert "synthetic" not in frame.columns
    rating, guess = frame.rows(named=True)
    assert rating == {
        "name": "log-ratio",
        "family": "membership",
        "families": ["membership"],
        "secret": None,
        "measure": "are rated above the other of a random pair",
        **{"members": 0.58, "outsiders": 0.42, "leak": 0.16, "leak_low": 0.12, "leak_high": 0.2, "lower": 0.06},
        **{"p": 0.0001, "p_adjusted": 0.0004, "detectable": 0.09, "auc": 0.58, "auc_low": 0.56, "auc_high": 0.6},
        **{"tpr_0.1": 0.21, "tpr_0.01": 0.05, "tpr_0.001": None},
        **{"n_members": 12_345, "n_outsiders": 2_400, "seconds": 0.12},
    }
    assert (guess["name"], guess["secret"], guess["auc"], guess["tpr_0.1"]) == ("dcr", "income", None, None)


def test_several_tables_are_named(two_tables: Report) -> None:
    assert attack_frame(two_tables)["synthetic"].to_list() == [
        *["synthetic.csv"] * 2,
        *["synthetic-private.csv"] * 2,
    ]
    assert people_frame(two_tables).rows() == [
        ("synthetic.csv", 4711, "membership", "log-ratio", 0.0004, 17),
        ("synthetic-private.csv", 4711, "membership", "log-ratio", 0.0004, 17),
    ]


def test_an_empty_list_has_its_columns_and_types(report: Report) -> None:
    people, attacks = people_frame(report), attack_frame(report)
    assert people.schema == {
        **{"row": pl.Int64, "family": pl.String, "attack": pl.String, "p": pl.Float64, "released_row": pl.Int64}
    }
    assert (people.height, attacks.height) == (0, 0)
    assert attacks.schema["p_adjusted"] == pl.Float64


def test_a_report_shows_its_verdict_and_findings(two_tables: Report) -> None:
    report = AuditReport(**vars(two_tables))
    assert report.verdict.grade is Grade.CLEAR
    assert [finding.family for finding in report.findings] == list(LeakFamily)
    assert report.attacks().equals(attack_frame(two_tables))
    assert report.people().equals(people_frame(two_tables))


def test_a_report_without_evidence_cannot_be_made(two_tables: Report) -> None:
    bare = replace(two_tables.tables[1], evidence=None)
    with pytest.raises(ValueError, match="needs evidence on every synthetic table"):
        AuditReport(**(vars(two_tables) | {"tables": (two_tables.tables[0], bare)}))


def test_a_report_for_others_names_nobody(two_tables: Report) -> None:
    others = AuditReport(**vars(two_tables)).for_others()
    assert others.verdict.grade is Grade.CLEAR
    assert others.attacks().height == 0  # every number of an attack follows single people
    with pytest.raises(ConfigError, match="names no people"):
        others.people()
