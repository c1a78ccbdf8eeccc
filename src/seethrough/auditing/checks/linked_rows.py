"""The rows that linkage by ranks links to one person, and what they show in the hidden columns."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, list_rows, say_number
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.release import Part
from seethrough.data.rows import aligned_rows
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.games.linkage.subject import LinkageSubject, linkage_subject
from seethrough.kernels.arrays import Ints
from seethrough.protocols.linkage import LinkageAttack, LinkedRows, LinkingOneByOne, RankingAttack
from seethrough.results.explained.worked import Step
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class RankedPair:
    """The real side of a linkage, with everybody as a target, the released rows that were drawn, and the ranks."""

    who: LinkageSubject
    places: Ints
    linking: LinkingOneByOne | None


@dataclass(frozen=True)
class LinkagePrepared:
    """Request: both tables ranked by some known columns, so that people are linked one by one."""

    attack: LinkageAttack
    known: tuple[str, ...]
    hidden: tuple[str, ...]
    salt: int

    def compute(self, bench: Bench[Part]) -> RankedPair:
        """Bring the tables to one size and rank them, as the run did."""
        real = bench.table(Part.TRAIN)
        released = linkable_rows(bench.table(Part.SYNTHETIC), len(real))
        places = aligned_rows(released, len(real), stream(self.salt, "release"))
        who = linkage_subject(real, self.known, self.hidden, np.arange(len(real)))
        if not isinstance(self.attack, RankingAttack):
            return RankedPair(who, places, None)
        return RankedPair(who, places, self.attack.prepare_linking(who.view(released.take(places), bench.budget)))


def linkable_rows(released: Table, records: int) -> Table:
    """Give the released rows of which as many are drawn as there are records; of a release in chunks those drawn."""
    if not isinstance(released, ChunkedTable):
        return released
    if len(released.drawn) < min(records, len(released)):
        raise NotApplicable(
            f"as many released rows as the {records:,} records are linked, and {len(released.drawn):,} are drawn from "
            "a release that is read in chunks"
        )
    return released.drawn


def linked_step(bench: Bench[Part], example: Example, prepared: LinkagePrepared) -> Step:
    """Show the rows linked to this person, by the ranks of the whole tables."""
    assert example.row is not None
    pair, criterion = bench.get(prepared), prepared.attack.criterion_name
    if pair.linking is None:
        said = f"The attack links this person to released rows by {len(prepared.known)} known columns ({criterion})."
        return Step(said, "", {"known columns": float(len(prepared.known))})
    linked = pair.linking.link_one(example.row)
    rows = np.unique(pair.places[linked.rows])
    right = _shares(linked, pair.who, example.row)
    shown = " and ".join(f"{say_number(share)} of them show the true {name}" for name, share in right.items())
    found = f"{len(rows):,}, at {say_number(linked.distance)}; {shown}"
    said = (
        f"Both tables are ranked column by column. By {len(prepared.known)} known columns, the released rows nearest "
        f"to this person in ranks ({criterion} of the differences) are {found}."
    )
    numbers = {"rows": float(len(rows)), "distance in ranks": linked.distance, **right}
    return Step(said, "", numbers, (list_rows(bench, example, Part.SYNTHETIC, rows, "linked by ranks"),))


def _shares(linked: LinkedRows, who: LinkageSubject, row: int) -> dict[str, float]:
    return {name: float((shown == who.truths[name][row]).mean()) for name, shown in linked.shown.items()}
