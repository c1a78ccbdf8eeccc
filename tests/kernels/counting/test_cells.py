"""Cells and their counts against masks, one for each query."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting import bins
from seethrough.kernels.counting import cells as cells_module
from seethrough.kernels.counting import tally as tally_module
from seethrough.kernels.counting.cells import cells_of, coding_of, sample_cells, subsets_of
from seethrough.kernels.counting.tally import Tally, covers_of, fold


def random_columns(rng, rows, levels):
    return [rng.integers(0, size, rows).astype(np.uint8) for size in levels]


def built(known, width):
    codings = [coding_of(column) for column in known]
    columns = [coding.codes(column) for coding, column in zip(codings, known, strict=True)]
    return codings, cells_of(columns, [coding.radix for coding in codings], subsets_of(len(known), width))


def translated(codings, columns):
    return [coding.codes(column) for coding, column in zip(codings, columns, strict=True)]


def by_masks(known, released, secret, width, classes):
    """For each set and each combination among the known: its known records, and its released rows of each class."""
    found = {}
    for columns in combinations(range(len(known)), width):
        for values in set(zip(*(known[c].tolist() for c in columns), strict=True)):
            mine = np.all([known[c] == v for c, v in zip(columns, values, strict=True)], axis=0)
            rows = np.all([released[c] == v for c, v in zip(columns, values, strict=True)], axis=0)
            counts = tuple(int((rows & (secret == label)).sum()) for label in range(classes))
            found.setdefault(columns, []).append((tuple(np.flatnonzero(mine)), counts))
    return {columns: sorted(cells) for columns, cells in found.items()}


def as_found(cells, counts):
    found = {}
    for place, subset in enumerate(cells.subsets):
        for number in range(subset.first, subset.first + len(subset.codes)):
            mine = tuple(np.flatnonzero(cells.members[cells.row_of, place] == number))
            assert len(mine) == cells.sizes[number]
            found.setdefault(subset.columns, []).append((mine, tuple(counts[number].tolist())))
    return {columns: sorted(each) for columns, each in found.items()}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(2, 4), st.sampled_from(["rows", "fold", "covers"]))
def test_cells_and_counts_are_those_of_masks(seed, width, classes, how):
    rng = np.random.default_rng(seed)
    known, released = random_columns(rng, 12, (3, 2, 5, 4)), random_columns(rng, 60, (4, 2, 6, 4))
    secret = rng.integers(0, classes, 60).astype(np.uint8)
    codings, cells = built(known, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally_module, "COVER", 50 if how == "covers" else 1 << 17)
        patch.setattr(tally_module, "PIECE", 1 << 20 if how == "rows" else 55)
        patch.setattr(tally_module, "FEW", 5 if how == "fold" else 1 << 12)
        tally = Tally(cells, classes)
        tally.add(translated(codings, released), secret)
    assert as_found(cells, tally.counts) == by_masks(known, released, secret, width, classes)
    assert tally.rows == 60


@pytest.mark.parametrize(("module", "limit"), [(cells_module, "LIMIT"), (tally_module, "DENSE")])
def test_wide_products_are_counted_exactly(monkeypatch, module, limit):
    rng = np.random.default_rng(0)
    known, released = random_columns(rng, 30, (9, 9, 9, 9)), random_columns(rng, 300, (9, 9, 9, 9))
    secret = rng.integers(0, 2, 300).astype(np.uint8)
    monkeypatch.setattr(module, limit, 50)
    codings, cells = built(known, 3)
    assert limit == "DENSE" or all(any(stage is not None for stage in subset.ranked) for subset in cells.subsets)
    tally = Tally(cells, 2)
    tally.add(translated(codings, released), secret)
    assert as_found(cells, tally.counts) == by_masks(known, released, secret, 3, 2)


def test_codes_of_millions_of_levels_do_not_overflow():
    known = [np.arange(3000, dtype=np.uint32) * 1000 for _ in range(6)]
    codings, cells = built(known, 6)
    tally = Tally(cells, 2)
    tally.add(translated(codings, [column[5:15] for column in known]), np.ones(10, np.uint8))
    assert cells.sizes.tolist() == [1] * 3000
    assert tally.counts[:, 1].sum() == 10
    assert tally.counts[:, 0].sum() == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 50))
def test_counts_of_pieces_add_up(seed, piece):
    rng = np.random.default_rng(seed)
    known, released = random_columns(rng, 20, (3, 2, 5)), random_columns(rng, 100, (3, 3, 5))
    secret = rng.integers(0, 2, 100).astype(np.uint8)
    codings, cells = built(known, 2)
    whole, pieces = Tally(cells, 2), Tally(cells, 2)
    columns = translated(codings, released)
    whole.add(columns, secret)
    for start in range(0, 100, piece):
        pieces.add([column[start : start + piece] for column in columns], secret[start : start + piece])
    np.testing.assert_array_equal(whole.counts, pieces.counts)
    assert pieces.rows == whole.rows == 100


def test_equal_records_are_one_row():
    known = [np.array([1, 2, 1, 1], np.uint8), np.array([0, 3, 0, 1], np.uint8)]
    _, cells = built(known, 1)
    assert cells.weights.tolist() == [2, 1, 1]
    assert len(set(cells.row_of[[0, 2]])) == 1
    assert cells.sizes.tolist() == [3, 1, 2, 1, 1]
    assert (cells.matrix() @ cells.weights).tolist() == cells.sizes.tolist()


def test_a_sample_asks_about_some_cells_of_some_sets():
    rng = np.random.default_rng(3)
    known, released = random_columns(rng, 40, (3, 2, 5, 4)), random_columns(rng, 200, (3, 2, 5, 4))
    secret = rng.integers(0, 2, 200).astype(np.uint8)
    codings, cells = built(known, 2)
    some = sample_cells(cells, 5, np.random.default_rng(0))
    assert len(some) == 5
    assert (some.matrix() @ some.weights).tolist() == some.sizes.tolist()
    tally = Tally(some, 2)
    tally.add(translated(codings, released), secret)
    all_found = by_masks(known, released, secret, 2, 2)
    for columns, found in as_found(some, tally.counts).items():
        assert set(found) <= set(all_found[columns])
    assert sample_cells(cells, 10**6, rng) is cells
    again = sample_cells(cells, 5, np.random.default_rng(0))
    np.testing.assert_array_equal(again.members, some.members)


def test_numbers_fall_into_tenths_of_the_known():
    known = np.append(np.arange(100.0), np.nan)
    coding = coding_of(known)
    codes = coding.codes(known)
    assert np.bincount(codes).tolist() == [10] * 10 + [1]
    assert coding.codes(np.array([-5.0, 9.0, 9.5, 1e9, np.nan])).tolist() == [0, 0, 1, 9, 10]
    assert coding.radix == 11


def test_numbers_that_people_share_keep_their_values():
    known = np.repeat([20.0, 21.0, 30.0, *range(40, 137)], 4)
    coding = coding_of(known)
    assert coding.radix == 101  # and missing
    released = np.array([19.0, 20, 20.5, 21, 30, 40, 136, 200, np.nan])
    assert coding.codes(released).tolist() == [0, 0, 1, 1, 2, 3, 99, 99, 100]
    assert coding_of(known[1:]).radix == 11  # 100 values, no longer four records each
    assert coding_of(np.append(known, np.arange(200.0, 210))).radix == 11


@pytest.mark.parametrize(
    ("values", "codes"),
    [([0.0, 0, 0, 1], [0, 0, 0, 1]), ([7.0, 7], [0, 0]), ([np.nan, np.nan], [1, 1]), ([np.nan, 2], [1, 0])],
)
def test_numbers_with_few_values(values, codes):
    assert coding_of(np.array(values)).codes(np.array(values)).tolist() == codes


@pytest.mark.parametrize("few", [0, 16])
def test_numbers_are_compared_or_searched_for_alike(monkeypatch, few):
    monkeypatch.setattr(bins, "FEW_EDGES", few)
    known = np.arange(100.0)
    coding = coding_of(known)
    values = np.array([-5.0, 0, 9, 9.5, 50, 99, 1000, np.nan])
    expected = [sum(value > edge for edge in coding.edges) for value in values[:-1]] + [len(coding.edges) + 1]
    assert coding.codes(values).tolist() == expected


@pytest.mark.parametrize("small", [0, 1 << 12])
def test_cells_are_told_apart_by_marks_or_by_sorting(monkeypatch, small):
    monkeypatch.setattr(cells_module, "SMALL", small)
    columns = [np.array([0, 2, 2, 1]), np.array([3, 0, 0, 1]), np.array([1, 1, 0, 1])]
    found = cells_of(columns, [20, 20, 2], [(0, 1), (1, 2)])
    assert [subset.codes.tolist() for subset in found.subsets] == [[3, 21, 40], [0, 1, 3, 7]]
    by_record = found.members[found.row_of].tolist()
    assert by_record == [[0, 6], [2, 4], [2, 3], [1, 5]]


@pytest.mark.parametrize("known", [[3, 4, 5], [0, 1], [7], [2, 4], [0, 254], [253, 254], [250, 300]])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int64])
def test_codes_of_categories_are_their_ranks(known, kind):
    coding = coding_of(np.array(known, np.uint16))
    values = np.arange(256).astype(kind)
    expected = [known.index(value) if value in known else len(known) for value in range(256)]
    assert coding.codes(values).tolist() == expected


def test_categories_that_nobody_known_has_share_a_code():
    coding = coding_of(np.array([0, 5, 5, 2], np.uint8))
    assert coding.radix == 4
    assert coding.codes(np.array([0, 1, 2, 3, 5, 6, 200], np.uint8)).tolist() == [0, 3, 1, 3, 2, 3, 3]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(2, 30), min_size=3, max_size=9), st.integers(1, 3), st.integers(4, 5000))
def test_every_set_is_served_once_by_a_small_cover(radices, width, limit):
    subsets = subsets_of(len(radices), width)
    covers = covers_of(subsets, radices, limit)
    assert sorted(place for cover in covers for place in cover.subsets) == list(range(len(subsets)))
    for cover in covers:
        assert all(set(subsets[place]) <= set(cover.columns) for place in cover.subsets)
        assert np.prod([radices[c] for c in cover.columns]) <= limit or len(cover.columns) == width


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 400))
def test_folded_rows_are_the_distinct_ones(seed, kinds):
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, kinds, 2000)
    columns = [column[picks] for column in random_columns(rng, kinds, (3, 2, 50, 40, 9))]
    secret = rng.integers(0, 2, kinds).astype(np.uint8)[picks]
    found = fold(columns, secret, (3, 2, 50, 40, 9))
    rows, counts = np.unique(np.column_stack([*columns, secret]), axis=0, return_counts=True)
    assert found is not None or len(rows) > 40
    if found is not None:
        where, weights = found
        pairs = zip(np.column_stack([*columns, secret])[where].tolist(), weights.tolist(), strict=True)
        assert sorted(pairs) == sorted(zip(rows.tolist(), counts.tolist(), strict=True))


def test_rows_that_are_all_different_are_not_folded():
    columns = [np.arange(2000) % 50, np.arange(2000) // 50]
    assert fold(columns, np.zeros(2000, np.uint8), (50, 40)) is None
