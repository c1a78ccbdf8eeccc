"""What an audit says would have made it faster, against sums by hand."""

from dataclasses import replace

import pytest

from seethrough.report.terminal.faster_runs import PresetNames, faster_ways
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import AttackEvidence, LeakFamily
from seethrough.results.provenance import Provenance, TargetSizes
from seethrough.results.report import Report, TableSummary
from seethrough.results.timings import CheckCost, StepCost, Timings

FULL = PresetNames("full", frozenset({"gcap", "crp", "recon"}), frozenset({"match", "log-ratio", "supervised"}))
FAST = PresetNames("fast", frozenset({"gcap", "crp"}), frozenset({"match", "log-ratio"}))
ATTACKS = PresetNames("attacks", frozenset({"recon"}), FULL.attacks)
CHECKS = (
    CheckCost("recon", "one.csv", 1.0, 2.0, 1.0),
    CheckCost("gcap", "one.csv", 0.5, 0.25, 0.25),
    CheckCost("crp", "one.csv", 0.1, 0.1, 0.1),
)


@pytest.fixture
def plain(report: Report) -> Report:
    """Give a report of 20 s, whose attacks took no time."""
    timings = Timings(20.0, 2.0, CHECKS, (), (StepCost("evidence", "one.csv", 9.0),), processor=0.0, threads=2)
    return replace(
        report,
        tables=tuple(replace(table, evidence=None) for table in report.tables),
        timings=timings,
        provenance=Provenance(preset="full", secrets=("income",)),
        targets=None,
    )


def with_attacks(report: Report, like: Report, *named: tuple[str, str | None, float]) -> Report:
    """Give the first table attacks with the names, secrets and seconds given."""
    evidence = like.tables[0].evidence
    assert evidence is not None
    none, families = Estimate(0.0, 0.0, 0.0), (LeakFamily.MEMBERSHIP,)
    attacks = tuple(
        AttackEvidence(n, families, "", 0.0, 0.0, none, 0.0, None, None, 0.0, secret=s, seconds=t) for n, s, t in named
    )
    return replace(report, tables=(replace(report.tables[0], evidence=replace(evidence, attacks=attacks)),))


def test_presets_are_counted_by_what_they_leave_out(plain: Report, report: Report) -> None:
    found = with_attacks(plain, report, ("match", None, 0.5), ("supervised", None, 3.0))
    assert faster_ways(found, [FULL, FAST, ATTACKS], 2) == (
        "`--preset fast` leaves out recon, supervised, which took 7.0 s: about 13.0 s would be left.",
        "`--preset attacks` leaves out gcap, crp, which took 1.3 s: about 18.7 s would be left.",
    )


def test_what_ran_side_by_side_counts_by_the_clock(plain: Report, report: Report) -> None:
    """Checks of 5.3 s and attacks of 30.7 s are 36 s in 18 of the clock: a second of theirs is half a second of it."""
    found = with_attacks(plain, report, ("match", None, 10.7), ("supervised", None, 20.0))
    assert faster_ways(found, [FULL, FAST], 2) == (
        "`--preset fast` leaves out recon, supervised, which took 24.0 s: about 8.0 s would be left.",
    )


def test_whoever_named_checks_is_told_of_no_preset(plain: Report) -> None:
    named = replace(plain, timings=replace(plain.timings, checks=CHECKS[:1]))
    assert faster_ways(named, [FULL, FAST, ATTACKS], 2) == ("Nothing that can be chosen would have saved much.",)


def test_columns_in_turn_are_told_where_no_secret_was_named(plain: Report, report: Report) -> None:
    turns = with_attacks(plain, report, ("dcr", "age", 2.0), ("dcr", "sex", 3.0), ("match", None, 4.0))
    unnamed = replace(turns, provenance=Provenance(preset="full"))
    told = "No secret was named, so 2 columns took turns, in 5.0 s; `--secret` asks for one alone."
    assert told in faster_ways(unnamed, [], 2)
    assert told not in faster_ways(turns, [], 2)


def test_many_people_need_not_all_be_attacked(plain: Report) -> None:
    many = replace(plain, real=TableSummary("real.csv", 50_000, "x"), holdout=TableSummary("out.csv", 50_000, "y"))
    told = (
        "`--targets 10000` attacks 10,000 of 50,000 people against the whole release, with wider intervals; "
        "the attacks took 9.0 s, which grows with the people."
    )
    assert told in faster_ways(many, [], 2)
    drawn = replace(many, targets=TargetSizes(10_000, False, 10_000, 50_000, 10_000, 50_000))
    assert told not in faster_ways(drawn, [], 2)


def test_cores_are_told_by_how_busy_they_were(plain: Report) -> None:
    """Of 18 s on two threads 27 s of processor time are 9 s alone and 9 s on both: on four 2 + 9 + 4.5 s."""
    busy = replace(plain, timings=replace(plain.timings, processor=27.0))
    assert faster_ways(busy, [], 2) == ("2 more cores: 1.5 of 2 were busy, so 4 would take about 15.5 s.",)
    assert faster_ways(busy, [], 8) == ("`--threads 4`: it ran on 2 threads, and there are 8 cores.",)
    many = replace(busy, real=replace(busy.real, rows=60_000), holdout=None)
    assert faster_ways(many, [], 9) == ("`--threads 8`: it ran on 2 threads, and there are 9 cores.",)
    four = replace(plain, timings=replace(plain.timings, processor=50.0, threads=4))
    assert faster_ways(four, [], 4) == ("Nothing that can be chosen would have saved much.",)  # small: no more is used
    alone = replace(plain, timings=replace(plain.timings, processor=18.0))
    assert faster_ways(alone, [], 2) == ("Nothing that can be chosen would have saved much.",)


def test_a_report_without_times_says_nothing(plain: Report) -> None:
    assert faster_ways(replace(plain, timings=Timings()), [FULL, FAST], 2) == ()
