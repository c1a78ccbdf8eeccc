"""The page docs/results/whatif.md, from what `benchmarks/what_if.py` measured.

python benchmarks/what_if_page.py docs/results
"""

import json
import sys
from pathlib import Path

import numpy as np
from jinja2 import Template

from seethrough.auditing.levers.ranking import SMALLEST_LOSS

LOOKUP = "key-lookup"
TUNED = 7
"""Releases that had been seen when the smallest loss that counts was set."""


def score(row: dict, floor: float) -> float:
    """Give leak removed per utility lost."""
    return -row["change"]["value"] / max(-row["utility_change"], floor)


def order(rows: list[dict], floor: float) -> list[dict]:
    """Rank the levers that surely help."""
    helping = [row for row in rows if row["change"] and row["helps"] and row["is_remedy"]]
    return sorted(helping, key=lambda row: -score(row, floor))


def agreement(cases: list[dict], floor: float) -> list[tuple[dict | None, list[dict]]]:
    """Give what is recommended, and all levers in order, of every case."""
    return [(next(iter(order(case["rows"], floor)), None), order(case["every"], floor)) for case in cases]


def is_best(recommended: dict | None, every: list[dict]) -> bool:
    """Tell whether the lever recommended is the first of all."""
    first = every[0]["lever"] if every else None
    return (recommended["lever"] if recommended else None) == first


def hundred(estimate: dict, *, turned: bool = False) -> str:
    """Give an estimate out of 100 with its interval; `turned` says removed instead of changed."""
    sign, ends = (-1, ("high", "low")) if turned else (1, ("low", "high"))
    return f"{100 * sign * estimate['value']:.1f} ({' to '.join(f'{100 * sign * estimate[end]:.1f}' for end in ends)})"


def levers_part(cases: list[dict]) -> dict[str, object]:
    """Write about the lever recommended."""
    found = agreement(cases, SMALLEST_LOSS)
    lines = []
    for case, (recommended, every) in zip(cases, found, strict=True):
        names = [row["lever"] for row in every]
        told = recommended or {"lever": "none", "change": None, "utility_change": 0.0}
        place = names.index(told["lever"]) + 1 if told["lever"] in names else "-"
        lines.append(
            (
                f"{case['table']}, {case['generator']}, {case['sample']}",
                f"{hundred(case['baseline']['leak'])}, {case['baseline']['grade']}",
                told["lever"],
                hundred(told["change"], turned=True) if told["change"] else "-",
                f"{-100 * told['utility_change']:.1f}",
                names[0] if names else "none",
                f"{place} of {case['levers']}",
            )
        )
    head = ("release, sample", "leak of 100", "recommended", "removes", "utility lost", "best of all levers", "place")
    utility, leak, pairs = spread(cases)
    return {
        "count": len(cases),
        "levers": table(head, lines),
        "right": sum(is_best(*each) for each in found),
        "fresh": len(found) - TUNED,
        "fresh_right": sum(is_best(*each) for each in found[TUNED:]),
        "stricter": sum(is_best(*each) for each in agreement(cases, 0.01)),
        "utility": f"{utility:.1f}",
        "leak": f"{leak:.1f}",
        "pairs": pairs,
    }


def spread(cases: list[dict]) -> tuple[float, float, int]:
    """Say how far the same lever differs with another seed."""
    utility, leak = [], []
    for case in cases:
        later = {row["lever"]: row for row in case["every"] if row["change"]}
        for row in case["rows"]:
            if row["change"] and row["lever"] in later:
                utility.append(row["utility_change"] - later[row["lever"]]["utility_change"])
                leak.append(row["change"]["value"] - later[row["lever"]]["change"]["value"])
    first, second = (100 * np.std(values) / np.sqrt(2) for values in (utility, leak))
    return float(first), float(second), len(utility)


def copies_part(cases: list[dict]) -> dict[str, object]:
    """Write about near copies."""
    lines, within, lower, looked = [], 0, 0, 0
    for case in cases:
        guesses = [each for each in case["attacks"] if not each["attack"].startswith(LOOKUP)]
        lookups = [each for each in case["attacks"] if each["attack"].startswith(LOOKUP)]
        best, found = (max(some, key=lambda each: each["before"]) for some in (guesses, lookups))
        within += best["change"]["low"] <= 0 <= best["change"]["high"]
        looked += found["change"]["low"] <= 0 <= found["change"]["high"]
        before, after = case["scores"]["before"], case["scores"]["after"]
        lower += all(after[name] < before[name] for name in before)
        lines.append(
            (
                f"{case['table']}, {case['generator']}, {case['sample']}",
                str(case["dropped"]),
                *(f"{before[name]:.3f}, {after[name]:.3f}" for name in before),
                f"{best['attack']}: {100 * best['before']:.1f}, {100 * best['after']:.1f}",
                hundred(best["change"]),
                f"{found['attack']}: {100 * found['before']:.1f}, {100 * found['after']:.1f}",
                hundred(found["change"]),
            )
        )
    names = list(cases[0]["scores"]["before"])
    head = ("release, sample", "rows dropped", *names, "best guess of the secret", "change", "best look-up", "change")
    counts = {"lower": lower, "within": within, "looked": looked, "releases": len(cases)}
    return {"copies": table(head, lines), **counts}


def table(head: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    """Write a table in Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, tuple("---" for _ in head), *lines))


def main(folder: Path) -> None:
    """Write the page."""
    levers, copies = (json.loads((folder / name).read_text()) for name in ("whatif.json", "whatif-copies.json"))
    template = Template((Path(__file__).parent / "what_if.md.jinja").read_text(), keep_trailing_newline=True)
    (folder / "whatif.md").write_text(template.render(**levers_part(levers), **copies_part(copies)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
