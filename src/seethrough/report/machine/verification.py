"""Two reports in their JSON form, compared value by value: one that somebody shows, and one made anew.

Everything is compared but what no run repeats: seconds, the date, versions of programs, the digest of the report, and
commands, which name files in whatever quotes a shell wants.
The digest tells whether a report was edited after it was made, in these too. Files may have been renamed since; then
the names differ and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Any

from seethrough.errors import ConfigError
from seethrough.report import untrusted
from seethrough.results.provenance import report_digest

FORMATS = (2,)
TOLERANCE = 1e-9
"""What rounding in another version of a library may move; anything larger is a difference."""
_NOT_REPEATED = frozenset({"seconds", "timings", "digest", "seethrough", "versions", "date", "command"})
_INPUTS = frozenset({"release", "schema"})
_NAMES = ("checks", "secrets", "keys", "declared")
_RECORD: Mapping[str, Any] = {
    **dict.fromkeys((*_NAMES, "thresholds"), list | tuple),
    **dict.fromkeys(("params", "csv", "versions"), Mapping),
    "preset": str,
}
"""What the record of an audit has, as far as it is needed to repeat it."""


@dataclass(frozen=True)
class Difference:
    """Something that is not as the report says."""

    where: str
    said: str
    found: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.where}: the report says {self.said}, now it is {self.found}"


@dataclass(frozen=True)
class ReportDifferences:
    """Where a report and the one made anew differ, and whether it was edited after it was made."""

    inputs: tuple[Difference, ...] = ()
    numbers: tuple[Difference, ...] = ()
    versions: tuple[Difference, ...] = ()
    names: tuple[Difference, ...] = ()
    is_edited: bool = False


def checked_form(report: Any) -> Mapping[str, Any]:
    """Refuse what is no report of a known format, or one that cannot be repeated."""
    if not isinstance(report, Mapping) or not {"format", "release", "outcomes"} <= report.keys():
        raise ConfigError("this is not a report of `seethrough audit`")
    if report["format"] not in FORMATS:
        shown = untrusted.visible(repr(report["format"]), 40)
        raise ConfigError(
            f"the report has format {shown} and only {FORMATS[-1]} can be verified; audit the tables again"
        )
    record = report.get("record")
    if not isinstance(record, Mapping) or not record.get("checks"):
        raise ConfigError("the report does not record which checks were run, so it cannot be repeated")
    if record.get("audience") == "external":
        raise ConfigError("the report was made for others, with rounded numbers; the custodian's report is needed")
    _refuse_other_types(report, record)
    return report


def _refuse_other_types(report: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Refuse a record that does not say what to repeat."""
    for name, kind in _RECORD.items():
        if not isinstance(record.get(name), kind):
            raise _odd(f"record.{name}")
    texts = {name: all(isinstance(text, str) for text in record[name]) for name in _NAMES}
    sound = texts | {
        "params": all(isinstance(values, Mapping) for values in record["params"].values()),
        "csv": all(isinstance(value, str | None) for value in record["csv"].values()),
        "entity": isinstance(record.get("entity"), str | None),
        "targets": record.get("targets") in {None, "all"} or isinstance(record["targets"], int),
        "grades": record.get("grades") is None or _are_numbers(record["grades"]),
    }
    for name, is_sound in sound.items():
        if not is_sound:
            raise _odd(f"record.{name}")
    seed = report.get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise _odd("seed")
    if not isinstance(report.get("exhibits"), Mapping):
        raise _odd("exhibits")


def _are_numbers(values: Any) -> bool:
    return _is_list(values) and all(isinstance(each, int | float) and not isinstance(each, bool) for each in values)


def _odd(where: str) -> ConfigError:
    return ConfigError(f"{where} of the report is not what an audit writes there, so the audit cannot be repeated")


def compare_reports(said: Mapping[str, Any], now: Mapping[str, Any]) -> ReportDifferences:
    """Compare a report with the one that was made anew from its record."""
    is_edited = said.get("digest") != report_digest(said)
    names = tuple(_renamed_files(said, now))
    kept = _with_names(now, {each.found: each.said for each in names})
    inputs = tuple(_tables(said["release"], kept["release"])) or (
        *_walk("release", said["release"], kept["release"]),
        *_schema(said, kept),
    )
    # With other tables other numbers are no news.
    numbers = () if inputs else tuple(_rest(said, kept))
    # A name that nobody else can check is believed where the report is as it was made.
    found = ReportDifferences(inputs, numbers, tuple(_versions(said, now)), names, is_edited)
    return replace(found, inputs=(*names, *inputs)) if is_edited else found


def _tables(said: Any, now: Mapping[str, Any]) -> Iterator[Difference]:
    """Tell which tables are others, by their digests."""
    for part, (theirs, here) in _sources(said, now).items():
        if (theirs is None) != (here is None):
            yield Difference(part, *("none was given" if each is None else "one was given" for each in (theirs, here)))
        elif isinstance(theirs, Mapping) and theirs.get("digest") != here["digest"]:
            what = [f"{_shown(each.get('rows'))} rows, digest {_shown(each.get('digest'))}" for each in (theirs, here)]
            yield Difference(f"{part} ({untrusted.name(str(here['name']))})", *what)


def _schema(said: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _walk("schema", said.get("schema"), now["schema"])
    if said["record"].get("schema") != now["record"].get("schema"):
        yield Difference("schema", "other levels or ranges", "these")


def _rest(said: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    for key in [*now, *(key for key in said if key not in now)]:
        if key not in _INPUTS | _NOT_REPEATED:
            yield from _walk(_shown_key(key), said.get(key, _NOTHING), now.get(key, _NOTHING))


def _versions(said: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    """Compare the programs, which may explain a difference and are none themselves."""
    theirs = {"seethrough": said.get("seethrough"), **said["record"]["versions"]}
    here = {"seethrough": now["seethrough"], **now["record"]["versions"]}
    for name, value in here.items():
        if theirs.get(name) != value:
            yield Difference(name, _shown(theirs.get(name)), _shown(value))


def _renamed_files(said: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    """Find tables that are the same under another name."""
    for part, (theirs, here) in _sources(said["release"], now["release"]).items():
        if not isinstance(theirs, Mapping) or not here or theirs.get("digest") != here["digest"]:
            continue
        if isinstance(theirs.get("name"), str) and theirs["name"] != here["name"]:
            yield Difference(f"name of {part}", theirs["name"], here["name"])


def _sources(said: Any, now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    theirs = said if isinstance(said, Mapping) else {}
    pairs = {part: (theirs.get(part), now[part]) for part in ("real", "holdout")}
    given = theirs.get("synthetic")
    several: Sequence[Any] = () if given is None or not _is_list(given) else given
    for number, here in enumerate(now["synthetic"]):
        pairs[f"synthetic table {number + 1}"] = (several[number] if number < len(several) else None, here)
    return pairs


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Write names of files as the report does, wherever they stand."""
    if not names:
        return value
    if isinstance(value, Mapping):
        return {key: _with_names(each, names) for key, each in value.items()}
    if _is_list(value):
        return [_with_names(each, names) for each in value]
    if isinstance(value, str):
        for here, said in names.items():
            value = value.replace(here, said)
    return value


_NOTHING = object()
"""Stands for a key that is not there, which is not the same as null."""


def _walk(where: str, said: Any, found: Any) -> Iterator[Difference]:
    """Go down both values together, and tell where they part."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for key in [*found, *(key for key in said if key not in found)]:
            if key not in _NOT_REPEATED:
                yield from _walk(f"{where}.{_shown_key(key)}", said.get(key, _NOTHING), found.get(key, _NOTHING))
    elif _is_list(said) and _is_list(found) and len(said) == len(found):
        for number, (first, second) in enumerate(zip(said, found, strict=True), start=1):
            check = second.get("check") if isinstance(second, Mapping) else None
            yield from _walk(f"{where}[{check or number}]", first, second)
    elif not _is_same(said, found):
        yield Difference(where, _shown(said), _shown(found))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_same(said: Any, found: Any) -> bool:
    numbers = [value for value in (said, found) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return isclose(*numbers, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(said) is type(found) and bool(said == found)


def _shown_key(key: Any) -> str:
    return untrusted.name(str(key))


def _shown(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    if _is_list(value):
        return f"a list of {len(value)}"
    return untrusted.visible("an object" if isinstance(value, Mapping) else str(value), 80)
