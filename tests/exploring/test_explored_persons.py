"""People: rows of the real table, and values typed in."""

import pytest

from seethrough.errors import ConfigError


def shown(person):
    return {cell.column: cell.text for cell in person.cells}


def test_a_row_shows_its_values(exploration, frames):
    person = exploration.person(row=3)
    row = frames[0].row(3, named=True)
    assert not person.typed
    assert shown(person)["sex"] == row["sex"]
    assert shown(person)["since"] == str(row["since"])
    assert float(shown(person)["wage"]) == row["wage"]
    assert shown(person)["job"] == (row["job"] or "(missing)")


def test_a_level_that_only_the_release_has_is_called_by_its_name(exploration):
    [cells] = exploration.cells("released", [100])
    assert {cell.column: cell.text for cell in cells}["job"] == "pilot"


def test_values_typed_in_are_those_of_the_row(exploration):
    for row in range(20):
        person = exploration.person(row=row)
        typed = exploration.person(values=shown(person))
        assert typed.typed
        assert shown(typed) == shown(person)
        known = tuple(name for name in exploration.columns if name != "ill")
        assert exploration.guess("ill", known, typed).release == exploration.guess("ill", known, person).release


def test_what_is_empty_is_not_known(exploration):
    typed = exploration.person(values={"sex": "F", "age": " ", "job": ""})
    assert typed.known == ("sex",)
    assert shown(typed) == {"age": "", "sex": "F", "job": "", "since": "", "wage": "", "ill": ""}
    found = exploration.guess("ill", ("age", "sex", "job"), typed)
    assert found.known == ("sex",)
    assert found.truth is None
    assert exploration.nearest(typed).columns == ("sex",)


def test_a_level_may_be_typed_in_another_case_and_missing_is_a_value(exploration):
    typed = exploration.person(values={"sex": "f", "job": "(missing)", "age": "(missing)"})
    assert shown(typed)["sex"] == "F"
    assert typed.known == ("age", "sex", "job")


def test_values_that_do_not_exist_are_told_in_one_sentence(exploration):
    with pytest.raises(ConfigError) as error:
        exploration.person(values={"sex": "X", "wage": "much", "since": "soon", "age": "1e400"})
    told = str(error.value)
    assert "no table has the value 'X' of sex" in told
    assert "wage is a number, and 'much' is none" in told
    assert "since is a date, as 2024-05-31, and 'soon' is none" in told
    assert "age is a number, and '1e400' is none" in told
    assert "\n" not in told


@pytest.mark.parametrize("row", [-1, 120, 10**30])
def test_a_row_that_is_not_there_is_refused(exploration, row):
    with pytest.raises(ConfigError, match="there is no row"):
        exploration.person(row=row)


def test_a_person_is_a_row_or_values(exploration):
    for asked in ({}, {"row": 1, "values": {"sex": "F"}}):
        with pytest.raises(ConfigError, match="either a row or the values"):
            exploration.person(**asked)
    with pytest.raises(ConfigError, match="at least one value"):
        exploration.person(values={"sex": ""})
    with pytest.raises(ConfigError, match="no column 'zip'"):
        exploration.person(values={"zip": "1"})


def test_fields_say_what_may_be_typed(exploration):
    fields = {field.column: field for field in exploration.fields()}
    assert fields["sex"].levels == ("F", "M")
    assert "pilot" in fields["job"].levels
    assert (fields["age"].low, fields["age"].high, fields["age"].kind) == ("18", "59", "numeric")
    assert fields["since"].low.startswith("2020-0")
