"""The page on other programs says what was measured, and counts what is here."""

import re
from pathlib import Path

import pytest

from seethrough.plugins import catalog

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "compared.md").read_text(encoding="utf-8")
MEASURED = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
RECORDED = ROOT.parent / "shared" / "peers" / "speeds.md"
PEERS = ("PrivEval", "SynthEval", "SDMetrics", "Anonymeter", "mostlyai-qa", "synthcity", "TAPAS", "Synth-MIA")
SPEEDS = [line.strip("| ").split(" | ") for line in PAGE.partition("## Speed")[2].splitlines() if " s | " in line]


@pytest.mark.parametrize("name", PEERS)
def test_every_program_has_a_version_or_a_day_and_a_speed_or_the_reason(name):
    [row] = re.findall(rf"^\| {name} \| (.+)$", PAGE.partition("## What they measure")[0], re.MULTILINE)
    assert re.match(r"repository of 20\d\d-\d\d-\d\d |\d+\.\d+\.\d+ ", row)
    assert re.search(rf"^\| {name}[ \d.]* \| ", PAGE.partition("## Speed")[2], re.MULTILINE)


@pytest.mark.parametrize("row", SPEEDS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_speed_is_one_that_was_measured(row):
    there, here = row[3], row[4].partition(" s")[0]
    if here != "-":
        assert re.search(rf"\b{re.escape(here)} s\b", MEASURED)
    if f" {there}" in MEASURED:
        return
    if not RECORDED.is_file():
        pytest.skip("what was recorded lies in ../shared/peers, which is not there")
    seconds = there.removesuffix(" s")
    assert re.search(rf"\| {re.escape(seconds)} / ", RECORDED.read_text(encoding="utf-8"))


def test_what_is_counted_is_there():
    assert f"Y, {len(catalog.ratings())} ratings and a learned one" in PAGE
    attributes = re.search(r"^\| attribute attacks .* Y, (\d+) \|$", PAGE, re.MULTILINE)
    assert int(attributes[1]) == len(catalog.attacks())
    own = catalog.all_synthesizers().keys() - {"command", "callable"}
    assert f"{len(own)}, or any program |" in PAGE
