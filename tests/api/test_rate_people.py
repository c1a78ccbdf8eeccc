"""People rated by who was in the data, without a label: values by hand, copies, independent tables, orders."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.errors import ConfigError, DataError, NotApplicable, SchemaMismatch
from seethrough.plugins import catalog

MIDST = Path(__file__).resolve().parents[3] / "shared" / "data" / "midst"


def people(count, seed):
    """People of one population: two numbers, a category."""
    rng = np.random.default_rng(seed)
    age = rng.normal(40, 12, count)
    return pl.DataFrame({"age": age, "pay": age * 30 + rng.normal(0, 300, count), "job": rng.choice([*"abcde"], count)})


def numbers(*values):
    return pl.DataFrame({"v": [float(value) for value in values]})


def test_false_alarm_rates_ranks_and_the_list_by_hand():
    # All people of the reference stand at 100, 99 from the release, so that it does not matter who is set aside: 20.
    found = st.rate_people(numbers(0, 50, 100, 101), numbers(0, 1), numbers(*[100] * 100), rating="nearness")
    rated = found.ratings[0]
    assert (found.set_aside, rated.alarms.outsiders) == (20, 80)
    assert rated.alarms.p.tolist() == [1 / 81, 1 / 81, 1.0, 1.0]
    assert rated.ranks.tolist() == [1, 2, 3, 4]
    # Benjamini and Hochberg at 10 %: 1/81 is below 2/4 of a tenth.
    assert rated.alarms.listed.tolist() == [True, True, False, False]
    assert [(each.rate, each.people, each.by_chance) for each in rated.standing_out] == [
        (0.1, 2, 0.4),
        (0.01, None, 0.04),
        (0.001, None, 0.004),
    ]


def test_a_list_that_few_people_of_the_reference_cannot_support_is_empty():
    found = st.rate_people(numbers(0, 50, 100, 101), numbers(0, 1), numbers(*[100] * 20), rating="nearness")
    rated = found.ratings[0]
    assert (found.set_aside, rated.alarms.outsiders) == (5, 15)
    assert rated.alarms.p.tolist() == [1 / 16, 1 / 16, 1.0, 1.0]
    assert not rated.alarms.listed.any()


def test_people_of_equal_score_share_a_rank():
    assert st.rate_people(numbers(5, 0, 5), numbers(0, 1), rating="nearness").ratings[0].ranks.tolist() == [2, 1, 2]


@pytest.mark.parametrize("with_reference", [True, False])
def test_a_copy_puts_its_members_first(with_reference):
    members, others = people(60, 0), people(60, 1)
    reference = people(400, 2) if with_reference else None
    found = st.rate_people(pl.concat([others, members]), members, reference)
    rated = found.ratings[0]
    assert rated.rating == ("log-ratio" if with_reference else "self-ratio")
    first = np.argsort(rated.ranks, kind="stable")[:60]
    assert (first >= 60).mean() > 0.9
    if with_reference:
        assert rated.alarms.listed[60:].mean() > 0.5
        assert rated.alarms.listed[:60].mean() < 0.1


def test_exact_copies_are_all_rated_above_everybody_else():
    members, others = people(60, 0), people(60, 1)
    found = st.rate_people(pl.concat([others, members]), members, people(400, 2), rating="nearness")
    assert sorted(np.flatnonzero(found.ratings[0].ranks == 1)) == [*range(60, 120)]


def test_an_independent_table_lets_nobody_stand_out_beyond_the_rate():
    names = ["log-ratio", "self-ratio", "nearness"]
    shares = {name: [] for name in names}
    listed = 0
    for seed in range(30):
        given = (people(50, 100 + seed), people(200, 200 + seed), people(200, 300 + seed))
        for rated in st.rate_people(*given, rating=names, seed=seed).ratings:
            shares[rated.rating].append((rated.alarms.p <= 0.1).mean())
            listed += bool(rated.alarms.listed.any())
    for values in shares.values():
        # People of one release share its chances, so the error is taken from the spread over releases.
        assert np.mean(values) <= 0.1 + 3 * np.std(values) / np.sqrt(len(values))
    assert listed <= 18  # of 90 lists, 10 % are expected to have a wrong name; four standard errors


def shuffled(frame, seed):
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def test_the_order_of_rows_does_not_matter():
    asked, release, reference = people(40, 0).with_row_index("who"), people(90, 1), people(120, 2)
    usual = st.rate_people(asked, release, reference, rating="all", identifier="who")
    other = st.rate_people(
        shuffled(asked, 1), shuffled(release, 2), shuffled(reference, 3), rating="all", identifier="who"
    )
    order = ["rating", "id"]
    left, right = (each.frame().drop("row").sort(order) for each in (usual, other))
    assert left.equals(right)
    assert usual.ratings[0].rating == "log-ratio"


def test_a_rating_whose_columns_have_to_be_named_says_so():
    with pytest.raises(NotApplicable, match="no columns of strings were named"):
        st.rate_people(people(40, 0), people(90, 1), rating="edit-distance")


@pytest.mark.parametrize("name", [name for name in catalog.ratings() if name != "edit-distance"])
def test_every_rating_rates_strangers_or_says_why_not(name):
    asked, release = people(40, 0), people(90, 1)
    found = st.rate_people(asked, release, people(120, 2), rating=name)
    assert len(found.ratings[0].scores) == 40
    assert (found.ratings[0].alarms.p >= 1 / 101).all()
    try:
        alone = st.rate_people(asked, release, rating=name)
    except NotApplicable as reason:
        assert str(reason) == f"{name} cannot be computed: no reference table was given"  # noqa: PT017
    else:
        assert alone.ratings[0].alarms is None


def test_threads_and_memory_change_nothing():
    given = people(300, 0), people(400, 1), people(500, 2)
    usual, small = (
        st.rate_people(*given, memory=memory, threads=threads) for memory, threads in ((1 << 30, 1), (1 << 26, 3))
    )
    assert usual.frame().equals(small.frame())


def test_several_releases_are_attacked_each_by_itself():
    asked, reference = people(40, 0), people(120, 2)
    tables = {"one": people(90, 1), "two": people(70, 3).drop("pay")}
    both = st.rate_people(asked, tables, reference).frame()
    for name, table in tables.items():
        alone = st.rate_people(asked, {name: table}, reference).frame()
        assert both.filter(synthetic=name).equals(alone)
    assert len(both) == 80


def test_who_people_are_comes_from_the_column_named_or_declared_and_is_not_compared(tmp_path):
    asked = people(40, 0).with_columns(pl.Series("who", [f"p{number}" for number in range(40)]))
    release, reference = people(90, 1), people(120, 2)
    plain = st.rate_people(asked.drop("who"), release, reference)
    named = st.rate_people(asked, release, reference, identifier="who")
    assert named.names[:2] == ("p0", "p1")
    assert named.notes == plain.notes
    assert named.ratings[0].scores.tolist() == plain.ratings[0].scores.tolist()
    schema = tmp_path / "schema.toml"
    schema.write_text('format = 1\n[columns.who]\nrole = "id"\n')
    assert st.rate_people(asked, release, reference, schema=schema).names == named.names


def test_columns_that_the_release_writes_in_another_way_are_left_out():
    asked, reference = people(40, 0), people(120, 2)
    release = people(90, 1).with_columns(pl.col("pay") + 1e9)
    found = st.rate_people(asked, release, reference)
    assert found.ratings[0].columns == ("age", "job")
    assert any("column 'pay' cannot be compared" in note for note in found.notes)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"rating": "log-ration"}, ConfigError, "there is no rating 'log-ration'; did you mean log-ratio"),
        ({"rating": "log-ratio", "reference": None}, NotApplicable, "log-ratio cannot be computed: no reference table"),
        ({"reference": people(19, 3)}, DataError, "reference has 19 people; at least 20 are needed as a reference"),
        ({"synthetic": pl.DataFrame({"x": [1, 2]})}, SchemaMismatch, "have no column in common"),
        ({"synthetic": people(1, 3)}, DataError, "synthetic has one row; at least two are needed"),
        ({"people": people(0, 3)}, DataError, "people has no rows"),
        ({"identifier": "who"}, ConfigError, "people has no column 'who' that names people"),
        ({"params": {"nearness": {"k": 1}}}, ConfigError, "a parameter of nearness is set, which is not run"),
        ({"params": {"log-ratio": {"k": 1}}}, ConfigError, "log-ratio has no parameter 'k'; it has neighbours"),
        ({"synthetic": []}, DataError, "at least one synthetic table"),
    ],
)
def test_what_cannot_be_rated_ends_with_one_sentence(change, error, said):
    given = {"people": people(10, 0), "synthetic": people(30, 1), "reference": people(30, 2), **change}
    with pytest.raises(error, match=said):
        st.rate_people(**given)


@pytest.mark.slow
@pytest.mark.skipif(not MIDST.exists(), reason="../shared/data/midst is not there")
def test_members_of_a_diffusion_model_are_found_and_the_list_keeps_its_share():
    """The table of docs/attacks/membership.md, by the same draws."""
    found, false, listed = [], [], []
    for number in range(1, 5):
        tables = {
            name: pl.read_parquet(MIDST / f"model_0{number}" / f"{name}.parquet")
            for name in ("members", "outside", "synthetic")
        }
        rng = np.random.default_rng(0)
        inside, outside = (rng.permutation(len(tables[name])) for name in ("members", "outside"))
        asked = pl.concat([tables["members"][inside[:1000]], tables["outside"][outside[:1000]]])
        rated = st.rate_people(asked, tables["synthetic"], tables["outside"][outside[1000:11000]]).ratings[0]
        found.append([int((rated.alarms.p[:1000] <= rate).sum()) for rate in (0.1, 0.01, 0.001)])
        false.append([int((rated.alarms.p[1000:] <= rate).sum()) for rate in (0.1, 0.01, 0.001)])
        listed.append((int(rated.alarms.listed[:1000].sum()), int(rated.alarms.listed[1000:].sum())))
    assert np.mean(found, axis=0).tolist() == pytest.approx([224, 95, 51], abs=10)
    # 4,000 people outside: 10, 1 and 0.1 % of them, and three standard errors.
    assert (np.sum(false, axis=0) <= [457, 59, 10]).all()
    right, wrong = np.sum(listed, axis=0)
    assert right > 250
    assert wrong / (right + wrong) < 0.15
