"""Text that is read and does nothing else: every character of Unicode, and every length."""

import sys
import unicodedata

import pytest

from seethrough.errors import DataError
from seethrough.text.printable import cut_in_the_middle, one_line, printable, sentence, shorten_names

ACTS = {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn"}


def test_no_character_of_unicode_acts():
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    left = set(printable(every)) - {"\n", "\t"}
    assert not {each for each in left if unicodedata.category(each) in ACTS} - set("\u200c\u200d")
    assert "".join(left).encode()


@pytest.mark.parametrize("hidden", "\u200b\u200e\u2060\ufeff\u00ad\u202e\u2066\u034f\u3164\x9b\x1b\x7f\udcff\U000e0041")
def test_what_cannot_be_seen_is_shown_to_be_there(hidden):
    assert printable(f"a{hidden}b") == "a\ufffdb"


@pytest.mark.parametrize("joined", ["\u0645\u06cc\u200c\u062e", "क्\u200dष", "👨\u200d👩", "âge", "年齢", "a\u0301"])
def test_scripts_that_need_joiners_keep_them(joined):
    assert printable(joined) == joined


@pytest.mark.parametrize("joiner", ["a\u200db", "\u200d", "क\u200d", "\u200cक", "a\u200cक"])
def test_a_joiner_that_joins_nothing_is_shown(joiner):
    assert "\ufffd" in printable(joiner)


def test_lines_stay_where_lines_are_asked_for_and_go_where_one_is():
    assert printable("a\n\tb\rc\x0bd") == "a\n\tb c d"
    assert one_line("a\n\tb\r\nseethrough: verified") == "a b seethrough: verified"


def test_a_cut_leaves_both_ends():
    assert cut_in_the_middle("a" * 500 + "b" * 500, 10) == "aaaaaa…bbb"
    assert len(cut_in_the_middle("ab" * 500, 77)) == 77
    assert cut_in_the_middle("short", 5) == "short"


@pytest.mark.parametrize("name", ["x" * 10_000, "two words " * 1_000])
def test_a_sentence_is_read_to_its_end_around_an_endless_name(name):
    told = sentence(f"column {name!r} is not there; did you mean 'age'?", 600)
    assert told.startswith("column '")
    assert told.endswith("is not there; did you mean 'age'?")
    assert len(told) < 200


def test_a_sentence_of_a_gigabyte_would_be_cut_before_it_is_walked_through():
    assert len(sentence("word " * 1_000_000, 600)) <= 600


def test_an_error_is_one_line_that_can_be_shown():
    error = DataError(f"\x1b]0;owned\x07{'y' * 10_000} is not there\nseethrough: verified")
    assert str(error).startswith("\ufffd]0;owned\ufffdyy")
    assert str(error).endswith("yy is not there seethrough: verified")
    assert len(str(error)) < 200


def test_apostrophes_quote_nothing_and_quotes_of_endless_names_do():
    told = f"the members' records {'with one more ' * 30}in the members' table"
    assert shorten_names(told) == told
    name = "a b " * 200
    assert len(shorten_names(f"the column '{name}' is missing")) < 150
