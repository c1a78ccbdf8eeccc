"""What to do next, and what was not tested."""

from collections.abc import Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    MARKDOWN,
    PAGE,
    SUMMARY,
    VERBOSE,
    Block,
    Bullets,
    Fold,
    Paragraph,
    Section,
    Span,
    Words,
)
from seethrough.report.words import missing_inputs
from seethrough.results.levers.advice import Advice, AdviceRule
from seethrough.results.report import Report, TableAudit

TITLE = "What to do next"
NOT_TESTED = "Not tested"
NOTHING = "No advice follows from these findings."
_FIRST, _IN_SUMMARY = 4, 3
"""Lines of advice that stand on the first screen of the page, and of the terminal."""
_LABELS = 6


def sections(report: Report) -> Iterator[Section]:
    """Say what follows from the findings, what was not tested and, to others, what they are not told."""
    if not report.provenance.is_external and any(table.evidence for table in report.tables):
        yield Section(TITLE, tuple(_advice(report)), (), "next", TITLE, is_open=True)
    yield Section(NOT_TESTED, tuple(_not_tested(report)), (), "not-tested", NOT_TESTED, is_open=True)


def _advice(report: Report) -> Iterator[Block]:
    chosen, rest = _lines(report)
    if not chosen:
        yield Paragraph(NOTHING)
        return
    yield Bullets(tuple(_words(each, name, brief=True) for each, name in chosen[:_IN_SUMMARY]), media=SUMMARY)
    yield Bullets(tuple(_words(each, name, brief=True) for each, name in chosen[:_FIRST]), media=PAGE)
    yield Bullets(tuple(_words(each, name) for each, name in (*chosen, *rest)), media=MARKDOWN | VERBOSE)
    reasons = tuple(_words(each, name, is_repeated=True) for each, name in chosen[:_FIRST] if _has_more(each))
    left = tuple(_words(each, name) for each, name in (*chosen[_FIRST:], *rest))
    if reasons or left:
        yield Fold("Why, and what else follows", (Bullets((*reasons, *left)),), media=PAGE)


def _lines(report: Report) -> tuple[list[tuple[Advice, str]], list[tuple[Advice, str]]]:
    """Put first what is about all files and about the release that leaks least; what is about others comes after."""
    if len(report.tables) == 1:
        return [(each, "") for each in report.tables[0].advice], []
    order = _by_leak(report)
    named = [[(each, untrusted.name(table.synthetic.name)) for each in table.advice] for table in order]
    first = next((lines for lines in named if lines), [])
    rest = [line for lines in named if lines is not first for line in lines]
    return [*((each, "") for each in report.advice_on_all_files), *first], rest


def _by_leak(report: Report) -> Sequence[TableAudit]:
    if report.comparison is None:
        return report.tables
    return [report.tables[each.number - 1] for each in report.comparison.ranking]


def _words(advice: Advice, name: str, *, brief: bool = False, is_repeated: bool = False) -> Words:
    """Write a line: what to do, what else to know, the command; one that is repeated has no command."""
    said = [f"{name}: {advice.action}" if name else advice.action]
    if not brief and advice.reason:
        said.append(advice.reason)
    if not brief and advice.rule is AdviceRule.COPIED_ROWS and advice.rows:
        said.append(f"Rows listed: {', '.join(f'{row:,}' for row in advice.rows)}.")
    if not brief and advice.labels:
        more = f" and {len(advice.labels) - _LABELS} more" if len(advice.labels) > _LABELS else ""
        said.append(f"Groups: {', '.join(untrusted.name(label) for label in advice.labels[:_LABELS])}{more}.")
    return " ".join(said[1:]) if is_repeated else (" ".join(said), " ", Span(advice.command, "command"))


def _has_more(advice: Advice) -> bool:
    return bool(advice.reason or advice.rows or advice.labels)


def _not_tested(report: Report) -> Iterator[Block]:
    yield Bullets(missing_inputs.missing(report))
    if left_out := report.provenance.left_out:
        yield Bullets(left_out, "Left out of this report for others")
