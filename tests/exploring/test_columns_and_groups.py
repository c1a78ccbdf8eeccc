"""Columns and groups, counted by hand."""

import numpy as np
import polars as pl
import pytest
from scipy.stats.contingency import association

import seethrough as st
from seethrough.errors import ConfigError


def test_levels_are_counted_in_all_tables_the_most_frequent_first(exploration, frames):
    found = exploration.column("job")
    shares = [
        {name or "(missing)": count / len(frame) for name, count in frame["job"].value_counts().iter_rows()}
        for frame in frames
    ]
    for cell in found.cells:
        assert (cell.real, cell.released, cell.outside) == pytest.approx(
            tuple(each.get(cell.label, 0.0) for each in shares)
        )
    assert [cell.real for cell in found.cells] == sorted((cell.real for cell in found.cells), reverse=True)
    labels = {name for each in shares for name in each}
    assert {cell.label for cell in found.cells} == labels
    for told, other in ((found.distance, shares[1]), (found.outside_distance, shares[2])):
        assert told == pytest.approx(sum(abs(shares[0].get(name, 0) - other.get(name, 0)) for name in labels) / 2)
    assert found.missing == frames[0]["job"].null_count()


def test_numbers_are_counted_in_ten_ranges_and_missing(exploration, frames):
    found = exploration.column("age")
    values = frames[0]["age"]
    assert len(found.cells) == 11
    assert found.cells[-1].label == "(missing)"
    assert found.cells[-1].real == pytest.approx(values.null_count() / 120)
    counts = np.histogram(values.drop_nulls().to_numpy(), bins=10)[0]
    assert [cell.real for cell in found.cells[:-1]] == pytest.approx(counts / 120)
    assert sum(cell.released for cell in found.cells) == pytest.approx(1.0)
    assert (found.low, found.high) == ("18", "59")


@pytest.mark.parametrize("column", ["age", "sex", "job", "since", "wage"])
def test_the_cells_of_people_add_up_to_the_distribution(exploration, column):
    cells = exploration.column(column).cells
    counts = np.zeros(len(cells))
    for row in range(120):
        counts[exploration.cell_of(column, exploration.person(row=row))] += 1
    assert list(counts / 120) == pytest.approx([cell.real for cell in cells])
    assert exploration.cell_of("age", exploration.person(values={"sex": "F"})) is None


def test_the_strongest_pairs_are_those_of_scipy():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 3, 400)
    frame = pl.DataFrame(
        {"a": a, "b": (a + rng.integers(0, 2, 400)) % 3, "c": rng.integers(0, 4, 400), "d": rng.integers(0, 2, 400)}
    ).cast(pl.String)
    found = st.explore(frame, frame[:300], checks=["ks"]).column("a")
    for pair in found.pairs:
        for value, rows in ((pair.real, frame), (pair.released, frame[:300])):
            table = rows.to_pandas().groupby(["a", pair.other]).size().unstack(fill_value=0).to_numpy()
            assert value == pytest.approx(association(table, method="cramer", correction=False))
    assert [pair.real for pair in found.pairs] == sorted((pair.real for pair in found.pairs), reverse=True)
    assert found.pairs[0].other == "b"


def test_a_column_says_how_often_it_is_guessed_once_the_audit_was_run(explored):
    found = explored.column("ill")
    [exposure] = [each for each in explored.report.tables[0].exhibits.columns if each.column == "ill"]
    assert (found.guessed, found.guessed_outside, found.most_frequent) == (
        exposure.real,
        exposure.outside,
        exposure.base_rate,
    )


def test_groups_are_means_and_small_ones_are_put_together(explored, frames):
    jobs = frames[0]["job"].to_list()
    risks = {name: explored.report[name].measurement.per_record for name in ("gcap", "zcap")}
    flagged = np.array([any(each[row] >= 0.5 for each in risks.values()) for row in range(120)])
    found = explored.groups("job")
    assert sum(group.people for group in found) == 120
    large = {name for name in set(jobs) if jobs.count(name) >= 30}
    small = {name for name in set(jobs) if jobs.count(name) < 30}
    assert len(small) == 2  # otherwise this test would not see them put together
    for group in found:
        names = small if group.level is None else {group.label}
        mine = np.array([job in names for job in jobs])
        assert group.people == mine.sum()
        assert group.merged == len(names)
        assert group.flagged.value == pytest.approx(flagged[mine].mean())
        assert group.flagged.low <= group.flagged.value <= group.flagged.high
        assert group.away == pytest.approx(flagged[mine].mean() - flagged.mean())
        for name, rate in group.risks.items():
            assert rate.value == pytest.approx(risks[name][mine].mean())
    assert {group.label for group in found if group.level is not None} == large
    away = [abs(group.away) for group in found]
    assert away == sorted(away, reverse=True)


def test_numbers_are_grouped_by_ranges(explored):
    assert sum(group.people for group in explored.groups("wage")) == 120
    with pytest.raises(ConfigError, match="no column 'zip'"):
        explored.groups("zip")
