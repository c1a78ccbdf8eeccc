"""Attribute attacks side by side: what they guess of members and of people outside, of two tables and four releases.

`python -m benchmarks.attribute_battery` measures all and writes docs/results/attribute-attacks.json, of which
`python -m benchmarks.attribute_page` makes the page. Success is in per cent, mean over hidden columns: plain, by rarity
(mean over classes of the success within the class), and whole rows, where all hidden columns have to be right. Errors
are standard errors over fresh draws of people and releases.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from unittest.mock import patch

import numpy as np

from benchmarks.attribute_tables import HIDDEN, KEYS, RELEASES, Draw, draws
from benchmarks.measuring import ROOT
from seethrough.attacks.attribute.cobp import Cobp
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.attacks.attribute.infer import Infer
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.checks.targets import guess_for_everybody
from seethrough.data.rows import stack_tables
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.kernels.statistics.class_success import class_success
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses, JointAttack
from seethrough.seeds import stream

DRAWS = 5
RECORD, PAGE = ROOT / "docs/results/attribute-attacks.json", ROOT / "docs/results/attribute-attacks.md"
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
LEAKING = ("nonprivate", "baynet")
ONLY_WHERE_IT_LEAKS = ("forest of 25", "both, without steps 4 and 5")
"""Attacks that serve the comparison of attacks alone."""
TARGETS = json.loads(Path(__file__).with_name("attribute_targets.json").read_text())
"""What was expected: figures of prototypes, measured on other draws."""

Record = dict[str, dict[str, list[dict[str, dict[str, float]]]]]
"""By table and release, by attack, for each draw: members and outside, by figure."""


def views_of(draw: Draw, data: str) -> tuple[list[AttributeView], Bools, np.ndarray]:
    """Give what an adversary sees for each hidden column, who is a member, and the truth (people x columns)."""
    people = stack_tables([draw.members, draw.outside])
    inside = np.arange(len(people)) < len(draw.members)
    order = stream(0, "order of people").permutation(len(people))
    people, inside = people.take(order), inside[order]
    known, everybody = people.project(KEYS[data]), np.arange(len(people))
    views, truth = [], []
    for name in HIDDEN[data]:
        # As in an audit: the values that people or the release have.
        classes = np.union1d(people.column(name), draw.released.column(name))
        codes = tuple(map(int, classes))
        views.append(AttributeView(known, (draw.released,), name, codes, everybody, Budget(threads=1)))
        truth.append(np.searchsorted(classes, people.column(name)))
    return views, inside, np.column_stack(truth)


def answers(
    attack: AttributeAttack, views: Sequence[AttributeView], inside: Bools, rng: np.random.Generator
) -> list[Guesses]:
    """Let an attack answer for all hidden columns."""
    if isinstance(attack, JointAttack):
        return list(attack.guess_all(views, rng, inside))
    return [guess_for_everybody(attack, view, inside, rng) for view in views]


@contextmanager
def remembered() -> Iterator[None]:
    """Solve the least squares of a column once for all attacks that ask for them."""
    solve, found = Recon.guess_joined, {}

    def look_up(self: Recon, view: AttributeView, inside: Bools, rng: np.random.Generator) -> Guesses | None:
        asked = self, view.secret, view.classes
        if asked not in found:
            found[asked] = solve(self, view, inside, rng)
        return found[asked]

    with patch.object(Recon, "guess_joined", look_up):
        yield


def measure(draw: Draw, data: str, names: Sequence[str]) -> dict[str, dict[str, dict[str, float]]]:
    """Score the answers of attacks for members and for people outside."""
    views, inside, truth = views_of(draw, data)
    scored = {}
    with remembered():
        for name in names:
            found = answers(ATTACKS[name], views, inside, stream(0, "answers"))
            hits = np.column_stack([expected_hits(each.scores, truth[:, place]) for place, each in enumerate(found)])
            rare = np.mean([_rare(*columns, inside) for columns in zip(hits.T, truth.T, strict=True)], axis=0)
            scored[name] = {
                side: {"plain": 100 * hits[group].mean(), "by rarity": 100 * by_class, "whole row": 100 * whole}
                for side, group, by_class, whole in (
                    ("members", inside, rare[0], hits[inside].prod(axis=1).mean()),
                    ("outside", ~inside, rare[1], hits[~inside].prod(axis=1).mean()),
                )
            }
    return scored


def _rare(hits: Floats, truth: Ints, inside: Bools) -> tuple[float, float]:
    [found] = class_success([hits], truth, inside, stream(0, "unused"), 1)
    assert found is not None
    return found.members, found.outsiders


def run(releases: Sequence[str] = RELEASES, count: int = DRAWS) -> Iterator[tuple[str, Record]]:
    """Measure all attacks on fresh draws; after each table and release give what there is so far."""
    record: Record = {}
    for data in KEYS:
        for release in releases:
            names = [name for name in ATTACKS if release in LEAKING or name not in ONLY_WHERE_IT_LEAKS]
            found = [measure(draw, data, names) for draw in draws(data, release, count)]
            record[f"{data} {release}"] = {name: [each[name] for each in found] for name in names}
            yield f"{data} {release}", record


def read_as_numbers() -> Record:
    """Measure one attack on releases of a generator that was given codes as numbers."""
    found = [measure(draw, "ACS", ["gcap"]) for draw in draws("ACS", "baynet", DRAWS, as_numbers=True)]
    return {"ACS baynet": {"gcap": [each["gcap"] for each in found]}}


def seconds(data: str = "ACS", release: str = "baynet") -> dict[str, float]:
    """Time the attacks on one release, all hidden columns, one thread."""
    [draw] = draws(data, release, 1)
    views, inside, _ = views_of(draw, data)
    taken = {}
    for name in SHOWN:
        begun = process_time()
        answers(ATTACKS[name], views, inside, stream(0, "answers"))
        taken[name] = round(process_time() - begun, 2)
    return taken


def values(record: Record, cell: str, attack: str, side: str, figure: str) -> Floats:
    """Give one figure of all draws; the side is members, outside, or leak."""
    found = record[cell][attack]
    if side == "leak":
        return values(record, cell, attack, "members", figure) - values(record, cell, attack, "outside", figure)
    return np.array([each[side][figure] for each in found])


def spread(found: Floats) -> tuple[float, float]:
    """Give mean and standard error."""
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found)))


def leaks_as_expected(record: Record) -> dict[str, bool]:
    """Tell which leaks are within two standard errors, of both measurements, of what was expected."""
    within = {}
    for cell, figures in TARGETS["success"].items():
        for figure, attacks in figures.items():
            for attack, (_, _, leak, error) in attacks.items():
                mean, own = spread(values(record, cell, attack, "leak", figure))
                # Expected errors are rounded to tenths: 0.0 may be 0.05.
                near = abs(mean - leak) <= 2 * np.hypot(max(error, 0.05), own)
                within[f"{cell}, {figure}, {attack}"] = bool(near)
    return within


if __name__ == "__main__":
    for done, so_far in run():
        RECORD.write_text(json.dumps({"draws": DRAWS, "success": so_far}, indent=1) + "\n")
        print(done, flush=True)
    record = {"draws": DRAWS, "success": so_far, "read as numbers": read_as_numbers(), "seconds": seconds()}
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
