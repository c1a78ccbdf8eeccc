"""`seethrough explain`: everything there is to say about a check or an attack."""

from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli.output import print_json

if TYPE_CHECKING:
    from seethrough.report.words.attack_explanation import AttackExplanation
    from seethrough.report.words.explanation import Explanation


def explain(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of a check or an attack; see `seethrough list`.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
) -> None:
    """Explain a check or an attack: what it does, its definition, its parameters, and how far it can be trusted."""
    from seethrough.plugins import catalog
    from seethrough.report.words import attack_explanation, explanation

    catalog.refuse_unknown_name(name)
    check = explanation.explain(catalog.find(name)) if name in catalog.load() else None
    attacks = [
        attack_explanation.explain_attack(card, attack, catalog.presets_with(attack))
        for card, attack in catalog.find_attacks(name)
    ]
    if json:
        told = [attack.to_dict() for attack in attacks]
        print_json(check.to_dict() | {"attacks": told} if check else told[0])
    else:
        _print(check, attacks)


def _print(check: "Explanation | None", attacks: "list[AttackExplanation]") -> None:
    from seethrough.report.terminal import explained as explained_terminal
    from seethrough.report.terminal.printing import open_console, show, text

    console = open_console()
    if check and attacks:
        told = f"{check.card.name} is a check of audits and an attack; both are explained, the check first.\n"
        show(lambda on: on.print(text(on, told, "italic"), end="\n\n"), console)
    if check:
        explained_terminal.render(check, console)
    for number, attack in enumerate(attacks):
        if check or number:
            show(lambda on: on.print("\n" + "-" * min(on.width, 80)), console)
        explained_terminal.render_attack(attack, console)
