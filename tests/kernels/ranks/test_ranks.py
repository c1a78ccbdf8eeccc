"""Ranks, reverse mapping and noise against SciPy and against values by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from seethrough.kernels.ranks.scale import RankScale, full_ranks, mid_ranks, reverse_mapping

columns = st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0, np.inf]), min_size=1, max_size=25).map(np.array)


@given(columns)
def test_average_ranks_equal_those_of_scipy(keys):
    assert mid_ranks(keys).tolist() == rankdata(keys, "average").tolist()


def test_nothing_has_a_rank_beside_what_is_no_number():
    values = np.array([1.0, np.nan, 2.0])
    assert np.array_equal(mid_ranks(values), rankdata(values), equal_nan=True)


@given(columns, st.integers(0, 9))
def test_full_ranks_are_a_permutation_in_the_order_of_the_keys(keys, seed):
    ranks = full_ranks(keys, np.random.default_rng(seed))
    assert sorted(ranks) == list(range(1, len(keys) + 1))
    assert keys[np.argsort(ranks)].tolist() == sorted(keys)


def test_ties_are_broken_by_the_seed_alone():
    keys = np.zeros(50)
    first, again, other = (full_ranks(keys, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


@given(columns, st.integers(0, 9))
def test_a_column_is_mapped_onto_itself(keys, seed):
    rng = np.random.default_rng(seed)
    places = reverse_mapping(keys, full_ranks(keys, rng), rng)
    assert sorted(places) == list(range(len(keys)))
    assert keys[places].tolist() == keys.tolist()


def test_a_scale_knows_ranks_and_what_is_not_there():
    scale = RankScale.of(np.array([5.0, 1.0, 5.0, np.inf]))
    assert scale.doubled.tolist() == [2, 5, 8, 10]  # ranks 1, 2.5, 4, and 5 beyond all
    assert scale.places(np.array([1.0, 2.0, 5.0, np.inf])).tolist() == [0, 3, 1, 2]


def test_tied_numbers_that_the_column_has_are_read_as_themselves():
    scale = RankScale.of(np.array([1.0, 2.0, 2.0, 2.0, 3.0, 4.0]))
    # Without the rule both 2s, of middle rank 1.5, would be read as 1, and the 3s as 3, 2 or 4.
    assert scale.mapped_places(np.array([2.0, 2.0, 3.0, 3.0, 3.0, 9.0])).tolist() == [1, 1, 2, 2, 2, 3]
    # Tied in the real column alone: 2 of rank 1. Tied in neither: 3 of rank 2 is read as 2, and 4 of rank 3 too.
    assert scale.mapped_places(np.array([2.0, 3.0, 4.0, 5.0, 6.0, 7.0])).tolist() == [1, 1, 1, 1, 2, 3]


def test_numbers_are_exchanged_by_rank_and_missing_ones_stay():
    scale = RankScale.of(np.array([10.0, 20.0, 20.0, 30.0, np.inf]))
    # Ranks 1, 2.5, 2.5, 4, and 5, which would be missing in the real column: the largest number stands in.
    assert scale.mapped_places(np.array([-7.0, 0.0, 0.0, 8.0, 9.0])).tolist() == [0, 1, 1, 2, 2]
    assert scale.mapped_places(np.array([1.0, 2.0, 3.0, np.inf, np.inf])).tolist() == [0, 1, 1, 3, 3]
    whole = RankScale.of(np.array([10.0, 20.0]))
    assert whole.mapped_places(np.array([1.0, np.inf])).tolist() == [0, 2]


@given(columns)
def test_a_column_is_read_as_itself(keys):
    scale = RankScale.of(keys)
    assert scale.mapped_places(keys).tolist() == scale.places(keys).tolist()
