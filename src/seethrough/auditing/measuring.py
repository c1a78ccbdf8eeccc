"""One check on a release and on both controls: measured, skipped with its reason, or failed."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar, cast

import numpy as np

from seethrough.auditing.controls import Trials
from seethrough.auditing.stopwatch import Stopwatch
from seethrough.bench.bench import Bench
from seethrough.data.release import Part, Release
from seethrough.errors import ClusterError, NotApplicable
from seethrough.protocols.check import Check, Growing
from seethrough.protocols.parameters import plain, stream_name
from seethrough.results.estimate import Growth
from seethrough.results.outcome import (
    Control,
    Controls,
    Failed,
    Measured,
    Measurement,
    Outcome,
    Skipped,
    Unavailable,
    count_risks,
)
from seethrough.seeds import stream

T = TypeVar("T")


def measure_outcome(check: Check, trials: Trials, seed: int, watch: Stopwatch) -> Outcome:
    """Measure a check on a release and in both controls; one that does not apply or breaks stops no other."""
    start = time.perf_counter()
    who = check.card.name, trials.synthetic

    def measured() -> Measured:
        with watch.lap(*who, "release"):
            found = measure(check, trials.release, stream(seed, stream_name(check)))
        settled = cast("Check", found.settled or check)
        copy, independent = _controls(settled, check, trials, seed, watch)
        controls, seconds = Controls(_risk(copy), _risk(independent)), time.perf_counter() - start
        counts = count_risks(independent.per_record) if isinstance(independent, Measurement) else ()
        return Measured(check.card, found, controls, seconds, plain(check), counts)

    return _attempted(check, measured)


def _controls(
    settled: Check, check: Check, trials: Trials, seed: int, watch: Stopwatch
) -> tuple[Measurement | Unavailable, Measurement | Unavailable]:
    """Measure both controls side by side."""

    def copy() -> Measurement | Unavailable:
        with watch.lap(check.card.name, trials.synthetic, "copy"):
            return _control(settled, trials.copy_for(check), seed)

    def independent() -> Measurement | Unavailable:
        with watch.lap(check.card.name, trials.synthetic, "independent"):
            return _control(settled, trials.independent_for(check), seed)

    return trials.release.budget.both(copy, independent)


def measure_growth(
    release: Release, bench: Bench[Part], checks: Sequence[Check], seed: int, watch: Stopwatch
) -> tuple[Growth | Skipped | Failed, ...]:
    """Ask those checks that can tell what several tables show together."""
    tables = [named.table for named in release.synthetic]
    found: list[Growth | Skipped | Failed] = []
    for check in checks if len(tables) > 1 else ():
        if isinstance(check, Growing):
            with watch.lap(check.card.name, "all together", "release"):
                found.append(_attempted(check, partial(check.grow, bench, tables, stream(seed, stream_name(check)))))
    return tuple(found)


def measure(check: Check, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
    """Let a check measure what is on the bench; refuse an answer that is no risk in its interval."""
    found = check.measure(bench, rng)
    numbers = found.risk.value, found.risk.low, found.risk.high
    if not (
        np.isfinite([*numbers, found.raw or 0.0]).all()
        and 0 <= found.risk.low <= found.risk.value <= found.risk.high <= 1
    ):
        raise ArithmeticError(
            f"risk {numbers} with raw value {found.raw} is not a number in [0, 1] inside its interval"
        )
    return found


def _attempted(check: Check, work: Callable[[], T]) -> T | Skipped | Failed:
    try:
        return work()
    except NotApplicable as reason:
        return Skipped(check.card, str(reason))
    except ClusterError:
        raise
    except Exception as error:  # noqa: BLE001  the one place where a broken check must not stop the others
        return Failed(check.card, f"{type(error).__name__}: {error}")


def _risk(found: Measurement | Unavailable) -> Control:
    return found.risk if isinstance(found, Measurement) else found


def _control(check: Check, bench: Bench[Part], seed: int) -> Measurement | Unavailable:
    try:
        return measure(check, bench, stream(seed, stream_name(check)))
    except NotApplicable as reason:
        return Unavailable(str(reason))
