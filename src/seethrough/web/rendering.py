"""Pages from templates, on both sides: the server renders the few that need no tables, the worker all others.

Every text is cleaned and escaped on its way out of a template (`finalize` and autoescape), a value that is missing
is an error, and no template holds a style or a script of its own: the three files that pages load are `STATIC`, each
under a name with its digest, so that browsers may keep them for ever.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from seethrough.text.printable import printable, sentence

_TEMPLATES = Path(__file__).parent / "templates"
_REPORT_STYLE = Path(__file__).parents[1] / "report" / "html" / "templates" / "style.css"
_LONGEST, _NAME, _CELL = 1000, 60, 40
"""Characters shown of a sentence, a name of a file or column, and a cell."""
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
DOTS_A_ROW = 25
_PLACES = {
    " (--secret)": " (page Question)",
    " (--keys)": " (page Question)",
    " (--holdout)": " (page Files)",
    " (--param)": " (page Question, More)",
    'set kind = "numeric" if they are quantities': "change the kind to numeric if they are quantities",
}
"""What sentences of the report say for the command line, and where it is in the tool."""


@dataclass(frozen=True)
class StaticFile:
    """A file that pages load: its name with the digest, what it is, its bytes."""

    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True)
class JourneyStep:
    """A step across the top: its page, its name, where it stands, and what it still lacks."""

    page: str
    name: str
    state: Literal["done", "here", "open", "closed"]
    lacks: str = ""


@dataclass(frozen=True)
class SideEntry:
    """A page of the side list; `key` is what opens it from the keyboard."""

    page: str
    name: str
    key: str = ""
    is_here: bool = False
    is_open: bool = True


@dataclass(frozen=True)
class PageFrame:
    """What stands around a page: its title, the audit, the steps, the side list, how deep its address is.

    `depth` counts the folders between `a/ID/` and the page; None is the start page, which has no audit. `warning` is
    said on every page (others on the network can read along). `announces` is the address of the event stream. `site` is
    the path of the start page where the server knows it, because an error can stand at any depth.
    """

    title: str
    audit: str = ""
    depth: int | None = None
    steps: tuple[JourneyStep, ...] = ()
    side: tuple[SideEntry, ...] = ()
    warning: str = ""
    announces: str = ""
    site: str = ""

    @property
    def up(self) -> str:
        """Lead from the page to `a/ID/`."""
        return "../" * (self.depth or 0)

    @property
    def root(self) -> str:
        """Lead from the page to the start page."""
        return self.site or ("" if self.depth is None else "../" * (self.depth + 2))

    @property
    def here(self) -> tuple[int, JourneyStep] | None:
        """Find the step of this page, with its number from 1."""
        return next(((number, step) for number, step in enumerate(self.steps, 1) if step.state == "here"), None)


def render(template: str, frame: PageFrame, **values: object) -> str:
    """Render a page; `values` are what its template asks for, besides the frame."""
    return _environment().get_template(f"{template}.html.j2").render(frame=frame, **values)


STATES = {
    "empty": "no files yet",
    "files": "files are missing",
    "ready": "not run yet",
    "waiting": "waits to run",
    "running": "running",
    "stopped": "stopped, no verdict",
    "failed": "failed, no verdict",
    "interrupted": "interrupted, run it again",
    "done": "no verdict",
}
"""What an audit without a verdict is said to be."""


def start_page(audits: Sequence[Mapping[str, object]], *, is_private: bool = False, warning: str = "") -> str:
    """Render the start page: what can be begun, and the audits on this machine."""
    frame = PageFrame("Start", warning=warning)
    return render("start", frame, audits=audits, states=STATES, is_private=is_private)


def error_page(said: str, title: str, site: str, warning: str = "", run: str = "") -> str:
    """Render a page that says in a sentence what could not be done, and leads to the run at fault, or to the start."""
    frame = PageFrame(title, site=site, warning=warning)
    return render("error", frame, said=said, link=run or site, todo="Show the run" if run else "All audits")


def ended_page(said: str, site: str) -> str:
    """Render the last page, after which the server is gone."""
    return render("ended", PageFrame("Seethrough has ended", site=site), said=said)


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Give what pages load, by name."""
    files = {
        "style": (_REPORT_STYLE, "text/css"),
        "web": (_TEMPLATES / "web.css", "text/css"),
        "script": (_TEMPLATES / "web.js", "text/javascript"),
    }
    read = {key: (path.read_bytes(), kind) for key, (path, kind) in files.items()}
    named = (
        StaticFile(f"{key}-{_digest(content)}", f"{kind}; charset=utf-8", content)
        for key, (content, kind) in read.items()
    )
    return {file.name: file for file in named}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        name=show_name,
        here=say_here,
        cell=cell,
        label=label,
        lines=lines,
        count=count,
        size=size,
        duration=duration,
        dots=dot_paths,
    )
    environment.globals["static"] = {name.rpartition("-")[0]: name for name in static_files()}
    return environment


def _clean(value: object) -> object:
    return sentence(value, _LONGEST) if isinstance(value, str) and not isinstance(value, Markup) else value


def say_here(text: str) -> str:
    """Say where something is done in the tool, in a sentence of the report that names an option of the command line."""
    for option, place in _PLACES.items():
        text = text.replace(option, place)
    return text


def show_name(text: str) -> Markup:
    """Show a name of a file, a column or an audit: as text, cut, in a direction of its own."""
    return Markup("<bdi>{}</bdi>").format(label(text))


def label(text: str) -> str:
    """Give a name where no markup can stand: in an attribute or an option."""
    return sentence(text, _NAME) or "(no name)"


def cell(text: str) -> Markup:
    """Show a value of a table: as text, cut, in a direction of its own."""
    return Markup("<bdi>{}</bdi>").format(sentence(text, _CELL))


def lines(text: str) -> Markup:
    """Show text of several lines, such as a command or a file of settings."""
    return Markup(escape(printable(text)))


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


def size(number: float) -> str:
    """Write bytes in the unit that fits."""
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            break
        number /= 1000
    return f"{number:.0f} {unit}" if number >= 10 or unit == "bytes" else f"{number:.1f} {unit}"


def duration(seconds: float) -> str:
    """Write how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def dot_paths(counts: tuple[int, ...]) -> tuple[str, ...]:
    """Lay 100 dots out in rows, a path for each kind, in the order given."""
    assert sum(counts) == 100, "a hundred people"
    paths, placed = [], 0
    for number in counts:
        places = (divmod(place, DOTS_A_ROW) for place in range(placed, placed + number))
        paths.append("".join(f"M{10 * column + 5} {10 * row + 5}h0" for row, column in places))
        placed += number
    return tuple(paths)
