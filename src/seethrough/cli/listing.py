"""`seethrough list`: every check there is."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from seethrough.contracts.check import Check


def list_checks(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the checks: the question each one asks, its category, what it needs, and where it comes from."""
    from seethrough import catalog

    checks = list(catalog.load().values())
    if json:
        from json import dumps

        typer.echo(dumps([described(check) for check in checks], indent=2, ensure_ascii=False))
    else:
        _print_table(checks)


def described(check: "Check") -> dict[str, Any]:
    """Give what is known about a check as plain values."""
    from seethrough.contracts.parameters import plain

    card = check.card
    return {
        "check": card.name,
        "title": card.title,
        "question": card.question,
        "cannot_tell": card.cannot_tell,
        "category": card.category.value,
        "evidence": card.evidence.value,
        "needs": [need.value for need in card.needs],
        "unit": card.raw_unit,
        "references": list(card.cites),
        "params": plain(check),
        "version": card.version,
    }


def _print_table(checks: "list[Check]") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for check in checks:
        card = check.card
        needs = f"; needs {', '.join(need.value for need in card.needs)}" if card.needs else ""
        table.add_row(card.name, card.question)
        table.add_row("", f"{card.category.value}, {card.evidence.value}{needs}; {', '.join(card.cites)}", style="dim")
    Console().print(table)
