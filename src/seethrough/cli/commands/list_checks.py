"""`seethrough list`: every check there is."""

from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli.output import print_json

if TYPE_CHECKING:
    from seethrough.report.words.explanation import Explanation


def list_checks(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the checks: the question each one asks, its category, what it needs, and its parameters."""
    from seethrough.plugins import catalog
    from seethrough.report.words import explanation

    checks = [explanation.explain(check) for check in catalog.load().values()]
    if json:
        print_json([check.describe() for check in checks])
    else:
        _print_table(checks)


def _print_table(checks: "list[Explanation]") -> None:
    from rich.console import Console
    from rich.table import Table

    from seethrough.report.terminal.printing import show, text
    from seethrough.report.words import explanation

    console = Console()
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for check in checks:
        card = check.card
        needs = f"; needs {', '.join(need.value for need in card.needs)}" if card.needs else ""
        about = f"{card.category.value}, {card.evidence.value}{needs}; {', '.join(card.cites)}"
        parameters = ", ".join(map(explanation.compact, check.parameters))
        table.add_row(text(console, card.name), text(console, card.question))
        table.add_row("", text(console, about, "dim"))
        if parameters:
            table.add_row("", text(console, parameters, "dim"))
    show(lambda on: on.print(table), console)
