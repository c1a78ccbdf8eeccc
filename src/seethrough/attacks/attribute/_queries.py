"""What released tables say about the cells of the known records: counts, and answers made of them.

Rows of the release whose secret is missing, or no class, are left out. Tables come one at a time and only their counts
are kept, so any iterator will do, and several released tables, or several pieces of one, are pooled.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.data.chunked.chunked_table import fold_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable, SchemaMismatch
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.cells import Cells, cells_of, keep_cells, sample_cells, subsets_of
from seethrough.kernels.counting.grains import COARSEST, AnyCoding, grains_of
from seethrough.kernels.counting.tally import Tally

Queries = Literal["conditional", "marginal"]
Absent = Literal["drop", "zero"]


@dataclass(frozen=True, eq=False)
class Frame:
    """The known records as cells, and how the columns of any other table are translated to theirs.

    `coded` has the place of a known column and a coding of it; a column that is cut may have several, one for each
    grain. Sets of columns in `cells` are sets of these.
    """

    names: tuple[str, ...]
    coded: tuple[tuple[int, AnyCoding], ...]
    cells: Cells

    def codes(self, table: Table) -> list[npt.NDArray[np.integer]]:
        """Translate the known columns of a table."""
        present = {column.name for column in table.schema.used}
        for name in self.names:
            if name not in present:
                raise SchemaMismatch(f"a released table has no column {name!r}, which the known records have")
        return [coding.codes(table.column(self.names[place])) for place, coding in self.coded]


def make_frame(known: Table, k: int, count: int | None, rng: np.random.Generator, *, whole: bool = False) -> Frame:
    """Find the cells of k - 1 columns, all or `count` of them at random; `known` has no secret.

    With `whole` there are also those of all columns at once, at every grain, and columns in which all known records
    are alike are in no other cell, for they tell nobody apart.
    """
    names = tuple(column.name for column in known.schema.used)
    if len(names) < (1 if whole else k - 1):
        raise NotApplicable(f"k = {k} takes {k - 1} known columns, and there are {len(names)}")
    if not len(known):
        raise NotApplicable("no record is known")
    grains = [grains_of(column) for column in known.columns]
    coded: list[tuple[int, AnyCoding]] = [(place, each[COARSEST]) for place, each in enumerate(grains)]
    families = _whole_rows(grains, coded) if whole else []
    columns = [coding.codes(known.columns[place]) for place, coding in coded]
    telling = [at for at in range(len(names)) if not whole or (columns[at] != columns[at][0]).any()]
    small = [tuple(telling[at] for at in places) for places in subsets_of(len(telling), k - 1)]
    cells = cells_of(columns, [coding.radix for _, coding in coded], dict.fromkeys([*small, *families]))
    return Frame(names, tuple(coded), cells if count is None else sample_cells(cells, count, rng))


def _whole_rows(grains: Sequence[Mapping[int, AnyCoding]], coded: list[tuple[int, AnyCoding]]) -> list[tuple[int, ...]]:
    """Give the sets of all columns, one for each grain, as places in `coded`; what these lack is added to it."""
    places = {id(coding): at for at, (_, coding) in enumerate(coded)}
    families = []
    for grain in dict.fromkeys(grain for each in grains for grain in each):
        chosen = [each.get(grain, each[COARSEST]) for each in grains]
        for column, coding in enumerate(chosen):
            if id(coding) not in places:
                places[id(coding)] = len(coded)
                coded.append((column, coding))
        families.append(tuple(places[id(coding)] for coding in chosen))
    return families


def tally_release(frame: Frame, released: Iterable[Table], secret: str, classes: Sequence[int]) -> Tally:
    """Count the rows of all tables by cell and class."""
    found = fold_tables(released, TallyPass(frame, secret, classes))
    if not found.rows:
        raise NotApplicable(f"the release has no row that shows {secret!r}")
    return found


@dataclass(frozen=True, eq=False)
class TallyPass:
    """Pass: counts of rows by cell and class; the state is a tally, which the next chunk is added to."""

    frame: Frame
    secret: str
    classes: Sequence[int]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Tally:
        """Count the rows of a chunk."""
        tally = Tally(self.frame.cells, len(self.classes))
        # Codes beyond the declared levels, and missing, are no class.
        position = np.full(max(self.classes) + 2, -1)
        position[list(self.classes)] = np.arange(len(self.classes))
        tally.seen += len(rows)
        label = np.take(position, rows.column(self.secret).astype(np.int64), mode="clip")
        columns = self.frame.codes(rows)
        if (label < 0).any():
            used = np.flatnonzero(label >= 0)
            columns, label = [column[used] for column in columns], label[used]
        tally.add(columns, label.astype(np.min_scalar_type(len(self.classes))))
        return tally

    def merge(self, first: Tally, second: Tally) -> Tally:
        """Add up."""
        return first.plus(second)

    def hint(self, state: Tally) -> Floats | None:
        """Say nothing."""
        return None


@dataclass(frozen=True, eq=False)
class Answers:
    """Queries and what the release answers: values and sampling variances for each class, over different records.

    `members` are the records of each query, `released` the rows of the release that fall in its cell; `seen` counts all
    rows of the release, those without a class too.
    """

    matrix: sparse.csr_array
    values: Floats
    variances: Floats
    members: Ints
    released: Ints
    seen: int


def answer_queries(tally: Tally, queries: Queries, absent: Absent) -> Answers:
    """Turn counts into answers; the share of a class is smoothed by one row where its variance is estimated.

    A cell that no released row falls in has no conditional answer: it is dropped, or answered by 0. Its marginal answer
    is 0, and is kept.
    """
    cells, counts = tally.cells, tally.counts
    kept = np.flatnonzero(counts.any(axis=1)) if (queries, absent) == ("conditional", "drop") else np.arange(len(cells))
    counts, members = counts[kept], cells.sizes[kept]
    released = counts.sum(axis=1)
    if queries == "conditional":
        drawn = released
        scale = members / np.maximum(released, 1)
    else:
        drawn = np.full(len(kept), tally.rows)
        scale = np.full(len(kept), cells.weights.sum() / tally.rows)
    variances = (scale * np.maximum(drawn, 1))[:, None] ** 2 * _spread(counts, drawn)
    return Answers(cells.matrix()[kept], counts * scale[:, None], variances, members, released, tally.seen)


def _spread(counts: Ints, drawn: Ints) -> Floats:
    """Estimate the variances of shares of the classes among the rows drawn."""
    smoothed = (counts + 1 / counts.shape[1]) / (drawn[:, None] + 1)
    spread: Floats = smoothed * (1 - smoothed) / np.maximum(drawn, 1)[:, None]
    return spread


@dataclass(frozen=True, eq=False)
class CellShares:
    """Cells of everybody who is asked about, and the share that each class has in the release there.

    `variances` are those of the shares (cells x classes); the answer about c records is c times the share, and has c^2
    times the variance, so that a cell may be asked about with people left out or added.
    """

    cells: Cells
    shares: Floats
    variances: Floats
    released: Ints
    seen: int

    def answers_about(self, people: Cells) -> Answers:
        """Answer the queries about some of the people, or about several of each."""
        sizes = people.sizes[:, None]
        values, variances = self.shares * sizes, self.variances * sizes**2
        return Answers(people.matrix(), values, variances, people.sizes, self.released, self.seen)


def find_shares(tally: Tally, absent: Absent) -> CellShares:
    """Turn counts into the shares of conditional queries; cells that no released row falls in are dropped, or empty."""
    cells, counts = tally.cells, tally.counts
    if absent == "drop":
        asked = np.asarray(counts.any(axis=1))
        cells, counts = keep_cells(cells, asked), counts[asked]
    released = counts.sum(axis=1)
    shares = counts / np.maximum(released, 1)[:, None]
    return CellShares(cells, shares, _spread(counts, released), released, tally.seen)
