"""The table of people, overlaps and ranking, held against sorting and counting by hand."""

from itertools import combinations

import numpy as np
import pytest

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.exploring.answers.tables import PeopleQuestion

LIMITS = {"gcap": 0.5, "zcap": 0.5, "dcr": 0.99, "crp": 0.5, "auth": 0.5}


@pytest.fixture(scope="module")
def risks(explored):
    return {name: explored.report[name].measurement.per_record for name in LIMITS}


@pytest.fixture(scope="module")
def flagged(risks):
    return {name: [value >= LIMITS[name] for value in values] for name, values in risks.items()}


def everybody(explored, **asked):
    rows, page = [], 0
    while True:
        found = explored.people(PeopleQuestion(**asked, page=page))
        rows += found.rows
        page += 1
        if page == found.pages:
            assert len(rows) == found.found
            return rows


def test_a_page_has_fifty_people_and_all_pages_have_everybody_once(explored):
    assert [len(explored.people(PeopleQuestion(page=page)).rows) for page in range(3)] == [50, 50, 20]
    assert sorted(each.row for each in everybody(explored)) == list(range(120))
    for page in (-1, 3):
        with pytest.raises(ConfigError, match="there is no page"):
            explored.people(PeopleQuestion(page=page))


def test_a_row_says_its_risks_flags_and_values(explored, risks, flagged):
    for each in everybody(explored):
        assert each.risks == {name: pytest.approx(values[each.row]) for name, values in risks.items()}
        assert each.flagged_by == tuple(name for name in each.risks if flagged[name][each.row])
        assert each.flags == len(each.flagged_by)
        assert each.cells == explored.person(row=each.row).cells


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort", ["row", "flags", "gcap", "dcr", "age", "job", "since"])
def test_people_are_sorted_by_anything_and_those_without_a_value_come_last(explored, frames, sort, descending):
    rows = [each.row for each in everybody(explored, sort=sort, descending=descending)]
    people = {each.row: each for each in everybody(explored)}
    if sort in {"age", "job", "since"}:
        values = frames[0][sort].to_list()
        order = dict(zip(sorted({v for v in values if v is not None}), range(1000), strict=False))
        keys = {row: order.get(values[row]) for row in rows}
    elif sort == "row":
        keys = {row: row for row in rows}
    else:
        keys = {row: people[row].flags if sort == "flags" else people[row].risks[sort] for row in rows}
    known = [row for row in range(120) if keys[row] is not None]
    expected = sorted(known, key=lambda row: (-keys[row] if descending else keys[row], row))
    assert rows == [*expected, *(row for row in range(120) if keys[row] is None)]


@pytest.mark.parametrize("check", list(LIMITS))
@pytest.mark.parametrize("fewest", [0, 2])
def test_people_are_filtered_by_check_and_number_of_flags(explored, flagged, check, fewest):
    rows = {each.row for each in everybody(explored, check=check, fewest_flags=fewest)}
    total = np.sum(list(flagged.values()), axis=0)
    assert rows == {row for row in range(120) if flagged[check][row] and total[row] >= fewest}


@pytest.mark.parametrize("column", ["sex", "job"])
def test_people_are_filtered_by_group_with_a_number_for_its_level(explored, frames, column):
    levels = explored.column(column).levels
    values = frames[0][column].to_list()
    for level in range(len(levels) + 1):
        wanted = None if level == 0 else levels[level - 1]
        rows = {each.row for each in everybody(explored, column=column, level=level)}
        assert rows == {row for row in range(120) if values[row] == wanted}
    with pytest.raises(ConfigError, match="has no level number 99"):
        explored.people(PeopleQuestion(column=column, level=99))


@pytest.mark.parametrize("wrong", [{"sort": "zip"}, {"check": "ks"}, {"column": "zip", "level": 1}])
def test_what_is_not_there_cannot_be_asked_for(explored, wrong):
    with pytest.raises(ConfigError, match="there is no"):
        explored.people(PeopleQuestion(**wrong))


def test_overlaps_are_counted_and_chance_is_that_of_independent_flags(explored, flagged):
    found = {(each.first, each.second): each for each in explored.overlap()}
    assert set(found) == set(combinations(["gcap", "zcap"], 2))
    for (first, second), each in found.items():
        a, b = np.array(flagged[first]), np.array(flagged[second])
        assert (each.both, each.first_flags, each.second_flags, each.people) == ((a & b).sum(), a.sum(), b.sum(), 120)
        assert each.by_chance == pytest.approx(a.mean() * b.mean() * 120)


def test_the_ranking_has_everybody_once_and_begins_with_the_exposed_list(explored):
    ranking = explored.ranking()
    assert sorted(ranking) == list(range(120))
    listed = list(dict.fromkeys(person.row - 1 for person in explored.report.tables[0].evidence.people))
    assert list(ranking[: len(listed)]) == listed
    rest = ranking[len(listed) :]
    attacks = [
        sum(explored.report[name].measurement.per_record[row] >= 0.5 for name in ("gcap", "zcap")) for row in rest
    ]
    assert attacks == sorted(attacks, reverse=True)


def test_flags_say_the_rule_and_how_many_people_outside_are_flagged(explored, risks, flagged):
    found = {flag.check: flag for flag in explored.flags(explored.person(row=7))}
    assert set(found) == {*LIMITS, "ks"}
    for name, limit in LIMITS.items():
        assert found[name].risk == risks[name][7]
        assert found[name].flagged == flagged[name][7]
        assert f"{limit:g}" in found[name].rule
    assert (found["ks"].risk, found["ks"].flagged) == (None, None)
    assert found["ks"].reason


def test_people_outside_are_flagged_as_often_as_asking_each_of_them_says(explored):
    """For checks that ask about one person at a time: gcap by its guess, crp by equality."""
    flags = {flag.check: flag.outside for flag in explored.flags(explored.person(row=0))}
    outside = [
        explored.person(values={cell.column: cell.text for cell in cells})
        for cells in explored.cells("outside", range(80))
    ]
    keys = [name for name in explored.columns if name != "ill"]
    hits = []
    for person in outside:
        guess = explored.guess("ill", keys, person)
        hits.append({each.value: each.share for each in guess.release.shares}.get(guess.truth, 0.0) >= 0.5)
    assert flags["gcap"] == pytest.approx(100 * np.mean(hits))
    equal = [explored.nearest(person, count=1).released[0].distance == 0 for person in outside]
    assert flags["crp"] == pytest.approx(100 * np.mean(equal))


def test_a_person_typed_in_has_the_risk_that_the_same_row_has(explored):
    row = explored.person(row=7)
    typed = explored.person(values={cell.column: cell.text for cell in row.cells})
    mine, theirs = ({flag.check: flag for flag in explored.flags(each)} for each in (row, typed))
    for name in ("gcap", "crp", "zcap"):
        assert theirs[name].risk == mine[name].risk


def test_nothing_is_told_of_checks_that_were_not_run(exploration, frames):
    import seethrough as st

    fresh = st.explore(*frames, secret="ill", checks=["gcap"])
    for ask in (fresh.ranking, lambda: fresh.people(PeopleQuestion()), fresh.overlap, lambda: fresh.groups("sex")):
        with pytest.raises(ConfigError, match="have not been run"):
            ask()


def test_what_many_answers_need_can_be_prepared(frames):
    import seethrough as st

    fresh, told = st.explore(*frames, secret="ill", checks=["gcap", "crp"], preset="attacks"), []
    fresh.run()
    fresh.prepare(told.append)
    assert told[-1].done == told[-1].steps == 2
    again = {flag.check: flag.outside for flag in fresh.flags(fresh.person(row=0))}
    assert all(0 <= each <= 100 for each in again.values())


def test_everybody_as_a_frame_has_flags_risks_and_values(explored, frames, risks, flagged):
    found = explored.people_frame()
    assert found.columns == ["row", "synthetic", "flags", "flagged_by", *risks, *frames[0].columns]
    assert found["row"].to_list() == list(range(1, 121))
    for name, values in risks.items():
        assert found[name].to_list() == pytest.approx([None if np.isnan(value) else value for value in values])
    for row, said in enumerate(found["flagged_by"]):
        names = [name for name in risks if flagged[name][row]]
        assert (said, found["flags"][row]) == (", ".join(names), len(names))
    for name in frames[0].columns:
        assert found[name].to_list() == frames[0][name].to_list(), name
    assert explored.people_frame(values=False).columns == found.columns[: -len(frames[0].columns)]


def test_values_under_a_name_of_ours_have_another_name(frames):
    real, released, outside = (frame.rename({"age": "row", "job": "crp"}) for frame in frames)
    explored = st.explore(real, {"one": released, "two": released[:50]}, outside, checks=["crp"], preset="attacks")
    explored.run()
    found = explored.people_frame()
    assert found.columns[:5] == ["row", "synthetic", "flags", "flagged_by", "crp"]
    assert found["synthetic"].to_list() == ["one"] * 120 + ["two"] * 120
    assert found["row (value)"].to_list() == 2 * real["row"].to_list()
    assert found["crp (value)"].to_list() == 2 * real["crp"].to_list()
