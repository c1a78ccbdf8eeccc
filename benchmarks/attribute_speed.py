"""The attribute attacks of an audit: 5,000 members and 5,000 people outside, 15 known columns, a release of 5,000 rows.

Beside them what `recon` would take without the small solve that it makes for each person outside: a fresh solve for the
members and this one person, on fewer people.
"""

import time

import numpy as np
import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.pool import Pool, make_pool
from seethrough.data.reading.release_tables import read_release
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.plugins.catalog import arsenal
from seethrough.protocols.attack import AttributeView
from seethrough.seeds import stream

TABLE, SECRET = "acs_recon_ma_2018.csv.gz", "SEX"
PEOPLE, SMALL, FRESH = 5_000, 1_000, 5
"""Members, and as many people outside; the same where fresh solves are compared, and how many of these are timed."""
CORES = 2
GOAL = 20


def report() -> list[Finding]:
    """Time the battery, attack by attack, and the small solves beside fresh ones."""
    pool = deal(PEOPLE)
    begun = time.perf_counter()
    found = run_battery(pool, (), arsenal().attacks, 0)
    taken = time.perf_counter() - begun
    if found.failed or found.missing:
        raise RuntimeError(f"attacks gave no answer: {found.failed} {found.missing}")
    each = "; ".join(f"{answer.name} {answer.seconds:.1f} s" for answer in found.answers)
    size = f"{PEOPLE:,} members, {PEOPLE:,} people outside, 15 known columns, {PEOPLE:,} rows, {CORES} threads"
    return [Finding("attribute battery", taken, "s", at_most=GOAL, detail=f"{size}: {each}"), *beside_fresh_solves()]


def beside_fresh_solves() -> list[Finding]:
    """Time `recon` with everybody outside, and a fresh attack on the members and one person outside."""
    pool, attack = deal(SMALL), Recon(variant="gls", whole=True)
    names = [column.name for column in pool.people.schema.used if column.name != SECRET]
    known, members = pool.people.project(names), pool.members
    everybody = _view(pool, known)
    taken = seconds(lambda: attack.guess_joined(everybody, members, stream(0, "attack")), 3, time.process_time)
    inside, outside = np.flatnonzero(members), np.flatnonzero(~members)

    def fresh() -> None:
        for person in outside[:FRESH]:
            attack.guess(_view(pool, known.take(np.append(inside, person))), stream(0, "attack"))

    naive = seconds(fresh, 2, time.process_time) / FRESH * len(outside)
    told = f"{taken:.2f} s of processor time for {len(inside):,} and {len(outside):,} people, 15 known columns; "
    told += f"fresh solves {naive:.0f} s, estimated from {FRESH}"
    return [Finding("attribute battery: `recon`, beside a fresh solve a person", naive / taken, "times", detail=told)]


def _view(pool: Pool, known: Table) -> AttributeView:
    classes = tuple(range(1, len(pool.people.schema[SECRET].levels) + 1))
    return AttributeView(known, (pool.release,), SECRET, classes, np.arange(len(known)), Budget(threads=1))


def deal(people: int) -> Pool:
    """Draw members and people outside, and rows of the members with replacement, as the generator nonprivate does."""
    frame = table(TABLE).with_columns(pl.all().cast(pl.String))
    rng = stream(0, "attribute battery")
    # A ninth more, as a tenth of the people outside is the reference.
    order = rng.permutation(len(frame))[: 2 * people + people // 9 + 1]
    members, outside = frame[order[:people]], frame[order[people:]]
    release = members[rng.integers(0, people, people)]
    found = read_release(members, [release], outside, secrets=(SECRET,))
    assert found.holdout is not None
    tables = found.train.table, found.holdout.table, found.synthetic[0].table
    return make_pool(tables, 0, Budget(threads=CORES))
