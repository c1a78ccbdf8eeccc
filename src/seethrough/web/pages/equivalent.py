"""The same audit as a command for sh and PowerShell, and as Python: what was asked for, as the report records it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pprint import pformat
from shlex import quote

from seethrough.plugins import catalog
from seethrough.protocols.parameters import plain
from seethrough.results.outcome import Value
from seethrough.results.report import Report

OUT = "audit"
SCHEMA = "schema.toml"
_BARE = re.compile(r"[A-Za-z0-9_./:-]+")
"""What PowerShell takes as one word; a comma would make a list."""
_POWERSHELL_QUOTES = re.compile("(['\u2018\u2019\u201a\u201b])")
"""Each of these ends a quoted word in PowerShell, and stands for itself when doubled."""


@dataclass(frozen=True)
class TablePaths:
    """Where the tables are, as the user would type it."""

    real: str
    synthetic: tuple[str, ...]
    holdout: str | None = None


@dataclass(frozen=True)
class EquivalentAudit:
    """What an audit was asked for, without what is usual."""

    paths: TablePaths
    secrets: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    entity: str | None = None
    checks: tuple[str, ...] = ()
    preset: str = "full"
    params: Mapping[str, Mapping[str, Value]] | None = None
    grades: tuple[float, ...] | None = None
    needs_schema: bool = False
    csv: Mapping[str, str] | None = None
    seed: int = 0
    targets: int | str | None = None

    @classmethod
    def of(cls, report: Report, paths: TablePaths) -> "EquivalentAudit":
        """Read from a report what it was asked for."""
        asked = report.provenance
        usual = {check.card.name for check in catalog.choose(preset=asked.preset)}
        return cls(
            paths,
            asked.secrets,
            asked.keys,
            asked.entity,
            () if set(asked.checks) == usual else asked.checks,
            asked.preset,
            dict(_unusual(asked.params)),
            asked.grades,
            bool(asked.declared) or not _can_be_listed(asked.keys),
            {name: value for name, value in asked.csv.items() if value},
            report.seed,
            asked.targets,
        )

    def sh(self) -> str:
        """Give the command for sh, bash and zsh."""
        return " \\\n  ".join(self._lines(quote))

    def powershell(self) -> str:
        """Give the command for PowerShell."""
        return " `\n  ".join(self._lines(quote_powershell))

    def python(self) -> str:
        """Give the same in Python."""
        given = ",\n".join(f"    {name}={_literal(value)}" for name, value in self._arguments())
        return f'import seethrough as st\n\nreport = st.audit(\n{given},\n)\nreport.save("{OUT}")\n'

    def _lines(self, quoted: Callable[[str], str]) -> Iterator[str]:
        yield "seethrough audit"
        for name, value in self._options():
            yield f"--{name} {quoted(value)}"

    def _options(self) -> Iterator[tuple[str, str]]:
        yield "real", self.paths.real
        yield from (("synthetic", path) for path in self.paths.synthetic)
        if self.paths.holdout is not None:
            yield "holdout", self.paths.holdout
        if self.needs_schema:
            yield "schema", SCHEMA
        yield from (("secret", name) for name in self.secrets)
        if self.keys and _can_be_listed(self.keys):
            yield "keys", ",".join(self.keys)
        yield from self._choices()
        yield "seed", str(self.seed)
        yield "out", OUT

    def _choices(self) -> Iterator[tuple[str, str]]:
        if self.entity is not None:
            yield "entity", self.entity
        if self.preset != "full":
            yield "preset", self.preset
        if self.checks:
            yield "checks", ",".join(self.checks)
        for check, values in (self.params or {}).items():
            yield from (("param", f"{check}.{name}={_text(value)}") for name, value in values.items())
        if self.grades is not None:
            yield "grades", ",".join(f"{each:g}" for each in self.grades)
        if self.targets is not None:
            yield "targets", str(self.targets)
        yield from (self.csv or {}).items()

    def _arguments(self) -> Iterator[tuple[str, object]]:
        yield "real", self.paths.real
        yield "synthetic", list(self.paths.synthetic) if len(self.paths.synthetic) > 1 else self.paths.synthetic[0]
        optional: Mapping[str, object] = {
            "holdout": self.paths.holdout,
            "schema": SCHEMA if self.needs_schema else None,
            "secret": list(self.secrets),
            "keys": list(self.keys),
            "entity": self.entity,
            "preset": None if self.preset == "full" else self.preset,
            "checks": list(self.checks),
            "params": {check: dict(values) for check, values in (self.params or {}).items()},
            "targets": self.targets,
            "grades": None if self.grades is None else list(self.grades),
            **(self.csv or {}),
        }
        yield from ((name, value) for name, value in optional.items() if value)
        yield "seed", self.seed


def quote_powershell(word: str) -> str:
    """Quote a word for PowerShell, where nothing inside single quotes acts but the quotes themselves."""
    return word if _BARE.fullmatch(word) else "'" + _POWERSHELL_QUOTES.sub(r"\1\1", word) + "'"


def _unusual(params: Mapping[str, Mapping[str, Value]]) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """Give the parameters that differ from what they are where nobody sets them."""
    known = {**{name: plain(check) for name, check in catalog.load().items()}, **catalog.isolation_params({})}
    for check, values in params.items():
        usual = known.get(check, {})
        if changed := {name: value for name, value in values.items() if usual.get(name, ...) != value}:
            yield check, changed


def _text(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case None:
            return "none"
        case _:
            return str(value)


def _can_be_listed(names: Sequence[str]) -> bool:
    """Tell whether names can be typed as A,B,C; others are said in a schema."""
    return not any("," in name or name != name.strip() for name in names)


def _literal(value: object) -> str:
    return pformat(value, width=100, sort_dicts=False).replace("\n", "\n    ")


def name_paths(names: Sequence[str]) -> tuple[str, ...]:
    """Write names of files as paths: one that begins with a dash would be taken for an option."""
    return tuple(f"./{name}" if name.startswith("-") else name for name in names)
