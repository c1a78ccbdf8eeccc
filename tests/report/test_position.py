from collections.abc import Callable

import pytest

from seethrough.report.words import grades
from seethrough.report.words.position import Position, RiskScale, place
from seethrough.results.outcome import Control, Measured, Unavailable

Made = Callable[..., Measured]


@pytest.mark.parametrize(
    ("risk", "expected"),
    [
        ((0.5, 0.4, 0.6), Position.ABOVE),
        # Less the control of 0.1 to 0.2: 0.15 - sqrt(0.06^2 + 0.1^2) > 0, though the intervals overlap.
        ((0.25, 0.19, 0.3), Position.ABOVE),
        # 0.15 - sqrt(0.15^2 + 0.1^2) < 0
        ((0.25, 0.1, 0.4), Position.ALIKE),
        ((0.1, 0.05, 0.15), Position.ALIKE),
        # -0.08 + sqrt(0.02^2 + 0.05^2) < 0
        ((0.02, 0.0, 0.04), Position.BELOW),
        # -0.08 + sqrt(0.1^2 + 0.05^2) > 0
        ((0.02, 0.0, 0.12), Position.ALIKE),
    ],
)
def test_standing_rests_on_the_interval_of_the_difference(
    make: Made, risk: tuple[float, float, float], expected: Position
) -> None:
    assert place(make(risk, independent=(0.1, 0.05, 0.2))).standing is expected


@pytest.mark.parametrize(
    ("value", "share"), [(0.1, 0.0), (0.5, 0.5), (0.9, 1.0), (0.7, 0.75), (0.98, 1.1), (0.02, -0.1)]
)
def test_share_runs_from_the_independent_table_to_the_copy(make: Made, value: float, share: float) -> None:
    assert place(make((value, value, value))).share == pytest.approx(share)


@pytest.mark.parametrize(
    ("independent", "copy", "scale"),
    [
        ((0.5, 0.4, 0.6), (0.5, 0.4, 0.6), RiskScale.COINCIDE),
        ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), RiskScale.COINCIDE),
        ((0.5, 0.4, 0.6), (0.6, 0.5, 0.7), RiskScale.COINCIDE),
        ((0.5, 0.4, 0.6), (0.2, 0.1, 0.3), RiskScale.REVERSED),
        (Unavailable("why"), (0.9, 0.8, 1.0), RiskScale.NO_INDEPENDENT),
        ((0.5, 0.4, 0.6), Unavailable("why"), RiskScale.NO_COPY),
    ],
)
def test_share_is_undefined_without_a_scale(
    make: Made, independent: Control | tuple[float, ...], copy: Control | tuple[float, ...], scale: RiskScale
) -> None:
    found = place(make((0.5, 0.4, 0.6), independent=independent, copy=copy))
    assert found.share is None
    assert found.scale is scale


def test_without_the_independent_control_nothing_is_compared(make: Made) -> None:
    assert place(make((0.5, 0.4, 0.6), independent=Unavailable("why"))).standing is Position.UNCOMPARED


@pytest.mark.parametrize("low", [0.05, 0.1, 0.15, 0.18, 0.2, 0.24])
def test_advantage_and_standing_never_disagree(make: Made, low: float) -> None:
    found = make((0.25, low, 0.3), independent=(0.1, 0.05, 0.2))
    advantage = grades.advantage(found)
    assert advantage is not None
    assert (advantage.low > 0) is (place(found).standing is Position.ABOVE)
