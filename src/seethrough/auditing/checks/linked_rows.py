"""The rows that linkage by ranks links to one person, and what they show in the hidden columns."""

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, list_rows, say_number
from seethrough.data.release import Part
from seethrough.data.rows import aligned_rows
from seethrough.games.linkage.subject import linkage_subject
from seethrough.protocols.linkage import LinkageAttack
from seethrough.results.explained.worked import Step
from seethrough.seeds import stream


def linked_step(
    bench: Bench[Part],
    example: Example,
    attack: LinkageAttack,
    *,
    known: tuple[str, ...],
    hidden: tuple[str, ...],
    salt: int,
) -> Step:
    """Link this person alone, by the ranks of the whole tables, and list the rows."""
    assert example.row is not None
    real, released = bench.table(Part.TRAIN), bench.table(Part.SYNTHETIC)
    places = aligned_rows(released, len(real), stream(salt, "release"))
    who = linkage_subject(real, known, hidden, np.array([example.row]))
    linked = attack.link(who.view(released.take(places), bench.budget))
    rows, far = np.unique(places[linked.rows(0)]), float(linked.nearest.distances[0])
    right = {name: float(linked.found[name].chances(who.truths[name])[0]) for name in hidden}
    shown = " and ".join(f"{say_number(share)} of them the true {name}" for name, share in right.items())
    said = (
        f"Both tables are ranked column by column. By {len(known)} known columns, the released rows nearest to this "
        f"person in ranks ({attack.criterion_name} of the differences) are {len(rows):,}, at {say_number(far)}; "
        f"{shown}."
    )
    numbers = {"rows": float(len(rows)), "distance in ranks": far, **right}
    return Step(said, "", numbers, (list_rows(bench, example, Part.SYNTHETIC, rows, "linked by ranks"),))
