"""Where exposed people are among all others: the map of people, on the custodian's page alone."""

from collections.abc import Iterator

from seethrough.report.pictures.map_pictures import map_panels
from seethrough.report.sections.blocks import PAGE, Fact, Facts, Gallery, Paragraph, Picture, Section, Span
from seethrough.results.report import TableAudit

_SAID = (
    "All rows in the plane of the two directions along which real rows vary most, counted by cells; rows beyond the "
    "frame are counted at its edge. Rows that are near here need not be near: the plane shows part of the variation."
)
_EXPOSED = Fact("Exposed", "a cell with people on the list of exposed people", "exposed")
_ROWS = Fact("Rows", "the stronger the colour, the larger a share of the table", "cell")


def parts(table: TableAudit) -> Iterator[Section]:
    """Show the map, where a check has fitted the projection."""
    found = table.exhibits.places
    if found is None:
        return
    panels = tuple(Picture(each, (Span(each.title, "strong"), each.description)) for each in map_panels(found))
    legend = Facts((_ROWS, _EXPOSED) if found.exposed else (_ROWS,), "legend")
    yield Section("A map of people", (Paragraph(_SAID), legend, Gallery(panels)), media=PAGE)
