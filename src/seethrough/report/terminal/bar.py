"""The risk strip as one line of characters, for terminals."""

from dataclasses import dataclass

from seethrough.report.pictures.score_pictures import RiskStrip


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


def text_bar(figure: RiskStrip, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Draw the axis from 0 to 1 with the interval, the controls and the value; the later mark wins a cell."""
    risk = figure.risk
    cells = [glyphs.rail] * width
    for number in range(cell(risk.low, width), cell(risk.high, width) + 1):
        cells[number] = glyphs.interval
    if figure.base_rate is not None:
        cells[cell(figure.base_rate, width)] = glyphs.base_rate
    for control, glyph in ((figure.independent, glyphs.independent), (figure.copy, glyphs.copy)):
        if control is not None:
            cells[cell(control.value, width)] = glyph
    at = cell(risk.value, width)
    cells[at] = glyphs.together if cells[at] in {glyphs.independent, glyphs.copy} else glyphs.value
    return "".join(cells)


def legend(glyphs: Glyphs = UNICODE) -> str:
    """Explain the marks in one line."""
    return (
        f"{glyphs.value} score  {glyphs.interval} interval  {glyphs.independent} independent  {glyphs.copy} copy  "
        f"{glyphs.base_rate} base rate  {glyphs.together} score on a control"
    )
