"""Presets follow from what was measured: docs/results/battery-1000, which `benchmarks/battery_page.py` writes."""

from pathlib import Path

import polars as pl
import pytest

from seethrough.plugins import catalog

COST = Path(__file__).resolve().parents[2] / "docs" / "results" / "battery-1000" / "battery-cost.csv"
NAMED_IN_ADVANCE = {"log-ratio", "match-rare"}
"""Ratings that people are listed by, whatever leads."""
TOO_SLOW = {"error-profile"}
"""Ratings that lead by a small area alone, and take longer than all others together."""


@pytest.fixture(scope="module")
def measured():
    rows = pl.read_csv(COST)
    return {row["attack"]: row for row in rows.iter_rows(named=True)}


def leads(row):
    return row["leads"] + row["leads_without_labels"] > 0


def test_full_runs_the_ratings_that_lead_somewhere_and_no_other_that_was_measured(measured):
    running = {rating.name for rating in catalog.arsenal("full").ratings}
    ratings = {name: row for name, row in measured.items() if name in catalog.ratings()}
    assert {name for name in running if name in ratings} == {
        name for name, row in ratings.items() if (leads(row) or name in NAMED_IN_ADVANCE) and name not in TOO_SLOW
    }
    for name in TOO_SLOW:
        others = sum(row["seconds"] for other, row in ratings.items() if other not in TOO_SLOW)
        assert ratings[name]["seconds"] > others
        assert ratings[name]["leads"] == 0
    assert catalog.arsenal("full").is_supervised is leads(measured["supervised"])


def test_full_runs_every_attack_on_secrets(measured):
    assert {attack.name for attack in catalog.arsenal("full").attacks} == set(catalog.attacks())
    assert {name for name, row in measured.items() if leads(row)} & set(catalog.attacks())


def test_fast_costs_a_small_part_of_full_and_keeps_a_leader_of_every_family(measured):
    full, fast = (catalog.arsenal(preset) for preset in ("full", "fast"))
    kept = {each.name for each in (*fast.ratings, *fast.attacks)}
    assert kept < {each.name for each in (*full.ratings, *full.attacks)}
    cost = sum(measured[name]["seconds"] for name in kept)
    whole = sum(row["seconds"] for row in measured.values())
    assert cost < 0.2 * whole
    for family in ("membership", "attribute", "identity"):
        assert any(leads(row) and name in kept for name, row in measured.items() if row["family"] == family)
