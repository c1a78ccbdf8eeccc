"""Levels, advantages, artefacts in words, comparison and the report for others."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from math import hypot

import polars as pl
import pytest

import seethrough as st
from seethrough.data.samples import acs_release
from seethrough.report.external.allowed import LEFT_OUT
from seethrough.report.external.others_report import make_external
from seethrough.report.external.rules import coarse_count, coarse_text
from seethrough.report.html import audit_page
from seethrough.report.markdown import audit_document
from seethrough.report.words import artefact_text, facts, findings, glossary
from seethrough.report.words.grades import Level, advantage, level
from seethrough.results.card import Category, Evidence, Need
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, Rate
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measured, Skipped, Unavailable
from seethrough.results.report import Report, TableAudit, TableSummary

Made = Callable[..., Measured]


@pytest.mark.parametrize(
    ("risk", "controls", "expected"),
    [
        ((0.6, 0.52, 0.7), {}, Level.HIGH),  # 0.5 - sqrt(0.08^2 + 0.05^2) is half the way from 0.1 to 0.9, 0.4
        ((0.6, 0.5, 0.7), {}, Level.RAISED),  # 0.5 - sqrt(0.1^2 + 0.05^2) is not
        ((0.14, 0.1, 0.2), {}, Level.UNSEEN),
        ((0.01, 0.0, 0.02), {}, Level.UNSEEN),
        ((0.5, 0.4, 0.6), {"copy": (0.1, 0.05, 0.15)}, Level.BLIND),
        ((0.5, 0.4, 0.6), {"copy": Unavailable("why")}, Level.RAISED),
        ((0.5, 0.4, 0.6), {"independent": Unavailable("why")}, Level.BLIND),
    ],
)
def test_the_level_of_an_attack_result(make: Made, risk: tuple, controls: dict, expected: Level) -> None:  # type: ignore[type-arg]
    assert level(make(risk, **controls)) is expected
    above = expected in {Level.HIGH, Level.RAISED}
    assert level(make(risk, **controls), outside=False) is (Level.UNDECIDED if above else expected)
    assert level(None) is Level.UNTESTED


def test_the_advantage_is_the_difference_with_both_intervals(make: Made) -> None:
    found = advantage(make((0.5, 0.4, 0.6)))
    assert found is not None
    assert found.value == pytest.approx(0.4)
    assert (found.low, found.high) == pytest.approx((0.4 - hypot(0.1, 0.05), 0.4 + hypot(0.1, 0.05)))
    assert advantage(make((0.5, 0.4, 0.6), independent=Unavailable("why"))) is None


def test_the_strongest_of_several_needs_more(make: Made) -> None:
    # 0.25 - 0.1 = 0.15, less sqrt(0.09^2 + 0.1^2) = 0.1345: above 0 alone. For the strongest of four the interval is
    # wider by the quantiles of 0.05 / 8 and 0.05 / 2, 2.4977 / 1.9600 = 1.2743, so it begins at -0.0214.
    alone = make((0.25, 0.16, 0.3), independent=(0.1, 0.05, 0.2))
    found = advantage(alone, among=4)
    assert found is not None
    assert found.low == pytest.approx(0.15 - 1.27433 * hypot(0.09, 0.1), abs=1e-5)
    assert level(alone) is Level.RAISED
    assert level(alone, among=4) is Level.UNSEEN
    others = [make((0.1, 0.05, 0.2), name=name, independent=(0.1, 0.05, 0.2)) for name in ("b", "c", "d")]
    four = headline(alone, *others)
    assert four.level is Level.UNSEEN
    assert four.sentence.startswith("1 of 4 attacks scored above")
    assert four.sentence.endswith("One of 4 may score so by chance.")
    assert "(-0.021 to" in four.advantage
    assert four.advantage.startswith("The best of 4 attacks (gcap) scores ")
    one = headline(alone)
    assert one.level is Level.RAISED
    assert "by chance" not in one.sentence


def test_an_unsure_result_does_not_hide_a_sure_one(make: Made) -> None:
    # shaky is 75% of the way to its copy, but 0.15 less 1.2743 * 0.1345 is below 0; sure is 33% of the way, and sure.
    shaky = make((0.25, 0.16, 0.3), name="shaky", independent=(0.1, 0.05, 0.2), copy=(0.3, 0.25, 0.35))
    sure = make((0.5, 0.49, 0.51), name="sure", independent=(0.3, 0.29, 0.31))
    others = [make((0.1, 0.05, 0.2), name=name, independent=(0.1, 0.05, 0.2)) for name in ("c", "d")]
    found = headline(shaky, sure, *others)
    assert found.level is Level.RAISED
    assert "the strongest, sure, scored" in found.sentence
    assert "(sure)" in found.advantage
    # And one whose low end is half the way is not hidden by one that is farther by chance.
    near = make((0.6, 0.59, 0.61), name="near")
    far = make((0.65, 0.45, 0.85), name="far")
    assert headline(far, near).level is Level.HIGH


def test_what_was_measured_otherwise_leads(make: Made) -> None:
    plain = make((0.5, 0.4, 0.6))
    ahead = replace(plain, lead=Estimate(0.01, -0.02, 0.04))
    assert level(plain) is Level.RAISED
    assert level(ahead) is Level.UNSEEN
    assert advantage(ahead) == ahead.lead
    assert findings.short_reading(ahead) == "like the independent control"


@pytest.mark.parametrize(("found", "expected"), [(30, Level.RAISED), (60, Level.HIGH)])
def test_exact_copies_beyond_chance_decide_where_attacks_do_not(make: Made, found: int, expected: Level) -> None:
    signs_found = (Artefact("exact-copies", ArtefactSign.SHOWS, "real people", found, 100, Rate(0.1, 0.05, 0.15, 100)),)
    audited = replace(table(make((0.1, 0.05, 0.2))), exhibits=Diagnostics(artefacts=signs_found))
    by_kind = {one.category: one for one in findings.headlines(audited, outside=False)}
    for category in (Category.REIDENTIFICATION, Category.TRACING):
        assert by_kind[category].level is expected
        assert by_kind[category].sentence.endswith(
            f"{found}.0% of real people have their exact row in the release; chance would give 10.0%."
        )
        assert by_kind[category].rests_on.endswith("Copies of real rows decide the grade.")
    assert by_kind[Category.RECONSTRUCTION].level is Level.UNSEEN
    assert "released rows" not in by_kind[Category.RECONSTRUCTION].sentence
    assert "Copies" not in by_kind[Category.RECONSTRUCTION].rests_on


def test_both_audiences_are_told_the_same_level(make: Made, report: Report) -> None:
    # Rounded to two digits, 0.014 (0.009 to 0.019) and 0.006 (0.004 to 0.008) could not be told apart.
    close = make((0.014, 0.0105, 0.019), independent=(0.006, 0.004, 0.008), copy=(0.9, 0.8, 1.0))
    shown = replace(report, tables=(replace(report.tables[0], outcomes=(close,)),))
    for outside in (shown, replace(shown, holdout=TableSummary("h", 1000, "x"))):
        coarse = make_external(outside)
        given = outside.holdout is not None
        first, second = (findings.headlines(each.tables[0], outside=given) for each in (outside, coarse))
        assert [one.level for one in first] == [one.level for one in second]
    assert findings.short_reading(coarse.tables[0].outcomes[0]).startswith("above independent")  # type: ignore[arg-type]


def table(*outcomes: object) -> TableAudit:
    return TableAudit(TableSummary("s.csv", 1, ""), outcomes)  # type: ignore[arg-type]


def headline(*outcomes: object) -> findings.Headline:
    return next(one for one in findings.headlines(table(*outcomes)) if one.category is Category.RECONSTRUCTION)


@pytest.mark.parametrize("evidence", [Evidence.SIMILARITY, Evidence.FIDELITY])
def test_similarity_never_decides_the_level(make: Made, evidence: Evidence) -> None:
    worst = make((1.0, 1.0, 1.0), name="close", evidence=evidence)
    assert headline(worst).level is Level.UNTESTED
    assert headline(worst).rests_on == "Based on similarity alone (1 metric), which cannot support a verdict."
    assert headline(worst, make((0.1, 0.05, 0.15), name="weak")).level is Level.UNSEEN


def test_the_headline_says_what_it_rests_on_and_what_is_missing(make: Made) -> None:
    card = replace(make((0.5, 0.4, 0.6)).card, name="other", needs=(Need.HOLDOUT,))
    found = headline(make((0.5, 0.4, 0.6)), Skipped(card, "no holdout"))
    assert found.rests_on == "Based on 1 attack (gcap) on up to 12,345 records."
    assert found.missing == ("Give a holdout to run (other).",)
    assert found.advantage == (
        "The attack (gcap) scores +0.400 (+0.288 to +0.512) compared with a release of people who were not in the data."
    )
    assert found.asks == make((0.5, 0.4, 0.6)).card.question


def test_without_people_outside_nothing_is_called_exposed(make: Made) -> None:
    found = findings.headlines(table(make((0.8, 0.7, 0.9))), outside=False)[1]
    assert found.level is Level.UNDECIDED
    assert found.advantage.startswith("The attack (gcap) scores +0.700")
    assert "compared with the real columns, each permuted by itself" in found.advantage
    assert "no holdout was given" in found.advantage


COPIES = Artefact(
    "exact-copies", ArtefactSign.SHOWS, "real people", 7, 5000, Rate(0.0004, 0.0, 0.001, 5000), "x", rows=(3,)
)


def test_artefacts_in_words() -> None:
    assert artefact_text.sentence(COPIES) == (
        "7 of 5,000 real people (0.1%) have their exact row in the release; chance would give under 0.1%, "
        "estimated from x."
    )
    assert artefact_text.sentence(COPIES, rounded=True).startswith("Fewer than 1 in 100 real people have their exact")
    assert artefact_text.brief(COPIES) == "7 of 5,000 real people, 0.1%; chance would give under 0.1%"
    untold = Artefact("ends", ArtefactSign.UNTOLD, "ends", reason="no numbers")
    assert artefact_text.sentence(untold) == "No numbers."
    assert artefact_text.summary([COPIES, untold]) == "1 of 1 signs of real rows exceeds chance."
    clear = replace(COPIES, sign=ArtefactSign.CHANCE)
    assert artefact_text.summary([clear]) == "None of 1 signs of real rows exceeds chance."
    named = replace(COPIES, columns=tuple("abcdefg"))
    assert artefact_text.sentence(named).endswith(" In a, b, c, d, e and 2 more.")


@pytest.mark.parametrize(("number", "coarse"), [(0, 0), (4, 0), (7, 10), (96, 100), (123, 120), (12_345, 12_000)])
def test_counts_are_rounded_for_others(number: int, coarse: int) -> None:
    assert coarse_count(number) == coarse


def test_numbers_in_sentences_are_rounded_for_others() -> None:
    assert coarse_text("only 7 of 12,345 records") == "only few of about 12,000 records"


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
    assert (shown["exposed"], shown["groups"], shown["distances"]) == ([], [], None)
    assert all(artefact["rows"] == [] and artefact["of"] in {0, 100} for artefact in shown["artefacts"])
    assert all(outcome["details"] == {} and outcome["warnings"] == [] for outcome in report["outcomes"])
    assert (report["release"]["real"]["rows"], report["release"]["real"]["digest"]) == (1000, "")
    assert (report["release"]["holdout"]["rows"], report["release"]["holdout"]["digest"]) == (980, "")
    digests = [audited.real.digest, audited.holdout.digest]  # type: ignore[union-attr]
    levels = {level for name in ("education", "relationship") for level in acs_release().real[name].unique()}
    numbers = [str(outcome.risk.value) for outcome in audited.tables[0] if isinstance(outcome, Measured)]
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert not [said for said in (*digests, "997", "983", *levels) if said in text]
        assert not [number for number in numbers if len(number) > 5 and number in text]
        assert "itself a leak" in text


def test_every_number_for_others_is_rounded(audited: st.AuditReport) -> None:
    def walk(value: object) -> list[float]:
        match value:
            case dict():
                return [number for key, each in value.items() if key not in skipped for number in walk(each)]
            case list():
                return [number for each in value for number in walk(each)]
            case float():
                return [value]
        return []

    skipped = {"timings", "record", "seconds", "params", "raw"}
    found = walk(audited.for_others().to_dict())
    assert len(found) > 50
    assert all(round(number, 2) == number for number in found)
    assert not any(round(number, 2) == number for number in [audited["gcap"].risk.low])  # type: ignore[union-attr]


def test_the_custodian_keeps_rows_and_values(audited: st.AuditReport, tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert pl.read_parquet(audited.save(tmp_path)[-1]).height == 997
    rows = audited.tables[0].exhibits.exposed
    assert rows
    first = acs_release().real.row(rows[0].row - 1)
    assert [str(value) for value in first] == list(rows[0].shown)


@pytest.mark.parametrize("render", [audit_page.render, audit_document.render, repr])
def test_no_text_promises_anything(audited: st.AuditReport, render: Callable[[Report], str]) -> None:
    texts = [render(audited), render(audited.for_others())]
    assert not [text for text in texts if re.search(r"\bsafe|anonym", text, flags=re.IGNORECASE)]


def test_no_level_artefact_or_explanation_promises_anything() -> None:
    said = [*(one.value for one in Level), *artefact_text.TITLES.values(), *LEFT_OUT]
    said += [" ".join(words) for words in (*artefact_text.EXPLAINED.values(), *glossary.WORDS, *facts.HOW_TO_READ)]
    assert not [text for text in said if "safe" in text.lower() or "anonym" in text.lower()]
    assert Diagnostics().artefacts == ()
