"""What a linkage gives back: plain frozen values for renderers, and every record for those who ask."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from seethrough.errors import no_such
from seethrough.results.estimate import Curve, Estimate
from seethrough.results.outcome import Value

FORMAT = 2
"""Grows whenever a reader of the JSON form has to change."""


@dataclass(frozen=True)
class IdentityScore:
    """Linkage by all columns: records whose one linked row is linked to nobody else, and those it equals in ranks."""

    name: str
    alone: Estimate
    equal: Estimate
    rows: float


@dataclass(frozen=True)
class FileScore:
    """What one table discloses of a column.

    `exact` are records all of whose linked rows show the true value, `chance` is the share of linked rows that do,
    `error` their mean distance from the truth as a share of all ranks.
    """

    name: str
    exact: Estimate
    chance: Estimate
    error: Estimate


@dataclass(frozen=True)
class Disclosure:
    """What linkage says about one secret column, by table and over growing numbers of them.

    `files` has a list for the release and for each of the tables it is held against, `permuted` and `holdout`.
    """

    column: str
    values: int
    files: Mapping[str, tuple[FileScore, ...]]
    curves: tuple[Curve, ...]


class Records(Protocol):
    """What was found about every single record."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Name what `rows` gives."""
        ...

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """Give every record, secret column and table as plain values."""
        ...

    def linked_rows(self, row: int, file: int = 1) -> tuple[int, ...]:
        """List the rows of a file that are linked to a real record, all counted from 1."""
        ...


@dataclass(frozen=True, eq=False)
class LinkageReport:
    """A linkage that was run; `size` counts the real records, `records` tells about each."""

    version: str
    real: str
    size: int
    synthetic: tuple[str, ...]
    rows: tuple[int, ...]
    holdout: str | None
    criterion: str
    keys: tuple[str, ...]
    secrets: tuple[str, ...]
    narrow: float
    seed: int
    identity: Mapping[str, tuple[IdentityScore, ...]]
    disclosures: tuple[Disclosure, ...]
    notes: tuple[str, ...]
    records: Records = field(repr=False)
    seconds: float = 0.0

    def __getitem__(self, column: str) -> Disclosure:
        """Find what is said about a secret column."""
        for disclosure in self.disclosures:
            if disclosure.column == column:
                return disclosure
        raise no_such("secret column", column, [disclosure.column for disclosure in self.disclosures])

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the single records as plain values."""
        kept = {name: value for name, value in vars(self).items() if name not in {"version", "records", "disclosures"}}
        kept["identity"] = {source: [asdict(each) for each in files] for source, files in self.identity.items()}
        kept["disclosures"] = [asdict(each) for each in self.disclosures]
        return {"format": FORMAT, "seethrough": self.version, **kept}
