"""The cost of a run: for each check, each computation that checks share and each step, a + b rows + c rows².

Rows are the geometric mean of real and released ones; the terms in rows grow with the number of columns, what attacks
on secrets take with the number of secrets, and least squares with its systems, one for each class. The coefficients in
costs.toml were fitted by `python -m benchmarks.costs` to audits of several tables and sizes, apart for audits with and
without people outside and a named secret. Seconds are scaled by how fast this machine does a piece of work that was
timed there too, and by the share of the work that runs on several threads.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any

from seethrough.auditing.evidence.secrets import TENTHS
from seethrough.data.schema import Column
from seethrough.exploring.answers.prices import RunCost
from seethrough.exploring.pricing.machine_speed import measure_speed

EVIDENCE = "evidence"
ON_SECRETS = "attacks on secrets"
LEAST_SQUARES = "attacks by least squares"
SOLVING = ("recon", "cobp")
"""Attacks that solve a system for each class of a secret; the check `recon` does too."""
BEYOND = " beyond"
"""Of more real rows than `dense` in costs.toml systems are solved by steps, which take less and are fitted apart."""


@dataclass(frozen=True)
class RunSize:
    """What the cost of a run depends on besides its checks; `classes` counts those of each named secret."""

    real: int
    released: Sequence[int]
    columns: int
    classes: Sequence[int]
    has_outsiders: bool
    threads: int

    @property
    def kind(self) -> str:
        """Name the kind of audit, for each of which there are coefficients."""
        outside = "people outside" if self.has_outsiders else "nobody outside"
        return f"{outside}, {'a secret' if self.classes else 'no secret'}"

    @property
    def systems(self) -> Sequence[int]:
        """Count the systems of least squares for each named secret; where columns take turns, all of them are one."""
        return [1 if classes <= 2 else classes for classes in self.classes] or [1]


def count_classes(column: Column) -> int:
    """Count the classes of a secret: its levels, or the tenths in which numbers are guessed."""
    return len(column.levels) if column.kind.has_levels else TENTHS


@cache
def read_costs() -> Mapping[str, Any]:
    """Read the coefficients."""
    text = files("seethrough.exploring.pricing").joinpath("costs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def estimate_cost(checks: Iterable[str], preset: str, size: RunSize) -> RunCost:
    """Estimate seconds and bytes of a run; a check that is not known costs as much as the median one."""
    costs = read_costs()
    found = costs["kinds"][size.kind]
    beyond = BEYOND if size.real > costs["dense"] else ""
    scale = measure_speed() / costs["speed"] * _thread_factor(costs["parallel"], size.threads, costs["threads"])
    wide = size.columns / costs["columns"]
    by_check: dict[str, float] = {}
    shared: set[str] = set()
    held = [_value(found["bytes"]["all"], 0, wide)]
    total = attacks = 0.0
    for rows in (sqrt(size.real * released) for released in size.released):
        once = {name: scale * _value(found["shared"][name], rows, wide) for name in found["shared"]}
        steps = {name: scale * _value(each, rows, wide) for name, each in found["steps"][preset].items()}
        attacks += steps.pop(EVIDENCE) + steps.pop(ON_SECRETS) * len(size.systems)
        attacks += steps[LEAST_SQUARES + beyond] * sum(size.systems)
        total += sum(seconds for name, seconds in steps.items() if not name.startswith(LEAST_SQUARES))
        for name in checks:
            known, systems = (name + beyond, size.systems[0]) if name in SOLVING else (name, 1)  # of the first secret
            own = scale * systems * _value(found["checks"].get(known, found["checks"]["other"]), rows, wide)
            uses = set(found["uses"].get(name, ()))
            by_check[name] = by_check.get(name, 0.0) + own + sum(once[each] for each in uses)
            total += own
            shared |= uses
        total += sum(once[each] for each in shared)
        held += [_value(found["bytes"].get(name, found["bytes"]["all"]), rows, wide) for name in ("all", *by_check)]
    return RunCost(total + attacks, int(costs["base_bytes"] + max(held)), attacks, by_check)


def _value(coefficients: Sequence[float], rows: float, wide: float) -> float:
    a, b, c = coefficients
    return a + wide * (b * rows + c * rows * rows)


def _thread_factor(parallel: float, threads: int, reference: int) -> float:
    """Give by how much the time changes with the threads, where a share of the work runs on all of them."""
    return (1 - parallel + parallel / threads) / (1 - parallel + parallel / reference)
