"""A report: everything a renderer needs, and its JSON form."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from seethrough.errors import no_such
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.diagnostics import Diagnostics
from seethrough.results.estimate import Growth
from seethrough.results.evidence import ReleaseEvidence
from seethrough.results.levers.advice import Advice
from seethrough.results.outcome import Failed, Outcome, Skipped, outcome_dict
from seethrough.results.provenance import Provenance, TargetSizes, report_digest
from seethrough.results.timings import Timings

FORMAT = 2
"""Grows whenever a reader of the JSON form has to change."""


@dataclass(frozen=True)
class TableSummary:
    """A table that took part: its name, its size and what identifies its content."""

    name: str
    rows: int
    digest: str


@dataclass(frozen=True)
class ColumnNote:
    """What is said about a column: how it was read and why; no value of it. A report for others counts nothing."""

    name: str
    kind: str
    role: str
    levels: int | None
    missing: int | None
    reason: str


@dataclass(frozen=True, eq=False)
class TableAudit:
    """The evidence on one synthetic table, the outcomes of its checks, and what is shown of it besides."""

    synthetic: TableSummary
    outcomes: tuple[Outcome, ...]
    exhibits: Diagnostics = field(default_factory=Diagnostics)
    evidence: ReleaseEvidence | None = None
    advice: tuple[Advice, ...] = ()

    def __getitem__(self, check: str) -> Outcome:
        """Find an outcome by the name of its check."""
        for outcome in self.outcomes:
            if outcome.check == check:
                return outcome
        raise no_such("check", check, [outcome.check for outcome in self.outcomes])

    def __iter__(self) -> Iterator[Outcome]:
        """Walk over the outcomes."""
        return iter(self.outcomes)


@dataclass(frozen=True, eq=False)
class Report:
    """Everything a renderer needs. `independent` says in words what the negative control is.

    Advice on a single synthetic table stands with the table. `targets` counts the people attacked; None is everybody.
    """

    version: str
    seed: int
    real: TableSummary
    holdout: TableSummary | None
    independent: str
    column_notes: tuple[ColumnNote, ...]
    tables: tuple[TableAudit, ...]
    notes: tuple[str, ...]
    timings: Timings = field(default_factory=Timings)
    growth: tuple[Growth | Skipped | Failed, ...] = ()
    comparison: ReleaseComparison | None = None
    together: ReleaseEvidence | None = None
    provenance: Provenance = field(default_factory=Provenance)
    advice_on_all_files: tuple[Advice, ...] = ()
    targets: TargetSizes | None = None

    def __getitem__(self, check: str) -> Outcome:
        """Find an outcome of the first synthetic table by the name of its check."""
        return self.tables[0][check]

    def __iter__(self) -> Iterator[str]:
        """Walk over the names of the checks, each of which `report[name]` finds."""
        return (outcome.check for outcome in self.tables[0])

    def __len__(self) -> int:
        """Count the checks."""
        return len(self.tables[0].outcomes)

    def __contains__(self, check: object) -> bool:
        """Tell whether there is a check of this name."""
        return any(outcome.check == check for outcome in self.tables[0])

    def __bool__(self) -> bool:
        """Tell that there is a report, however many checks it has."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values; see docs/report-format.md."""
        first, *more = self.tables
        form = {
            "format": FORMAT,
            "seethrough": self.version,
            "release": {
                "real": asdict(self.real),
                "holdout": asdict(self.holdout) if self.holdout else None,
                "synthetic": [asdict(table.synthetic) for table in self.tables],
                "independent": self.independent,
            },
            "schema": {"columns": [asdict(column) for column in self.column_notes]},
            "seed": self.seed,
            "targets": self.targets.to_dict() if self.targets else None,
            "notes": list(self.notes),
            **_table_dict(first),
            "further": [{"synthetic": table.synthetic.name, **_table_dict(table)} for table in more],
            "comparison": self.comparison.to_dict() if self.comparison else None,
            "together": self.together.to_dict() if self.together else None,
            "advice_on_all_files": [each.to_dict() for each in self.advice_on_all_files],
            "growth": [growth_dict(growth) for growth in self.growth],
            "timings": self.timings.to_dict(),
            "record": self.provenance.to_dict(),
        }
        return {**form, "digest": report_digest(form)}


def _table_dict(table: TableAudit) -> dict[str, Any]:
    evidence = table.evidence.to_dict() if table.evidence else {}
    return {
        **evidence,
        "outcomes": [outcome_dict(outcome) for outcome in table],
        "exhibits": table.exhibits.to_dict(),
        "advice": [each.to_dict(shows_values=table.exhibits.shows_values) for each in table.advice],
    }


def growth_dict(growth: Growth | Skipped | Failed) -> dict[str, Any]:
    """Give what several tables show together as plain values."""
    match growth:
        case Growth():
            return {"status": "measured", **asdict(growth)}
        case _:
            return outcome_dict(growth)
