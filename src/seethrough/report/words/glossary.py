"""Words that a report uses, each in a sentence, and the references of its checks."""

from seethrough.results.outcome import Outcome
from seethrough.results.report import Report

WORDS: tuple[tuple[str, str], ...] = (
    ("Advantage", "The risk minus the risk of the independent control: what this release adds for an attacker."),
    ("Artefact", "A sign of real rows in a release that needs no statistics to be seen, such as a copied row."),
    (
        "Attack",
        "A check that counts what an attacker gets right. Findings rest on attacks, and on exact copies beyond chance.",
    ),
    ("Base rate", "What guessing without the release gives."),
    ("Controls", "The same check, by the same code, on a copy of the real table and on an independent table."),
    (
        "Exposed",
        "An attack scores higher than on a release of people outside (the interval of the difference lies above 0 for "
        "all attacks of its kind together), or the release holds more real rows than chance would give.",
    ),
    ("Fidelity", "How alike the columns of two tables are. Good releases have it; it is no evidence of leakage."),
    ("Holdout", "Real records of the same kind that the generator never saw: people who were not in the data."),
    (
        "Independent",
        "A table with no information about real records: the holdout, or real columns each permuted.",
    ),
    ("Interval", "Confidence interval: the values that fit the data at the stated confidence."),
    ("Keys", "Columns whose values an attacker knows about a person; also called quasi-identifiers."),
    ("Member", "A person of the real table, whose record the generator saw."),
    ("Outsider", "A person of the holdout, whom the generator never saw; also: people outside."),
    ("Raw value", "The score in the check's own unit, before it is put on the scale from 0 to 1."),
    ("Re-identification", "Finding which released row belongs to a person; also called linkage."),
    ("Reconstruction", "Attribute inference: inferring a secret value of a person from the release and the keys."),
    ("Secret", "A sensitive column, whose values an attacker wants to know."),
    ("Similarity", "How close released rows lie to real ones. It is for information; it cannot support a verdict."),
    ("Tracing", "Membership inference: inferring whether a person was in the real table."),
)


def references(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the references once each, with the checks that rest on them."""
    found: dict[str, dict[str, None]] = {}
    for outcome in _outcomes(report):
        for cited in outcome.card.cites:
            found.setdefault(cited, {})[outcome.check] = None
    return tuple((cited, tuple(checks)) for cited, checks in found.items())


def _outcomes(report: Report) -> tuple[Outcome, ...]:
    return tuple(outcome for table in report.tables for outcome in table)
