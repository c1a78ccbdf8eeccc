"""What is needed to repeat an audit and to check it: what was asked for, with which programs, held to which limits."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

INTERNAL, EXTERNAL = "internal", "external"
"""For the custodian, with everything; for others, without anything that speaks of single records."""

USER = "the user"
"""Who sets limits, if not Seethrough."""

MOST_ATTACKED = 200_000
"""People, members or outside, up to whom everybody is attacked unless it is said otherwise."""


@dataclass(frozen=True)
class Threshold:
    """A number that decides a word or an exit code, who set it, and whether it was broken (None: it cannot be)."""

    text: str
    set_by: str
    broken: bool | None = None


@dataclass(frozen=True)
class TargetSizes:
    """How many people were drawn and attacked, of how many; `asked` is what was asked for, or the default.

    Nobody was kept out where `of_outside` is 0. The whole release was attacked for them.
    """

    asked: int
    is_default: bool
    members: int
    of_members: int
    outside: int = 0
    of_outside: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Provenance:
    """How an audit came about.

    `checks` are the checks that were asked for, in order; `declared` names the columns that a schema file or object
    described, `entity` the column that names people; `has_card` says that the tables were known by the card of their
    split, `grades` are limits of grades that the user set. `targets` is the number of people to be attacked, "all", or
    None where it was left to the number of people. `schema` is the digest of the whole schema, levels and
    ranges too; `left_out` says what a report for others does not show. `date` is that of the audit (UTC).
    """

    checks: tuple[str, ...] = ()
    preset: str = "full"
    params: Mapping[str, Mapping[str, float | int | str | bool | None]] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    entity: str | None = None
    has_card: bool = False
    grades: tuple[float, ...] | None = None
    targets: int | str | None = None
    declared: tuple[str, ...] = ()
    schema: str = ""
    csv: Mapping[str, str | None] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    thresholds: tuple[Threshold, ...] = ()
    audience: str = INTERNAL
    left_out: tuple[str, ...] = ()
    date: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values."""
        return asdict(self) | {"params": {check: dict(values) for check, values in self.params.items()}}

    @property
    def is_external(self) -> bool:
        """Tell whether the report is for others than the custodian."""
        return self.audience == EXTERNAL


def report_digest(form: Mapping[str, Any]) -> str:
    """Give the SHA-256 of the JSON form of a report without its digest, whatever the order of keys and the spacing.

    It tells whether the report was edited after it was made. Whoever edits one on purpose can write a new digest as
    well; `seethrough verify` therefore makes everything anew that the tables decide, and the digest covers the rest:
    times, versions, names of files.
    """
    plain = {key: value for key, value in form.items() if key != "digest"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
