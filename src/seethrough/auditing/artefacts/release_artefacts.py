"""Signs that a release carries real rows, looked for before any statistics: each costs little, and none is a score.

A sign alone says little, for common rows are common in any sample. So each is held against chance: the share of people
outside (the holdout) who bear it, or, where there are none, what real rows show of each other.

exact copies
    Real people whose whole row stands in the release, against people outside. Without people outside: against real
    people who have a twin among the others, which is what an independent row that equals a real one would be. Released
    rows that equal the row of a real person and of nobody outside are listed.
identifiers
    Real identifiers, left out because nearly unique, that stand anywhere in the release
    (`data/reading/identifier_search`), against those of people outside.
rows as text
    Real people whose row is written out in one column of the release (`data/reading/row_text_search`).
row order
    Released rows that are more like the real row at the same place of the file than like those around it.
ends of ranges
    Smallest and largest values of numbers, held by at most two real rows, that are the ends of the release as well.
rare levels
    Levels held by at most two real rows that occur in the release. The chance of these two is estimated from how many
    values one, two and three real rows hold (`kernels/counting/rarity`).

Copies, ends and rare levels show if p is at most 1 %; they are for information. Identifiers, rows as text and row order
join the verdict (`evidence/deciding_artefacts`) and show if p is at most 0.1 %.
"""

from dataclasses import replace

import numpy as np

from seethrough.auditing.artefacts.copied_rows import CopiedRows, CopiedRowsPass
from seethrough.auditing.artefacts.people_shares import CONFIDENCE, share_of_people
from seethrough.auditing.artefacts.rare_values import extremes, rare_levels
from seethrough.auditing.artefacts.row_order import compare_row_order
from seethrough.bench.passes.seen_values import SeenValuesPass
from seethrough.data.release import NamedTable, Release
from seethrough.data.shared_identifiers import SharedIdentifiers
from seethrough.data.table import Table
from seethrough.errors import DataError
from seethrough.kernels.counting.fingerprints import counts_within, occurs_in, row_prints
from seethrough.kernels.passes import Together
from seethrough.kernels.statistics.exact_tests import binomial_tail
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.diagnostics import NOT_KEPT_OUT, Artefact, ArtefactSign, Rate

LEVEL, DECIDING_LEVEL = 0.01, 0.001
"""p up to which a sign shows; up to which one that joins the verdict shows."""
LEAST_ROWS = 20
_PEOPLE, _IDENTIFIERS, _ROWS = "real people", "real identifiers", "released rows"
_HOLDOUT, TWINS = "the holdout", "the other real rows"


def release_artefacts(release: Release, synthetic: NamedTable) -> tuple[Artefact, ...]:
    """Look for every sign in one synthetic table."""
    real, table = release.train.table, synthetic.table
    outside = release.holdout.table if release.holdout else None
    prints = [np.zeros(0, np.uint64) if each is None else row_prints(each.columns) for each in (real, outside)]
    copied, seen = table.fold(Together((CopiedRowsPass(*prints), SeenValuesPass())))
    return (
        _copies(real, table, outside, copied),
        _identifiers(synthetic),
        _rows_as_text(synthetic),
        _row_order(real, table),
        extremes(real, seen, len(table)),
        rare_levels(real, seen, len(table)),
    )


def holdout_overlap(release: Release) -> Artefact | None:
    """Count the rows of the holdout that equal a real row, against real rows that equal another; refuse equal tables.

    None where there is no holdout, or where its rows equal real ones no more often than chance has it.
    """
    if release.holdout is None:
        return None
    mine, others = (row_prints(named.table.columns) for named in (release.train, release.holdout))
    if len(mine) == len(others) and np.array_equal(np.sort(mine), np.sort(others)):
        raise DataError(
            f"{release.holdout.name} has the same rows as {release.train.name}; a holdout is made of records that were "
            "kept out of the synthesis"
        )
    shared, twins = occurs_in(others, mine), counts_within(mine) > 1
    counts = int(shared.sum()), len(others), int(twins.sum()), len(mine)
    found = share_of_people("overlap", "people outside", counts, TWINS, DECIDING_LEVEL)
    return found if found.sign is ArtefactSign.SHOWS else None


def holdout_remark(overlap: Artefact | None) -> tuple[str, ...]:
    """Say so if people outside are in the real table."""
    if overlap is None or overlap.chance is None:
        return ()
    return (
        f"{overlap.found:,} of {overlap.of:,} rows equal a real row, by chance {overlap.chance.value:.1%}: "
        f"{NOT_KEPT_OUT}",
    )


def _copies(real: Table, table: Table, outside: Table | None, copied: CopiedRows) -> Artefact:
    if outside is None:
        mine = row_prints(real.columns)
        # As many released rows as there are other real rows to be the twin of: more rows show more.
        some = np.linspace(0, len(table) - 1, min(len(table), len(mine))).astype(np.int64)
        released = row_prints(table.take(some).columns)
        found, against = (occurs_in(mine, released), counts_within(mine) > 1), TWINS
    else:
        found, against = (copied.mine, copied.others), _HOLDOUT
    counts = int(found[0].sum()), len(found[0]), int(found[1].sum()), len(found[1])
    artefact = share_of_people("exact-copies", _PEOPLE, counts, against, LEVEL)
    rows = tuple(int(row) + 1 for row in copied.listed) if artefact.sign is ArtefactSign.SHOWS else ()
    return replace(artefact, rows=rows)


def _identifiers(synthetic: NamedTable) -> Artefact:
    if not synthetic.carried.identifiers:
        reason = "the real table has no left-out column whose values are nearly unique"
        return Artefact("identifiers", ArtefactSign.UNTOLD, _IDENTIFIERS, reason=reason)
    found = [_identifier(each) for each in synthetic.carried.identifiers]
    return min(found, key=lambda each: (each.sign is not ArtefactSign.SHOWS, -each.found / max(each.of, 1)))


def _identifier(shared: SharedIdentifiers) -> Artefact:
    counts = shared.found, shared.real, shared.found_outside, shared.outside
    artefact = share_of_people("identifiers", _IDENTIFIERS, counts, shared.against, DECIDING_LEVEL)
    if shared.chance and binomial_tail(shared.found, shared.real, shared.chance) > DECIDING_LEVEL:
        found, level = (shared.counted, 1.0) if shared.counted else (shared.found, shared.chance)
        sign = ArtefactSign.CHANCE if found else ArtefactSign.NONE
        chance = Rate(level, level, level, shared.real)
        return replace(artefact, found=found, sign=sign, chance=chance, against="identifiers drawn blindly")
    return replace(artefact, columns=tuple(dict.fromkeys((shared.column, *shared.places))))


def _rows_as_text(synthetic: NamedTable) -> Artefact:
    if not synthetic.carried.row_texts:
        reason = "no column of the release has texts that are long enough for a row"
        return Artefact("rows-as-text", ArtefactSign.UNTOLD, _PEOPLE, reason=reason)
    found = [
        replace(
            share_of_people(
                "rows-as-text",
                _PEOPLE,
                (each.found, each.real, each.found_outside, each.outside),
                each.against,
                DECIDING_LEVEL,
            ),
            columns=(each.place,),
        )
        for each in synthetic.carried.row_texts
    ]
    return min(found, key=lambda each: 1.0 if each.p is None else each.p)


def _row_order(real: Table, table: Table) -> Artefact:
    if min(len(real), len(table)) < LEAST_ROWS:
        return Artefact("row-order", ArtefactSign.UNTOLD, _ROWS, reason=f"it takes at least {LEAST_ROWS} rows")
    found = compare_row_order(real, table)
    level = found.alike_by_chance / found.places
    chance = Rate(level, *wilson(found.alike_by_chance, found.places, CONFIDENCE), found.places)
    sign = ArtefactSign.SHOWS if found.p <= DECIDING_LEVEL else ArtefactSign.CHANCE
    return Artefact("row-order", sign, _ROWS, found.alike, found.places, chance, "rows permuted nearby", p=found.p)
