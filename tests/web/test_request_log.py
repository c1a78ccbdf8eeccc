"""What the log says, and how often."""

import re

import pytest

from seethrough.web.request_log import RequestLog


def test_refusals_have_one_line_a_second_and_are_counted():
    lines, now = [], [0.0]
    log = RequestLog(lines.append, lambda: now[0])
    for moment in (0.0, 0.1, 0.9, 1.0, 1.5, 9.0):
        now[0] = moment
        log.note_refusal("host", 421)
    said = [line[9:] for line in lines]
    assert said == ["refused by host 421", "refused by host 421, 2 more before", "refused by host 421, 1 more before"]


def test_answers_have_a_line_each_and_keep_the_server_awake():
    lines, now = [], [0.0]
    log = RequestLog(lines.append, lambda: now[0])
    now[0] = 5.0
    log.note_refusal("cookie", 403)
    assert log.latest == 0.0, "others do not keep it awake"
    log.note_answer("GET", "a/AUDIT/checks/NAME", 200, 0.0123)
    log.note_answer("GET", "a/AUDIT/checks/NAME", 200, 0.0123)
    assert log.latest == 5.0
    assert all(re.fullmatch(r"\d\d:\d\d:\d\d GET a/AUDIT/checks/NAME 200 12 ms", line) for line in lines[1:])
    assert len(lines) == 3


def test_an_error_is_named_by_kind_and_place():
    lines = []
    with pytest.raises(KeyError) as caught:
        {}["nurse, 61"]
    RequestLog(lines.append).note_error(caught.value)
    assert re.fullmatch(r"\d\d:\d\d:\d\d error of the program: KeyError in test_request_log.py, line \d+", lines[0])
