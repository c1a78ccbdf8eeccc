"""Artefacts on tables small enough to see them, and on samples where chance alone is at work."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact

from seethrough.auditing.artefacts.release_artefacts import holdout_remark, of_rows, release_artefacts
from seethrough.data.reading.release_tables import read_release
from seethrough.data.samples import acs_release
from seethrough.errors import DataError
from seethrough.results.diagnostics import ArtefactSign


def found(real, synthetic, holdout=None, **options):
    release = read_release(
        pl.DataFrame(real), [pl.DataFrame(synthetic)], None if holdout is None else pl.DataFrame(holdout), **options
    )
    return {each.name: each for each in release_artefacts(release, release.synthetic[0])}


@pytest.fixture(scope="module")
def sample():
    return acs_release()


REAL = {"v": [0.0, 50.0, 100.0, 20.0], "c": ["a", "b", "a", "b"], "d": ["x", "y", "x", "x"]}


def test_copies_are_counted():
    # Rows: an exact copy; the last two columns of row 2 with a number beside it; number off by less than a
    # hundredth of the range and another letter; nothing.
    synthetic = {"v": [0.0, 51.5, 100.4, 77.0], "c": ["a", "b", "b", "b"], "d": ["x", "y", "x", "x"]}
    artefacts = found(REAL, synthetic)
    assert (artefacts["exact-copies"].found, artefacts["exact-copies"].of) == (1, 4)
    # Row 4 agrees with real row 4 in both letters.
    assert artefacts["near-copies"].found == 4


def test_a_copy_shows_and_its_unique_rows_are_named(sample):
    shuffled = sample.real.sample(fraction=1.0, shuffle=True, seed=1)
    for holdout in (sample.holdout, None):
        artefacts = found(sample.real, shuffled, holdout)
        for name in ("exact-copies", "near-copies", "rare-combinations"):
            assert artefacts[name].sign is ArtefactSign.SHOWS
            assert artefacts[name].share == 1
        assert artefacts["row-order"].sign is ArtefactSign.CHANCE
        row = artefacts["exact-copies"].rows[0]
        assert sample.real.rows().count(sample.real.row(row - 1)) == 1


@pytest.mark.parametrize(
    ("copies", "expected"), [(10, ArtefactSign.SHOWS), (4, ArtefactSign.CHANCE), (0, ArtefactSign.NONE)]
)
def test_few_copies_count_where_chance_gives_none(copies, expected):
    # Fisher's exact test of 10 and of 4 of 1,000 against none of 1,000: 0.002 and 0.12.
    flags = np.arange(1000) < copies
    assert (fisher_exact([[copies, 1000 - copies], [0, 1000]]).pvalue < 0.01) == (expected is ArtefactSign.SHOWS)
    assert of_rows("exact-copies", flags, np.zeros(1000, np.bool_), "x").sign is expected


def test_copies_of_common_rows_are_not_called_a_leak(sample):
    for holdout in (sample.holdout[:2500], None):
        artefacts = found(sample.real, sample.holdout[2500:], holdout)
        assert artefacts["exact-copies"].found > 300
        assert {each.sign for each in artefacts.values()} <= {
            ArtefactSign.CHANCE,
            ArtefactSign.NONE,
            ArtefactSign.UNTOLD,
        }
        assert artefacts["exact-copies"].rows == ()


def test_twins_of_real_rows_tell_what_independent_rows_would_show(sample):
    with_holdout = found(sample.real, sample.synthetic, sample.holdout)
    without = found(sample.real, sample.synthetic)
    for name in ("exact-copies", "near-copies"):
        assert without[name].chance.value == pytest.approx(with_holdout[name].chance.value, abs=0.02)
        assert without[name].sign is ArtefactSign.SHOWS


def test_the_order_of_rows_is_noticed_though_most_cells_are_changed(sample):
    rng = np.random.Generator(np.random.PCG64(0))
    columns = {name: np.where(rng.random(5000) < 0.9, sample.real[name].sample(5000, shuffle=True, seed=1), values)
               for name, values in sample.real.to_dict().items()}  # fmt: skip
    assert found(sample.real, columns)["row-order"].sign is ArtefactSign.SHOWS


def test_files_sorted_alike_are_not_called_carried_over(sample):
    artefacts = found(sample.real.sort("age"), sample.holdout.sort("age"))
    assert artefacts["row-order"].sign is not ArtefactSign.SHOWS


def test_an_identifier_that_was_left_out_is_compared_all_the_same():
    rows = 200
    names = [f"p{number:05d}x" for number in range(rows)]
    rng = np.random.Generator(np.random.PCG64(0))
    other = {"v": rng.integers(0, 9, rows), "c": rng.choice(["a", "b"], rows)}
    artefacts = found({"who": names, **other}, {"who": names[100:] + [f"q{n}" for n in range(100)], **other})
    told = artefacts["identifiers"]
    assert (told.sign, told.found, told.of, told.columns) == (ArtefactSign.SHOWS, 100, 200, ("who",))


def test_a_counter_of_rows_is_no_identifier():
    rows = 200
    rng = np.random.Generator(np.random.PCG64(0))
    other = {"v": rng.integers(0, 9, rows), "c": rng.choice(["a", "b"], rows)}
    told = found({"id": range(rows), **other}, {"id": range(rows), **other})["identifiers"]
    assert (told.sign, told.found, told.chance.value) == (ArtefactSign.CHANCE, 200, 1.0)


def test_the_ends_of_continuous_numbers_show_when_clipped():
    rng = np.random.Generator(np.random.PCG64(0))
    real, fresh = rng.normal(size=(2, 300))
    clipped = np.clip(3 * rng.normal(size=3000), real.min(), real.max())
    told = found({"v": real}, {"v": clipped})["ends"]
    assert (told.sign, told.found, told.of, told.columns) == (ArtefactSign.SHOWS, 2, 2, ("v",))
    assert found({"v": real}, {"v": fresh})["ends"].sign is ArtefactSign.NONE


def test_rare_levels_show_when_all_are_listed_and_not_when_chance_lists_them():
    rng = np.random.Generator(np.random.PCG64(0))
    shares = 1 / np.arange(1, 1001)
    real, fresh = rng.choice(1000, (2, 2000), p=shares / shares.sum())
    texts = [[f"t{code}" for code in codes] for codes in (real, fresh)]
    every_level = list(dict.fromkeys(texts[0])) * 4
    schema_free = {"c": texts[0], "v": rng.integers(0, 5, 2000)}
    told = found(schema_free, {"c": every_level, "v": rng.integers(0, 5, len(every_level))}, secrets=["c"])
    assert told["rare-levels"].sign is ArtefactSign.SHOWS
    assert told["rare-levels"].share == 1
    by_chance = found(schema_free, {"c": texts[1], "v": rng.integers(0, 5, 2000)}, secrets=["c"])["rare-levels"]
    assert by_chance.sign is ArtefactSign.CHANCE
    assert by_chance.share == pytest.approx(by_chance.chance.value, abs=0.1)


def test_numbers_of_any_size_are_compared():
    real = {"v": [-1e308, 0.0, 1e308] * 8, "c": ["a", "b", "c"] * 8}
    artefacts = found(real, {"v": [1e308, -1e308, 5e307], "c": ["c", "a", "q"]})
    assert artefacts["exact-copies"].found == 2
    assert artefacts["near-copies"].found == 2
    assert found({"v": [0.0, 1.0], "c": ["a", "b"]}, {"v": [1e308], "c": ["a"]})["near-copies"].found == 1


def test_what_cannot_be_looked_for_says_why():
    artefacts = found(REAL, REAL)
    assert artefacts["row-order"].sign is ArtefactSign.UNTOLD
    assert "20 rows" in artefacts["row-order"].reason
    assert artefacts["identifiers"].reason


def test_a_holdout_that_was_not_kept_out_is_remarked(sample):
    def remarks(holdout):
        return holdout_remark(read_release(sample.real, [sample.synthetic], holdout))

    assert remarks(None) == ()
    assert remarks(sample.holdout) == ()
    [nearly] = remarks(sample.real[1:])
    assert nearly.startswith("4,999 of 4,999 rows equal a real row, by chance ")
    with pytest.raises(DataError, match="holdout has the same rows as real"):
        remarks(sample.real.reverse())
    assert len(remarks(pl.concat([sample.real[:500], sample.holdout[500:]]))) == 1
