import io
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.console import Console

from seethrough.report.pictures.score_pictures import strip
from seethrough.report.terminal import bar, summary
from seethrough.results.evidence import EpsilonBound
from seethrough.results.outcome import Measured
from seethrough.results.report import Report


def printed(report: Report, width: int, *, verbose: bool = True, **options: object) -> str:
    out = io.StringIO()
    summary.render(report, Console(file=out, width=width, **options), verbose=verbose)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120, 140])
@pytest.mark.parametrize("which", ["report", "two_tables", "hostile"])
def test_no_line_is_wider_than_the_terminal(which: str, width: int, request: pytest.FixtureRequest) -> None:
    text = printed(request.getfixturevalue(which), width)
    assert max(map(cell_len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [80, 100, 140])
def test_everything_is_said_at_every_width(report: Report, width: int) -> None:
    text = printed(report, width)
    for name in ("crp", "zcap", "gcap", "hitting-rate", "auth", "dcr", "nnaa"):
        assert name in text
    assert "0.463 [0.441, 0.485]" in text
    assert ("32% to copy" if width < 104 else "32% of the way to a copy") in text
    assert "CANNOT TELL" in text
    assert "no people outside were given (--holdout)" in " ".join(text.split())
    assert "skipped: needs a holdout, and none was given" in text
    assert "failed: ZeroDivisionError: division by zero" in text
    assert "warning: only 212" in text
    assert "2 left out: person_id (id), comment (ignore)" in " ".join(text.split())
    assert report.notes[0] in text


def test_scores_stand_behind_verbose(leaking: Report) -> None:
    text = printed(leaking, 100, verbose=False)
    assert "2 attacks, 5 scores, signs of real rows: --verbose. Pictures, whatif: --out." in text
    assert "0.463" not in text
    assert "0.463 [0.441, 0.485]" in printed(leaking, 100)


def test_the_verdict_comes_before_everything_else(leaking: Report) -> None:
    lines = printed(leaking, 100, verbose=False).splitlines()
    assert lines[lines.index("VERDICT") + 1] == "CLEAR LEAK"
    assert lines.index("VERDICT") <= 5


def test_several_releases_begin_with_a_matrix_of_grades_and_leaks(two_tables: Report) -> None:
    lines = printed(two_tables, 100, verbose=False).splitlines()
    place = lines.index("VERDICT") + 1
    assert lines[place].split() == ["Release", "Verdict", "Membership", "Attribute", "inference", "Re-identification"]
    for line, name in zip(lines[place + 1 :], ("synthetic.csv", "synthetic-private.csv"), strict=False):
        assert line.split() == [name, "clear", "clear", "16", "no", "leak", "found", "cannot", "tell"]


@pytest.mark.parametrize("which", ["report", "leaking", "two_tables"])
@pytest.mark.parametrize("width", [80, 100])
def test_the_summary_fits_one_screen(which: str, width: int, request: pytest.FixtureRequest) -> None:
    assert len(printed(request.getfixturevalue(which), width, verbose=False).splitlines()) <= 40


def test_the_summary_fits_one_screen_with_a_bound_of_epsilon(leaking: Report) -> None:
    table = leaking.tables[0]
    assert table.evidence is not None
    bound = EpsilonBound(4.0389, 5.3786, 0.95, 1000, 992, 2120, (10, 30, 100, 300, 1000), "log-ratio")
    evidence = replace(table.evidence, epsilon=bound)
    text = printed(replace(leaking, tables=(replace(table, evidence=evidence),)), 80, verbose=False)
    assert "Epsilon is at least 4.03" in text
    assert len(text.splitlines()) <= 40


def test_the_fact_that_decides_is_said_once(leaking: Report) -> None:
    text = " ".join(printed(leaking, 100, verbose=False).split())
    assert text.count("In 58 of 100 pairs of a member and a person outside the member is rated higher") == 1


def test_a_pipe_gets_plain_lines(hostile: Report) -> None:
    text = printed(hostile, 80)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))


def test_user_text_does_nothing_in_a_terminal(hostile: Report) -> None:
    text = printed(hostile, 100, force_terminal=True, color_system="truecolor")
    assert "\x1b[31m" not in text
    assert "\x1b[1m" in text
    assert "[red]markup[/red]" in text
    assert "\u202e" not in text


def test_a_console_without_unicode_gets_ascii(hostile: Report) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="strict")
    summary.render(hostile, Console(file=out, width=80), verbose=True)
    out.flush()
    assert b"o score" in raw.getvalue()


@pytest.mark.parametrize(("value", "cell"), [(0.0, 0), (0.5, 10), (1.0, 20), (0.26, 5), (-0.1, 0), (1.1, 20)])
def test_cells_of_a_bar(value: float, cell: int) -> None:
    assert bar.cell(value, 21) == cell


def test_bar_shows_interval_value_and_controls(report: Report) -> None:
    gcap = report["gcap"]
    assert isinstance(gcap, Measured)
    assert bar.text_bar(strip(gcap), 30, bar.ASCII) == ".......I.:...o=...........C..."


def test_a_score_on_a_control_has_a_mark_of_its_own(report: Report) -> None:
    crp = report["crp"]
    assert isinstance(crp, Measured)
    assert bar.text_bar(strip(crp), 30, bar.ASCII) == "..@=.........................C"


@pytest.mark.parametrize("which", ["report", "leaking"])
def test_no_heading_stands_alone(which: str, request: pytest.FixtureRequest) -> None:
    lines = printed(request.getfixturevalue(which), 80, verbose=False).splitlines()
    grades = {"CLEAR LEAK", "CANNOT TELL"}
    alone = [line for line, below in pairwise([*lines, ""]) if line.isupper() and not below.strip()]
    assert set(alone) <= grades
