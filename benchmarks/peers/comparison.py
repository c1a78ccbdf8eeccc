"""The table of other programs beside ours, from the record."""

from math import log
from typing import Any

HEAD = """| metric there | check here | rows | there | here | ratio | score there | score here |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


def table(peers: dict[str, Any] | None) -> str:
    """Render all programs."""
    if not peers:
        return "Not measured yet."
    return "\n\n".join(_program(name, told) for name, told in peers.items())


def _program(name: str, told: dict[str, Any]) -> str:
    if "left_out" in told:
        return f"**{name}** ({told['licence']}): left out, {told['left_out']}."
    rows = [row for pair in told["pairs"] for row in _rows(pair)]
    growths = "; ".join(_growth(pair) for pair in told["pairs"])
    where = f"Measured {told['date']} on {told['machine']}, load {told['load']} at its start."
    return "\n".join(
        [
            f"**{name}** ({told['licence']}), `{told['installed']}`:",
            "",
            HEAD,
            *rows,
            "",
            f"Growth of the time with n, power: {growths}. {where}",
        ]
    )


def _rows(pair: dict[str, Any]) -> list[str]:
    differs = f" ({pair['differs']})" if pair["differs"] else ""
    rows = []
    for size, theirs in pair["runs"]["theirs"].items():
        ours = pair["runs"]["ours"][size]
        both = "seconds" in theirs and "seconds" in ours
        ratio = f"{theirs['seconds'] / ours['seconds']:,.1f}" if both else ""
        told = f"{pair['theirs']}{differs} | `{pair['ours']}` | {int(size):,}"
        rows.append(f"| {told} | {_cost(theirs)} | {_cost(ours)} | {ratio} | {_scores(theirs)} | {_scores(ours)} |")
    return rows


def _cost(run: dict[str, Any]) -> str:
    if "seconds" not in run:
        return str(run["failed"])
    return f"{run['seconds']:.2f} s, {run['peak_gib']:.2f} GiB"


def _scores(run: dict[str, Any]) -> str:
    found = {name: value for name, value in run.get("scores", {}).items() if value is not None}
    return ", ".join(f"{name} {value:.4g}" for name, value in list(found.items())[:2])


def _growth(pair: dict[str, Any]) -> str:
    there, here = (_power(pair["runs"][side]) for side in ("theirs", "ours"))
    return f"{pair['theirs']} {there}, here {here}"


def _power(runs: dict[str, Any]) -> str:
    done = [(int(size), run["seconds"]) for size, run in runs.items() if "seconds" in run]
    if len(done) < 2:
        return "unknown"
    (few, short), (many, long) = done[0], done[-1]
    return f"{log(long / short) / log(many / few):.2f}"
