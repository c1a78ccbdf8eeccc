"""`seethrough list`: every check there is, or every attack."""

from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli.output import print_json

if TYPE_CHECKING:
    from rich.table import Table

    from seethrough.report.words.attack_explanation import AttackExplanation
    from seethrough.report.words.explanation import Explanation


def list_checks(
    attacks: Annotated[bool, typer.Option("--attacks", help="List the attacks instead.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the checks: the question each one asks, its category, what it needs, and its parameters."""
    from seethrough.plugins import catalog
    from seethrough.report.words import explanation

    if attacks:
        _list_attacks(as_json=json)
        return
    checks = [explanation.explain(check) for check in catalog.load().values()]
    if json:
        print_json([check.describe() for check in checks])
    else:
        _print_table(checks)


def _print_table(checks: "list[Explanation]") -> None:
    from seethrough.report.terminal.printing import open_console, show, text
    from seethrough.report.words import explanation

    console = open_console()
    table = _table()
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
    show(lambda on: on.print("\n`seethrough list --attacks` lists the attacks."), console)


def _list_attacks(*, as_json: bool) -> None:
    from seethrough.plugins import catalog
    from seethrough.report.words.attack_explanation import explain_attack

    every = [explain_attack(card, attack, catalog.presets_with(attack)) for card, attack in catalog.described_attacks()]
    if as_json:
        print_json([each.describe() for each in every])
    else:
        _print_attacks(every)


def _print_attacks(attacks: "list[AttackExplanation]") -> None:
    from seethrough.protocols.attack_card import SEES
    from seethrough.report.terminal.printing import open_console, show, text
    from seethrough.report.words.attack_explanation import FAMILY_TITLES

    console = open_console()
    for number, (family, title) in enumerate(FAMILY_TITLES.items()):
        show(lambda on, said="\n" * bool(number) + title: on.print(said, style="bold"), console)  # type: ignore[misc]
        table = _table()
        for each in attacks:
            if each.card.families[0] is family:
                table.add_row(text(console, each.card.name), text(console, each.card.title))
                table.add_row("", text(console, f"sees: {each.card.said(SEES)}", "dim"))
                table.add_row("", text(console, _how(each), "dim"))
        show(lambda on, drawn=table: on.print(drawn), console)  # type: ignore[misc]


def _how(attack: "AttackExplanation") -> str:
    from seethrough.report.words import explanation

    return "; ".join(filter(None, [attack.in_audits, ", ".join(map(explanation.compact, attack.parameters))]))


def _table() -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    return table
