"""A report for the terminal, with or without colour, from 80 columns up.

Everything is printed as `Text`, never as markup, so square brackets in a name stay brackets.
"""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from seethrough.report import bar, facts, findings, gaps, growth, untrusted, wording
from seethrough.report.printing import show, text
from seethrough.results import Failed, Growth, Measured, Outcome, Report, Skipped, TableAudit

BAR_WIDTH = 30
WIDE_FROM = 124
"""From this width on the reading has a column of its own; below it stands under the bar."""

_NAME_WIDTH = 15
_COLUMNS_NAMED = 5


def render(report: Report, console: Console) -> None:
    """Print the report; a file or a pipe gets plain lines without trailing blanks."""
    show(lambda on: _print(report, on), console)


def _print(report: Report, console: Console) -> None:
    _heading(report, console)
    console.print()
    console.print(Text(bar.legend(_glyphs(console)), "dim"))
    for table in report.tables:
        if len(report.tables) > 1:
            _table_rule(table, console)
        for headline in findings.headlines(table):
            _section(headline, findings.of_category(table, headline.category), console)
    for found in growth.measured(report):
        _growth(found, console)
    _listing(f"{growth.TITLE}: not measured", growth.unmeasured(report), console)
    _listing("What would allow a stronger statement", gaps.missing(report), console)
    _listing("Notes", report.notes, console)


def _heading(report: Report, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: privacy audit", "bold"))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for part, name, rows, _ in facts.sources(report):
        lines.add_row(Text(part, "dim"), text(console, f"{untrusted.name(name)}, {wording.counted(rows, 'row')}"))
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


def _section(headline: findings.Headline, outcomes: Sequence[Outcome], console: Console) -> None:
    console.print()
    console.print(Text(headline.category.value.upper(), "bold"))
    console.print(Padding(text(console, headline.sentence), (0, 0, 0, 2)))
    if measured := [outcome for outcome in outcomes if isinstance(outcome, Measured)]:
        console.print()
        console.print(_scores(measured, console))
    for outcome in outcomes:
        name = text(console, untrusted.visible(outcome.check, _NAME_WIDTH))
        for remark in _remarks(outcome):
            console.print(_beside(name, text(console, remark, "yellow")))


def _scores(outcomes: Iterable[Measured], console: Console) -> Table:
    wide = console.width >= WIDE_FROM
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(Text("check"), no_wrap=True, overflow="crop", width=_NAME_WIDTH)
    table.add_column(Text("0" + "1".rjust(BAR_WIDTH - 1)), width=BAR_WIDTH)
    table.add_column(Text("risk [interval]"), no_wrap=True)
    table.add_column(Text("records"), justify="right", no_wrap=True)
    if wide:
        table.add_column(Text("reading"))
    for outcome in outcomes:
        table.add_row(*_row(outcome, console, wide=wide))
    return table


def _row(outcome: Measured, console: Console, *, wide: bool) -> list[Text]:
    name = text(console, untrusted.visible(outcome.check, _NAME_WIDTH), "bold")
    kind = Text(findings.evidence_label(outcome), "dim")
    strip = Text(bar.text_bar(outcome, BAR_WIDTH, _glyphs(console)), "cyan")
    score = Text(wording.fixed(outcome.risk.value), "bold")
    score.append(f" [{wording.fixed(outcome.risk.low)}, {wording.fixed(outcome.risk.high)}]", "not bold")
    records = Text(wording.count(outcome.measurement.n))
    said = Text(findings.short_reading(outcome))
    if wide:
        return [name, strip, score, records, Text.assemble(kind, ": ", said)]
    return [_stacked(name, kind), _stacked(strip, said), score, records]


def _remarks(outcome: Outcome) -> list[str]:
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


def _stacked(first: Text, second: Text) -> Text:
    return Text("\n").join([first, second])


def _glyphs(console: Console) -> bar.Glyphs:
    return bar.ASCII if console.options.ascii_only else bar.UNICODE
