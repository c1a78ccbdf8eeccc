"""The page in a real browser: what it measures and what it runs, at desktop and phone width, in light and dark."""

import json
import re
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import BROWSER, needs_browser

from seethrough.report.html import audit_page
from seethrough.results.diagnostics import (
    Artefact,
    ArtefactSign,
    ColumnDistribution,
    ColumnExposure,
    ColumnFidelity,
    Diagnostics,
    Distances,
    ExposedRow,
    GroupedLeaks,
    LeakGroup,
    PairFidelity,
    Rate,
)
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import LeakFamily
from seethrough.results.report import Report

pytestmark = needs_browser

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
CANARY = (
    "<script>document.title='HACKED'</script>",
    '"><img src=x onerror="document.title=\'HACKED\'">',
    "'><svg onload='document.title=\"HACKED\"'>",
    "</title></style></svg><script>document.title='HACKED'</script>",
    "\u202ereversed\u2066",
    "w" * 10_000,
    "javascript:document.title='HACKED'",
    "{{ 7 * 7 }}{% raw %}",
)
# Colours as the style sheet has them.
PAPER = {"light": "rgb(252, 251, 248)", "dark": "rgb(22, 24, 27)"}
MEASURE = """
<script>
const root = document.documentElement, all = selector => [...document.querySelectorAll(selector)];
document.querySelectorAll('details').forEach(each => each.open = true);
const levels = all('h1,h2,h3,h4').map(each => +each.tagName[1]);
const labels = all('[aria-labelledby],[aria-describedby]').flatMap(
  each => [each.getAttribute('aria-labelledby'), each.getAttribute('aria-describedby')]).filter(Boolean);
const off = all('body *').filter(each => !each.closest('.scroll') && !each.closest('.skip') && !each.closest('thead')
  && each.getBoundingClientRect().right > innerWidth + 1).map(each => each.tagName + '.' + each.className).slice(0, 5);
const told = {
  width: innerWidth,
  overflow: root.scrollWidth - innerWidth,
  off,
  paper: getComputedStyle(document.body).backgroundColor,
  title: document.title,
  skips: levels.filter((level, place) => place && level > levels[place - 1] + 1).length,
  missing: labels.filter(name => !document.getElementById(name)),
  dead: all('a[href^="#"]').filter(each => !document.getElementById(each.getAttribute('href').slice(1))).length,
  unreachable: all('.scroll:not([tabindex="0"])').length,
  unlabelled: all('svg:not([aria-hidden]):not([role=img]):not(.shape)').length,
  headless: all('table').filter(each => !each.querySelector('thead th')).length,
  raw: all('td.raw').filter(each => each.offsetParent !== null).length,
  risk: all('td.risk').filter(each => each.offsetParent !== null).length,
  landmarks: ['header', 'nav', 'main'].filter(each => document.querySelector(each)).length,
};
parent.postMessage(JSON.stringify(told), '*');
</script>
"""
# A window has a least width, which a frame has not.
FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><pre id="measured"></pre><script>
onmessage = event => document.getElementById('measured').textContent = event.data;
</script><iframe src="measured.html" style="border:0;width:{}px;height:{}px"></iframe>"""


def _group(column: str, label: str, names: tuple[str, ...]) -> LeakGroup:
    leak = Estimate(0.2, -0.1, 0.5)
    return LeakGroup(column, label, 1, LeakFamily.IDENTITY, names[0], names[-1], 0.4, 0.2, leak, 0.03, True, 900, 800)


def exhibits(names: tuple[str, ...]) -> Diagnostics:
    """Everything that a page can show, under hostile names."""
    rate = Rate(0.4, 0.3, 0.5, 900)
    return Diagnostics(
        artefacts=tuple(
            Artefact(name, ArtefactSign.SHOWS, name, 3, 10, rate, name, columns=names, rows=(1, 2), reason=name)
            for name in ("exact-copies", *names)
        ),
        distances=Distances((0.0, 0.5, 1.0), (3, 7), (2, 8), 1, 0, 0.3, 0.4),
        groups=GroupedLeaks(tuple(_group(name, other, names) for name in names for other in names), 999, 7),
        columns=tuple(ColumnExposure(name, rate, rate, 0.2) for name in names),
        marginals=tuple(ColumnFidelity(name, 0.1, 0.2) for name in names),
        distributions=tuple(ColumnDistribution(name, True, (0.5, 0.5), (0.4, 0.6), (0.3, 0.7)) for name in names),
        pairs=tuple(PairFidelity(a, b, 0.1) for a in names for b in names if a < b),
        pair_similarity=0.9,
        exposed=tuple(ExposedRow(number, names, names[0], 0.5, number, names) for number in range(1, 21)),
        shows_values=True,
    )


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


@pytest.fixture
def worst(hostile: Report) -> Report:
    """The hostile report with every picture."""
    tables = tuple(replace(table, exhibits=exhibits(CANARY)) for table in hostile.tables)
    columns = tuple(replace(hostile.column_notes[0], name=name, reason=name) for name in CANARY)
    return replace(hostile, tables=tables, column_notes=(*hostile.column_notes, *columns), notes=CANARY)


def run(page: Path, size: str, scheme: str, *words: str) -> str:
    width, height = SIZES[size]
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={page.parent / 'profile'}", f"--window-size={width},{height}"]
    command += [f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}", *words, page.as_uri()]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)
    return found.stdout


def measured(source: str, folder: Path, size: str, scheme: str) -> dict[str, Any]:
    """Open a copy of the page that may run one script, which measures; nothing else of it may run."""
    page = folder / "measured.html"
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source)
    assert free != source
    page.write_text(free.replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(*SIZES[size]), encoding="utf-8")
    seen = run(frame, "desktop", scheme, "--dump-dom", "--virtual-time-budget=5000")
    told = re.search(r'<pre id="measured">(.+?)</pre>', seen, re.DOTALL)
    assert told
    return dict(json.loads(unescape(told[1])))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_worst_page_fits_reads_and_runs_nothing(worst: Report, tmp_path: Path, size: str, scheme: str) -> None:
    told = measured(audit_page.render(worst), tmp_path, size, scheme)
    assert told["width"] == SIZES[size][0]
    assert (told["overflow"], told["off"]) == (0, [])
    assert told["paper"] == PAPER[scheme]
    assert told["title"] == "Privacy audit: 3 synthetic tables"
    assert (told["skips"], told["missing"], told["dead"]) == (0, [], 0)
    assert (told["unreachable"], told["unlabelled"], told["headless"]) == (0, 0, 0)
    assert told["landmarks"] == 3


def test_the_switch_needs_no_script(two_tables: Report, tmp_path: Path) -> None:
    source = audit_page.render(two_tables)
    source = re.sub("<script>.*?</script>", "", source, flags=re.DOTALL)
    assert "<script" not in source
    risk = measured(source, tmp_path, "desktop", "light")
    assert risk["risk"] > 0
    assert risk["raw"] == 0
    raw = measured(_checked(source, "show-raw"), tmp_path, "desktop", "light")
    assert (raw["risk"], raw["raw"]) == (0, risk["risk"] // 2)
    both = measured(_checked(source, "show-both"), tmp_path, "desktop", "light")
    assert (both["risk"], both["raw"]) == (risk["risk"], raw["raw"])


def _checked(source: str, ident: str) -> str:
    changed = source.replace('id="show-risk" checked', 'id="show-risk"').replace(
        f'id="{ident}"', f'id="{ident}" checked'
    )
    assert changed != source
    return changed


def test_the_page_itself_is_left_alone_by_hostile_names(worst: Report, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(audit_page.render(worst), encoding="utf-8")
    seen = run(page, "desktop", "light", "--dump-dom")
    assert "<title>Privacy audit: 3 synthetic tables</title>" in seen
    found = Elements(seen)
    assert seen.count("<script") == 1  # our own
    assert not found.tags & {"img", "iframe", "object", "embed", "link"}
    assert not [name for name in found.attributes if name.startswith("on")]
    assert "\u202e" not in seen
    assert "w" * 1001 not in seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_can_be_seen(two_tables: Report, tmp_path: Path, size: str, scheme: str) -> None:
    page = tmp_path / "report.html"
    tables = tuple(replace(table, exhibits=exhibits(("age", "sex", "income"))) for table in two_tables.tables)
    page.write_text(audit_page.render(replace(two_tables, tables=tables)), encoding="utf-8")
    shot = tmp_path / "seen.png"
    run(page, size, scheme, f"--screenshot={shot}")
    seen = shot.read_bytes()
    assert seen.startswith(b"\x89PNG")
    width = int.from_bytes(seen[16:20], "big")
    assert width == SIZES[size][0]
    assert len(seen) > 20_000  # a blank page of that size takes some 3,000 bytes
