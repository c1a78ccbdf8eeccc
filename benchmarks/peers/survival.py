"""How many rows a program survives, from what `largest` tried, and the table of it."""

from math import log2
from typing import Any

LEAST_GROWTH = 0.05
"""GiB above the peak of few rows below which nothing is said of growth."""


def growth(runs: dict[str, Any], of: str) -> float | None:
    """Give the exponent with which seconds, or GiB above those of few rows, grow from the last but one run done."""
    done = [(int(size), found) for size, found in runs.items() if "seconds" in found]
    if len(done) < 3:
        return None
    base = done[0][1]["peak_gib"] if of == "peak_gib" else 0.0
    (few, before), (many, after) = done[-2:]
    low, high = before[of] - base, after[of] - base
    if of == "peak_gib" and low < LEAST_GROWTH:
        return None
    return log2(high / low) / log2(many / few) if high > 0 and low > 0 else None


def calculated(runs: dict[str, Any], gib: float) -> int | None:
    """Extrapolate the rows at which the memory would be used up, to two digits."""
    power = growth(runs, "peak_gib")
    if not power or power <= 0:
        return None
    done = [(int(size), found["peak_gib"]) for size, found in runs.items() if "seconds" in found]
    (_, base), (many, peak) = done[0], done[-1]
    rows = many * ((gib - base) / (peak - base)) ** (1 / power)
    return int(float(f"{rows:.2g}"))


def end(runs: dict[str, Any]) -> str:
    """Say why no more rows were tried."""
    last = list(runs.values())[-1]
    return str(last.get("failed", f"{int(list(runs)[-1]):,} rows are the most that were tried"))


def survived(runs: dict[str, Any]) -> int:
    """Give the most rows of a run that was done."""
    return max((int(size) for size, found in runs.items() if "seconds" in found), default=0)


HEAD = """| metric there | rows done there | ended by | memory used up at | time grows as n to the | check here | rows \
done here | ended by | memory used up at | time grows as n to the |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def largest_table(largest: dict[str, Any] | None) -> str:
    """Render what was tried."""
    if not largest:
        return "Not measured yet."
    rows = [
        f"| {program}: {metric} | {_side(told, 'theirs')} | `{told['ours']}` | {_side(told, 'ours')} |"
        for program, metrics in largest.items()
        for metric, told in metrics.items()
    ]
    told = next(told for metrics in largest.values() for told in metrics.values())
    where = f"Last measured {told['date']} on {told['machine']}, load {told['load']} at its start."
    return "\n".join([HEAD, *rows, "", where])


def _side(told: dict[str, Any], side: str) -> str:
    runs = told[f"runs_{side}"]
    rows, power = calculated(runs, told["limits"]["gib"]), growth(runs, "seconds")
    used_up = f"about {rows:,} rows, calculated" if rows else "unknown: it hardly grew"
    grows = "unknown" if power is None else f"{power:.2f}"
    return f"{survived(runs):,} | {end(runs)} | {used_up} | {grows}"
