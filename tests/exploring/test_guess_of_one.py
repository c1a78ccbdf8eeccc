"""What is guessed of one person: held against the definition, row by row."""

from collections import Counter

import numpy as np
import pytest

from seethrough.errors import ConfigError

KEYS = ("age", "sex", "job", "since", "wage")


def texts_of(exploration, part):
    count = {"real": 120, "released": 101, "outside": 80}[part]
    return [{cell.column: cell.text for cell in cells} for cells in exploration.cells(part, range(count))]


def brute_gcap(person, rows, known, secret):
    apart = [sum(person[name] != row[name] for name in known) for row in rows]
    near = [row[secret] for row, each in zip(rows, apart, strict=True) if each == min(apart)]
    return Counter(near), len(near), min(apart)


@pytest.mark.parametrize("known", [(), ("sex",), ("age", "job"), KEYS])
@pytest.mark.parametrize("row", [0, 7, 41, 99])
def test_the_guess_by_equal_columns_counts_the_rows_that_differ_in_fewest(exploration, known, row):
    real, released, outside = (texts_of(exploration, part) for part in ("real", "released", "outside"))
    found = exploration.guess("ill", known, exploration.person(row=row))
    for told, rows in ((found.release, released), (found.outside, outside)):
        counts, near, apart = brute_gcap(real[row], rows, known, "ill")
        assert (told.rows, told.distance) == (near, apart)
        assert told.agreeing == max(counts.values())
        assert {each.value: each.share for each in told.shares} == {
            value: pytest.approx(count / near) for value, count in counts.items()
        }
        assert counts[told.value] == max(counts.values())
    before = {each.value: each.share for each in found.outside.shares}
    assert found.moved == pytest.approx(found.release.share - before.get(found.release.value, 0.0))
    everybody = Counter(each["ill"] for each in real).most_common(1)[0]
    assert (found.nobody.value, found.nobody.share) == (everybody[0], pytest.approx(everybody[1] / 120))
    assert found.truth == real[row]["ill"]
    assert (found.release.source, found.outside.source, found.nobody.source) == (
        "this release",
        "people outside",
        "nobody",
    )


def test_with_all_keys_the_guess_speaks_for_the_truth_as_the_check_does(explored):
    risks = explored.report["gcap"].measurement.per_record
    for row in range(120):
        found = explored.guess("ill", KEYS, explored.person(row=row))
        shares = {each.value: each.share for each in found.release.shares}
        assert shares.get(found.truth, 0.0) == risks[row]


def test_without_a_holdout_the_second_line_is_imputation_from_other_people(without_holdout):
    real = texts_of(without_holdout, "real")
    for row in (3, 55):
        found = without_holdout.guess("ill", ("sex", "job"), without_holdout.person(row=row))
        others = [each for place, each in enumerate(real) if place != row]
        counts, near, apart = brute_gcap(real[row], others, ("sex", "job"), "ill")
        assert found.outside.source == "imputation from other real people"
        assert (found.outside.rows, found.outside.distance) == (near, apart)
        assert found.outside.agreeing == max(counts.values())


def gower(a, b, known, spans):
    total = 0.0
    for name in known:
        if isinstance(spans.get(name), float):
            x, y = a[name], b[name]
            if (x is None) != (y is None):
                total += 1
            fill = spans[f"median of {name}"]
            total += ((fill if x is None else x) - (fill if y is None else y)) ** 2 / spans[name] ** 2
        else:
            total += a[name] != b[name]
    return round(total**0.5, 9)


@pytest.fixture(scope="module")
def gower_tables(frames):
    real, released, outside = (frame.with_columns(since=frame["since"].cast(int)).to_dicts() for frame in frames)
    spans = {}
    for name in ("age", "wage", "since"):
        values = [row[name] for row in real if row[name] is not None]
        spans[name] = float(max(values) - min(values))
        spans[f"median of {name}"] = float(np.median(values))
    return (real, released, outside), spans


@pytest.mark.parametrize("known", [("age",), ("age", "wage", "sex"), KEYS])
@pytest.mark.parametrize("row", [0, 60, 119])
def test_the_guess_by_distance_counts_the_nearest_rows(exploration, gower_tables, known, row):
    (real, released, _), spans = gower_tables
    far = [gower(real[row], each, known, spans) for each in released]
    near = Counter(each["ill"] for each, apart in zip(released, far, strict=True) if apart == min(far))
    found = exploration.guess("ill", known, exploration.person(row=row), attack="dcr").release
    assert found.distance == pytest.approx(min(far), abs=1e-8)
    assert found.rows == near.total()
    assert {each.value: each.share for each in found.shares} == {
        value: pytest.approx(count / near.total()) for value, count in near.items()
    }


@pytest.mark.parametrize("row", [0, 60, 119])
def test_the_nearest_rows_are_those_at_the_smallest_distance(exploration, gower_tables, row):
    (real, released, outside), spans = gower_tables
    names = (*KEYS, "ill")
    found = exploration.nearest(exploration.person(row=row), count=7)
    others = {place: each for place, each in enumerate(real) if place != row}
    for told, rows in (
        (found.released, dict(enumerate(released))),
        (found.real, others),
        (found.outside, dict(enumerate(outside))),
    ):
        far = {place: gower(real[row], each, names, spans) for place, each in rows.items()}
        assert [each.distance for each in told] == pytest.approx(sorted(far.values())[:7], abs=1e-8)
        for each in told:
            assert each.distance == pytest.approx(far[each.row], abs=1e-8)
            assert each.differs == tuple(
                name for name in exploration.columns if real[row][name] != rows[each.row][name]
            )
            assert {cell.column: cell.text for cell in each.cells}["sex"] == rows[each.row]["sex"]


@pytest.mark.parametrize("attack", ["gcap", "dcr"])
def test_one_more_column_is_the_one_that_makes_the_guess_surest(exploration, attack):
    person = exploration.person(row=5)
    found = exploration.one_more("ill", ("sex",), person, attack)
    tried = {
        name: exploration.guess("ill", ("sex", name), person, attack).release.share for name in KEYS if name != "sex"
    }
    assert {each.value: each.share for each in found.tried} == pytest.approx(tried)
    assert found.after == pytest.approx(max(tried.values()))
    assert tried[found.column] == found.after
    assert found.before == exploration.guess("ill", ("sex",), person, attack).release.share
    assert exploration.one_more("ill", KEYS, person, attack).column == ""


def test_a_learner_tells_probabilities_and_tries_no_further_column(exploration):
    person = exploration.person(row=5)
    found = exploration.guess("ill", KEYS, person, "infer")
    assert sum(each.share for each in found.release.shares) == pytest.approx(1.0)
    assert found == exploration.guess("ill", KEYS, person, "infer")
    assert exploration.one_more("ill", ("sex",), person, "infer").reason


def test_reconstruction_of_one_person_is_that_of_everybody(exploration):
    found = exploration.guess("ill", KEYS, exploration.person(row=5), "recon")
    assert found.release.value in {"yes", "no"}
    assert found == exploration.guess("ill", KEYS, exploration.person(row=5), "recon")


def test_a_number_is_guessed_by_its_tenth_and_few_numbers_as_they_are(exploration):
    wage = exploration.guess("wage", ("sex", "job"), exploration.person(row=5))
    assert any(word in wage.release.value for word in ("or less", "above"))
    age = exploration.guess("age", ("sex", "job"), exploration.person(row=5))
    assert age.release.value.isdigit()


def test_what_is_not_there_is_refused(exploration):
    person = exploration.person(row=0)
    with pytest.raises(ConfigError, match="no column 'zip'"):
        exploration.guess("zip", KEYS, person)
    with pytest.raises(ConfigError, match="no column 'zip'"):
        exploration.guess("ill", ("zip",), person)
    with pytest.raises(ConfigError, match="no attack 'magic'"):
        exploration.guess("ill", KEYS, person, "magic")
