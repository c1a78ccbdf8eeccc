"""A report as one standalone HTML file: no network, no fonts from elsewhere.

The page says everything without a script. The one that it has sorts tables; the page names its digest, so that a
browser runs no other, whatever a name or a value brings along.
"""

import hashlib
from base64 import b64encode
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from seethrough.report import untrusted
from seethrough.report.html import charts, drawing, pictures_section, svg
from seethrough.report.html.pictures_section import Gallery
from seethrough.report.words import (
    artefact_text,
    comparison,
    costs,
    facts,
    findings,
    glossary,
    growth,
    missing_inputs,
    position,
    wording,
)
from seethrough.results.card import Category, Evidence
from seethrough.results.estimate import Estimate, Growth
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit

_LONGEST = 1000
_EXAMPLE = charts.RiskStrip(
    title="How to read a strip",
    description="An example: a score of 0.46 between an independent table at 0.12 and a copy at 0.94, base rate 0.25.",
    risk=Estimate(0.46, 0.39, 0.53),
    independent=Estimate(0.12, 0.08, 0.16),
    copy=Estimate(0.94, 0.91, 0.97),
    base_rate=0.25,
)
_KEYS = {"score": "value", "base rate": "base-rate", **{mark: mark for mark in ("interval", "independent", "copy")}}


@dataclass(frozen=True)
class _Card:
    """A measured check as the template shows it."""

    anchor: str
    outcome: Measured
    is_attack: bool
    reading: str
    short: str
    share: float | None
    row: Markup
    strip: Markup
    histogram: Markup | None
    histogram_says: str
    numbers: tuple[facts.Fact, ...]
    particulars: tuple[facts.Fact, ...]


@dataclass(frozen=True)
class _Section:
    """One synthetic table as the template shows it."""

    anchor: str
    name: str
    headlines: tuple[findings.Headline, ...]
    artefacts: tuple[tuple[str, str, str, str], ...]
    artefacts_say: str
    groups: tuple[tuple[Category, tuple[_Card, ...]], ...]
    gallery: Gallery
    unmeasured: tuple[tuple[str, str, str, str], ...]

    @property
    def ordered(self) -> tuple[_Card, ...]:
        """The cards with attacks first, for the overview."""
        kinds = list(Evidence)
        cards = [card for _, group in self.groups for card in group]
        return tuple(sorted(cards, key=lambda card: kinds.index(card.outcome.card.evidence)))


def render(report: Report) -> str:
    """Give the report as a standalone HTML page."""
    environment = _environment()
    script = _script(environment)
    return environment.get_template("report.html.j2").render(
        report=report,
        sections=[_section(report, table, f"table-{n}") for n, table in enumerate(report.tables, start=1)],
        gaps=missing_inputs.missing(report),
        growths=[
            _growth(each, f"growth-{number}") for number, each in enumerate(growth.list_measured(report), start=1)
        ],
        example=Markup(svg.draw_strip(_EXAMPLE, "example")),
        legend=[(_key(term), term, said) for term, said in facts.HOW_TO_READ],
        ranking=comparison.ranking(report) if len(report.tables) > 1 else (),
        differences=comparison.gaps(report) if len(report.tables) > 1 else (),
        tradeoff=pictures_section.tradeoff(report),
        costs=costs.list_costs(report.timings),
        costs_say=costs.summary(report.timings),
        script=script,
        script_digest=b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _script(environment: Environment) -> Markup:
    return Markup(environment.get_template("page.js").render())


@dataclass(frozen=True)
class _Growth:
    """What several tables show together, as the template shows it."""

    found: Growth
    keys: tuple[tuple[Markup, str, str], ...]
    pictures: tuple[tuple[str, str, Markup], ...]
    rows: list[tuple[str, ...]]


def _growth(found: Growth, ident: str) -> _Growth:
    drawn = (
        (curve.name, curve.said, Markup(svg.draw_growth(charts.growth_lines(curve), f"{ident}-{number}")))
        for number, curve in enumerate(found.curves, start=1)
    )
    keys = tuple((Markup(svg.draw_key(side)), side, said) for side, said in growth.keys(found))
    return _Growth(found, keys, tuple(drawn), growth.rows(found.curves, intervals=True))


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("seethrough.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        name=untrusted.name,
        fixed=wording.format_fixed,
        span=wording.span,
        percent=wording.percent,
        count=wording.count,
        compact=wording.compact,
        duration=wording.duration,
        leading=wording.leading,
        difference=comparison.interval,
    )
    environment.globals.update(facts=facts, glossary=glossary, growth=growth)
    return environment


def _shown(value: object) -> object:
    """Clean every text that the template puts out; what this package has drawn is markup and passes."""
    return untrusted.visible(value, _LONGEST) if isinstance(value, str) and not isinstance(value, Markup) else value


def _key(term: str) -> Markup:
    return Markup(svg.draw_key(_KEYS[term]) if term in _KEYS else "")


def _section(report: Report, table: TableAudit, anchor: str) -> _Section:
    groups = []
    for category in Category:
        measured = [outcome for outcome in findings.of_category(table, category) if isinstance(outcome, Measured)]
        cards = tuple(_card(outcome, f"{anchor}-{category.value}-{n}") for n, outcome in enumerate(measured, start=1))
        groups.append((category, cards))
    rounded = report.provenance.is_external
    artefacts = table.exhibits.artefacts
    return _Section(
        anchor=anchor,
        name=table.synthetic.name,
        headlines=findings.headlines(table, outside=report.holdout is not None),
        artefacts=tuple(
            (
                artefact_text.title(each),
                artefact_text.sentence(each, rounded=rounded),
                each.sign.value,
                each.sign.name.lower(),
            )
            for each in artefacts
        ),
        artefacts_say=artefact_text.summary(artefacts),
        groups=tuple(groups),
        gallery=pictures_section.gallery(table, anchor, report.columns),
        unmeasured=facts.list_unmeasured(table),
    )


def _card(outcome: Measured, ident: str) -> _Card:
    histogram = charts.histogram(outcome)
    strip = charts.strip(outcome)
    return _Card(
        anchor=ident,
        outcome=outcome,
        is_attack=findings.is_attack(outcome),
        reading=findings.reading(outcome),
        short=findings.brief_reading(outcome),
        share=position.place(outcome).share,
        row=Markup(drawing.draw_score(strip)),
        strip=Markup(svg.draw_strip(strip, f"{ident}-strip")),
        histogram=Markup(svg.draw_histogram(histogram, f"{ident}-records")) if histogram else None,
        histogram_says=histogram.description if histogram else "",
        numbers=facts.numbers(outcome),
        particulars=facts.particulars(outcome),
    )
