"""Releases to attack: what a generator makes of members who are drawn anew for every number.

Members and people outside of one number are the same for every generator, so that generators are compared on the same
people. A release is decided by the people, the generator, its label, the number and the seed of the plan; where a
folder is named to keep releases in, each is made once and read from there afterwards.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seethrough.data.table import Table
from seethrough.plugins import catalog
from seethrough.protocols.synthesizer import draw_rows
from seethrough.results.whole_files import whole_file
from seethrough.seeds import stream
from seethrough.study.cells.cell import canonical, keys_of
from seethrough.study.cells.packed_tables import pack, unpack

DECIDING = "data", "seed", "members", "outside", "number", "synthesizer"
"""What of a task decides its release."""


def deal(table: Table, task: Mapping[str, Any]) -> tuple[Table, Table]:
    """Draw the members and the people outside of one number."""
    members, outside, number = task["members"], task["outside"], task["number"]
    drawn = stream(task["seed"], f"people {members} {outside} {number}").permutation(len(table))
    return table.take(drawn[:members]), table.take(drawn[members : members + outside])


def release_of(members: Table, task: Mapping[str, Any]) -> Table:
    """Make the release of the members, or read it where it is kept."""
    kept = place_of(task)
    if kept is not None and kept.is_file():
        return unpack(kept.read_bytes())
    chosen = task["synthesizer"]
    rng = stream(task["seed"], f"release {chosen['label']} {task['number']}")
    made = catalog.build_synthesizer(chosen["name"], chosen["params"])
    released = draw_rows(made.fit(members, rng), len(members), rng).table
    if kept is not None:
        keep(released, kept)
    return released


def keep(released: Table, place: Path) -> None:
    """Write a release to its place, whole or not at all."""
    with whole_file(place) as begun:
        begun.write_bytes(pack(released))


def place_of(task: Mapping[str, Any]) -> Path | None:
    """Name the file of a release by what decides it; None where none are kept."""
    if not task["keep"]:
        return None
    (key,) = keys_of({name: task[name] for name in DECIDING}, [canonical({})])
    words = re.sub(r"[^a-z0-9.]+", "-", f"{task['synthesizer']['label']} {task['number']}".lower())
    return Path(task["keep"]) / f"{words}-{key[:12]}.npz"
