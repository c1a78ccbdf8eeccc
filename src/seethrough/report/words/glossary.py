"""Words that a report uses, each in a sentence, and the references of its checks."""

from seethrough.results.outcome import Outcome
from seethrough.results.report import Report

WORDS: tuple[tuple[str, str], ...] = (
    ("Adjusted p", "The chance of a result this strong by any attack of the audit, if the release leaked nothing."),
    ("Artefact", "A sign of real rows in a release that needs no statistics to be seen, such as a copied row."),
    ("Attack", "A way to tell who was in the data, what a secret is or which row is whom, from the release."),
    ("Attribute inference", "Inferring a secret value of a person from the release and the keys; reconstruction."),
    ("Base rate", "What guessing without the release gives."),
    ("Controls", "The same check, by the same code, on a copy of the real table and on an independent table."),
    (
        "Exposed people",
        "Members whom an attack recognises as it recognises hardly anybody outside; at most one in ten of the list is "
        "there by chance.",
    ),
    ("False alarm", "A person outside whom an attack calls a member."),
    ("Fidelity", "How alike the columns of two tables are. Good releases have it; it is no evidence of leakage."),
    (
        "Grade",
        "Cannot tell, no leak found, slight, clear or severe: by the adjusted p, then by the lower end of the leak.",
    ),
    ("Holdout", "Real records of the same kind that the generator never saw: people who were not in the data."),
    ("Independent", "A table with no information about real records: the holdout, or real columns each permuted."),
    ("Interval", "Confidence interval: the values that fit the data at the stated confidence."),
    ("Keys", "Columns whose values an attacker knows about a person; also called quasi-identifiers."),
    ("Leak", "What an attack gets right about members beyond what it gets right about people outside."),
    ("Member", "A person of the real table, whose record the generator saw."),
    ("Membership inference", "Inferring whether a person was in the real table; tracing."),
    ("Outsider", "A person of the holdout, whom the generator never saw; also: people outside."),
    ("Raw value", "The score in the check's own unit, before it is put on the scale from 0 to 1."),
    ("Re-identification", "Finding which released row belongs to a person; also called linkage."),
    ("Secret", "A sensitive column, whose values an attacker wants to know."),
    ("Similarity", "How close released rows lie to real ones. It is for information; it cannot support a verdict."),
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
