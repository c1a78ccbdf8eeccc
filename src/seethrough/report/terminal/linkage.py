"""A linkage for the terminal."""

from collections.abc import Sequence
from itertools import islice

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text
from seethrough.report.words import growth, wording
from seethrough.results.estimate import Curve, Estimate
from seethrough.results.linkage import Disclosure, LinkageReport

AGAINST = {
    "permuted": "permuted: the release with every column permuted by itself",
    "holdout": "holdout: real records that were kept out",
}
SHOWN = 5
"""Records shown as examples, and what is shown of them."""
IDENTITY_SHOWN = {"row": "row", "linked rows": "linked_rows", "distance": "distance", "alone": "alone"}
SECRET_SHOWN = {
    **{"row": "row", "linked rows": "linked_rows", "ranks found": "ranks_found", "true": "true_rank"},
    **{"lowest": "low_rank", "highest": "high_rank", "right": "right"},
}


def render(report: LinkageReport, console: Console) -> None:
    """Print what linkage discloses, beside tables that disclose nobody."""
    show(lambda on: _print(report, on), console)


def _print(report: LinkageReport, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: linkage by ranks", "bold"))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for name, said in _facts(report):
        lines.add_row(Text(name, "dim"), text(console, said))
    console.print(lines)
    if report.disclosures:
        for disclosure in report.disclosures:
            _print_disclosure(disclosure, report, console)
    else:
        _print_identity(report, console)
    _print_examples(report, console)
    if report.notes:
        console.print()
    for note in report.notes:
        console.print(text(console, f"note: {note}", "dim"))


def _facts(report: LinkageReport) -> list[tuple[str, str]]:
    files = zip(report.synthetic, report.rows, strict=True)
    secret = ", ".join(map(untrusted.name, report.secrets)) or "none: records are linked by all columns"
    return [
        ("real", f"{untrusted.name(report.real)}, {wording.count_of(report.size, 'record')}"),
        ("synthetic", "; ".join(f"{untrusted.name(name)}, {wording.count_of(rows, 'row')}" for name, rows in files)),
        ("holdout", untrusted.name(report.holdout) if report.holdout else "none given"),
        ("linked by", f"{report.criterion} of rank differences in {wording.count_of(len(report.keys), 'column')}"),
        ("secret", secret),
        ("against", "; ".join(AGAINST[side] for side in report.identity if side in AGAINST)),
        ("seed", str(report.seed)),
    ]


def _print_identity(report: LinkageReport, console: Console) -> None:
    console.print()
    console.print(Text("Who is linked to whom", "bold"))
    told = "alone: one row is linked, and to nobody else; equal: a linked row has the same ranks in all columns"
    console.print(text(console, told, "dim"))
    table = _table("linked to", "alone", "equal", "rows linked")
    for number, name in enumerate(report.synthetic):
        table.add_row(text(console, untrusted.visible(name, 40), "bold"))
        for side, files in report.identity.items():
            score = files[number]
            cells = (_value(score.alone), _value(score.equal), f"{score.rows:.2f}")
            table.add_row(f"  {side}", *(text(console, cell) for cell in cells))
    console.print(table)


def _print_disclosure(found: Disclosure, report: LinkageReport, console: Console) -> None:
    console.print()
    values = wording.count_of(found.values, "value")
    console.print(text(console, f"Secret column {untrusted.name(found.column)}, {values}", "bold"))
    told = "exact: all linked rows show the true value; chance: share of linked rows that do; error: in ranks, of all"
    console.print(text(console, told, "dim"))
    table = _table("linked to", "exact", "chance", "error")
    for number, name in enumerate(report.synthetic):
        table.add_row(text(console, untrusted.visible(name, 40), "bold"))
        for side, files in found.files.items():
            score = files[number]
            cells = (_value(each) for each in (score.exact, score.chance, score.error))
            table.add_row(f"  {side}", *(text(console, cell) for cell in cells))
    console.print(table)
    _print_growth(found, report, console)


def _print_growth(found: Disclosure, report: LinkageReport, console: Console) -> None:
    console.print()
    console.print(Text("All files together" if len(report.synthetic) > 1 else "The interval of ranks found", "bold"))
    told = f"narrow: at most {wording.percent(report.narrow)} of all ranks; confused: narrow and without the truth"
    console.print(text(console, told, "dim"))
    table = _table("files", "linked to", *(curve.name for curve in found.curves))
    for row in growth.rows(found.curves, intervals=False):
        table.add_row(*(text(console, cell) for cell in row))
    console.print(table)
    for line in _conclusions(found.curves, len(report.synthetic)):
        console.print(text(console, line))


def _conclusions(curves: Sequence[Curve], files: int) -> list[str]:
    found = {curve.name: {side: values[-1] for side, values in curve.values.items()} for curve in curves}
    them = "this file" if files == 1 else f"these {files} files"
    told = {"narrow and right": f"that {them} narrow{'s' * (files == 1)} down rightly", "confused": "that are confused"}
    lines = []
    for name, what in told.items():
        others = " and ".join(
            f"{wording.format_fixed(value.value)} with {side}"
            for side, value in found[name].items()
            if side != "release"
        )
        release = found[name]["release"]
        lines.append(
            f"Records {what}: {wording.format_fixed(release.value)} ({wording.span(release)}), against {others}."
        )
    return lines


def _print_examples(report: LinkageReport, console: Console) -> None:
    """Show the first records: what they are linked to, and what that says."""
    console.print()
    console.print(Text("The first records in the first file", "bold"))
    rows = [dict(zip(report.records.columns, row, strict=True)) for row in islice(report.records.rows(), SHOWN)]
    names = SECRET_SHOWN if report.secrets else IDENTITY_SHOWN
    table = _table(*names)
    for row in rows:
        table.add_row(*(text(console, _cell(row[name])) for name in names.values()))
    console.print(table)


def _cell(found: object) -> str:
    if isinstance(found, bool):
        return "yes" if found else "no"
    return untrusted.visible(f"{found:g}" if isinstance(found, float) else str(found), 18)


def _value(found: Estimate) -> str:
    return (
        f"{wording.format_fixed(found.value)} [{wording.format_fixed(found.low)}, {wording.format_fixed(found.high)}]"
    )


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(Text(head), no_wrap=True)
    return table
