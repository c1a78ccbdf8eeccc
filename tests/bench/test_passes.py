"""Passes over a release in chunks: whatever the cuts, the states merge to what the whole gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from last_first import LastFirst

from seethrough.bench.bench import Bench
from seethrough.bench.membership.columns_alone import GapsToNearest, NearestValues
from seethrough.bench.passes import near_rows
from seethrough.bench.passes.seen_values import SeenValuesPass
from seethrough.bench.pool import DensityAroundNearest, ExactMatches, NearMatches, Neighbours, ReleasedNearby, Seen
from seethrough.data.chunked.chunked_table import ChunkedRows, ChunkedTable, HeldChunks, SharedTable, chunked_table
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.passes import ThisProcess

SCHEMA = Schema(
    (
        Column("a", Kind.CATEGORICAL, levels=("x", "y", "z")),
        Column("b", Kind.CATEGORICAL, levels=("u", "v")),
        Column("c", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0),
        Column("d", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
    )
)


def table(rows, seed, digits=1):
    rng = np.random.default_rng(seed)
    c = rng.integers(0, 10, rows).astype(float)
    c[rng.random(rows) < 0.1] = np.nan
    columns = (
        rng.integers(0, 4, rows).astype(np.uint8),
        rng.integers(1, 3, rows).astype(np.uint8),
        c,
        rng.random(rows).round(digits),
    )
    return Table(SCHEMA, columns)


def shown(release, reference=True):
    tables = {Seen.PEOPLE: table(60, 1, 2), Seen.RELEASE: release, Seen.REFERENCE: table(30 if reference else 0, 3)}
    return Bench(tables, Budget(threads=1))


REQUESTS = (
    Neighbours(Seen.RELEASE),
    Neighbours(Seen.RELEASE, 3),
    ExactMatches(),
    NearMatches(),
    NearestValues(Seen.RELEASE),
    GapsToNearest(),
)


def flat(answer):
    values = vars(answer).values() if hasattr(answer, "__dict__") else [answer]
    return [np.asarray(each) for each in values]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 90), st.integers(1, 40), st.booleans(), st.integers(0, 5))
def test_any_chunks_give_what_the_whole_gives(rows, size, reference, seed):
    release = table(rows, seed)
    whole = shown(release, reference)
    requests = (*REQUESTS, DensityAroundNearest()) if reference else REQUESTS
    for executor in (ThisProcess(), LastFirst()):
        in_chunks = chunked_table(SCHEMA, ChunkedRows(HeldChunks(release, size), executor), rows)
        for other in (in_chunks, SharedTable(release, executor, size)):
            bench = shown(other, reference)
            for request in requests:
                for mine, theirs in zip(flat(bench.get(request)), flat(whole.get(request)), strict=True):
                    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(("few", "many"), [(3, 0.0), (30, 0.5), (30, 100.0), (1000, 0.0)])
@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("reference", [True, False])
def test_rows_left_out_are_on_no_list(few, many, k, reference, monkeypatch):
    release = table(150, 4)
    whole = shown(release, reference).get(ReleasedNearby(k))
    monkeypatch.setattr(near_rows, "FEW", few)
    monkeypatch.setattr(near_rows, "MANY", many)
    for size in (40, 150):
        found = shown(SharedTable(release, ThisProcess(), size), reference).get(ReleasedNearby(k))
        np.testing.assert_array_equal(found.distances, whole.distances)
        np.testing.assert_array_equal(found.numbers[found.places], whole.numbers[whole.places])
        np.testing.assert_array_equal(found.density[found.places], whole.density[whole.places])


def test_lists_are_those_of_the_definition():
    release, bench = table(200, 7), shown(table(200, 7))
    found = bench.get(Neighbours(Seen.RELEASE, 8))
    from seethrough.bench.pool import Standardised

    people, others = bench.get(Standardised(Seen.PEOPLE)), bench.get(Standardised(Seen.RELEASE))
    apart = (people.codes[:, :, None] != others.codes[:, None, :]).sum(axis=0).astype(float)
    apart += np.abs(people.numbers[:, None, :] - others.numbers[None, :, :]).sum(axis=2)
    np.testing.assert_allclose(found.distances, np.sort(apart, axis=1)[:, :8], rtol=1e-11)
    named = np.take_along_axis(apart, found.places, axis=1)
    np.testing.assert_allclose(named, found.distances[:, : named.shape[1]], rtol=1e-11)
    first = bench.get(ReleasedNearby(8)).numbers
    assert all((row == 0) or not any(same_row(release, row, other) for other in range(row)) for row in first[:20])


def same_row(rows, a, b):
    return all(each[a] == each[b] or (each[a] != each[a] and each[b] != each[b]) for each in rows.columns)


def test_values_seen_by_hand():
    seen = table(50, 2).fold(SeenValuesPass())
    assert seen.low[0] == np.inf
    assert (seen.low[2], seen.high[2]) == (np.nanmin(table(50, 2).columns[2]), np.nanmax(table(50, 2).columns[2]))
    assert np.flatnonzero(seen.codes[1]).tolist() == [1, 2]


def test_a_table_in_chunks_is_not_looked_at_by_accident():
    release = chunked_table(SCHEMA, ChunkedRows(HeldChunks(table(20, 0), 7)), 20)
    assert isinstance(release, ChunkedTable)
    with pytest.raises(Exception, match="read in chunks"):
        release.column("a")
