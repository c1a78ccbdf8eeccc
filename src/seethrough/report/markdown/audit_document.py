"""A report as a Markdown document."""

import re
from collections.abc import Iterable, Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.markdown import diagnostics as exhibits_markdown
from seethrough.report.words import (
    artefact_text,
    comparison,
    costs,
    facts,
    findings,
    glossary,
    growth,
    missing_inputs,
    wording,
)
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableAudit

_MARKUP = re.compile(r"([\\`*_{}\[\]#|~!$@])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def render(report: Report) -> str:
    """Give the report as Markdown."""
    lines = [
        f"# Privacy audit of {escaped_name(_subject(report))}",
        *_release(report),
        *_headlines(report),
        *_missing(report),
        *_left_out(report),
        *_section("How to read the numbers"),
        *_bullets(f"{term}: {said}" for term, said in facts.HOW_TO_READ),
        *_comparison(report),
        *_growth(report),
        *(line for table in report.tables for line in _results(table)),
        *_columns(report),
        *_notes(report),
        *_glossary(report),
        *_record(report),
    ]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    """Make text that Markdown shows as it is, in a paragraph and in a cell of a table."""
    shown = "".join(_HTML.get(character, character) for character in untrusted.visible(text))
    # An address would become a link by itself, and so would one without its scheme.
    shown = _MARKUP.sub(r"\\\1", shown).replace("://", ":\\//")
    shown = re.sub(r"\bwww\.", r"www\\.", shown, flags=re.IGNORECASE)
    return re.sub(r"^(\d+)([.)])(?=\s|$)|^([-+=])", r"\1\\\2\3", shown)


def escaped_name(text: str) -> str:
    """Make a name that Markdown shows as it is."""
    return escape_markdown(untrusted.name(text))


def _subject(report: Report) -> str:
    names = [table.synthetic.name for table in report.tables]
    return names[0] if len(names) == 1 else f"{len(names)} synthetic tables"


def _release(report: Report) -> list[str]:
    rows = [
        (part, escaped_name(name), wording.count(size), str(facts.used_columns(report)))
        for part, name, size, _ in facts.sources(report)
    ]
    return [
        *_section("What was audited"),
        *_table(("part", "table", "rows", "columns used"), rows),
        "",
        f"Independent control: {escape_markdown(report.independent)}.",
    ]


def _headlines(report: Report) -> Iterator[str]:
    yield from _section("Findings")
    for table in report.tables:
        if len(report.tables) > 1:
            yield from ("", f"**{escaped_name(table.synthetic.name)}**", "")
        for line in findings.headlines(table, outside=report.holdout is not None):
            told = filter(None, (line.sentence, line.advantage, line.rests_on, *line.missing))
            yield f"- **{line.category.value}: {line.level.value}**. {escape_markdown(' '.join(told))}"
        yield from _artefacts(table, rounded=report.provenance.is_external)


def _artefacts(table: TableAudit, *, rounded: bool) -> list[str]:
    found = table.exhibits.artefacts
    if not found:
        return []
    rows = [
        (artefact_text.title(each), each.sign.value, escape_markdown(artefact_text.sentence(each, rounded=rounded)))
        for each in found
    ]
    head = ("sign", "result", "found")
    return [
        "",
        "### Signs of real rows in the release",
        "",
        escape_markdown(artefact_text.summary(found)),
        "",
        *_table(head, rows),
        "",
    ]


def _left_out(report: Report) -> list[str]:
    said = report.provenance.left_out
    return [*_section("Left out of this report for others"), *_bullets(map(escape_markdown, said))] if said else []


def _missing(report: Report) -> list[str]:
    said = missing_inputs.missing(report)
    return [*_section("What would allow a stronger statement"), *_bullets(map(escape_markdown, said))] if said else []


def _comparison(report: Report) -> list[str]:
    if len(report.tables) == 1:
        return []
    head = ("check", "evidence", *(escaped_name(table.synthetic.name) for table in report.tables))
    rows = [
        (escaped_name(check), kind, *(escape_markdown(", ".join(filter(None, cell))) for cell in cells))
        for check, kind, cells in facts.comparison(report)
    ]
    return [
        *_section("Comparison"),
        *_bullets(map(escape_markdown, comparison.describe_comparison(report))),
        "",
        *_table(head, rows),
    ]


def _growth(report: Report) -> Iterator[str]:
    if report.growth:
        yield from _section(growth.TITLE)
    for found in growth.list_measured(report):
        yield from (escape_markdown(growth.sentence(found)), "")
        head = ("tables", "linked to", *(escape_markdown(curve.name) for curve in found.curves))
        yield from _table(head, [tuple(map(escape_markdown, row)) for row in growth.rows(found.curves, intervals=True)])
        yield ""
        yield from _bullets(f"{escape_markdown(curve.name)}: {escape_markdown(curve.said)}" for curve in found.curves)
        yield from _bullets(f"{escape_markdown(side)}: {escape_markdown(said)}" for side, said in growth.keys(found))
    yield from _bullets(map(escape_markdown, growth.list_unmeasured(report)))


def _results(table: TableAudit) -> Iterator[str]:
    yield from _section(f"Results for {escaped_name(table.synthetic.name)}")
    for headline in findings.headlines(table):
        outcomes = findings.of_category(table, headline.category)
        measured = [outcome for outcome in outcomes if isinstance(outcome, Measured)]
        if measured:
            yield from (f"### {headline.category.value.capitalize()}", "")
            yield from (line for outcome in measured for line in _card(outcome))
    yield from _unmeasured(table)
    yield from exhibits_markdown.lines(table, escape_markdown)


def _card(outcome: Measured) -> Iterator[str]:
    card = outcome.card
    yield from (
        f"#### {escape_markdown(card.title)} ({escaped_name(card.name)}, {findings.evidence_label(outcome)})",
        "",
    )
    yield from (f"*{escape_markdown(card.question)}*", "", escape_markdown(findings.reading(outcome)), "")
    numbers = (("risk", wording.with_interval(outcome.risk)), *facts.numbers(outcome))
    yield from _table(("", "value"), [tuple(map(escape_markdown, number)) for number in numbers])
    yield ""
    yield from _bullets(f"Warning: {escape_markdown(warning)}" for warning in outcome.measurement.warnings)
    yield f"- What it cannot tell: {escape_markdown(card.cannot_tell)}"
    yield f"- Formula: {escape_markdown(card.formula)}"
    yield from _bullets(
        f"{escape_markdown(label)}: {escape_markdown(said)}" for label, said in facts.particulars(outcome)
    )
    yield from _bullets(f"Reference: {escape_markdown(reference)}" for reference in card.cites)
    yield ""


def _unmeasured(table: TableAudit) -> list[str]:
    rows = [tuple(map(escape_markdown, row)) for row in facts.list_unmeasured(table)]
    return ["### Skipped and failed", "", *_table(("check", "attack", "status", "why"), rows)] if rows else []


def _columns(report: Report) -> list[str]:
    rows = [
        tuple(map(escape_markdown, (untrusted.name(column.name), *facts.column(column)))) for column in report.columns
    ]
    return [*_section("Columns"), *_table(("column", "kind", "role", "levels", "missing", "read so because"), rows)]


def _notes(report: Report) -> list[str]:
    return [*_section("Notes"), *_bullets(map(escape_markdown, report.notes))] if report.notes else []


def _record(report: Report) -> list[str]:
    rows = [(escape_markdown(label), escape_markdown(said)) for label, said in facts.record(report)]
    limits = [
        (
            escape_markdown(each.text),
            escape_markdown(each.set_by),
            "-" if each.broken is None else ("yes" if each.broken else "no"),
        )
        for each in report.provenance.thresholds
    ]
    decided = ["", *_table(("threshold", "set by", "broken"), limits)] if limits else []
    return [*_section("Record"), *_table(("", "value"), rows), *decided, *_costs(report)]


def _costs(report: Report) -> list[str]:
    rows = [
        (escaped_name(cost.what), cost.kind, ", ".join(map(escaped_name, cost.tables)), wording.duration(cost.seconds))
        for cost in costs.list_costs(report.timings)
    ]
    said = costs.summary(report.timings)
    return [*_section("Where the time went"), said, "", *_table(("what", "kind", "on", "time"), rows)] if rows else []


def _glossary(report: Report) -> list[str]:
    cited = [
        f"{escape_markdown(text)} ({escape_markdown(', '.join(checks))})"
        for text, checks in glossary.references(report)
    ]
    words = [f"**{word}**: {escape_markdown(said)}" for word, said in glossary.WORDS]
    return [*_section("Glossary"), *_bullets(words), *_section("References"), *_bullets(cited)]


def _section(title: str) -> tuple[str, str, str]:
    return "", f"## {title}", ""


def _bullets(lines: Iterable[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_table_row(head), _table_row(["---"] * len(head)), *map(_table_row, rows)]


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
