"""Artefacts in words, and the report for others."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest

import seethrough as st
from seethrough.data.samples import acs_release
from seethrough.report.external.allowed import LEFT_OUT
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.words import artefact_text, evidence_text, facts, glossary
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, Rate
from seethrough.results.evidence import Grade
from seethrough.results.outcome import Measured
from seethrough.results.report import Report

Made = Callable[..., Measured]


COPIES = Artefact(
    "exact-copies", ArtefactSign.SHOWS, "real people", 7, 5000, Rate(0.0004, 0.0, 0.001, 5000), "x", rows=(3,)
)


def test_artefacts_in_words() -> None:
    assert artefact_text.sentence(COPIES) == (
        "7 of 5,000 real people (0.1%) have their exact row in the release; chance would give under 0.1%, "
        "estimated from x."
    )
    assert artefact_text.brief(COPIES) == "7 of 5,000 real people, 0.1%; chance would give under 0.1%"
    untold = Artefact("ends", ArtefactSign.UNTOLD, "ends", reason="no numbers")
    assert artefact_text.sentence(untold) == "No numbers."
    assert artefact_text.summary([COPIES, untold]) == "1 of 1 signs of real rows exceeds chance."
    clear = replace(COPIES, sign=ArtefactSign.CHANCE)
    assert artefact_text.summary([clear]) == "None of 1 signs of real rows exceeds chance."
    named = replace(COPIES, columns=tuple("abcdefg"))
    assert artefact_text.sentence(named).endswith(" In a, b, c, d, e and 2 more.")


@pytest.fixture(scope="module")
def audited() -> st.AuditReport:
    sample = acs_release()
    return st.audit(
        sample.real[:997],
        pl.concat([sample.synthetic[:691], sample.real[:300]]),
        sample.holdout[:983],
        secret="disability",
        checks=["gcap", "air", "auth", "crp", "dcr", "chi-squared"],
        show_values=True,
    )


def test_nothing_in_the_files_for_others_speaks_of_a_record(audited: st.AuditReport, tmp_path) -> None:  # type: ignore[no-untyped-def]
    others = audited.for_others()
    names = sorted(path.name for path in others.save(tmp_path))
    assert names == ["report.html", "report.json", "report.md"]
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    shown = report["exhibits"]
    assert (shown["exposed"], shown["groups"]["groups"], shown["distances"]) == ([], [], None)
    assert all((each["rows"], each["found"], each["of"]) == ([], 0, 0) for each in shown["artefacts"])
    assert (report["outcomes"], report["attacks"], report["growth"]) == ([], [], [])
    for part in ("real", "holdout"):
        assert report["release"][part]["digest"] == ""
        assert report["release"][part]["rows"] in {500, 1000}
    digests = [audited.real.digest, audited.holdout.digest]  # type: ignore[union-attr]
    levels = {level for name in ("education", "relationship") for level in acs_release().real[name].unique()}
    numbers = [str(outcome.risk.value) for outcome in audited.tables[0] if isinstance(outcome, Measured)]
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert not [said for said in (*digests, *levels) if said in text]
        assert not re.findall(r"(?<![\d.])(?:997|983)(?!\d)", text)  # but a time may be 0.997 s
        assert not [number for number in numbers if len(number) > 5 and number in text]
        assert "tell more together than each alone" in text


def test_every_number_for_others_is_a_step_a_class_or_a_setting(audited: st.AuditReport) -> None:
    def walk(value: object, under: str = "") -> list[tuple[str, float]]:
        match value:
            case dict():
                return [found for key, each in value.items() if key not in skipped for found in walk(each, key)]
            case list():
                return [found for each in value for found in walk(each, under)]
            case bool():
                return []
            case int() | float():
                return [(under, value)]
        return []

    skipped = {"timings", "record", "params", "grades", "synthetic"}
    found = walk(audited.for_others().to_dict())
    assert {name for name, _ in found} <= {
        *("format", "seed", "rows", "members", "outsiders", "reference", "permutations", "attacks"),
        *("lower", "false_discovery_rate", "found", "of", "left_out", "detectable"),
    }
    classes = {0, *(each * 10**power for each in (1, 2, 5) for power in range(5))}
    counted = [value for name, value in found if name in {"rows", "members", "outsiders", "reference"}]
    assert len(counted) == 5
    assert set(counted) <= classes
    assert {value for name, value in found if name == "lower"} <= {0.01, *(step / 10 for step in range(10))}


def test_the_custodian_keeps_rows_and_values(audited: st.AuditReport, tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert pl.read_parquet(audited.save(tmp_path)[-1]).height == 997
    rows = audited.tables[0].exhibits.exposed
    assert rows
    first = acs_release().real.row(rows[0].row - 1)
    assert [str(value) for value in first] == list(rows[0].shown)


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render, repr])
def test_no_text_promises_anything(audited: st.AuditReport, render: Callable[[Report], str]) -> None:
    # The name of a figure of the literature is no promise.
    texts = [render(each).replace("anonymity loss", "") for each in (audited, audited.for_others())]
    assert not [text for text in texts if re.search(r"\bsafe|anonym", text, flags=re.IGNORECASE)]


def test_no_grade_artefact_or_explanation_promises_anything() -> None:
    said = [*map(evidence_text.grade_name, Grade), *artefact_text.TITLES.values(), *LEFT_OUT]
    said += [" ".join(words) for words in (*artefact_text.EXPLAINED.values(), *glossary.WORDS, *facts.HOW_TO_READ)]
    assert not [text for text in said if "safe" in text.lower() or "anonym" in text.lower()]
    assert Diagnostics().artefacts == ()
