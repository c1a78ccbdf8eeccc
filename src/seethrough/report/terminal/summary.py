"""A report for the terminal, with or without colour, from 80 columns up.

Everything is printed as `Text`, never as markup, so square brackets in a name stay brackets.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal import bar
from seethrough.report.terminal.printing import show, text
from seethrough.report.words import artefact_text, comparison, facts, findings, growth, missing_inputs, wording
from seethrough.report.words.grades import Level
from seethrough.results.card import Evidence
from seethrough.results.estimate import Growth
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.results.report import Report, TableAudit

BAR_WIDTH = 16
WIDE_FROM = 104
"""From this width on bars are longer and readings are written in full."""

_NAME_WIDTH = 12
_COLUMNS_NAMED = 5
_STYLES = {Level.HIGH: "bold red", Level.RAISED: "yellow", Level.UNDECIDED: "yellow", Level.UNSEEN: "cyan"}
_KINDS = {Evidence.ATTACK: "A", Evidence.SIMILARITY: "s", Evidence.FIDELITY: "f"}


def render(report: Report, console: Console) -> None:
    """Print the report; a file or a pipe gets plain lines without trailing blanks."""
    show(lambda on: _print(report, on), console)


def _print(report: Report, console: Console) -> None:
    _heading(report, console)
    for table in report.tables:
        if len(report.tables) > 1:
            _table_rule(table, console)
        for headline in findings.headlines(table, outside=report.holdout is not None):
            _headline(headline, console)
        _artefacts(table, console, rounded=report.provenance.is_external)
        _scores(table, console)
        _remarks(table, console)
    for found in growth.list_measured(report):
        _growth(found, console)
    _listing(f"{growth.TITLE}: not measured", growth.list_unmeasured(report), console)
    _ranking(report, console)
    _listing("What would allow a stronger statement", missing_inputs.missing(report), console)
    _listing("Left out of this report for others", report.provenance.left_out, console)
    _listing("Notes", report.notes, console)


def _heading(report: Report, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: privacy audit", "bold"))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for part, name, rows, _ in facts.sources(report):
        lines.add_row(Text(part, "dim"), text(console, f"{untrusted.name(name)}, {wording.count_of(rows, 'row')}"))
    lines.add_row(Text("independent", "dim"), text(console, untrusted.visible(report.independent, 300)))
    lines.add_row(Text("columns", "dim"), text(console, _columns_told(report)))
    lines.add_row(Text("seed", "dim"), Text(str(report.seed)))
    console.print(lines)


def _columns_told(report: Report) -> str:
    out = [column for column in report.columns if not facts.is_used(column)]
    told = f"{facts.used_columns(report)} used"
    if not out:
        return told
    named = [f"{untrusted.visible(column.name, 30)} ({column.role})" for column in out[:_COLUMNS_NAMED]]
    more = f" and {len(out) - _COLUMNS_NAMED} more" if len(out) > _COLUMNS_NAMED else ""
    return f"{told}, {len(out)} left out: {', '.join(named)}{more}"


def _table_rule(table: TableAudit, console: Console) -> None:
    character = "=" if console.options.ascii_only else "═"
    title = text(console, f"Synthetic table {untrusted.visible(table.synthetic.name, 50)}", "bold")
    console.print()
    console.print(Rule(title, characters=character, style="dim", align="left"))


def _headline(headline: findings.Headline, console: Console) -> None:
    console.print()
    title = Text.assemble(
        (f"{headline.category.value.upper()}: ", "bold"), (headline.level.value, _STYLES.get(headline.level, "dim"))
    )
    console.print(title)
    said = " ".join(filter(None, (headline.sentence, headline.advantage)))
    console.print(Padding(text(console, said), (0, 0, 0, 2)))


def _artefacts(table: TableAudit, console: Console, *, rounded: bool) -> None:
    found = table.exhibits.artefacts
    if not found:
        return
    console.print()
    console.print(Text("SIGNS OF REAL ROWS IN THE RELEASE", "bold"))
    shown = artefact_text.showing(found)
    console.print(Padding(text(console, artefact_text.summary(found)), (0, 0, 0, 2)))
    for each in shown:
        line = f"- {artefact_text.title(each)}: {artefact_text.brief(each, rounded=rounded)}"
        console.print(Padding(text(console, line, "yellow"), (0, 0, 0, 2)))


def _scores(table: TableAudit, console: Console) -> None:
    kinds = list(Evidence)
    measured = [outcome for outcome in table if isinstance(outcome, Measured)]
    measured.sort(key=lambda outcome: kinds.index(outcome.card.evidence))
    if not measured:
        return
    console.print()
    console.print(Text("SCORES BETWEEN THEIR CONTROLS", "bold"))
    console.print(Text(bar.legend(_glyphs(console)), "dim"))
    wide = console.width >= WIDE_FROM
    width = BAR_WIDTH * 2 if wide else BAR_WIDTH
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    grid.add_column(Text(""), width=1)
    grid.add_column(Text("check"), no_wrap=True, overflow="crop", width=_NAME_WIDTH)
    grid.add_column(Text("0" + "1".rjust(width - 1)), width=width)
    grid.add_column(Text("risk [interval]"), no_wrap=True)
    grid.add_column(Text("n"), justify="right", no_wrap=True)
    grid.add_column(Text("reading"), overflow="fold")
    for outcome in measured:
        grid.add_row(*_row(outcome, console, width, wide=wide))
    console.print(grid)
    console.print(Text("A attack result; s similarity and f fidelity describe and do not decide", "dim"))


def _row(outcome: Measured, console: Console, width: int, *, wide: bool) -> list[Text]:
    is_attack = findings.is_attack(outcome)
    score = Text(wording.format_fixed(outcome.risk.value), "bold" if is_attack else "")
    score.append(f" [{wording.format_fixed(outcome.risk.low)}, {wording.format_fixed(outcome.risk.high)}]", "not bold")
    return [
        Text(_KINDS[outcome.card.evidence], "bold" if is_attack else "dim"),
        text(console, untrusted.visible(outcome.check, _NAME_WIDTH), "bold" if is_attack else ""),
        Text(bar.text_bar(outcome, width, _glyphs(console)), "cyan"),
        score,
        Text(wording.short_count(outcome.measurement.n)),
        Text(findings.short_reading(outcome) if wide else findings.brief_reading(outcome)),
    ]


def _remarks(table: TableAudit, console: Console) -> None:
    for outcome in table:
        name = text(console, untrusted.visible(outcome.check, _NAME_WIDTH))
        for remark in _remarks_of(outcome):
            console.print(_beside(name, text(console, remark, "yellow")))


def _remarks_of(outcome: Outcome) -> list[str]:
    match outcome:
        case Measured(measurement=found):
            return [f"warning: {untrusted.visible(warning, 300)}" for warning in found.warnings]
        case Skipped(reason=reason):
            return [f"skipped: {untrusted.visible(reason, 300)}"]
        case Failed(error=error):
            return [f"failed: {untrusted.visible(error, 300)}"]


def _growth(found: Growth, console: Console) -> None:
    console.print()
    console.print(Text(growth.TITLE.upper(), "bold"))
    console.print(Padding(text(console, growth.sentence(found)), (0, 0, 0, 2)))
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for head in ("tables", "linked to", *(curve.name for curve in found.curves)):
        table.add_column(text(console, head), no_wrap=True)
    for row in growth.rows(found.curves, intervals=False):
        table.add_row(*(text(console, cell, "bold" if row[1] == "release" else "") for cell in row))
    console.print(table)
    _listing("", [f"{curve.name}: {curve.said}" for curve in found.curves], console)


def _ranking(report: Report, console: Console) -> None:
    if len(report.tables) > 1:
        _listing("Comparison of the synthetic tables", comparison.describe_comparison(report), console)


def _listing(title: str, lines: Sequence[str], console: Console) -> None:
    if not lines:
        return
    console.print()
    if title:
        console.print(Text(title, "bold"))
    for line in lines:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_row(Text("-"), text(console, line))
        console.print(grid)


def _beside(name: Text, said: Text) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_NAME_WIDTH, no_wrap=True, overflow="crop")
    grid.add_row(name, said)
    return grid


def _glyphs(console: Console) -> bar.Glyphs:
    return bar.ASCII if console.options.ascii_only else bar.UNICODE
