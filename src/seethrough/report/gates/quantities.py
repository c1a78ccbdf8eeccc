"""The numbers of a report by name: `gcap`, `gcap.low`, `gcap.copy.high`, `artefacts.exact-copies.share`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from seethrough.errors import ConfigError, near_names, suggest_names
from seethrough.report.words.artefact_text import TITLES
from seethrough.results.diagnostics import Artefact
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Control, Failed, Measured, Skipped, Unavailable
from seethrough.results.report import TableAudit

ARTEFACTS = "artefacts"
ENDS = ("value", "low", "high")
ESTIMATES = ("risk", "copy", "independent")
PLAIN = ("raw", "n", "base_rate")
OF_ARTEFACTS = ("share", "found", "chance")
FIELDS = (*ENDS, *ESTIMATES, *PLAIN)
BESIDES = ("verdict", "membership", "attribute", "identity", ARTEFACTS)
"""What a limit may name besides checks."""


class CheckFailed(ConfigError):
    """A limit names a check that broke."""


@dataclass(frozen=True)
class Name:
    """A number by its name: a check or an artefact, what of it, and which end of its interval."""

    text: str
    subject: str
    field: str
    end: str = "value"
    is_artefact: bool = False


def parse_quantity(text: str, checks: Sequence[str]) -> Name:
    """Take a name apart."""
    # The names of checks may have dots of their own only if a plug-in chose so; the longest that fits wins.
    subject, *fields = text.split(".")
    if subject == ARTEFACTS:
        return _of_artefact(text, fields)
    if subject not in checks:
        besides = "besides them there are verdict, membership, attribute, identity and artefacts"
        near = near_names(subject, (*checks, *BESIDES))
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        run = f"the checks run are: {', '.join(checks)}; {besides}"
        raise ConfigError(f"the check {subject!r} is not run{hint or ';'} {run[0].upper() + run[1:] if near else run}")
    if fields[:1] == ["controls"]:
        fields = fields[1:]
    field, *more = fields or ["risk"]
    if field in ENDS and not more:
        return Name(text, subject, "risk", field)
    if field in ESTIMATES and (not more or (len(more) == 1 and more[0] in ENDS)):
        return Name(text, subject, field, more[0] if more else "value")
    if field in PLAIN and not more:
        return Name(text, subject, field)
    asked = ".".join(fields)
    hint = suggest_names(asked, FIELDS, f"the fields are {', '.join(FIELDS)}")
    raise ConfigError(f"unknown field {asked!r}; {hint}")


def _of_artefact(text: str, fields: Sequence[str]) -> Name:
    name, field, *more = (*fields, *("", "share")[len(fields) :])
    if name not in TITLES or field not in OF_ARTEFACTS or more:
        otherwise = f"after 'artefacts.' come {', '.join(TITLES)}, then {', '.join(OF_ARTEFACTS)}"
        known = TITLES if name not in TITLES else () if more else OF_ARTEFACTS
        raise ConfigError(
            f"it names {text!r}; {suggest_names(name if name not in TITLES else field, known, otherwise)}"
        )
    return Name(text, name, field, is_artefact=True)


def number(name: Name, table: TableAudit, limit: str) -> float:
    """Look a number up in the outcomes of one synthetic table."""
    try:
        return _artefact(name, table) if name.is_artefact else _of_check(name, table)
    except CheckFailed as error:
        raise CheckFailed(f"limit {limit!r} cannot be judged: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"limit {limit!r} cannot be judged: {error}") from None


def _artefact(name: Name, table: TableAudit) -> float:
    found: Artefact | None = next((each for each in table.exhibits.artefacts if each.name == name.subject), None)
    if found is None or found.share is None:
        raise ConfigError(f"{name.subject} was not checked{f', because {found.reason}' if found else ''}")
    if name.field == "found":
        return found.found
    if name.field == "share":
        return found.share
    if found.chance is None:
        raise ConfigError(f"the chance of {name.subject} is not known")
    return found.chance.value


def _of_check(name: Name, table: TableAudit) -> float:
    match table[name.subject]:
        case Skipped(reason=reason):
            raise ConfigError(f"{name.subject} was skipped, because {reason}")
        case Failed(error=error):
            raise CheckFailed(f"{name.subject} failed with {error}")
        case Measured() as outcome:
            return _field(name, outcome)


def _field(name: Name, outcome: Measured) -> float:
    found = outcome.measurement
    match name.field:
        case "raw":
            return inf if found.raw is None else found.raw
        case "n":
            return found.n
        case "base_rate":
            if found.base_rate is None:
                raise ConfigError(f"{name.subject} has no base rate")
            return found.base_rate
    return float(getattr(_estimate(name, outcome), name.end))


def _estimate(name: Name, outcome: Measured) -> Estimate:
    controls = outcome.controls
    match name.field:
        case "copy":
            return _there(controls.copy, "copy")
        case "independent":
            return _there(controls.independent, "independent")
    return outcome.risk


def _there(control: Control, which: str) -> Estimate:
    if isinstance(control, Unavailable):
        raise ConfigError(f"no {which} control, because {control.reason}")
    return control
