"""The record of an audit: what was asked for, the programs it ran with, the numbers that decide and who set them."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from seethrough.report.gates.limits import Broken, Limit
from seethrough.report.words.evidence_text import thresholds
from seethrough.results.evidence import GradeLimits
from seethrough.results.outcome import Value
from seethrough.results.provenance import USER, Provenance, Threshold
from seethrough.results.report import Report

PROGRAMS = ("numpy", "scipy", "polars", "scikit-learn", "lightgbm", "highspy")
"""Packages whose versions may change a number."""


def provenance(
    params: Mapping[str, Mapping[str, Value]],
    roles: tuple[Sequence[str], Sequence[str]],
    schema: str,
    declared: Sequence[str],
    csv: Mapping[str, str | None],
    limits: GradeLimits,
) -> Provenance:
    """Write down what was asked for; `params` has all parameters of every check, in order, `roles` secrets and keys."""
    secrets, keys = roles
    return Provenance(
        checks=tuple(params),
        params={check: dict(values) for check, values in params.items()},
        secrets=tuple(secrets),
        keys=tuple(keys),
        declared=tuple(declared),
        schema=schema,
        csv=dict(csv),
        grades=None if limits.set_by == "default" else (limits.clear, limits.severe),
        versions=versions(),
        thresholds=thresholds(limits),
        date=datetime.now(UTC).date().isoformat(),
    )


def versions() -> dict[str, str]:
    """List the versions of Python and of the packages that compute."""
    found = {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    for name in PROGRAMS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def with_limits(report: Report, limits: Sequence[Limit], broken: Sequence[Broken] | None) -> Report:
    """Write down the limits that the user set; `broken` is None where they could not be judged."""
    if not limits:
        return report
    told = [Threshold(limit.text, USER, _is_broken(limit, broken)) for limit in limits]
    kept = (*report.provenance.thresholds, *told)
    return replace(report, provenance=replace(report.provenance, thresholds=kept))


def _is_broken(limit: Limit, broken: Sequence[Broken] | None) -> bool | None:
    """Tell whether a limit was broken on any table; None where that is not known."""
    if broken is None:
        return None
    mine = [each for each in broken if each.limit.text == limit.text]
    return None if mine and all(each.is_undecided for each in mine) else bool(mine)
