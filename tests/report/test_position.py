from collections.abc import Callable

import pytest

from seethrough.report.words.position import RiskScale, place
from seethrough.results.outcome import Control, Measured, Unavailable

Made = Callable[..., Measured]


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
