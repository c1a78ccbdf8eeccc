"""The map: the plane of the projection, whose variation is that of a decomposition by NumPy; every place is reached."""

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as strategies_of

import seethrough as st
from seethrough.exploring.answers.places import MapWindow
from seethrough.exploring.columns import map_views


def dots(found):
    return dict(zip(found.rows, zip(found.x, found.y, strict=True), strict=True))


def test_the_whole_map_holds_every_row(exploration):
    found = exploration.map()
    for told, rows in ((found.real, 120), (found.released, 101), (found.outside, 80)):
        assert (told.inside, told.of) == (rows, rows)
        assert told.places == len(told.rows) <= rows
        for x, y in zip(told.x, told.y, strict=True):
            assert found.window.left <= x <= found.window.right
            assert found.window.bottom <= y <= found.window.top


def test_the_share_of_variation_is_that_of_the_leading_singular_values():
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    frame = pl.DataFrame(
        {"a": x, "b": x + rng.normal(size=300), "c": rng.choice(list("uvw"), 300), "d": rng.normal(size=300)}
    )
    found = st.explore(frame, frame[:200], checks=["ks"]).map()
    numbers = [(frame[name] - frame[name].mean()) / frame[name].std(ddof=0) for name in "abd"]
    indicators = []
    for level in "uvw":
        p = (frame["c"] == level).mean()
        indicators.append(((frame["c"] == level).cast(float) - p) / np.sqrt(p))
    matrix = np.column_stack([*numbers, *indicators])
    values = np.linalg.svd(matrix, compute_uv=False) ** 2
    assert found.variation == pytest.approx(values[:2].sum() / values.sum())
    scores = matrix @ np.linalg.svd(matrix, full_matrices=False)[2][:2].T
    place = dots(found.real)
    mine = np.array([place[row] for row in range(300)])
    for axis in range(2):
        assert abs(np.corrcoef(mine[:, axis], scores[:, axis])[0, 1]) == pytest.approx(1.0)


def test_categories_alone_have_their_variation_too():
    rng = np.random.default_rng(6)
    frame = pl.DataFrame({name: rng.choice(list("uvw"), 300) for name in "abcd"})
    columns = []
    for name in "abcd":
        for level in "uvw":
            p = (frame[name] == level).mean()
            columns.append(((frame[name] == level).cast(float) - p) / np.sqrt(p))
    values = np.linalg.svd(np.column_stack(columns), compute_uv=False) ** 2
    found = st.explore(frame, frame[:200], checks=["ks"]).map()
    assert found.variation == pytest.approx(values[:2].sum() / values.sum())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(row=strategies_of.integers(0, 119), most=strategies_of.integers(1, 20))
def test_every_place_is_drawn_in_some_window(exploration, row, most):
    """However few dots are drawn at once, halving the window around a place comes to it."""
    before = map_views.MOST_DOTS
    map_views.MOST_DOTS = most
    try:
        here = exploration.place_of(exploration.person(row=row))
        window = exploration.map().whole
        for _ in range(80):
            found = exploration.map(window).real
            assert len(found.rows) <= most
            if (here.x, here.y) in zip(found.x, found.y, strict=True):
                return
            width, height = (window.right - window.left) / 4, (window.top - window.bottom) / 4
            window = MapWindow(here.x - width, here.x + width, here.y - height, here.y + height)
        pytest.fail("the place was never drawn")
    finally:
        map_views.MOST_DOTS = before


def test_a_window_shows_what_lies_in_it_and_nothing_else(exploration):
    whole = exploration.map()
    middle = (whole.whole.left + whole.whole.right) / 2
    window = MapWindow(whole.whole.left, middle, whole.whole.bottom, whole.whole.top)
    for name in ("real", "released", "outside"):
        every, some = dots(getattr(whole, name)), dots(getattr(exploration.map(window), name))
        assert some == {row: place for row, place in every.items() if place[0] <= middle}


def test_the_nearest_person_to_a_place_and_the_lines_from_it(exploration):
    place = dots(exploration.map().real)
    rng = np.random.default_rng(3)
    for x, y in rng.normal(size=(10, 2)):
        found = exploration.person_near(float(x), float(y))
        nearest = min(place, key=lambda row: (place[row][0] - x) ** 2 + (place[row][1] - y) ** 2)
        assert (found.x, found.y) == place[nearest]
        assert [row for row, _, _ in found.nearest] == [
            each.row for each in exploration.nearest(found.person, count=3).released
        ]


def test_a_person_typed_in_stands_where_the_same_row_stands(exploration):
    row = exploration.person(row=11)
    typed = exploration.person(values={cell.column: cell.text for cell in row.cells})
    mine, theirs = exploration.place_of(row), exploration.place_of(typed)
    assert (theirs.x, theirs.y) == (mine.x, mine.y)


def test_flagged_dots_are_people_whom_an_attack_flags(explored):
    found = explored.map().flagged
    risks = [explored.report[name].measurement.per_record for name in ("gcap", "zcap")]
    flagged = [row for row in range(120) if any(each[row] >= 0.5 for each in risks)]
    assert found.inside == found.of == len(flagged)
    assert set(found.rows) <= set(flagged)
