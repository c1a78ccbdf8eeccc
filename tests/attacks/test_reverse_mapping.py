"""Reverse mapping: the paper's table, and what holds for every table."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruiz_tables import TABLE_2, numbers

import seethrough
from seethrough.attacks.linkage.reverse_mapping import reverse_map
from seethrough.data.ordering import orders
from seethrough.data.reading.release_tables import read_release

PRINTED = np.array([[cell[0] for cell in row] for row in numbers(TABLE_2)])


def in_order(values, ranks):
    """Values are printed rounded, so that some are equal; this puts them in the order of their ranks."""
    return values + ranks / 1000


@pytest.mark.parametrize("number", [1, 2, 3])
def test_all_rows_of_table_2_come_out(number):
    _, value, rank = PRINTED[:, :3].T
    synthetic, its_rank, mapped, noise = PRINTED[:, 4 * number - 1 : 4 * number + 3].T
    real = pl.DataFrame({"X1": in_order(value, rank)})
    found = seethrough.reverse_map(real, pl.DataFrame({"X1": in_order(synthetic, its_rank)}))
    came_out = found.mapped[0]["X1"].to_numpy()
    assert np.floor(came_out).astype(int).tolist() == mapped.tolist()
    assert found.noise[0]["X1"].to_numpy().round(6).tolist() == noise.tolist()
    # The real record that each value came from is the one with that rank.
    assert rank[found.permutations[0]["X1"].to_numpy() - 1].tolist() == its_rank.tolist()
    assert (found.permutations[0]["synthetic row"] == np.arange(1, 21)).all()


@st.composite
def releases(draw, most=30):
    """A real and a synthetic table with numbers, ties, categories, dates and missing values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def frame(rows):
        made = pl.DataFrame(
            {
                "size": rng.integers(0, draw(st.sampled_from([2, 40])), rows),
                "weight": rng.normal(size=rows).round(2),
                "job": rng.choice(["a", "b", "c"], rows),
                "born": np.datetime64("2000-01-01") + rng.integers(0, 900, rows),
            }
        )
        gaps = pl.Series(rng.random(rows) < 0.2)
        return made.with_columns(
            pl.when(~gaps).then(pl.col("size")), pl.when(gaps).then(None).otherwise("job").alias("job")
        )

    return frame(draw(st.integers(2, most))), frame(draw(st.integers(1, most)))


def read(real, synthetic):
    declared = seethrough.infer_schema(real)
    release = read_release(real, [synthetic], schema=declared)
    return release.train.table, release.synthetic[0].table


@settings(max_examples=60, deadline=None)
@given(releases(), st.integers(0, 3))
def test_columns_are_permuted_ranks_are_kept_and_noise_gives_the_numbers_back(frames, seed):
    real, synthetic = read(*frames)
    found = reverse_map(real, synthetic, np.random.default_rng(seed))
    taken = synthetic.take(found.rows)
    assert len(found.rows) == len(real)
    for name, order in orders(real).items():
        keys = order.keys(real.column(name))
        mapped, theirs = keys[found.places[name]], order.keys(taken.column(name))
        assert sorted(found.places[name]) == list(range(len(real)))
        assert sorted(mapped) == sorted(keys)
        assert sorted(found.ranks[name]) == list(range(1, len(real) + 1))
        # In the order of the ranks neither side goes down, so mapped values are ranked as the synthetic ones.
        by_rank = np.argsort(found.ranks[name])
        assert mapped[by_rank].tolist() == sorted(keys)
        assert theirs[by_rank].tolist() == sorted(theirs)
        if name in found.noise:
            there = np.isfinite(mapped) & np.isfinite(theirs)
            np.testing.assert_allclose((mapped + found.noise[name])[there], theirs[there], rtol=1e-14, atol=1e-14)
            assert np.isnan(found.noise[name][~there]).all()


@settings(max_examples=30, deadline=None)
@given(releases())
def test_the_real_table_is_mapped_onto_itself(frames):
    found = seethrough.reverse_map(frames[0], frames[0])
    assert found.mapped[0].equals(frames[0].select(found.mapped[0].columns))


def test_whole_numbers_come_back_exactly():
    rng = np.random.default_rng(0)
    real, synthetic = (pl.DataFrame({"v": rng.integers(0, 10**6, 500), "w": rng.normal(size=500)}) for _ in range(2))
    found = seethrough.reverse_map(real, synthetic)
    assert (found.mapped[0]["v"] + found.noise[0]["v"]).to_list() == synthetic["v"].to_list()


def test_sizes_that_differ_are_aligned_with_a_note():
    real = pl.DataFrame({"v": np.arange(10) / 2, "w": np.arange(10) % 3})
    found = seethrough.reverse_map(real, {"few": real[:4], "many": pl.concat([real, real, real])})
    assert [len(each) for each in found.mapped] == [10, 10]
    assert found.permutations[0]["synthetic row"].to_list()[:4] == [1, 2, 3, 4]
    assert found.permutations[0]["synthetic row"].max() == 4
    assert found.permutations[1]["synthetic row"].n_unique() == 10
    assert "few has 4 rows and real 10: 6 rows were drawn again at random" in found.notes
    assert "many has 30 rows and real 10: 10 rows were drawn at random" in found.notes
    again, other = (seethrough.reverse_map(real, pl.concat([real] * 3), seed=seed) for seed in (0, 7))
    assert again.mapped[0].equals(seethrough.reverse_map(real, pl.concat([real] * 3)).mapped[0])
    assert not again.permutations[0].equals(other.permutations[0])


def test_values_stand_as_the_user_wrote_them(tmp_path):
    (tmp_path / "real.csv").write_text("code,town,day\n007,=A1,2020-01-03\n010,Bonn,2020-01-01\n003,Bonn,2020-01-02\n")
    (tmp_path / "synth.csv").write_text("code,town,day\n001,Bonn,2020-05-01\n002,Bonn,2019-01-01\n003,=A1,2021-01-01\n")
    found = seethrough.reverse_map(tmp_path / "real.csv", tmp_path / "synth.csv")
    assert sorted(found.mapped[0]["town"]) == ["=A1", "Bonn", "Bonn"]
    written = found.save(tmp_path / "out", "csv")
    text = (tmp_path / "out" / "mapped-1.csv").read_text()
    assert "'=A1" in text  # a spreadsheet would run it
    assert {path.name for path in written} == {path.name for path in (tmp_path / "out").iterdir()}


@pytest.mark.parametrize("name", ["^a$", "^.*$", "*"])
def test_a_name_that_looks_like_a_pattern_is_a_name(name):
    real, synthetic = pl.DataFrame({name: [3.0, 1.0, None]}), pl.DataFrame({name: [1.5, None, 2.5]})
    mapping = seethrough.reverse_map(real, synthetic)
    assert mapping.mapped[0][name].to_list() == [1.0, None, 3.0]
    assert mapping.summary()
    made = seethrough.synthesize("real", real.to_pandas(), 3, seed=1).frame
    assert sorted(made[name].dropna()) == [1.0, 3.0]
