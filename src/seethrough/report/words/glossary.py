"""Words that a report uses, each in a sentence, and the references of its checks."""

from seethrough.results.outcome import Outcome
from seethrough.results.report import Report

WORDS: tuple[tuple[str, str], ...] = (
    ("Advantage", "The risk minus that of the independent control: what this release adds for an attacker."),
    ("Artefact", "A sign of real rows in a release that can be seen without statistics, such as a copied row."),
    (
        "Attack result",
        "A score that counts what an attacker gets right. Headlines rest on these, and on exact copies beyond chance.",
    ),
    ("Base rate", "What guessing without the release gives."),
    ("Controls", "The same check, by the same code, on a copy of the real table and on an independent table."),
    (
        "Exposed",
        "An attack does better than on a release of people outside, the interval of the difference above 0 for all "
        "attacks of its kind together; or real rows stand in the release beyond chance.",
    ),
    ("Fidelity", "How alike the columns of two tables are. Good releases have it; it is no evidence of leakage."),
    ("Holdout", "Real records of the same kind that the generator never saw: people who were not in the data."),
    ("Independent", "A table that owes nothing to the real records: the holdout, or columns permuted by themselves."),
    ("Interval", "The values that fit the data at the stated confidence, if real records were sampled anew."),
    ("Keys", "Columns whose values an attacker is said to know about a person."),
    ("Raw value", "The score in the check's own unit, before it is put on the scale from 0 to 1."),
    ("Re-identification", "Finding the row of a person, or recognising that a row is about that person."),
    ("Reconstruction", "Working out a secret value of a person from the release and what is known about the person."),
    ("Secret", "A column whose values an attacker wants to know."),
    ("Similarity", "How near released rows lie to real ones. It describes; it does not say what an attacker can do."),
    ("Tracing", "Finding out whether a person was in the real table at all; also called membership inference."),
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
