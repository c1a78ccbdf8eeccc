"""Attacks on a secret in a release that is read in chunks answer what they answer with all rows in memory."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.bench.passes import different_rows
from seethrough.data.chunked.chunked_table import ChunkedRows, HeldChunks
from seethrough.data.rows import by_content
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.plugins.catalog import build_attack
from seethrough.protocols.attack import AttributeView

SCHEMA = Schema(
    (
        Column("town", Kind.CATEGORICAL, levels=("x", "y", "z")),
        Column("age", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0),
        Column("job", Kind.CATEGORICAL, levels=("p", "q")),
        Column("ill", Kind.CATEGORICAL, levels=("no", "yes", "unknown")),
        Column("pay", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0),
    )
)
KNOWN = ("town", "age", "job")


def rows(count, seed):
    rng = np.random.default_rng(seed)
    age, pay = rng.integers(0, 10, (2, count)).astype(float)
    age[rng.random(count) < 0.1] = np.nan
    pay[rng.random(count) < 0.1] = np.nan
    town, job = rng.integers(0, 4, count).astype(np.uint8), rng.integers(1, 3, count).astype(np.uint8)
    ill = np.where(rng.random(count) < 0.6, job, rng.integers(0, 4, count)).astype(np.uint8)
    return Table(SCHEMA, (town, age, job, ill, pay))


PEOPLE, RELEASE = rows(50, 1), rows(140, 2)


def views(secret, classes):
    released = RELEASE.project((*KNOWN, secret))
    released = released.take(by_content(released))
    known = PEOPLE.project(KNOWN)
    whole = AttributeView(known, (released,), secret, classes, np.arange(5, 50), Budget(threads=1))
    for size in (9, 60, 500):
        yield whole, replace(whole, released=ChunkedRows(HeldChunks(released, size)), drawn=released, _worked={})


@pytest.mark.parametrize("name", ["air", "cobp", "dcr", "gcap", "infer", "recon", "zcap"])
def test_classes_are_guessed_as_in_memory(name):
    attack = build_attack(name, {"variant": "gls"} if name == "recon" else {})
    for whole, in_chunks in views("ill", (1, 2, 3)):
        expected, found = (attack.guess(view, np.random.default_rng(3)) for view in (whole, in_chunks))
        np.testing.assert_array_equal(found.scores, expected.scores)
        np.testing.assert_array_equal(found.certainty, expected.certainty)
        assert found.details == expected.details


def test_numbers_are_guessed_as_in_memory():
    attack = build_attack("air", {})
    with_number = np.flatnonzero(~np.isnan(RELEASE.column("pay").astype(float)))
    for whole, in_chunks in views("pay", ()):
        shown = RELEASE.project((*KNOWN, "pay")).take(with_number)
        expected = attack.guess_number(replace(whole, released=(shown,)), np.random.default_rng(0))
        found = attack.guess_number(in_chunks, np.random.default_rng(0))
        np.testing.assert_array_equal(found.numbers, expected.numbers)
        np.testing.assert_array_equal(found.ranking, expected.ranking)


def test_what_is_no_fold_is_refused(monkeypatch):
    _, in_chunks = next(iter(views("ill", (1, 2, 3))))
    monkeypatch.setattr(different_rows, "MOST_DIFFERENT", 20)
    for attack in (build_attack("dcr", {}), build_attack("air", {"neighbours": 3})):
        with pytest.raises(NotApplicable, match="read in chunks"):
            attack.guess(in_chunks, np.random.default_rng(0))
