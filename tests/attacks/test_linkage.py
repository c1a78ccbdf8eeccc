"""Linkage: the statements of the paper's tables, a definition in two loops, and bad input."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruiz_tables import TABLE_3, TABLE_4, numbers
from scipy import sparse

import seethrough
from seethrough.data.schema import Column, Kind, Schema
from seethrough.errors import ConfigError, DataError
from seethrough.games.linkage.closeness_experiment import closeness_tables
from seethrough.games.linkage.rank_intervals import LinkageAnswer, combine_answers
from seethrough.kernels.ranks.scale import RankScale
from seethrough.protocols.linkage import Found
from seethrough.study.kinds.published import read_facts


def printed(table):
    """What a table of the paper says, as if linkage had said it: answers for its 20 records and 3 sets."""
    rows = numbers(table)
    values = np.array([row[1][0] for row in rows], float) + np.array([row[2][0] for row in rows]) / 1000
    scale, truth = RankScale.of(values), np.array([row[2][0] - 1 for row in rows])
    answers = []
    for number in range(3):
        cells = [(i, rank - 1) for i, row in enumerate(rows) for rank in row[3 + number]]
        counts = sparse.csr_array((np.ones(len(cells), int), tuple(zip(*cells, strict=True))), shape=(20, 21))
        found = Found(np.arange(20), counts, scale)
        low, high = found.span()
        chance, true = found.chances(truth), scale.doubled[truth]
        parts = (chance, chance == 1, found.errors(truth), low / 2, high / 2, true / 2)
        answers.append(LinkageAnswer(20, *(part[None, :] for part in parts)))
    return answers, np.floor(np.sort(values)).astype(int)


def interval(found, record):
    return found.low[0, record - 1], found.high[0, record - 1]


def test_table_3_the_third_attribute():
    answers, values = printed(TABLE_3)
    found = combine_answers(answers, 0.25)
    # "Respectively the third and first synthetic data sets perfectly disclose" records 2 and 18, and no others.
    assert [np.flatnonzero(answer.exact[0]).tolist() for answer in answers] == [[17], [], [1]]
    assert np.flatnonzero(found.any_exact[0]).tolist() == [1, 17]
    assert not found.all_exact.any()
    assert interval(found, 2) == (4, 18)
    assert interval(found, 18) == (3, 7)
    assert (values[3 - 1], values[7 - 1]) == (2298, 2428)
    # "a possible rank identified as ranging between 8 and 11", and it is 2: consistently wrong, as for 7, 15 and 17.
    assert interval(found, 1) == (8, 11)
    assert not found.right[0, [0, 6, 14, 16]].any()
    assert found.confused[0, 0]
    # "the real value is comprised between 2336 and 2737" for record 4, "between 2298 and 2704" for record 20.
    for record, ends in ((4, (2336, 2737)), (20, (2298, 2704))):
        low, high = interval(found, record)
        assert (values[int(low) - 1], values[int(high) - 1]) == ends
        assert found.right[0, record - 1]
    assert found.narrow_right[0, 17]  # 4 of 20 ranks
    assert not found.narrow_right[0, 1]  # 14 of 20


def test_ties_of_table_3_count_in_proportion():
    answers, _ = printed(TABLE_3)
    first, third = answers[0], answers[2]
    assert (first.low[0, 8], first.high[0, 8]) == (4, 17)  # "17,4,5", and the truth is 15
    assert first.error[0, 8] == pytest.approx((2 + 11 + 10) / 3)
    assert third.error[0, 7] == pytest.approx((1 + 2) / 2)  # "10,9", and the truth is 11
    assert first.chance[0].sum() == 1


def test_table_4_the_first_attribute():
    answers, values = printed(TABLE_4)
    found = combine_answers(answers, 0.45)
    # "for records nos. 9 and 18 the knowledge of the first attribute is narrowed to a significant extent"
    assert interval(found, 9) == (8, 16)
    assert interval(found, 18) == (7, 16)
    assert found.narrow_right[0, [8, 17]].all()
    assert (values[8 - 1], values[16 - 1]) == (50, 63)
    assert np.flatnonzero(answers[1].exact[0]).tolist() == [10]  # record 11, rank 20 in the second set
    assert np.flatnonzero(np.any([answer.chance[0] > 0 for answer in answers], axis=0)).tolist() == [10]
    assert interval(found, 7) == (1, 18)  # "1,7,18", 10, 17


@pytest.mark.parametrize(("table", "hidden"), [(TABLE_3, "X3"), (TABLE_4, "X1")])
def test_published_counts_are_those_of_the_printed_tables(table, hidden):
    (fact,) = [each for each in read_facts("seethrough.study.kinds.linkage")["table"] if each["hidden"] == hidden]
    found = combine_answers(printed(table)[0], 0.25)
    for share in ("any_exact", "right", "narrow_right", "confused"):
        assert fact["counts"][share] == getattr(found, share).sum()
    assert fact["counts"]["width"] == pytest.approx((found.high - found.low).mean())


@st.composite
def frames(draw):
    """A real and two synthetic tables of one size, with ties, missing numbers and a nominal column."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(3, 25))
    values = draw(st.sampled_from([2, 5, 1000]))

    def one():
        size = pl.Series(rng.integers(0, values, rows), dtype=pl.Float64)
        gaps = pl.Series(rng.random(rows) < 0.15)
        return pl.DataFrame(
            {
                "size": pl.select(pl.when(gaps).then(None).otherwise(size)).to_series(),
                "job": rng.choice(list("abcd"), rows),
                "weight": rng.normal(size=rows).round(draw(st.sampled_from([0, 3]))),
            }
        )

    return one(), [one(), one()]


def average_ranks(keys):
    return [sum(other < key for other in keys) + (sum(other == key for other in keys) + 1) / 2 for key in keys]


def keys_of(frame, real, others):
    """Keys by the rules: missing last; the most frequent level first, equals by name, unseen ones table by table."""
    counts = {level: real["job"].to_list().count(level) for level in "abcd"}
    known = sorted((level for level in counts if counts[level]), key=lambda level: (-counts[level], level))
    places = {level: place for place, level in enumerate(known)}
    for other in others:
        for level in sorted(set(other["job"]) - places.keys()):
            places[level] = len(places)
    size = [np.inf if value is None else value for value in frame["size"]]
    return {"size": size, "job": [places[level] for level in frame["job"]], "weight": frame["weight"].to_list()}


SCHEMA = Schema((Column("size", Kind.NUMERIC), Column("job", Kind.CATEGORICAL), Column("weight", Kind.NUMERIC)))


@pytest.mark.parametrize("criterion", ["sum", "max", "min"])
@pytest.mark.parametrize("hidden", [(), ("weight",), ("job",)])
def test_linkage_equals_the_definition_in_two_loops(criterion, hidden):
    combine = {"sum": sum, "max": max, "min": min}[criterion]

    @settings(max_examples=10, deadline=None)
    @given(frames())
    def check(tables):
        real, synthetic = tables
        if real["weight"].n_unique() == 1 or real["job"].n_unique() == 1:
            return
        found = seethrough.link(real, synthetic, secret=hidden, criterion=criterion, schema=SCHEMA)
        names = [name for name in ("size", "job", "weight") if name not in hidden]
        mine = {name: average_ranks(keys) for name, keys in keys_of(real, real, synthetic).items()}
        for number, frame in enumerate(synthetic, 1):
            theirs = {name: average_ranks(keys) for name, keys in keys_of(frame, real, synthetic).items()}
            for i in range(len(real)):
                distances = [
                    combine([abs(mine[name][i] - theirs[name][row]) for name in names]) for row in range(len(real))
                ]
                nearest = tuple(row + 1 for row, d in enumerate(distances) if d == min(distances))
                assert found.records.linked_rows(i + 1, number) == nearest
        if hidden == ("job",):
            shown = found.frame().filter(pl.col("file") == "synthetic 1")
            for i, chance in enumerate(shown["chance"]):
                levels = [synthetic[0]["job"][row - 1] for row in found.records.linked_rows(i + 1)]
                assert chance == pytest.approx(levels.count(real["job"][i]) / len(levels))

    check()


def normal(rows, seed, width=4):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, width)) + rng.normal(size=(rows, 1))
    return pl.DataFrame({f"v{j}": values[:, j] for j in range(width)})


def test_a_copy_is_linked_to_itself_and_disclosed():
    real = normal(200, 0)
    copy = real.sample(fraction=1.0, shuffle=True, seed=1)
    found = seethrough.link(real, copy, holdout=normal(300, 2), secret="v0")
    scores = {side: files[0] for side, files in found["v0"].files.items()}
    assert scores["release"].exact.value == 1
    assert scores["release"].error.value == 0
    assert scores["permuted"].exact.high < 0.1
    assert scores["holdout"].exact.high < 0.1
    # What goes with the other columns in anyone is found in the holdout too, but not with permuted columns.
    assert scores["holdout"].error.high < scores["permuted"].error.low
    identity = seethrough.link(real, copy).identity
    assert identity["release"][0].alone.value == 1
    assert identity["release"][0].equal.value == 1
    assert identity["permuted"][0].equal.value == 0


def test_records_say_what_the_summary_says():
    real, files = normal(60, 0), [normal(60, 1), normal(60, 2)]
    found = seethrough.link(real, files, secret=["v0", "v1"])
    frame = found.frame()
    assert len(frame) == 60 * 2 * 2
    first = frame.filter((pl.col("column") == "v1") & (pl.col("file") == "synthetic 1"))
    assert first["exact"].mean() == pytest.approx(found["v1"].files["release"][0].exact.value)
    assert first["rank_error"].mean() / 60 == pytest.approx(found["v1"].files["release"][0].error.value)
    last = {curve.name: curve.values["release"][-1].value for curve in found["v1"].curves}
    assert first["right"].mean() == pytest.approx(last["right"])
    assert first["confused"].mean() == pytest.approx(last["confused"])
    assert first["width"].mean() == pytest.approx(last["width"])
    row = first.row(0, named=True)
    ordered = np.sort(real["v1"].to_numpy())
    assert float(row["low_value"]) == pytest.approx(ordered[int(row["low_rank"]) - 1])
    assert float(row["high_value"]) == pytest.approx(ordered[int(row["high_rank"]) - 1])


def test_a_function_of_ones_own_gives_the_same_as_the_built_in_one():
    real, synthetic = normal(80, 0), normal(80, 1)
    built_in = seethrough.link(real, synthetic, secret="v0", criterion="sum")
    supplied = seethrough.link(real, synthetic, secret="v0", criterion=lambda apart: apart.sum(axis=2))
    assert built_in.frame().equals(supplied.frame())


def test_the_seed_decides_and_threads_do_not():
    real, synthetic = normal(100, 0), normal(250, 1)
    first, again, threads = (seethrough.link(real, synthetic, secret="v0", threads=threads) for threads in (1, 1, 3))
    other = seethrough.link(real, synthetic, secret="v0", seed=5)
    assert first.frame().equals(again.frame())
    assert first.frame().equals(threads.frame())
    assert not first.frame().equals(other.frame())


def test_what_was_done_to_the_tables_is_said():
    rng = np.random.default_rng(0)
    real = pl.DataFrame({"v": rng.normal(size=30), "job": rng.choice(["a", "b"], 30), "same": [1] * 30})
    found = seethrough.link(real, [real[:10], pl.concat([real, real])], secret="v")
    notes = " ".join(found.notes)
    assert "synthetic 1 has 10 rows and real 30: 20 rows were drawn again at random" in notes
    assert "synthetic 2 has 60 rows and real 30: 30 rows were drawn at random" in notes
    assert "no order of their own: 'job'" in notes
    assert "'same' is constant in real" in notes
    # A row that was drawn again counts once.
    assert max(found.records.linked_rows(1)) <= 10
    assert found.frame()["linked"].min() >= 1


def test_one_row_of_a_release_is_enough():
    found = seethrough.link(normal(5, 0), normal(1, 1), secret="v0")
    assert found.records.linked_rows(3) == (1,)
    assert found["v0"].files["release"][0].chance.high > 0


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"secret": "shoe"}, ConfigError, "'shoe'"),
        ({"secret": "v0", "keys": ["v0"]}, ConfigError, "both as secret and as key"),
        ({"secret": ["v0", "v1", "v2", "v3"]}, ConfigError, "at least one is needed to link by"),
        ({"secret": "v0", "criterion": "median"}, ConfigError, "sum or max or min is expected"),
        ({"secret": "v0", "narrow": 2.0}, ConfigError, "a share is expected"),
        ({"keys": "shoe"}, ConfigError, "'shoe'"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, error, said):
    with pytest.raises(error, match=said):
        seethrough.link(normal(20, 0), normal(20, 1), **options)


def test_a_constant_column_cannot_be_disclosed_and_one_record_is_too_few():
    real = normal(20, 0).with_columns(pl.lit(3).alias("same"))
    with pytest.raises(DataError, match="nothing to disclose"):
        seethrough.link(real, real, secret="same")
    with pytest.raises(DataError, match="one row; at least two are needed"):
        seethrough.link(normal(1, 0), normal(20, 1))


def test_the_experiment_shows_confusion_and_narrowing_at_any_size():
    found = seethrough.closeness_experiment(400, 5, seed=1)
    assert found.synthetic[3] == "4 of level 1"
    last = {curve.name: curve.values for curve in found["X3"].curves}
    # Several files confuse for some records and narrow for others; with more of them intervals can only widen.
    for name in ("narrow and right", "confused"):
        assert last[name]["release"][1].low > 0
    widths = [estimate.value for estimate in last["width"]["release"]]
    assert widths == sorted(widths)
    right = [estimate.value for estimate in last["right"]["release"]]
    assert right == sorted(right)
    assert seethrough.closeness_experiment(20, levels=[3]).synthetic == ("1 of level 3",)
    with pytest.raises(ConfigError, match="levels of closeness from 1 to 3"):
        seethrough.closeness_experiment(20, levels=[4])


def test_the_experiment_has_the_correlations_of_the_paper():
    real = closeness_tables(40_000, (1, 2, 3), 0)
    for columns, means, first in (
        (real[0], (50, 500, 2500), 0.56),
        (real[1]["1 of level 1"], (50, 500, 2500), 0.52),
        (real[1]["2 of level 2"], (45, 450, 2200), 0.44),
        (real[1]["3 of level 3"], (45, 450, 2200), 0.17),
    ):
        assert [columns[name].mean() for name in ("X1", "X2", "X3")] == pytest.approx(means, rel=0.01)
        assert np.corrcoef(columns["X1"], columns["X2"])[0, 1] == pytest.approx(first, abs=0.02)
