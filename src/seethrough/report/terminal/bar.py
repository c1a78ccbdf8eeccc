"""The risk strip as one line of characters, for terminals."""

from dataclasses import dataclass

from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Control, Measured


@dataclass(frozen=True)
class Glyphs:
    """The characters that a bar is made of."""

    rail: str
    interval: str
    value: str
    independent: str
    copy: str
    base_rate: str
    together: str


UNICODE = Glyphs(rail="·", interval="━", value="●", independent="◇", copy="▲", base_rate="╎", together="◈")
ASCII = Glyphs(rail=".", interval="=", value="o", independent="I", copy="C", base_rate=":", together="@")


def cell(value: float, width: int) -> int:
    """Find the cell of a bar that a value between 0 and 1 falls into; the ends have cells of their own."""
    return round(min(max(value, 0.0), 1.0) * (width - 1))


def text_bar(outcome: Measured, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Draw the axis from 0 to 1 with the interval, the controls and the value; the later mark wins a cell."""
    risk, controls = outcome.risk, outcome.controls
    cells = [glyphs.rail] * width
    for number in range(cell(risk.low, width), cell(risk.high, width) + 1):
        cells[number] = glyphs.interval
    if outcome.measurement.base_rate is not None:
        cells[cell(outcome.measurement.base_rate, width)] = glyphs.base_rate
    _mark(cells, controls.independent, glyphs.independent)
    _mark(cells, controls.copy, glyphs.copy)
    at = cell(risk.value, width)
    cells[at] = glyphs.together if cells[at] in {glyphs.independent, glyphs.copy} else glyphs.value
    return "".join(cells)


def legend(glyphs: Glyphs = UNICODE) -> str:
    """Explain the marks in one line."""
    return (
        f"{glyphs.value} score  {glyphs.interval} interval  {glyphs.independent} independent  {glyphs.copy} copy  "
        f"{glyphs.base_rate} base rate  {glyphs.together} score on a control"
    )


def _mark(cells: list[str], control: Control, glyph: str) -> None:
    if isinstance(control, Estimate):
        cells[cell(control.value, len(cells))] = glyph
