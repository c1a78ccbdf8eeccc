"""Figures of studies in a real browser: nothing is cut off, nothing runs, the legend hides series, dark is dark."""

import json
import re
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import BROWSER, needs_browser

from seethrough.report.figures import figure_files, figure_page, figure_svg
from seethrough.report.figures.chart_panels import frame_of
from seethrough.report.figures.svg_text import without_hostile_text
from seethrough.results.figure import Chart, Figure, FigureAxis, FigureTable, Grid, Listing, Series

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
PAPER = {"light": "rgb(252, 251, 248)", "dark": "rgb(22, 24, 27)"}
HOSTILE = (
    "<script>document.title='HACKED'</script>",
    '"><img src=x onerror="document.title=\'HACKED\'">',
    "'><svg onload='document.title=\"HACKED\"'>",
    "</title></style></svg><script>document.title='HACKED'</script>",
    "\u202ereversed\u2066",
    "w" * 10_000,
)
USUAL = ("nonprivate", "rap:relaxed_rows=100,steps=300", "baynet", "privbayes:epsilon=1,degree=3", "indhist", "random")
MEASURE = """
<script>
const all = selector => [...document.querySelectorAll(selector)];
const box = each => each.getBoundingClientRect();
const cut = all('section svg text').filter(each => {
  const own = box(each), whole = box(each.ownerSVGElement);
  return own.left < whole.left - 1 || own.right > whole.right + 1
    || own.top < whole.top - 1 || own.bottom > whole.bottom + 1;
}).map(each => each.textContent.slice(0, 60));
const shown = () => all('.series-1').filter(each => box(each).width > 0).length;
const before = shown();
all('#series-1').forEach(each => each.click());
const told = {
  width: innerWidth, overflow: document.documentElement.scrollWidth - innerWidth, cut, title: document.title,
  paper: getComputedStyle(document.body).backgroundColor, before, after: shown(),
  unreachable: all('.scroll:not([tabindex="0"])').length,
  unnamed: all('svg:not([aria-hidden]):not([aria-label])').length,
};
parent.postMessage(JSON.stringify(told), '*');
</script>
"""
# A window has a least width, which a frame has not.
FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><pre id="measured"></pre><script>
onmessage = event => document.getElementById('measured').textContent = event.data;
</script><iframe src="measured.html" style="border:0;width:{}px;height:{}px"></iframe>"""


def figure(names: tuple[str, ...], title: str = "A figure") -> Figure:
    """Every kind of panel under these names."""
    y = tuple(0.1 * place for place in range(len(names)))
    ends = tuple(value - 0.05 for value in y), tuple(value + 0.05 for value in y)
    places = tuple(map(float, range(1, len(names) + 1)))
    series = tuple(Series(name, places, y, *ends, names) for name in names)
    ticks = tuple(zip(places, names, strict=True))
    label = title if title in HOSTILE else "accuracy"
    charts = (
        Chart(title, FigureAxis(label, ticks=ticks), FigureAxis("accuracy"), series, ((names[0], 0.2),), joined=False),
        Chart(title, FigureAxis("rows of the release", log=True), FigureAxis("accuracy"), series, interval=names[-1]),
        Chart(title, FigureAxis("x"), FigureAxis("y"), series, diagonal=names[1], steps=True),
    )
    shades = tuple(tuple((i + j) / 12 if i != j else None for j in range(len(names))) for i in range(len(names)))
    texts = tuple(tuple("0.35\n±0.05" if i != j else "" for j in range(len(names))) for i in range(len(names)))
    grid = Grid(title, names, names, shades, texts, "lowest score of the row", "highest", (2,), (2,))
    listing = Listing(title, ("name", "1", *names), tuple((name, "0.5", *names) for name in names))
    table = FigureTable(("x",), ((1,),))
    return Figure("figure", title, " ".join(names), (*charts, grid, listing), table, across=3, notes=names)


class Elements(HTMLParser):
    """The names of all elements and attributes of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def run(page: Path, scheme: str, *words: str) -> str:
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={page.parent / 'profile'}", "--window-size=1280,900"]
    command += [f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}", *words, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True).stdout


def measured(source: str, folder: Path, size: str, scheme: str) -> dict[str, Any]:
    """Open a copy of the page that may run one script, which measures."""
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source)
    assert free != source
    (folder / "measured.html").write_text(free.replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
    (folder / "frame.html").write_text(FRAME.format(*SIZES[size]), encoding="utf-8")
    seen = run(folder / "frame.html", scheme, "--dump-dom", "--virtual-time-budget=5000")
    told = re.search(r'<pre id="measured">(.+?)</pre>', seen, re.DOTALL)
    assert told
    return dict(json.loads(unescape(told[1])))


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_and_the_legend_hides_series(tmp_path: Path, size: str, scheme: str) -> None:
    told = measured(figure_page.render(figure(USUAL)), tmp_path, size, scheme)
    assert (told["width"], told["overflow"], told["cut"]) == (SIZES[size][0], 0, [])
    assert told["paper"] == PAPER[scheme]
    assert (told["unreachable"], told["unnamed"]) == (0, 0)
    assert (told["before"], told["after"]) == (3, 0)  # one for each chart


@needs_browser
@pytest.mark.parametrize("size", SIZES)
def test_hostile_names_run_nothing_and_fit(tmp_path: Path, size: str) -> None:
    told = measured(figure_page.render(figure(HOSTILE, HOSTILE[3])), tmp_path, size, "light")
    assert told["overflow"] == 0
    assert told["title"] == HOSTILE[3]


@needs_browser
def test_the_index_shows_its_drawings_under_the_policy(tmp_path: Path) -> None:
    figure_files.write([figure(USUAL)], tmp_path / "out", "A study")
    shot = tmp_path / "seen.png"
    run(tmp_path / "out" / "index.html", "light", f"--screenshot={shot}")
    assert shot.stat().st_size > 40_000  # without the drawing it takes some 15,000 bytes


@pytest.mark.parametrize("render", [figure_svg.render, figure_page.render])
def test_hostile_names_are_text(render: Any) -> None:
    drawn = render(figure(HOSTILE, HOSTILE[0]))
    found = Elements(drawn)
    assert not found.tags & {"script", "img", "iframe", "object", "embed", "link"}
    assert not [name for name in found.attributes if name.startswith("on") or name in {"src", "href"}]
    assert "\u202e" not in drawn
    assert "w" * 2001 not in drawn
    assert "document.title" in drawn  # shown, not run


def test_a_drawing_is_well_formed_and_its_words_stay_inside() -> None:
    drawn = figure_svg.render(figure(USUAL))
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {*USUAL, "accuracy", "rows of the release", "0.35", "±0.05", "lowest score of the row"} <= texts


def test_room_is_made_for_long_words_at_the_first_tick() -> None:
    shown = without_hostile_text(figure(USUAL))
    first, second = (panel for panel in shown.panels[:2] if isinstance(panel, Chart))
    swapped = replace(first, x=replace(first.x, ticks=((1.0, USUAL[1]), *first.x.ticks[1:])))
    assert frame_of(swapped, shown).left > frame_of(second, shown).left
    assert frame_of(swapped, shown).width == frame_of(second, shown).width


def test_points_tell_their_series_place_value_and_interval() -> None:
    series = Series("rap", (10.0, 1000.0), (0.5, 0.75), (0.4, 0.7), (0.6, 0.8), ("m = 10", "m = 1,000"))
    chart = Chart("", FigureAxis("rows", log=True), FigureAxis("accuracy"), (series,))
    drawn = figure_svg.render(Figure("f", "F", "", (chart,), FigureTable(("x",), ((1,),))))
    hints = [hint.text for hint in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}title")]
    assert "rap, m = 1,000\nrows: 1,000\naccuracy: 0.75 (0.7 to 0.8)" in hints
