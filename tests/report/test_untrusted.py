import pytest

from seethrough.report import untrusted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand tabs", "two lines and tabs"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("\u202egpj.exe", "\ufffdgpj.exe"),
        ("half \udcff pair", "half \ufffd pair"),
        ("שלום, عمر, 年齢, âge", "שלום, عمر, 年齢, âge"),
        ("<b>[red]|`", "<b>[red]|`"),
    ],
)
def test_visible_keeps_what_is_read_and_takes_out_what_acts(text: str, shown: str) -> None:
    assert untrusted.visible(text) == shown


def test_visible_cuts_at_the_length_asked_for() -> None:
    assert untrusted.visible("a" * 5_000 + "b" * 5_000, 10) == "aaaaaa…bbb"
    assert untrusted.visible("x" * 10, 10) == "x" * 10


def test_a_cut_is_seen_even_if_only_blanks_were_in_the_part_shown() -> None:
    assert "…" in untrusted.visible("a" + " " * 1000 + "b", 10)


def test_a_name_is_never_empty() -> None:
    assert untrusted.name("") == "(no name)"
    assert untrusted.name(" \n ") == "(no name)"
