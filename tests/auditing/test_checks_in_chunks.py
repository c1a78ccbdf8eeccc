"""Checks on a release that is read in chunks give what they give on the same release in memory."""

from dataclasses import fields

import numpy as np
import pytest
from last_first import LastFirst

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestOther
from seethrough.bench.passes import shown_secrets
from seethrough.bench.person.example import Example
from seethrough.data.chunked.chunked_table import ChunkedRows, ChunkedTable, HeldChunks, chunked_table
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.passes import ThisProcess
from seethrough.plugins.catalog import build_check


def schema(secret="a"):
    columns = (
        Column("a", Kind.CATEGORICAL, levels=("x", "y", "z")),
        Column("b", Kind.BINARY, levels=("u", "v")),
        Column("c", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0),
        Column("d", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
    )
    return Schema(columns).with_roles([secret] if secret else [], [])


def table(rows, seed, secret):
    rng = np.random.default_rng(seed)
    c = rng.integers(0, 10, rows).astype(float)
    c[rng.random(rows) < 0.1] = np.nan
    a = rng.integers(0, 4, rows).astype(np.uint8)
    b = ((rng.random(rows) < 0.3 + 0.1 * a) + 1).astype(np.uint8)
    return Table(schema(secret), (a, b, c, rng.random(rows).round(1)))


def release(secret):
    real, new = table(60, 1, secret), table(110, 2, secret)
    columns = (
        np.concatenate([mine[:40], mine[:3], other]) for mine, other in zip(real.columns, new.columns, strict=True)
    )
    return Table(real.schema, tuple(columns))


def shown(released, secret):
    tables = {Part.TRAIN: table(60, 1, secret), Part.HOLDOUT: table(50, 3, secret), Part.SYNTHETIC: released}
    return Bench(tables, Budget(threads=1))


def told(measurement):
    """Everything that a check says, but the check itself."""
    return {field.name: getattr(measurement, field.name) for field in fields(measurement) if field.name != "settled"}


CASES = [
    ("air", {}, "a"),
    ("air", {}, "b"),
    ("air", {}, "c"),
    ("air", {"variant": "record"}, ""),
    ("auth", {}, "a"),
    ("chi-squared", {}, "a"),
    ("chi-squared", {"effect": "cramers-v", "bins": 3}, "a"),
    ("crp", {}, "a"),
    ("crp", {"unit": "synthetic"}, "a"),
    ("crp", {"unit": "unique"}, "a"),
    ("crp", {"unit": "set"}, "a"),
    ("crp", {"decimals": 0}, "a"),
    ("cvp", {}, "a"),
    ("dcr", {}, "a"),
    ("dcr", {"per": "synthetic"}, "a"),
    ("dcr", {"dimensions": None, "reference": "ratio"}, "a"),
    ("d-mlp", {}, "a"),
    ("dvp", {}, "a"),
    ("gcap", {}, "a"),
    ("gcap", {}, "c"),
    ("gcap", {}, ""),
    ("gcap", {"numeric_keys": "bin"}, "a"),
    ("hitting-rate", {}, "a"),
    ("hitting-rate", {"unit": "pairs"}, "a"),
    ("hitting-rate", {"unit": "synthetic"}, "a"),
    ("id-score", {}, "a"),
    ("id-score", {"weights": "none"}, "a"),
    ("inverse-kl", {}, "a"),
    ("js-distance", {}, "a"),
    ("ks", {}, "a"),
    ("linkage", {}, "a"),
    ("mdcr", {}, "a"),
    ("membership", {}, "a"),
    ("mir", {}, "a"),
    ("nnaa", {}, "a"),
    ("nnaa", {"against": "holdout"}, "a"),
    ("nndr", {}, "a"),
    ("nsnd", {"norm": "nn"}, "a"),
    ("zcap", {}, "a"),
    ("zcap", {"unmatched": "drop"}, "b"),
    ("zcap", {"numeric_keys": "bin"}, ""),
]


@pytest.mark.parametrize(("name", "params", "secret"), CASES, ids=[f"{n}-{p}-{s}" for n, p, s in CASES])
def test_any_chunks_give_what_memory_gives(name, params, secret):
    check = build_check(name, params)
    whole = release(secret)
    expected = told(check.measure(shown(whole, secret), np.random.default_rng(5)))
    for size, executor in ((7, LastFirst()), (53, ThisProcess()), (1000, ThisProcess())):
        in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, size), executor), len(whole))
        found = told(check.measure(shown(in_chunks, secret), np.random.default_rng(5)))
        for field, value in expected.items():
            np.testing.assert_equal(found[field], value, err_msg=field)


@pytest.mark.parametrize("params", [{}, {"most_records": 30}], ids=["everybody", "a part"])
def test_a_reconstruction_never_holds_the_rows_and_gives_what_memory_gives(params, monkeypatch):
    check, whole = build_check("recon", params), release("b")
    expected = told(check.measure(shown(whole, "b"), np.random.default_rng(5)))
    in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, 20), LastFirst()), len(whole))
    for name in ("take", "head"):
        monkeypatch.setattr(ChunkedTable, name, property(lambda _: pytest.fail("rows of the release were picked")))
    bench = shown(in_chunks, "b")
    found = check.measure(bench, np.random.default_rng(5))
    np.testing.assert_equal(told(found), expected)
    row = int(np.flatnonzero(np.isfinite(found.per_record))[0])
    example = Example(bench.table(Part.TRAIN).take([row]), row, found, np.random.default_rng(5))
    worked = check.work_through(bench, example)
    assert worked.result == found.per_record[row]
    released = worked.steps[0].numbers["released rows"]
    assert released == len(whole) if not params else 0 < released < len(whole)


def test_rows_that_ask_are_drawn_and_it_is_said():
    whole = release("a")
    in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, 20)), len(whole))
    rows = np.array([0, 9, 41, 100, 152])
    asking = shown(in_chunks, "a").with_asking(Part.SYNTHETIC, rows)
    said = f"5 of {len(whole)} released rows, drawn at random, look for their nearest ones; all rows are searched"
    for name, params in (("nndr", {}), ("nnaa", {}), ("dcr", {"per": "synthetic"}), ("mdcr", {"per": "synthetic"})):
        check = build_check(name, params)
        assert said in check.measure(asking, np.random.default_rng(5)).warnings
    found = asking.get(NearestOther(Part.SYNTHETIC))
    np.testing.assert_array_equal(found, shown(whole, "a").get(NearestOther(Part.SYNTHETIC))[rows])


def test_more_values_than_can_be_counted_are_said(monkeypatch):
    monkeypatch.setattr(shown_secrets, "MOST_COUNTS", 10)
    whole = release("d")
    in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, 20)), len(whole))
    with pytest.raises(NotApplicable, match="a column has too many different values to be counted"):
        build_check("air", {}).measure(shown(in_chunks, "d"), np.random.default_rng(0))


def test_of_too_many_numbers_drawn_rows_are_compared(monkeypatch):
    monkeypatch.setattr(shown_secrets, "MOST_COUNTS", 10)
    whole = release("a")
    in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, 20)), len(whole))
    found = build_check("ks", {}).measure(shown(in_chunks, "a"), np.random.default_rng(0))
    assert found.raw == build_check("ks", {}).measure(shown(whole, "a"), np.random.default_rng(0)).raw
    assert found.warnings[0].startswith(f"computed on {len(whole)} drawn rows: a column has too many different values")


def test_what_needs_all_rows_at_once_is_refused():
    whole = release("a")
    in_chunks = chunked_table(whole.schema, ChunkedRows(HeldChunks(whole, 20)), len(whole))
    with pytest.raises(NotApplicable, match="needs all rows of the release at once"):
        build_check("nsnd", {"norm": "pairs"}).measure(shown(in_chunks, "a"), np.random.default_rng(0))
