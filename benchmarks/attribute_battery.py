"""Attribute attacks side by side: what they guess of members and of people outside, of two tables and four releases.

`python -m benchmarks.attribute_battery` measures all and writes docs/attacks/comparison.json; `... page` writes the
page of it, docs/attacks/comparison.md. Success is in per cent, mean over hidden columns: plain, by rarity (mean over
classes of the success within the class), and whole rows, where all hidden columns have to be right. Errors are standard
errors over fresh draws of people and releases.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from benchmarks.attribute_tables import HIDDEN, KEYS, RELEASES, Draw, draws
from benchmarks.measuring import ROOT
from seethrough.attacks.attribute.cobp import Cobp
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.attacks.attribute.infer import Infer
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.checks.targets import guess_for_everybody
from seethrough.data.rows import stack_tables
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.kernels.statistics.class_success import class_success
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses, JointAttack
from seethrough.seeds import stream

DRAWS = 5
RECORD, PAGE = ROOT / "docs/attacks/comparison.json", ROOT / "docs/attacks/comparison.md"
SHOWN = ("gcap", "gls", "forest", "cobp, published", "cobp, both")
ATTACKS: dict[str, AttributeAttack] = {
    "gcap": Gcap(),
    "gls": Recon(variant="gls", whole=True),
    "forest": Infer(),
    "forest of 25": Cobp("forest", graph="none", correction=0.0),
    "cobp, published": Cobp("forest"),
    "cobp, both": Cobp(),
    "both, without steps 4 and 5": Cobp(graph="none"),
}
FIGURES = ("plain", "by rarity", "whole row")


@dataclass(frozen=True)
class Measured:
    """What one attack came to on one draw: members and outside by figure, in per cent, and seconds of one core."""

    members: dict[str, float]
    outside: dict[str, float]
    seconds: float


def views_of(draw: Draw, data: str) -> tuple[list[AttributeView], Bools, np.ndarray]:
    """Give what an adversary sees for each hidden column, who is a member, and the truth (people x columns)."""
    people = stack_tables([draw.members, draw.outside])
    inside = np.arange(len(people)) < len(draw.members)
    order = stream(0, "order of people").permutation(len(people))
    people, inside = people.take(order), inside[order]
    known, everybody = people.project(KEYS[data]), np.arange(len(people))
    classes = [tuple(range(1, len(people.schema[name].levels) + 1)) for name in HIDDEN[data]]
    views = [
        AttributeView(known, (draw.released,), name, codes, everybody, Budget(threads=1))
        for name, codes in zip(HIDDEN[data], classes, strict=True)
    ]
    return views, inside, np.column_stack([people.column(name).astype(np.int64) - 1 for name in HIDDEN[data]])


def answers(
    attack: AttributeAttack, views: Sequence[AttributeView], inside: Bools, rng: np.random.Generator
) -> list[Guesses]:
    """Let an attack answer for all hidden columns."""
    if isinstance(attack, JointAttack):
        return list(attack.guess_all(views, rng, inside))
    return [guess_for_everybody(attack, view, inside, rng) for view in views]


def measure(attack: AttributeAttack, draw: Draw, data: str) -> Measured:
    """Score the answers for members and for people outside."""
    views, inside, truth = views_of(draw, data)
    begun = process_time()
    found = answers(attack, views, inside, stream(0, "answers"))
    seconds = process_time() - begun
    hits = np.column_stack([expected_hits(each.scores, truth[:, place]) for place, each in enumerate(found)])
    rare = [_rare(hits[:, place], truth[:, place], inside) for place in range(hits.shape[1])]
    sides = []
    for side, group in enumerate((inside, ~inside)):
        plain, whole = hits[group].mean(), hits[group].prod(axis=1).mean()
        sides.append(dict(zip(FIGURES, (100 * plain, 100 * np.mean(rare, axis=0)[side], 100 * whole), strict=True)))
    return Measured(sides[0], sides[1], seconds)


def _rare(hits: Floats, truth: np.ndarray, inside: Bools) -> tuple[float, float]:
    [found] = class_success([hits], truth, inside, stream(0, "unused"), 1)
    assert found is not None
    return found.members, found.outsiders


def run(names: Sequence[str] = tuple(ATTACKS), releases: Sequence[str] = RELEASES, count: int = DRAWS) -> dict:
    """Measure attacks on fresh draws: by table, release and attack a list of what was found."""
    record: dict = {}
    for data in KEYS:
        for release in releases:
            found: dict[str, list] = {name: [] for name in names}
            for draw in draws(data, release, count):
                for name in names:
                    each = measure(ATTACKS[name], draw, data)
                    found[name].append({"members": each.members, "outside": each.outside, "seconds": each.seconds})
            record[f"{data} {release}"] = found
    return record


def spread(values: Floats) -> tuple[float, float]:
    """Give mean and standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


if __name__ == "__main__":
    if sys.argv[1:] != ["page"]:
        RECORD.write_text(json.dumps(run(), indent=1) + "\n")
