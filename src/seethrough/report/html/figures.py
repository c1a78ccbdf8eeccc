"""Drawing any figure of a report as inline SVG."""

from seethrough.report.html import column_drawing, drawing, map_drawing, overlay, svg
from seethrough.report.pictures.column_pictures import ColumnSpread
from seethrough.report.pictures.diagnostic_pictures import Bar, LeakMark, Mark, Overlay, PictureGrid, Spots
from seethrough.report.pictures.map_pictures import MapPanel
from seethrough.report.pictures.score_pictures import GrowthLines, RiskHistogram, RiskStrip
from seethrough.report.sections.blocks import Figure, RowFigure


def draw(figure: Figure, ident: str) -> str:  # noqa: C901, PLR0911  one for each kind of figure
    """Draw a figure with its title and description; `ident` names it uniquely in the page."""
    match figure:
        case RiskStrip():
            return svg.draw_strip(figure, ident)
        case RiskHistogram():
            return svg.draw_histogram(figure, ident)
        case GrowthLines():
            return svg.draw_growth(figure, ident)
        case Overlay():
            return overlay.draw_overlay(figure, ident)
        case PictureGrid():
            return drawing.draw_grid(figure, ident)
        case Spots():
            return drawing.draw_spots(figure, ident)
        case ColumnSpread():
            return column_drawing.draw_spread(figure, ident)
        case MapPanel():
            return map_drawing.draw_map(figure, ident)


def draw_row(figure: RowFigure) -> str:
    """Draw a figure on one line of a table, which says its numbers."""
    match figure:
        case RiskStrip():
            return drawing.draw_score(figure)
        case Mark():
            return drawing.draw_mark(figure)
        case LeakMark():
            return drawing.draw_leak(figure)
        case Bar():
            return drawing.draw_bar(figure)
