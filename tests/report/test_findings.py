import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.words import findings, missing_inputs
from seethrough.results.card import Category, Evidence, Need
from seethrough.results.outcome import Measured, Outcome, Skipped, Unavailable
from seethrough.results.report import Report, TableAudit, TableSummary

Made = Callable[..., Measured]


def headline(*outcomes: Outcome) -> str:
    table = TableAudit(TableSummary("s.csv", 1, ""), outcomes)
    return next(line.sentence for line in findings.headlines(table) if line.category is Category.RECONSTRUCTION)


def test_reading_gives_score_interval_standing_and_share(make: Made) -> None:
    assert findings.reading(make((0.5, 0.4, 0.6))) == (
        "Attack: 0.500 (95% interval 0.400 to 0.600), above the independent control, "
        "50% of the way from that control (0.100) to a copy (0.900)."
    )


def test_reading_below_the_independent_table_gives_no_share(make: Made) -> None:
    said = findings.reading(make((0.01, 0.0, 0.02)))
    assert "below the independent control (0.100); a copy scores 0.900" in said
    assert "of the way" not in said


def test_reading_says_that_the_controls_coincide(make: Made) -> None:
    said = findings.reading(make((0.1, 0.05, 0.15), copy=(0.1, 0.05, 0.15)))
    assert "position is undefined: the controls coincide" in said


@pytest.mark.parametrize("evidence", [Evidence.SIMILARITY, Evidence.FIDELITY])
def test_similarity_is_never_called_an_attack_result(make: Made, evidence: Evidence) -> None:
    outcome = make((0.5, 0.4, 0.6), evidence=evidence)
    assert findings.reading(outcome).startswith(f"{evidence.value.capitalize()}: ")
    assert findings.FOR_INFORMATION in findings.reading(outcome)
    assert headline(outcome).startswith(f"No attack was measured, only {evidence.value}")


def test_fidelity_is_not_the_strongest_where_similarity_was_measured(make: Made) -> None:
    fidelity = make((0.9, 0.8, 1.0), name="ks", evidence=Evidence.FIDELITY)
    said = headline(fidelity, make((0.5, 0.4, 0.6), name="auth", evidence=Evidence.SIMILARITY))
    assert "only similarity" in said
    assert "auth scored" in said


def test_an_attack_decides_the_headline_though_similarity_is_higher(make: Made) -> None:
    said = headline(
        make((0.3, 0.2, 0.4), name="weak"), make((0.8, 0.7, 0.9), name="close", evidence=Evidence.SIMILARITY)
    )
    assert "weak" in said
    assert "close" not in said


def test_headline_counts_and_names_the_strongest_by_share(make: Made) -> None:
    near_its_copy = make((0.3, 0.2, 0.4), (0.0, 0.0, 0.0), (0.4, 0.4, 0.4), name="near")
    far_from_its_copy = make((0.5, 0.4, 0.6), (0.3, 0.2, 0.35), (1.0, 1.0, 1.0), name="far")
    said = headline(near_its_copy, far_from_its_copy, make((0.1, 0.0, 0.2), name="none"))
    assert said.startswith("2 of 3 attacks scored above the independent control; the strongest, near, scored 0.300")


def test_headline_when_no_attack_stands_out(make: Made) -> None:
    said = headline(make((0.1, 0.0, 0.2), name="one"), make((0.12, 0.0, 0.2), name="two"))
    assert said.startswith("None of 2 attacks scored above")
    assert "the strongest, two, scored" in said


def test_a_check_that_cannot_see_copying_does_not_count_as_above(make: Made) -> None:
    blind = make((0.9, 0.8, 1.0), (0.1, 0.05, 0.15), (0.1, 0.05, 0.15), name="blind")
    said = headline(blind, make((0.12, 0.05, 0.2), name="seeing"))
    assert said.startswith("None of 2")
    assert "the strongest, seeing, scored" in said


def test_headline_without_numbers_and_without_checks(make: Made) -> None:
    card = make((0.5, 0.4, 0.6)).card
    assert headline(Skipped(card, "why")) == "Nothing was measured; 1 of 1 check gave no number."
    assert headline() == "No check of this audit covers this attack."


def test_gaps_name_the_inputs_that_were_not_given(report: Report, make: Made) -> None:
    card = replace(make((0.5, 0.4, 0.6)).card, needs=(Need.SECRET, Need.KEYS))
    table = TableAudit(report.tables[0].synthetic, (Skipped(card, "needs a secret"),))
    said = " ".join(missing_inputs.missing(replace(report, columns=(), tables=(table,))))
    assert "No holdout was given" in said
    assert "No secret column was named, so no guess was scored (skipped: gcap)." in said
    assert "No key columns were named" in said
    assert "No attack was measured for re-identification and reconstruction and tracing" in said


def test_columns_that_were_tried_as_secrets_were_scored(report: Report, make: Made) -> None:
    table = TableAudit(report.tables[0].synthetic, (make((0.5, 0.4, 0.6)),))
    said = " ".join(missing_inputs.missing(replace(report, columns=(), tables=(table,))))
    assert "No secret column was named, so each column was tried as the secret and the worst is shown." in said


def test_gaps_are_silent_about_what_was_given(two_tables: Report) -> None:
    said = " ".join(missing_inputs.missing(two_tables))
    assert "No holdout" not in said
    assert "The holdout has fewer rows than synthetic.csv, synthetic-private.csv" in said
    assert "secret" not in said
    assert "The copy control was not measured for dcr" in said


def test_gaps_name_a_missing_independent_control(report: Report, make: Made) -> None:
    table = TableAudit(report.tables[0].synthetic, (make((0.5, 0.4, 0.6), independent=Unavailable("why")),))
    assert any(
        "independent control was not measured for gcap" in said
        for said in missing_inputs.missing(replace(report, tables=(table,)))
    )


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render])
def test_no_document_promises_anything(two_tables: Report, render: Callable[[Report], str]) -> None:
    assert not re.search(r"\bsafe|anonym", render(two_tables), flags=re.IGNORECASE)
