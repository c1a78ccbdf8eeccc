"""Write docs/results/attribute-attacks.md from docs/results/attribute-attacks.json: no number on the page is typed.

python -m benchmarks.attribute_page
"""

import json
from collections.abc import Iterator

from benchmarks.attribute_battery import (
    DRAWS,
    FIGURES,
    PAGE,
    RECORD,
    SHOWN,
    TARGETS,
    Record,
    leaks_as_expected,
    spread,
    values,
)
from benchmarks.attribute_tables import HIDDEN, KEYS

BASE = "forest of 25"
COMPARED = ("cobp, published", "cobp, both", "both, without steps 4 and 5")
DIFFERENCES = {
    "by rarity": ("members", "by rarity"),
    "plain success": ("members", "plain"),
    "whole row": ("members", "whole row"),
    "leak by rarity": ("leak", "by rarity"),
}
INTRODUCTION = f"""# Attribute attacks side by side

Made by `python -m benchmarks.attribute_battery` and `python -m benchmarks.attribute_page` from the tables beside the
checkout. 1,000 members, 1,000 people outside, 1,000 released rows; {DRAWS} draws of people with a release each. Success
in per cent, mean over the hidden columns: members / outside, **leak** (standard error over draws). *By rarity* is the
mean over classes of the success within the class; *whole row* asks for all hidden columns at once. In brackets [ ] what
was expected, from prototypes on other draws, where there is such a figure.

"""
ATTACKS_TEXT = """`gcap`: the rows that differ in fewest known columns. `gls`: recon by least squares with whole-row
queries, each person outside joined to the members' table alone. `forest`: infer, 100 trees. `cobp, published`: 25 trees
of depth 25, beliefs on the tree, correction 1/2. `cobp, both`: the default of cobp.

"""


def success(record: Record) -> Iterator[str]:
    """Write members, outside and leak of every attack."""
    yield f"| table, release | | {' | '.join(SHOWN)} |"
    yield "| --- " * (len(SHOWN) + 2) + "|"
    for cell in record:
        for figure in FIGURES:
            expected = TARGETS["success"].get(cell, {}).get(figure, {})
            shown = [_side_by_side(record, cell, attack, figure, expected.get(attack)) for attack in SHOWN]
            yield f"| {cell if figure == FIGURES[0] else ''} | {figure} | {' | '.join(shown)} |"


def _side_by_side(record: Record, cell: str, attack: str, figure: str, expected: list[float] | None) -> str:
    members, outside = (values(record, cell, attack, side, figure).mean() for side in ("members", "outside"))
    leak, error = spread(values(record, cell, attack, "leak", figure))
    found = f"{members:.1f} / {outside:.1f}, **{round(leak, 1) + 0.0:.1f}** ({error:.1f})"
    return found if expected is None else f"{found} [{expected[0]} / {expected[1]}, {expected[2]} ({expected[3]})]"


def differences(record: Record) -> Iterator[str]:
    """Write what belief propagation gains and loses beside its own forest, draw by draw."""
    cells = [cell for cell in record if BASE in record[cell]]
    yield f"| minus the forest of 25 trees (standard error, paired) | | {' | '.join(cells)} |"
    yield "| --- " * (len(cells) + 2) + "|"
    for attack in COMPARED:
        for name, (side, figure) in DIFFERENCES.items():
            expected = TARGETS["minus the forest of 25"][attack].get(name, {})
            shown = []
            for cell in cells:
                mean, error = spread(
                    values(record, cell, attack, side, figure) - values(record, cell, BASE, side, figure)
                )
                beside = f" [{expected[cell][0]:+} ({expected[cell][1]})]" if cell in expected else ""
                shown.append(f"{mean:+.1f} ({error:.1f}){beside}")
            yield f"| {attack if name == 'by rarity' else ''} | {name} | {' | '.join(shown)} |"


def _numbers(record: Record) -> str:
    """Say what the codes have to do with it."""
    expected = TARGETS["success"]["ACS baynet"]
    shown = ", ".join(
        f"{figure} {_side_by_side(record, 'ACS baynet', 'gcap', figure, expected[figure]['gcap'])}"
        for figure in FIGURES
    )
    return (
        "\nHere every column is declared a category. Where the generator is given the codes of ACS as they stand "
        "in the file it reads\nthose of many levels as numbers and cuts them, and its releases leak less. "
        f"Baynet, gcap, so read: {shown}."
    )


def page(found: dict) -> str:
    """Write the page."""
    record = found["success"]
    columns = "\n".join(f"{data}: known {', '.join(KEYS[data])}; hidden {', '.join(HIDDEN[data])}.\n" for data in KEYS)
    within = leaks_as_expected(record)
    taken = ", ".join(f"{name} {seconds:.1f}" for name, seconds in found["seconds"].items())
    return "\n".join(
        [
            INTRODUCTION + columns,
            ATTACKS_TEXT + "\n".join(success(record)),
            f"\n{sum(within.values())} of {len(within)} leaks are within two standard errors of what was expected; "
            f"the others are: {'; '.join(name for name, near in within.items() if not near)}.",
            _numbers(found["read as numbers"]),
            "\n## What belief propagation is worth\n",
            "\n".join(differences(record)),
            f"\nSeconds of processor time for one release of ACS, all ten hidden columns, one thread: {taken}.",
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(RECORD.read_text())))
