"""Two reports in their JSON form, compared number by number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

from seethrough.errors import ConfigError
from seethrough.report import untrusted

FORMATS = (2,)
TOLERANCE = 1e-9
"""What rounding in another version of a library may move; anything larger is a difference."""
EVIDENCE = ("verdict", "findings", "attacks", "evidence")
_NOT_REPEATED = frozenset({"seconds", "timings", "record", "seethrough", "notes"})


@dataclass(frozen=True)
class Difference:
    """Something that is not as the report says."""

    where: str
    said: str
    found: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.where}: the report says {self.said}, now it is {self.found}"


def checked_form(report: Any) -> Mapping[str, Any]:
    """Refuse what is no report of a known format, or one that cannot be repeated."""
    if not isinstance(report, Mapping) or not {"format", "release", "outcomes"} <= report.keys():
        raise ConfigError("this is not a report of `seethrough audit`")
    if report["format"] not in FORMATS:
        raise ConfigError(
            f"the report has format {report['format']!r} and only {FORMATS[-1]} can be verified; audit the tables again"
        )
    record = report.get("record")
    if not isinstance(record, Mapping) or not record.get("checks"):
        raise ConfigError("the report does not record which checks were run, so it cannot be repeated")
    if record.get("audience") == "external":
        raise ConfigError("the report was made for others, with rounded numbers; the custodian's report is needed")
    return report


def inputs(report: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Compare what was audited: tables by their digests, columns by how they were read."""
    found: list[Difference] = []
    for part in ("real", "holdout"):
        found += _source(part, report["release"].get(part), now["release"].get(part))
    said, here = report["release"]["synthetic"], now["release"]["synthetic"]
    if len(said) != len(here):
        found.append(Difference("synthetic tables", str(len(said)), str(len(here))))
    for number, (first, second) in enumerate(zip(said, here, strict=False), start=1):
        found += _source(f"synthetic table {number}", first, second)
    if report["record"].get("schema") != now["record"].get("schema"):
        found += list(_walk("schema", report["schema"], now["schema"])) or [
            Difference("schema", "other levels or ranges", "these")
        ]
    return tuple(found)


def numbers(report: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Compare verdict, findings, attacks, outcomes and exhibits of every synthetic table, then the tables."""
    found = list(_outcomes(untrusted.name(now["release"]["synthetic"][0]["name"]), report, now))
    said, here = report.get("further", ()), now["further"]
    if len(said) != len(here):
        found.append(Difference("further tables", str(len(said)), str(len(here))))
    for first, second in zip(said, here, strict=False):
        found += list(_outcomes(untrusted.name(str(second["synthetic"])), first, second))
    return (*found, *_walk("comparison", report.get("comparison"), now.get("comparison")))


def versions(report: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Compare the programs, which may explain a difference and are none themselves."""
    said = {"seethrough": report.get("seethrough"), **report["record"].get("versions", {})}
    here = {"seethrough": now["seethrough"], **now["record"]["versions"]}
    return tuple(
        Difference(name, str(said.get(name)), str(value)) for name, value in here.items() if said.get(name) != value
    )


def _source(part: str, said: Any, found: Any) -> Iterator[Difference]:
    if (said is None) != (found is None):
        yield Difference(
            part, "none was given" if said is None else "one was given", "none" if found is None else "one"
        )
    elif said is not None and said["digest"] != found["digest"]:
        what = [f"{each['rows']} rows, digest {each['digest']}" for each in (said, found)]
        yield Difference(f"{part} ({untrusted.name(str(found['name']))})", *what)


def _outcomes(table: str, said: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Difference]:
    for part in EVIDENCE:
        yield from _walk(f"{table}, {part}", said.get(part), found.get(part))
    now = {outcome["check"]: outcome for outcome in found["outcomes"]}
    for outcome in said["outcomes"]:
        name = untrusted.name(str(outcome["check"]))
        if outcome["check"] not in now:
            yield Difference(f"{table}, {name}", "it was run", "it was not")
        else:
            yield from _walk(f"{table}, {name}", outcome, now[outcome["check"]])
    yield from _walk(f"{table}, exhibits", said.get("exhibits"), found.get("exhibits"))


def _walk(where: str, said: Any, found: Any) -> Iterator[Difference]:
    """Go down both values together, and tell where they part."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for key in [*said, *(key for key in found if key not in said)]:
            if key not in _NOT_REPEATED:
                yield from _walk(f"{where}.{untrusted.name(str(key))}", said.get(key), found.get(key))
    elif _is_list(said) and _is_list(found) and len(said) == len(found):
        for number, (first, second) in enumerate(zip(said, found, strict=True), start=1):
            yield from _walk(f"{where}[{number}]", first, second)
    elif not _same(said, found):
        yield Difference(where, _shown(said), _shown(found))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _same(said: Any, found: Any) -> bool:
    numbers = [value for value in (said, found) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return isclose(*numbers, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(said == found)


def _shown(value: Any) -> str:
    return untrusted.visible(str(value), 80)
