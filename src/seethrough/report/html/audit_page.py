"""A report as one standalone HTML file: no network, no fonts from elsewhere.

The page says everything without a script. The one that it has sorts tables; the page names its digest, so that a
browser runs no other, whatever a name or a value brings along. Every text is cleaned and escaped on its way out of the
template (`finalize` and autoescape); what this package has drawn is markup and passes.
"""

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import count

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.exceptions import TemplateRuntimeError
from markupsafe import Markup

from seethrough.report import untrusted
from seethrough.report.html import figures, svg
from seethrough.report.sections import blocks, document
from seethrough.report.sections.blocks import Figure, Medium, RowFigure
from seethrough.report.words import wording
from seethrough.results.report import Report

_LONGEST = 1000
_SECTIONS = (
    '{% from "blocks.html.j2" import render_section with context %}'
    "{% for section in sections %}{{ render_section(section, 2) }}{% endfor %}"
)
KINDS = {
    "paragraph": blocks.Paragraph,
    "bullets": blocks.Bullets,
    "facts": blocks.Facts,
    "table_block": blocks.TableBlock,
    "picture": blocks.Picture,
    "gallery": blocks.Gallery,
    "verdict_banner": blocks.VerdictBanner,
    "graded_headlines": blocks.GradedHeadlines,
    "score_head": blocks.ScoreHead,
    "fold": blocks.Fold,
    "option_switch": blocks.OptionSwitch,
    "marked": blocks.Span,
}
"""What the template asks of a block: `block is paragraph`."""


def render(report: Report) -> str:
    """Give the report as a standalone HTML page."""
    return render_document(document.build(report))


def render_document(shown: blocks.Document) -> str:
    """Give a document as a standalone HTML page."""
    environment = _environment()
    script = Markup(environment.get_template("page.js").render())
    return environment.get_template("page.html.j2").render(
        document=shown,
        script=script,
        script_digest=b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def render_fragment(listed: Sequence[blocks.Block], level: int = 2, pictures: str = "picture") -> Markup:
    """Give blocks as a piece of a page that has this page's style; `pictures` begins the names of its pictures."""
    numbers = count(1)

    def drawn(figure: Figure) -> Markup:
        return Markup(figures.draw(figure, f"{pictures}-{next(numbers)}"))

    macros = _kept_environment().get_template("blocks.html.j2").make_module({"drawn": drawn})
    return Markup(getattr(macros, "render_blocks")(listed, level))  # noqa: B009  a macro, which no type knows


@cache
def _kept_environment() -> Environment:
    return _environment()


def render_sections(sections: Iterable[blocks.Section]) -> Markup:
    """Give sections as a part of another page, which has the same style."""
    template = _environment().from_string(_SECTIONS)
    return Markup(template.render(sections=blocks.shown_in(sections, Medium.HTML)))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("seethrough.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = count(1)

    def drawn(figure: Figure) -> Markup:
        return Markup(figures.draw(figure, f"picture-{next(numbers)}"))

    environment.tests.update({name: _test_of(kind) for name, kind in KINDS.items()})
    environment.filters.update(
        shown=partial(blocks.shown_in, medium=Medium.HTML), spans=blocks.spans, leading=wording.leading
    )
    environment.globals.update(
        drawn=drawn,
        refuse=_refuse,
        drawn_row=_drawn_row,
        drawn_key=_drawn_key,
        cells_shown=partial(blocks.cells_shown, medium=Medium.HTML),
    )
    return environment


def _refuse(block: object) -> None:
    raise TemplateRuntimeError(f"no form for {type(block).__name__} in HTML")


def _test_of(kind: type) -> Callable[[object], bool]:
    def is_kind(value: object) -> bool:
        return isinstance(value, kind)

    return is_kind


def _clean(value: object) -> object:
    return untrusted.visible(value, _LONGEST) if isinstance(value, str) and not isinstance(value, Markup) else value


def _drawn_row(figure: RowFigure) -> Markup:
    return Markup(figures.draw_row(figure))


def _drawn_key(mark: str) -> Markup:
    return Markup(svg.draw_key(mark))
