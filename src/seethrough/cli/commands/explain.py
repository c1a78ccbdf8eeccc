"""`seethrough explain`: everything there is to say about one check."""

from typing import Annotated

import typer

from seethrough.cli.output import print_json


def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a check; see `seethrough list`.")],
    json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
) -> None:
    """Explain a check: its question, its definition, its parameters, and how far it can be trusted."""
    from seethrough.plugins import catalog
    from seethrough.report.terminal import explained as explained_terminal
    from seethrough.report.words import explanation

    explained = explanation.explain(catalog.find(name))
    if json:
        print_json(explained.to_dict())
        return
    from rich.console import Console

    explained_terminal.render(explained, Console())
