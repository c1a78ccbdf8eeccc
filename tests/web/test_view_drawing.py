"""Pictures of the tool: their size, their numbers, and the way on the map."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from seethrough.report.html import svg
from seethrough.report.pictures.score_pictures import RiskHistogram
from seethrough.web.pages.drawing.roc import describe_curve, draw_roc
from seethrough.web.pages.drawing.scatter import HEIGHT, WIDTH, dots_path, draw_map
from seethrough.web.pages.pieces.check_pictures import found_by_alarms
from seethrough.web.pages.views.map import FINE, MapPart, nearest_towards, read_part

PLACES = some.lists(some.tuples(some.integers(0, WIDTH), some.integers(0, HEIGHT)), max_size=30)


def test_a_full_map_is_below_90_kilobytes():
    rng = np.random.default_rng(0)
    kinds = [
        (kind, list(zip(rng.integers(0, WIDTH, 3000).tolist(), rng.integers(0, HEIGHT, 3000).tolist(), strict=True)))
        for kind in ("outside", "released", "real")
    ]
    drawn = draw_map(kinds, (5, 5), [(1, 1)] * 3, ("title", "described"))
    assert len(drawn.encode()) < 90_000
    assert drawn.count("<path") == 3 + 3


def test_dots_are_one_path():
    assert dots_path([(12, 34), (1, 2), (12, 34)]) == "M12 34h0M1 2h0"


def test_members_found_by_false_alarms_by_hand():
    # Four members: found at 1, 1, 20 and 60 false alarms in 100; one was not rated.
    curve = found_by_alarms(np.array([0.99, 0.8, 0.99, 0.4, np.nan]))
    assert curve == [pytest.approx((0.01, 0.5)), pytest.approx((0.2, 0.75)), pytest.approx((0.6, 1.0))]
    assert describe_curve([(0.01, 0.5), (0.2, 0.75)]).startswith(
        "50.0 of 100 members are found at 1 false alarms in 100"
    )


def test_the_curve_is_on_log_axes():
    drawn = draw_roc([(0.01, 0.1), (0.1, 0.5), (1.0, 1.0)], 0.1, "roc")
    assert "M0.0,50.0L50.0,15.1L100.0,0.0" in drawn
    assert ">1<" in drawn
    assert ">10<" in drawn
    assert 'data-mark="person" x="50.00%"' in drawn


def test_the_person_is_marked_in_the_histogram():
    counts = (3, 2) + (0,) * 18
    plain, marked = (svg.draw_histogram(RiskHistogram("t", "d", counts, (), own), "h") for own in (None, 0.25))
    assert "person" not in plain
    assert 'data-mark="person" x="25.00%"' in marked


@given(some.tuples(some.integers(0, WIDTH), some.integers(0, HEIGHT)), PLACES)
def test_the_next_person_to_the_left_is_the_nearest_there(start, places):
    found = nearest_towards(start, places, (-1, 0))
    there = [p for p in places if p[0] < start[0] and abs(p[1] - start[1]) <= start[0] - p[0]]
    assert (found is None) == (not there)
    if found is not None:
        far = [(x - start[0]) ** 2 + (y - start[1]) ** 2 for x, y in there]
        x, y = places[found]
        assert (x - start[0]) ** 2 + (y - start[1]) ** 2 == min(far)


@given(some.lists(some.sampled_from([0.5, 2.0, 0.1]), max_size=40), some.integers(0, FINE), some.integers(0, FINE))
def test_a_window_stays_on_the_map_and_comes_back_from_its_address(steps, x, y):
    part = MapPart()
    for step in steps:
        part = part.scale(step, (x, y))
        assert 0 <= part.left < part.right <= FINE
        assert 0 <= part.bottom < part.top <= FINE
        assert read_part(part.write()) == part
