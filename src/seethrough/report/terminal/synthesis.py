"""A synthesis, and what generators there are, for the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text

NO_GUARANTEE = "none"


def render_card(card: Mapping[str, Any], console: Console) -> None:
    """Print how a synthetic table was made."""
    show(lambda on: on.print(_facts(_of_card(card), on)), console)


def render_warnings(warnings: Iterable[str], console: Console) -> None:
    """Print what to beware of."""

    def draw(on: Console) -> None:
        for each in warnings:
            on.print(text(on, f"warning: {each}", "yellow"))

    show(draw, console)


def render_private_notes(notes: Iterable[str], console: Console) -> None:
    """Print what was remarked about the records, which no guarantee covers."""

    def draw(on: Console) -> None:
        for each in notes:
            on.print(text(on, f"for you alone, not covered by epsilon: {each}", "yellow"))

    show(draw, console)


def render_list(cards: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print every generator: what it does, its guarantee, what it needs, its parameters, and where it comes from."""
    show(lambda on: on.print(_listed(cards, on)), console)


def _of_card(card: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    real, privacy = card["real"], card["privacy"]
    yield "synthesizer", f"{card['synthesizer']}, {card['title']}"
    if card["parameters"]:
        yield "parameters", ", ".join(f"{name} = {_plain(value)}" for name, value in card["parameters"].items())
    yield "real", f"{untrusted.name(real['name'])}, {real['rows']:,} rows, {real['columns']:,} columns"
    yield "drawn", f"{card['rows']:,} rows"
    yield "privacy", _privacy(privacy) if privacy else NO_GUARANTEE
    for name, value in card["details"].items():
        yield name.replace("_", " "), _counted(value)
    yield "seed", "unknown: from the operating system" if card["seed"] is None else str(card["seed"])
    if card["seconds"]:
        yield "seconds", ", ".join(f"{name} {value:.2f}" for name, value in card["seconds"].items())


def _privacy(found: Mapping[str, Any]) -> str:
    domain = ", ".join(map(untrusted.name, found["read_columns"]))
    told = f"epsilon = {found['epsilon']:g}, delta = {found['delta']:g}; {found['accountant']}; "
    told += f"domain read from the data for {domain}" if domain else "domain, types and texts as declared"
    return f"{told}; {found['neighbours']}"


def _listed(cards: Sequence[Mapping[str, Any]], console: Console) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for card in cards:
        table.add_row(text(console, card["name"]), text(console, f"{card['title']}. {card['summary']}"))
        for said in _about(card):
            table.add_row("", text(console, said, "dim"))
    return table


def _about(card: Mapping[str, Any]) -> Iterable[str]:
    yield f"guarantee: {card['guarantee'] or NO_GUARANTEE}"
    if card["extra"]:
        yield f"needs: pip install 'seethrough[{card['extra']}]'"
    if card["parameters"]:
        yield "parameters: " + ", ".join(f"{each['name']}={_plain(each['value'])}" for each in card["parameters"])
    if card["cites"]:
        yield "; ".join(card["cites"])


def _facts(facts: Iterable[tuple[str, str]], console: Console) -> Table:
    lines = Table.grid(padding=(0, 2, 0, 0))
    for name, said in facts:
        lines.add_row(text(console, name, "dim"), text(console, said))
    return lines


def _plain(value: object) -> str:
    """Write a value as it can be typed."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _counted(value: object) -> str:
    """Write a value as it is read."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else _plain(value)
