"""Splitting a real table before a release is made from it: who is in is decided by coins, and kept on a card."""

import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from seethrough import __version__
from seethrough.api.arguments import TableLike
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading.chunks import row_count
from seethrough.data.reading.entities import person_numbers
from seethrough.data.split.audit_set import AuditSet, draw_audit_set
from seethrough.data.split.content_digest import content_digest
from seethrough.data.split.parts import suffix_of, take_rows, write_rows
from seethrough.data.split.split_card import CARD_SUFFIX, SplitCard, SplitPart, card_text
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools, Ints
from seethrough.results.whole_files import whole_files

TRAIN, HOLDOUT = "train", "holdout"


@dataclass(frozen=True, eq=False)
class _Original:
    """The table that is split, as it was given and opened."""

    given: object
    source: Source
    options: CsvOptions


@dataclass(frozen=True, eq=False)
class Split:
    """A table in two parts, of the kind that it was given as (Polars where that was a file), and the card.

    Make the release from `train` alone; `holdout` and `card` stay with you, for `audit`.
    """

    train: Any
    holdout: Any
    card: SplitCard
    _original: _Original = field(repr=False)
    _is_in: Bools = field(repr=False)

    def write(self, folder: str | Path, *, raw: bool = False) -> tuple[Path, Path, Path]:
        """Write both parts in the format of the original, and the card beside the holdout; return where they are.

        In CSV an apostrophe stands before texts that a spreadsheet would run as formulas, unless `raw`.

        Files that are there already are not written over: a split is made once, before the release.
        """
        folder, suffix = Path(folder), suffix_of(self._original.given)
        train, holdout = folder / f"{TRAIN}{suffix}", folder / f"{HOLDOUT}{suffix}"
        card = holdout.with_name(holdout.name + CARD_SUFFIX)
        for path in (train, holdout, card):
            if path.exists():
                raise ConfigError(f"{path} is there already; a split is made once, so name another folder or move it")
        with whole_files(folder) as hidden:
            written = replace(
                self.card,
                train=self._write_part(self.card.train, self._is_in, hidden / train.name, raw),
                holdout=self._write_part(self.card.holdout, ~self._is_in, hidden / holdout.name, raw),
            )
            (hidden / card.name).write_text(card_text(written), encoding="utf-8", newline="")
        return train, holdout, card

    def _write_part(self, part: SplitPart, rows: Bools, path: Path, is_raw: bool) -> SplitPart:
        """Write rows; the digest is that of the file, which may be read otherwise than the whole table it is from."""
        original = self._original
        write_rows(original.given, original.source, rows, path, original.options, is_raw=is_raw)
        digest = content_digest(open_source(path, path.name, self._original.options))
        return replace(part, name=path.name, digest=digest)


def split(
    real: TableLike,
    *,
    audit_share: float = 0.4,
    entity: str | None = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Split:
    """Split a real table into a training table and a holdout, before a release is made; see docs/evidence.md.

    Parameters
    ----------
    real
        A path to CSV, Parquet or Arrow, or a frame of pandas, Polars, Arrow or DuckDB.
    audit_share
        The share of people who are in the audit set: a fair coin decides for each whether they are in the training
        table or in the holdout. Everybody else is in the training table.
    entity
        The column that names people who have several rows, which are kept together.
    seed
        Decides who is drawn and every coin; None draws one at random. It is kept on the card.
    separator, encoding
        Of CSV files; None detects them.
    """
    options = CsvOptions(separator, encoding)
    source = open_source(real, "real", options)
    persons = _persons(source, entity)
    seed = secrets.randbits(63) if seed is None else seed
    drawn = draw_audit_set(persons, audit_share, seed)
    train, holdout = (take_rows(real, source, rows) for rows in (drawn.is_in, ~drawn.is_in))
    parts = [
        SplitPart(name, int(rows.sum()), len(np.unique(persons[rows])), content_digest(open_source(part, name)))
        for name, part, rows in ((TRAIN, train, drawn.is_in), (HOLDOUT, holdout, ~drawn.is_in))
    ]
    card = SplitCard(
        version=__version__,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=seed,
        audit_share=audit_share,
        entity=entity,
        train=parts[0],
        holdout=parts[1],
        audit_people=len(np.unique(persons[drawn.audited])),
        members=_audited_members(drawn),
    )
    return Split(train, holdout, card, _Original(real, source, options), drawn.is_in)


def _persons(source: Source, entity: str | None) -> Ints:
    if entity is None:
        return np.arange(row_count(source))
    (numbers,) = person_numbers([source], entity)
    return numbers


def _audited_members(drawn: AuditSet) -> tuple[int, ...]:
    """Name the rows of the training table, from 1 on, of people whom a coin put in."""
    return tuple(int(row) + 1 for row in np.flatnonzero(drawn.audited[drawn.is_in]))
