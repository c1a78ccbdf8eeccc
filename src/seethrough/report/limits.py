"""Limits a user sets on a report: `gcap > 0.4` fails the audit when it is true.

    limit    = check [ "." field ] operator number
    field    = "value" | "low" | "high" | "raw" | "excess"
    operator = ">" | ">=" | "<" | "<="

The field is the risk's value unless another is named; `excess` is the risk minus the risk of the independent control.
A limit on a check that was not measured cannot be judged, and that is an error, not a pass.
"""

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

from seethrough.errors import ConfigError
from seethrough.results import Estimate, Failed, Measured, Report, Skipped, TableAudit

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
FIELDS = ("value", "low", "high", "raw", "excess")
_FORM = re.compile(r"\s*([a-z][a-z0-9/-]*)(?:\.([a-z]+))?\s*(>=|<=|>|<)\s*([0-9.eE+-]+)\s*")


@dataclass(frozen=True)
class Limit:
    """One limit, as the user wrote it and as it is understood."""

    text: str
    check: str
    field: str
    operator: str
    number: float


@dataclass(frozen=True)
class Broken:
    """A limit that a synthetic table broke, with the number that broke it."""

    limit: Limit
    synthetic: str
    found: float


class CheckFailed(ConfigError):
    """A limit names a check that broke."""


def parse(text: str, checks: Iterable[str]) -> Limit:
    """Understand a limit on one of `checks`."""
    form = _FORM.fullmatch(text)
    if not form:
        raise ConfigError(f"limit {text!r} is not of the form 'gcap > 0.4' or 'gcap.low > 0.4'")
    check, field, sign, number = form[1], form[2] or "value", form[3], form[4]
    names = tuple(checks)
    if check not in names:
        raise ConfigError(f"limit {text!r} names the check {check!r}, which is not run; these are: {', '.join(names)}")
    if field not in FIELDS:
        raise ConfigError(f"limit {text!r} names the field {field!r}; there are {', '.join(FIELDS)}")
    try:
        return Limit(text.strip(), check, field, sign, float(number))
    except ValueError:
        raise ConfigError(f"limit {text!r} compares with {number!r}, which is not a number") from None


def judge(limits: Iterable[Limit], report: Report) -> tuple[Broken, ...]:
    """Find the limits that any synthetic table breaks."""
    found = []
    for limit in limits:
        for table in report.tables:
            number = _number(limit, table)
            if OPERATORS[limit.operator](number, limit.number):
                found.append(Broken(limit, table.synthetic.name, number))
    return tuple(found)


def _number(limit: Limit, table: TableAudit) -> float:
    match table[limit.check]:
        case Skipped(reason=reason):
            raise ConfigError(f"limit {limit.text!r} cannot be judged: {limit.check} was skipped, because {reason}")
        case Failed(error=error):
            raise CheckFailed(f"limit {limit.text!r} cannot be judged: {limit.check} failed with {error}")
        case Measured(measurement=found, controls=controls):
            if limit.field == "raw":
                return inf if found.raw is None else found.raw
            if limit.field != "excess":
                return float(getattr(found.risk, limit.field))
            if isinstance(controls.independent, Estimate):
                return found.risk.value - controls.independent.value
            reason = controls.independent.reason
            raise ConfigError(f"limit {limit.text!r} cannot be judged: no independent control, because {reason}")
