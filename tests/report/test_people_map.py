"""The map of people: rows are counted in cells, exposed people are ringed, and nobody else gets it."""

import re
import xml.etree.ElementTree as ET
from importlib import resources

import numpy as np

import seethrough as st
from seethrough.auditing.diagnostics.people_map import ACROSS, UP, cells_of
from seethrough.data import samples
from seethrough.report.html.map_drawing import draw_map
from seethrough.report.pictures.map_pictures import map_panels
from seethrough.results.diagnostics import PeopleMap


def test_cells_count_from_the_lower_left_and_hold_what_lies_beyond_the_frame() -> None:
    ends = np.array([[0.0, 0.0], [float(ACROSS), float(UP)]])
    places = np.array([[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [-9.0, -9.0], [99.0, 99.0], [ACROSS - 0.5, UP - 0.5]])
    assert cells_of(places, ends).tolist() == [0, 1, ACROSS, 0, ACROSS * UP - 1, ACROSS * UP - 1]


def test_a_direction_without_length_has_one_cell() -> None:
    assert cells_of(np.zeros((3, 2)), np.zeros((2, 2))).tolist() == [0, 0, 0]
    # A row may lie further out than whole numbers count.
    assert cells_of(np.array([[1e60, -1e60]]), np.array([[0.0, 0.0], [1.0, 1.0]])).tolist() == [ACROSS - 1]


def test_panels_have_shades_by_share_of_rows_and_rings_for_the_exposed() -> None:
    found = PeopleMap(2, 2, (0.2, 0.1), (1, 0, 999, 0), (0, 0, 0, 5), (2, 2, 2, 2), (0,))
    real, release, outside = map_panels(found)
    assert real.shades == (1, 0, 4, 0)  # 0.1 % is not beyond 0.1 %
    assert (real.marked, release.marked, outside.marked) == ((0,), (), ())
    assert release.shades == (0, 0, 0, 4)
    assert real.axes == ("first direction: 20 % of the variation", "second direction: 10 % of the variation")
    assert real.description == "1,000 rows in 2 of 4 cells, of which 1 hold exposed people."
    drawn = ET.fromstring(draw_map(real, "m"))
    paths = {path.get("class"): path.get("d") for path in drawn.iter("path")}
    assert paths["shade-4"] == "M18 0h10v10h-10z"  # the third cell is the upper left one
    assert paths["shade-1"] == "M18 10h10v10h-10z"
    assert paths["map-exposed"].startswith("M20 15a3 3")
    assert "map-exposed" not in {path.get("class") for path in ET.fromstring(draw_map(release, "m")).iter("path")}


def test_an_audit_counts_every_row_and_keeps_the_map_from_the_json_form_and_from_others() -> None:
    sample = samples.acs_release()
    made = st.audit(sample.real[:300], sample.real[:200], sample.holdout[:250], checks="dcr", preset="fast")
    found = made.tables[0].exhibits.places
    assert found is not None
    assert found.outside is not None
    # As many people outside as there are released rows.
    assert (sum(found.real), sum(found.released), sum(found.outside)) == (300, 200, 200)
    assert found.exposed
    assert all(found.real[cell] for cell in found.exposed)
    assert 0 < found.variation[1] <= found.variation[0] < 1
    assert "A map of people" in made.to_html()
    assert "places" not in made.to_dict()["exhibits"]
    assert made.for_others().tables[0].exhibits.places is None
    assert "A map of people" not in made.for_others().to_html()
    assert "A map of people" not in made.to_markdown()


def test_without_the_projection_there_is_no_map() -> None:
    sample = samples.acs_release()
    made = st.audit(sample.real[:100], sample.synthetic[:100], checks="crp", preset="fast")
    assert made.tables[0].exhibits.places is None


def test_style_sheets_use_only_colours_that_they_define() -> None:
    page = resources.files("seethrough.report.html") / "templates" / "style.css"
    tool = resources.files("seethrough.web") / "templates" / "web.css"
    texts = [each.read_text(encoding="utf-8") for each in (page, tool)]
    for number, text in enumerate(texts, start=1):  # the tool has the sheet of the page before its own
        defined = set(re.findall(r"(--[a-z-]+):", "".join(texts[:number])))
        assert set(re.findall(r"var\((--[a-z-]+)", text)) <= defined
