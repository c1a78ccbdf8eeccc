"""What would have made an audit faster, in sentences with the figures of its own stopwatch.

Seconds that are said to be saved are those that the checks and attacks named took by themselves: what they share with
others may fall away too, so that the truth is at least as good. How long more cores would take follows from how busy
those at hand were: with n threads, w seconds and c seconds of processor time, s = (n w - c) / (n - 1) of the seconds
were those of one core alone, and n + 2 cores need s + (w - s) n / (n + 2). Where steps ran side by side their seconds
add up to more than the clock's, and a second that falls away counts for as much less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seethrough.kernels.budget import useful_threads
from seethrough.report.words import wording
from seethrough.results.evidence import AttackEvidence
from seethrough.results.report import Report

LEAST_SHARE, LEAST_SECONDS = 0.05, 0.5
"""Of the whole, below which a saving is not worth a sentence."""
FEWER_PEOPLE = 10_000
"""People whom a faster audit would attack; where there are not twice as many nothing is said."""
MORE_CORES = 2


@dataclass(frozen=True)
class PresetNames:
    """A preset, the names of its checks, and those of its attacks against members and people outside."""

    preset: str
    checks: frozenset[str]
    attacks: frozenset[str]


def faster_ways(report: Report, presets: Sequence[PresetNames], cores: int) -> tuple[str, ...]:
    """Say what would have made an audit faster on a machine of so many cores; one sentence says that nothing would."""
    if not report.timings.total:
        return ()
    ways = (*_presets(report, presets), *_turns(report), *_targets(report), *_threads(report, cores))
    return ways or ("Nothing that can be chosen would have saved much.",)


def _presets(report: Report, presets: Sequence[PresetNames]) -> Iterator[str]:
    """Count what other presets leave out of what was run; whoever named checks has chosen already."""
    run = {cost.check for cost in report.timings.checks}
    if any(preset.preset == report.provenance.preset and not preset.checks <= run for preset in presets):
        return
    for preset in presets:
        checks = [cost for cost in report.timings.checks if cost.check not in preset.checks]
        attacks = [attack for attack in _attacks(report) if attack.name not in preset.attacks]
        saved = sum(cost.seconds for cost in checks) + sum(attack.seconds for attack in attacks)
        shorter = saved * _share_of_clock(report)
        if preset.preset == report.provenance.preset or not _is_much(report, shorter):
            continue
        names = dict.fromkeys([*(cost.check for cost in checks), *(attack.name for attack in attacks)])
        took, left = wording.duration(saved), wording.duration(report.timings.total - shorter)
        what = ", ".join(names) if len(names) <= 6 else f"{len(names)} checks and attacks"
        yield f"`--preset {preset.preset}` leaves out {what}, which took {took}: about {left} would be left."


def _turns(report: Report) -> Iterator[str]:
    """Say what it took to try columns in turn."""
    turns = [attack for attack in _attacks(report) if attack.secret is not None]
    seconds, columns = sum(attack.seconds for attack in turns), {attack.secret for attack in turns}
    if not report.provenance.secrets and len(columns) > 1 and _is_much(report, seconds):
        took = wording.duration(seconds)
        yield f"No secret was named, so {len(columns)} columns took turns, in {took}; `--secret` asks for one alone."


def _targets(report: Report) -> Iterator[str]:
    """Say that fewer people can be attacked."""
    people = report.real.rows
    if report.targets is None and people >= 2 * FEWER_PEOPLE and report.holdout is not None:
        took = wording.duration(sum(cost.seconds for cost in report.timings.steps if cost.step == "evidence"))
        fewer, everybody = map(wording.count, (FEWER_PEOPLE, people))
        yield (
            f"`--targets {FEWER_PEOPLE}` attacks {fewer} of {everybody} people against the whole release, with wider "
            f"intervals; the attacks took {took}, which grows with the people."
        )


def _threads(report: Report, cores: int) -> Iterator[str]:
    """Say what idle or further cores would do."""
    timings = report.timings
    threads, seconds = timings.threads, timings.total - timings.reading
    if not threads or seconds <= 0:
        return
    busy = min(timings.processor / seconds, float(threads))
    rows, more = max(report.real.rows, *(table.synthetic.rows for table in report.tables)), threads + MORE_CORES
    most = useful_threads(rows, cores)
    if threads < most:
        yield f"`--threads {most}`: it ran on {wording.count_of(threads, 'thread')}, and there are {cores} cores."
    elif threads > 1 and busy > 1 and useful_threads(rows, more) == more:
        alone = (threads - busy) / (threads - 1) * seconds
        shorter = timings.reading + alone + (seconds - alone) * threads / more
        if _is_much(report, timings.total - shorter):
            took = wording.duration(shorter)
            yield f"{MORE_CORES} more cores: {busy:.1f} of {threads} were busy, so {more} would take about {took}."


def _share_of_clock(report: Report) -> float:
    """Give the seconds on the clock for a second of a step: less than 1 where steps ran side by side."""
    timings = report.timings
    own = [cost.seconds for part in (timings.checks, timings.shared) for cost in part]
    own += [cost.seconds for cost in timings.steps if cost.step != "evidence"]
    evidence = sum(cost.seconds for cost in timings.steps if cost.step == "evidence")
    in_all = sum(own) + max(evidence, sum(attack.seconds for attack in _attacks(report)))
    clock = timings.total - timings.reading
    return clock / in_all if in_all > clock else 1.0


def _attacks(report: Report) -> list[AttackEvidence]:
    return [attack for table in report.tables if table.evidence for attack in table.evidence.attacks]


def _is_much(report: Report, seconds: float) -> bool:
    return seconds >= max(LEAST_SECONDS, LEAST_SHARE * report.timings.total)
