"""Addresses of views: sets of columns come back as they were, and what names nothing is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from seethrough.web.pages.asking.addresses import AddressRefused, address, number_in, read_numbers, write_numbers


@given(some.sets(some.integers(1, 900)))
def test_a_set_of_columns_comes_back_and_fits_an_address(numbers):
    text = write_numbers(numbers)
    assert read_numbers(text, 900) == tuple(sorted(numbers))
    assert len(text) <= 240
    assert all(letter.isalnum() or letter in ".-" for letter in text)


def test_sets_are_written_as_a_person_reads_them():
    assert write_numbers([1, 2, 3, 4, 7]) == "1-4.7"
    assert write_numbers([]) == "0"
    assert read_numbers("", 5) is None


@pytest.mark.parametrize("text", ["0-3", "3-1", "1-99", "x", "xffffff", "1..2", "-1", "1e3", "1,2", "<b>", "x0", "6"])
def test_columns_that_are_not_there_are_refused(text):
    with pytest.raises(AddressRefused):
        read_numbers(text, 5)


@pytest.mark.parametrize("text", ["0", "-1", "1" + "0" * 30, "1e3", "01", "one", "1 ", "+1", "\u0661", "6"])
def test_numbers_that_are_none_are_refused(text):
    with pytest.raises(AddressRefused):
        number_in({"row": text}, "row", 5, "row")


def test_an_address_leaves_out_what_is_not_said():
    assert address("attacker", row=12, typed=None, known="1-4", live="") == "attacker?row=12&known=1-4"
