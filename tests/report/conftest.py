"""Reports made by hand: what the renderers are tested on."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from seethrough.results.card import Card, Category, Evidence, Need
from seethrough.results.diagnostics import Diagnostics, ExposedRow
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import (
    AttackEvidence,
    ExposedPerson,
    Finding,
    Grade,
    LeakFamily,
    PoolSizes,
    Precision,
    ReleaseEvidence,
    ReleaseVerdict,
    TruePositives,
)
from seethrough.results.outcome import Control, Controls, Failed, Measured, Measurement, Outcome, Skipped, Unavailable
from seethrough.results.report import ColumnNote, Report, TableAudit, TableSummary

SCRIPT = "<script>alert('x')</script>"
HOSTILE = (
    SCRIPT,
    "\"quotes\" & 'more'",
    "\u202eright to left",
    "[red]markup[/red]",
    "a|b`c\nd",
    "esc\x1b[31mape",
    "x" * 10_000,
)


def about(name: str, category: Category, evidence: Evidence, needs: tuple[Need, ...] = ()) -> Card:
    return Card(
        name=name,
        title=TITLES.get(name, name),
        question=QUESTIONS.get(name, "What does this check ask?"),
        cannot_tell="A low score does not show that another attacker, who knows more, would fail as well.",
        category=category,
        evidence=evidence,
        raw_unit="share of records",
        formula="a / b",
        cites=("A. Author and B. Author, A paper on the subject, Journal of Privacy 12 (2023), section 3.2.",),
        needs=needs,
    )


TITLES = {
    "crp": "Common rows proportion",
    "zcap": "Correct attribution, zero when unmatched",
    "gcap": "Generalized correct attribution probability",
    "hitting-rate": "Hitting rate",
    "auth": "Authenticity",
    "dcr": "Distance to the closest record",
    "nnaa": "Nearest neighbour adversarial accuracy",
}
QUESTIONS = {
    "crp": "How many real records stand in the synthetic table as they are?",
    "gcap": "How often does an attacker who knows the keys of a person guess the secret right?",
    "dcr": "How many synthetic records lie closer to the training records than chance lets them?",
}


def measured(
    card: Card,
    risk: tuple[float, float, float],
    independent: Control | tuple[float, float, float],
    copy: Control | tuple[float, float, float],
    **more: object,
) -> Measured:
    """A measured outcome; numbers are value, low, high."""
    found = Measurement(Estimate(*risk), raw=risk[0], n=12_345, **more)  # type: ignore[arg-type]
    controls = Controls(copy=_control(copy), independent=_control(independent))
    return Measured(card, found, controls, seconds=0.42, params={"neighbours": 5, "exact": True})


def _control(given: Control | tuple[float, float, float]) -> Control:
    return Estimate(*given) if isinstance(given, tuple) else given


@pytest.fixture
def make() -> Callable[..., Measured]:
    """Make one measured attack result."""

    def made(
        risk: tuple[float, float, float],
        independent: Control | tuple[float, float, float] = (0.1, 0.05, 0.15),
        copy: Control | tuple[float, float, float] = (0.9, 0.85, 0.95),
        evidence: Evidence = Evidence.ATTACK,
        name: str = "gcap",
        **more: object,
    ) -> Measured:
        return measured(about(name, Category.RECONSTRUCTION, evidence), risk, independent, copy, **more)

    return made


def outcomes(shift: float = 0.0) -> tuple[Outcome, ...]:
    """The seven checks, with a skipped and a failed one; `shift` moves the scores."""
    reid, recon, trace = Category.REIDENTIFICATION, Category.RECONSTRUCTION, Category.TRACING
    attack, alike = Evidence.ATTACK, Evidence.SIMILARITY
    per_record = np.random.Generator(np.random.PCG64(1)).beta(0.5, 3.0, size=1000)
    per_record[:12] = 1.0
    few = "only 212 synthetic records share the keys of a real record"
    no_copy = Unavailable("the copy of the real table is too large for the exact search")

    def at(value: float, half: float) -> tuple[float, float, float]:
        return value + shift, value + shift - half, value + shift + half

    cap: dict[str, tuple[float, float, float]] = {"independent": (0.25, 0.231, 0.269), "copy": (0.913, 0.9, 0.926)}
    found = {"matched records": 212, "secret": "income"}
    gcap, zcap = (about(name, recon, attack, (Need.SECRET,)) for name in ("gcap", "zcap"))
    return (
        measured(about("crp", reid, alike), at(0.082, 0.011), (0.079, 0.070, 0.088), (1.0, 1.0, 1.0)),
        Failed(about("hitting-rate", reid, alike), "ZeroDivisionError: division by zero"),
        measured(gcap, at(0.463, 0.022), **cap, base_rate=0.31, per_record=per_record, details=found, warnings=(few,)),
        measured(zcap, at(0.262, 0.02), **cap, base_rate=0.25),
        Skipped(about("auth", trace, alike, (Need.HOLDOUT,)), "needs a holdout, and none was given"),
        measured(about("dcr", trace, alike), at(0.55, 0.03), (0.50, 0.48, 0.52), no_copy),
        measured(
            about("nnaa", trace, alike), at(0.12, 0.02), (0.02, 0.0, 0.04), (1.0, 0.99, 1.0), per_record=per_record
        ),
    )


def columns() -> tuple[ColumnNote, ...]:
    return (
        ColumnNote("age", "numeric", "key", None, 0, "whole numbers with 73 distinct values"),
        ColumnNote("sex", "binary", "key", 2, 0, "two distinct values"),
        ColumnNote("income", "categorical", "secret", 8, 14, "eight distinct texts"),
        ColumnNote("person_id", "categorical", "id", 12_345, 0, "every value is different"),
        ColumnNote("comment", "categorical", "ignore", 9_120, 310, "left out on request"),
    )


UNTOLD = "no people outside were given (--holdout), so that members cannot be compared with anybody"


def untold() -> ReleaseEvidence:
    """The evidence where there are no people outside."""
    blank = tuple(Finding(family, Grade.CANNOT_TELL, cannot_tell=(UNTOLD,)) for family in LeakFamily)
    return ReleaseEvidence(ReleaseVerdict(Grade.CANNOT_TELL, f"{UNTOLD}.", "nothing could be tested"), blank)


def told() -> ReleaseEvidence:
    """Evidence by two attacks: a clear leak of membership, no leak of secrets, and identity not tested."""
    found = AttackEvidence(
        name="log-ratio",
        families=(LeakFamily.MEMBERSHIP,),
        measure="are rated above the other of a random pair",
        members=0.58,
        outsiders=0.42,
        leak=Estimate(0.16, 0.12, 0.2),
        lower=0.06,
        p=0.0001,
        p_adjusted=0.0004,
        detectable=0.09,
        auc=Estimate(0.58, 0.56, 0.6),
        tpr={
            "0.1": TruePositives(
                *(0.21, 0.2, 0.22, 299, 0.11, 0.14), {"0.01": Precision(0.02, 0.01), "0.1": Precision(0.16, 0.13)}
            ),
            "0.01": TruePositives(0.05, 0.04, 0.06, 29),
            "0.001": None,
        },
        n_members=12_345,
        n_outsiders=2_400,
        seconds=0.12,
    )
    guessed = replace(
        found,
        name="dcr",
        families=(LeakFamily.ATTRIBUTE,),
        measure="have their 'income' guessed right",
        members=0.61,
        outsiders=0.605,
        leak=Estimate(0.005, -0.016, 0.026),
        lower=-0.03,
        p=0.31,
        p_adjusted=0.72,
        detectable=0.04,
        auc=None,
        tpr={},
        secret="income",
    )
    findings = (
        _finding(LeakFamily.MEMBERSHIP, Grade.CLEAR, found),
        _finding(LeakFamily.ATTRIBUTE, Grade.NO_LEAK_FOUND, guessed),
        Finding(LeakFamily.IDENTITY, Grade.CANNOT_TELL, cannot_tell=("no attack of this family was run",)),
    )
    return ReleaseEvidence(
        verdict=ReleaseVerdict(
            Grade.CLEAR,
            "In 58 of 100 pairs of a member and a person outside the member is rated higher; chance would give 50; "
            "attack: log-ratio.",
            "membership: log-ratio",
        ),
        findings=findings,
        attacks=(found, guessed),
        people=(ExposedPerson(4711, LeakFamily.MEMBERSHIP, "log-ratio", 0.0004, 17),),
        permutations=9_999,
        sizes=PoolSizes(12_345, 2_400, 600),
        population_p=0.44,
    )


def _finding(family: LeakFamily, grade: Grade, attack: AttackEvidence) -> Finding:
    return Finding(
        family,
        grade,
        attack=attack.label,
        measure=attack.measure,
        members=attack.members,
        outsiders=attack.outsiders,
        leak=attack.leak,
        lower=attack.lower,
        p=attack.p_adjusted,
        detectable=attack.detectable,
        attacks=1,
    )


@pytest.fixture
def report() -> Report:
    """A release with one synthetic table and no holdout."""
    return Report(
        version="0.1.0",
        seed=20240607,
        real=TableSummary("train.csv", 12_345, "sha256:3f0a" + "9c" * 28),
        holdout=None,
        independent="the real columns, each permuted on its own",
        column_notes=columns(),
        tables=(
            TableAudit(TableSummary("synthetic.csv", 10_000, "sha256:77b1" + "0d" * 28), outcomes(), evidence=untold()),
        ),
        notes=("2 of 5 columns were left out.",),
    )


@pytest.fixture
def two_tables(report: Report) -> Report:
    """The same release with a second synthetic table and a holdout."""
    first = replace(report.tables[0], evidence=told())
    name = TableSummary("synthetic-private.csv", 10_000, "sha256:aa" + "10" * 28)
    second = TableAudit(name, outcomes(shift=-0.05), evidence=told())
    holdout = TableSummary("holdout.csv", 3_000, "sha256:bb" + "11" * 28)
    return replace(report, holdout=holdout, independent="the holdout", tables=(first, second))


@pytest.fixture
def leaking(two_tables: Report) -> Report:
    """A release with a holdout, on which attacks found a leak."""
    exposed = (ExposedRow(4711, ("membership",), "log-ratio", 0.0004, 17),)
    first = replace(two_tables.tables[0], exhibits=Diagnostics(exposed=exposed))
    return replace(two_tables, tables=(first,))


@pytest.fixture
def hostile(two_tables: Report) -> Report:
    """A report in which every text that a user or a plug-in can set does its worst."""
    bad = " ".join(HOSTILE)
    card = replace(
        about("bad", Category.TRACING, Evidence.ATTACK),
        name=bad,
        title=bad,
        question=bad,
        cannot_tell=bad,
        formula=bad,
        raw_unit=bad,
        cites=(bad,),
    )
    more: tuple[Outcome, ...] = (
        measured(card, (0.5, 0.4, 0.6), Unavailable(bad), (1, 1, 1), details={bad: bad}, warnings=(bad,)),
        Skipped(replace(card, name=HOSTILE[0]), bad),
        Failed(replace(card, name=HOSTILE[2]), bad),
        measured(replace(card, name=HOSTILE[6]), (0.5, 0.4, 0.6), (0.1, 0.0, 0.2), (1, 1, 1)),
    )
    first = two_tables.tables[0]
    tables = [
        TableAudit(TableSummary(name, 10, bad), (*first.outcomes, *more), evidence=_hostile_evidence(bad))
        for name in HOSTILE[:3]
    ]
    bad_columns = tuple(ColumnNote(name, "numeric", "key", None, 0, bad) for name in (*HOSTILE, "\udcff", ""))
    return replace(
        two_tables,
        real=TableSummary(HOSTILE[6], 10, bad),
        holdout=TableSummary(HOSTILE[3], 10, bad),
        independent=bad,
        column_notes=(*two_tables.column_notes, *bad_columns),
        tables=tuple(tables),
        notes=(bad, *HOSTILE),
    )


def _hostile_evidence(bad: str) -> ReleaseEvidence:
    found = told()
    membership, *others = found.findings
    return replace(
        found,
        verdict=ReleaseVerdict(Grade.CLEAR, bad, bad),
        findings=(replace(membership, attack=bad, measure=bad, cannot_tell=(bad,)), *others),
        attacks=tuple(replace(attack, name=bad, secret=bad, measure=bad, notes=(bad,)) for attack in found.attacks),
        people=tuple(replace(person, attack=bad) for person in found.people),
        warnings=(bad,),
        failed=(bad,),
    )
