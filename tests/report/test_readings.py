"""Scores in words: their place between the two controls, never a verdict; and what an audit lacks."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.words import missing_inputs, readings
from seethrough.results.card import Evidence, Need
from seethrough.results.outcome import Measured, Skipped, Unavailable
from seethrough.results.report import Report, TableAudit

Made = Callable[..., Measured]


def test_reading_gives_score_interval_and_share(make: Made) -> None:
    assert readings.reading(make((0.5, 0.4, 0.6))) == (
        "Score 0.500 (95% interval 0.400 to 0.600), 50% of the way from the independent control (0.100) to a copy "
        f"(0.900). {readings.FOR_INFORMATION}"
    )


def test_reading_outside_of_the_controls_gives_no_share(make: Made) -> None:
    below, beyond = (readings.reading(make((value, value, value))) for value in (0.01, 0.95))
    assert "below the independent control (0.100); a copy scores 0.900" in below
    assert "beyond a copy (0.900); the independent control scores 0.100" in beyond
    assert "of the way" not in below + beyond


def test_reading_says_that_the_controls_coincide(make: Made) -> None:
    said = readings.reading(make((0.1, 0.05, 0.15), copy=(0.1, 0.05, 0.15)))
    assert "position is undefined: the controls coincide" in said


@pytest.mark.parametrize("evidence", Evidence)
def test_no_score_supports_a_verdict(make: Made, evidence: Evidence) -> None:
    assert readings.reading(make((0.5, 0.4, 0.6), evidence=evidence)).endswith(readings.FOR_INFORMATION)


@pytest.mark.parametrize(
    ("risk", "controls", "short", "brief"),
    [
        (0.5, {}, "50% of the way to a copy", "50% to copy"),
        (0.05, {}, "below independent", "below independent"),
        (0.95, {}, "beyond a copy", "beyond a copy"),
        (0.5, {"copy": (0.1, 0.05, 0.15)}, "controls coincide", "controls coincide"),
        (0.5, {"copy": Unavailable("why")}, "no copy control", "no copy control"),
        (0.5, {"independent": Unavailable("why")}, "no independent control", "no lower control"),
    ],
)
def test_short_readings_are_places(make: Made, risk: float, controls: dict, short: str, brief: str) -> None:  # type: ignore[type-arg]
    found = make((risk, risk, risk), **controls)
    assert (readings.short_reading(found), readings.brief_reading(found)) == (short, brief)
    assert len(brief) <= 18


def test_gaps_name_the_inputs_that_were_not_given(report: Report, make: Made) -> None:
    card = replace(make((0.5, 0.4, 0.6)).card, needs=(Need.SECRET, Need.KEYS))
    table = TableAudit(report.tables[0].synthetic, (Skipped(card, "needs a secret"),))
    said = " ".join(missing_inputs.missing(replace(report, column_notes=(), tables=(table,))))
    assert "A secret column: none was named (--secret), so each column was tried as the secret (skipped: gcap)." in said
    assert "Attackers who know certain columns: no keys were named (--keys) (skipped: gcap)." in said


def test_gaps_are_silent_about_what_was_given(two_tables: Report) -> None:
    assert missing_inputs.missing(two_tables) == (missing_inputs.OTHER_ATTACKS,)


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render])
def test_no_document_promises_anything(two_tables: Report, render: Callable[[Report], str]) -> None:
    assert not re.search(r"\bsafe|anonym", render(two_tables), flags=re.IGNORECASE)
