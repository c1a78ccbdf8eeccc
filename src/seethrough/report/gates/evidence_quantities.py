"""What the evidence says, by name: `verdict`, `membership`, `attribute.leak.low`, `identity.p`.

What could not be tested has no value here, neither a grade nor a number: asking for it raises `Undecided`, so that no
limit on it can pass unnoticed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from seethrough.errors import ConfigError, suggest_names
from seethrough.results.evidence import Finding, Grade, LeakFamily
from seethrough.results.report import TableAudit

VERDICT = "verdict"
FAMILIES = {family.value: family for family in LeakFamily}
GRADES = {grade.value.replace(" ", "-"): grade for grade in Grade}
ENDS = ("value", "low", "high")
NUMBERS = ("p", "members", "outsiders", "detectable")
FIELDS = ("leak", *(f"leak.{end}" for end in ENDS), *NUMBERS)


class Undecided(Exception):
    """A limit asks for something that could not be tested; the text says why."""


@dataclass(frozen=True)
class EvidenceName:
    """The grade of the verdict or of a family (no field), or a number of the family's finding."""

    text: str
    subject: str
    field: str = ""
    end: str = ""

    @property
    def is_grade(self) -> bool:
        """Tell whether it names a grade."""
        return not self.field


def is_evidence(text: str, checks: Sequence[str]) -> bool:
    """Tell whether a name is one of the evidence; a check of the same name keeps the fields that findings lack."""
    subject, *fields = text.split(".")
    if subject == VERDICT:
        return True
    return subject in FAMILIES and (subject not in checks or not fields or fields[0] in {"leak", *NUMBERS})


def parse_evidence(text: str) -> EvidenceName:
    """Take a name of the evidence apart."""
    subject, *fields = text.split(".")
    field = ".".join(fields)
    if not fields:
        return EvidenceName(text, subject)
    if subject == VERDICT:
        raise ConfigError(f"the verdict is one grade and has no field {field!r}")
    if field not in FIELDS:
        hint = suggest_names(field, FIELDS, f"the fields of {subject} are {', '.join(FIELDS)}")
        raise ConfigError(f"unknown field {field!r}; {hint}")
    return EvidenceName(text, subject, fields[0], fields[1] if len(fields) > 1 else "value")


def look_up(name: EvidenceName, table: TableAudit, *, may_be_untested: bool) -> Grade | float:
    """Find what the evidence on one synthetic table says; `may_be_untested` if "cannot tell" is an answer."""
    if table.evidence is None:
        raise Undecided("members were not compared with people outside")
    if name.subject == VERDICT:
        verdict = table.evidence.verdict
        return _tested(verdict.grade, f"the verdict is 'cannot tell': {verdict.sentence}", may_be_untested)
    finding = table.evidence[FAMILIES[name.subject]]
    reason = f"{name.subject} is 'cannot tell': {'; '.join(finding.cannot_tell)}"
    grade = _tested(finding.grade, reason, may_be_untested and name.is_grade)
    return grade if name.is_grade else _number(name, finding)


def _tested(grade: Grade, reason: str, may_be_untested: bool) -> Grade:
    if grade is Grade.CANNOT_TELL and not may_be_untested:
        raise Undecided(reason)
    return grade


def _number(name: EvidenceName, finding: Finding) -> float:
    found = getattr(finding, name.field)
    if found is None:
        raise Undecided(f"the finding on {name.subject} has no {name.field}")
    return float(getattr(found, name.end) if name.field == "leak" else found)
