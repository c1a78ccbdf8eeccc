"""Artefacts on tables small enough to see them, and on samples where chance alone is at work."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact

from seethrough.auditing.artefacts.people_shares import share_of_people
from seethrough.auditing.artefacts.release_artefacts import holdout_overlap, holdout_remark, release_artefacts
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


def test_real_people_in_the_release_are_counted():
    # Of four real people the first and the last stand in the release, the last twice; of two outside nobody.
    synthetic = {"v": [0.0, 51.5, 20.0, 20.0], "c": ["a", "b", "b", "b"], "d": ["x", "y", "x", "x"]}
    outside = {"v": [0.0, 60.0], "c": ["a", "b"], "d": ["y", "y"]}
    copies = found(REAL, synthetic, outside)["exact-copies"]
    assert (copies.found, copies.of, copies.chance.value, copies.chance.n) == (2, 4, 0.0, 2)
    # 2 of 4 and 0 of 2: all of C(4, 2) of C(6, 2) ways.
    assert copies.p == pytest.approx(6 / 15)


def test_a_copy_shows_and_its_released_rows_are_listed(sample):
    shuffled = sample.real.sample(fraction=1.0, shuffle=True, seed=1)
    for holdout in (sample.holdout, None):
        artefacts = found(sample.real, shuffled, holdout)
        assert artefacts["exact-copies"].sign is ArtefactSign.SHOWS
        assert artefacts["exact-copies"].share == 1
        assert artefacts["row-order"].sign is ArtefactSign.CHANCE
        row = shuffled.row(artefacts["exact-copies"].rows[0] - 1)
        assert sample.real.rows().count(row) == 1
        assert holdout is None or row not in sample.holdout.rows()


@pytest.mark.parametrize(
    ("copies", "expected"), [(10, ArtefactSign.SHOWS), (4, ArtefactSign.CHANCE), (0, ArtefactSign.NONE)]
)
def test_few_people_count_where_nobody_outside_is_found(copies, expected):
    told = share_of_people("exact-copies", "real people", (copies, 1000, 0, 1000), "x", 0.01)
    assert told.p == pytest.approx(fisher_exact([[copies, 1000 - copies], [0, 1000]], "greater").pvalue)
    assert told.sign is expected


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
    independent = found(sample.real, sample.holdout)["exact-copies"]
    assert independent.share == pytest.approx(independent.chance.value, abs=0.02)
    assert found(sample.real, sample.real[:2000])["exact-copies"].sign is ArtefactSign.SHOWS


def test_the_order_of_rows_is_noticed_though_most_cells_are_changed(sample):
    rng = np.random.Generator(np.random.PCG64(0))
    columns = {name: np.where(rng.random(5000) < 0.9, sample.real[name].sample(5000, shuffle=True, seed=1), values)
               for name, values in sample.real.to_dict().items()}  # fmt: skip
    assert found(sample.real, columns)["row-order"].sign is ArtefactSign.SHOWS


def test_files_sorted_alike_are_not_called_carried_over(sample):
    artefacts = found(sample.real.sort("age"), sample.holdout.sort("age"))
    assert artefacts["row-order"].sign is not ArtefactSign.SHOWS


ROWS = 200


def with_identifiers(names, **columns):
    rng = np.random.Generator(np.random.PCG64(0))
    return {"who": names, "v": rng.integers(0, 9, ROWS), "c": rng.choice(["a", "b"], ROWS), **columns}


NAMES = [f"p{number * 7919 % 90001:05d}x" for number in range(ROWS)]
OTHERS = [f"p{number * 7919 % 90001:05d}x" for number in range(ROWS, 2 * ROWS)]
FRESH = [f"q{number}" for number in range(ROWS)]


@pytest.mark.parametrize(
    ("released", "place"),
    [
        (with_identifiers(NAMES[100:] + FRESH[:100]), "who"),
        (with_identifiers([name.upper() for name in NAMES[100:]] + FRESH[:100]), "who"),
        (with_identifiers(FRESH, note=[f"{name[:3]}-{name[3:]}" for name in NAMES[100:]] * 2), "note"),
        (with_identifiers(FRESH, note=[f"seen {name} at noon" for name in NAMES[100:]] * 2), "note"),
        (with_identifiers([f"{name}{fresh}" for name, fresh in zip(NAMES[100:], FRESH, strict=False)] * 2), "who"),
    ],
)
def test_an_identifier_is_found_wherever_it_stands(released, place):
    told = found(with_identifiers(NAMES), released, with_identifiers(OTHERS))["identifiers"]
    assert (told.sign, told.found, told.of, told.columns) == (
        ArtefactSign.SHOWS,
        100,
        200,
        tuple(dict.fromkeys(("who", place))),
    )


def test_identifiers_of_people_outside_found_as_often_are_chance():
    told = found(with_identifiers(NAMES), with_identifiers(NAMES[:99] + OTHERS[:101]), with_identifiers(OTHERS))
    assert (told["identifiers"].sign, told["identifiers"].chance.value) == (ArtefactSign.CHANCE, 101 / 200)


def test_identifiers_of_whole_numbers_count_where_numbers_of_their_range_would_not_hit_them():
    rng = np.random.Generator(np.random.PCG64(1))
    numbers = rng.choice(900_000, 400, replace=False) + 100_000
    real, others = with_identifiers(numbers[:ROWS]), with_identifiers(numbers[ROWS:])
    carried = with_identifiers(FRESH, badge=rng.permutation(numbers[:ROWS]))
    assert found(real, carried, others)["identifiers"].sign is ArtefactSign.SHOWS
    blind = with_identifiers(rng.integers(100_000, 1_000_000, ROWS))
    assert found(real, blind, others)["identifiers"].sign is not ArtefactSign.SHOWS


def test_a_counter_of_rows_is_no_identifier():
    counter, later = with_identifiers(range(ROWS)), with_identifiers(range(ROWS, 2 * ROWS))
    for outside in (None, later):
        told = found(counter, counter, outside)["identifiers"]
        assert (told.sign, told.found, told.chance.value) == (ArtefactSign.CHANCE, 200, 1.0)
    # A column of small whole numbers meets the first numbers of a counter, and drawing numbers blindly meets some.
    rng = np.random.Generator(np.random.PCG64(0))
    for released in (with_identifiers(FRESH), with_identifiers(rng.integers(0, ROWS, ROWS))):
        assert found(counter, released, later)["identifiers"].sign is not ArtefactSign.SHOWS
    assert found(counter, with_identifiers(rng.permutation(ROWS)), later)["identifiers"].sign is ArtefactSign.SHOWS


@pytest.mark.parametrize(
    ("join", "columns"),
    [
        (", ".join, slice(None)),
        ("".join, slice(None)),
        (" | ".join, slice(1, None)),
        (lambda row: "; ".join(reversed(row)), slice(None)),
        (
            lambda row: "{" + ", ".join(f"{name!r}: {value}" for name, value in zip("abcde", row, strict=True)) + "}",
            slice(None),
        ),
    ],
)
def test_rows_written_out_as_text_are_found(join, columns):
    rng = np.random.Generator(np.random.PCG64(0))
    people = {name: rng.integers(1000, 9000, 2 * ROWS) for name in "abcde"}
    real, outside = (
        {name: values[half] for name, values in people.items()} for half in (slice(ROWS), slice(ROWS, None))
    )
    texts = [join([str(value) for value in row[columns]]) for row in zip(*real.values(), strict=True)]
    fresh = {name: rng.integers(1000, 9000, ROWS) for name in "abcde"}
    for holdout in (outside, None):
        told = found(real, {**fresh, "note": texts}, holdout)["rows-as-text"]
        assert (told.sign, told.found, told.columns) == (ArtefactSign.SHOWS, ROWS, ("note",))
    theirs = [join([str(value) for value in row[columns]]) for row in zip(*outside.values(), strict=True)]
    assert found(real, {**fresh, "note": theirs}, outside)["rows-as-text"].sign is not ArtefactSign.SHOWS


def test_a_unique_column_that_nobody_else_has_is_remarked():
    release = read_release(pl.DataFrame(REAL), [pl.DataFrame({**REAL, "key": ["k1", "k2", "k3", "k4"]})])
    assert any("'key' is missing in real and has a different value" in note for note in release.synthetic[0].notes)


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
    real = {"v": [-1e100, 0.0, 1e100] * 8, "c": ["a", "b", "c"] * 8}
    artefacts = found(real, {"v": [1e100, -1e100, 5e99] * 8, "c": ["c", "a", "q"] * 8})
    assert artefacts["exact-copies"].found == 16
    assert artefacts["row-order"].p > 0


def test_what_cannot_be_looked_for_says_why():
    artefacts = found(REAL, REAL)
    assert artefacts["row-order"].sign is ArtefactSign.UNTOLD
    assert "20 rows" in artefacts["row-order"].reason
    assert artefacts["identifiers"].reason


def test_a_holdout_that_was_not_kept_out_is_remarked(sample):
    def remarks(holdout):
        return holdout_remark(holdout_overlap(read_release(sample.real, [sample.synthetic], holdout)))

    assert remarks(None) == ()
    assert remarks(sample.holdout) == ()
    [nearly] = remarks(sample.real[1:])
    assert nearly.startswith("4,999 of 4,999 rows equal a real row, by chance ")
    with pytest.raises(DataError, match="holdout has the same rows as real"):
        remarks(sample.real.reverse())
    assert len(remarks(pl.concat([sample.real[:500], sample.holdout[500:]]))) == 1
