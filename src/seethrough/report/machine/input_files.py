"""Where the tables of an audit lie: inputs.json, for its owner alone, so that they are found again.

It has the path, the bytes, the time of the last change and the digest of each table as the report has it, the options
of CSV files, and the paths of the schema and of the card of a split, where files were given. It is written beside
report.json where all tables came from files, and never for others: reports themselves name no place.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seethrough.errors import ConfigError
from seethrough.report.machine.typed_values import make_value
from seethrough.results.levers.advice import Advice
from seethrough.results.report import Report
from seethrough.text.printable import json_text

INPUTS = "inputs.json"
INPUTS_FORMAT = 1
_TABLES = frozenset({"--real", "--synthetic", "--holdout"})


@dataclass(frozen=True)
class InputFile:
    """The file of a table: where it lies, its size and last change (UTC), and the digest of what was read from it."""

    path: str
    bytes: int
    modified: str
    digest: str


@dataclass(frozen=True)
class AuditInputs:
    """The files of all tables of an audit, and what else is needed to read them again."""

    real: InputFile
    synthetic: tuple[InputFile, ...]
    holdout: InputFile | None
    csv: Mapping[str, str | None]
    schema: str | None = None
    card: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {"format": INPUTS_FORMAT, **asdict(self)}

    def to_json(self) -> str:
        """Give the JSON form as text."""
        return json_text(self.to_dict(), sort_keys=True) + "\n"

    @property
    def tables(self) -> tuple[tuple[str, InputFile], ...]:
        """List the files, each with what it is."""
        outside = [] if self.holdout is None else [("holdout", self.holdout)]
        return ("real table", self.real), *(("synthetic table", each) for each in self.synthetic), *outside

    def is_of(self, release: Mapping[str, Any]) -> bool:
        """Tell by digests whether these are the tables of a report, whose `release` is given."""
        given = [release.get("real"), *(release.get("synthetic") or ()), release.get("holdout")]
        digests = [each.get("digest") for each in given if isinstance(each, Mapping)]
        return digests == [file.digest for _, file in self.tables]


def describe_inputs(
    tables: Sequence[tuple[object, str]],
    holdout: tuple[object, str] | None,
    csv: Mapping[str, str | None],
    schema: object = None,
    card: object = None,
) -> AuditInputs | None:
    """Say where tables lie; None where one of them is no file. Tables are what was given and the digest, real first."""
    files = [_file(*each) for each in (*tables, *((holdout,) if holdout else ()))]
    known = [file for file in files if file is not None]
    if len(known) != len(files):
        return None
    outside = known.pop() if holdout else None
    return AuditInputs(known[0], tuple(known[1:]), outside, dict(csv), _place(schema), _place(card))


def read_inputs(form: Any) -> AuditInputs:
    """Make the value of its JSON form."""
    if not isinstance(form, Mapping) or form.get("format") != INPUTS_FORMAT:
        raise ConfigError(f"{INPUTS} is not what an audit writes; name the tables yourself")
    try:
        return make_value(AuditInputs, form, INPUTS)
    except ConfigError as error:
        raise ConfigError(f"{INPUTS} is not what an audit writes; name the tables yourself") from error


def shorten_commands(report: Report) -> Report:
    """Leave the tables out of commands that find them by inputs.json."""
    tables = tuple(replace(table, advice=tuple(map(_short, table.advice))) for table in report.tables)
    return replace(report, tables=tables, advice_on_all_files=tuple(map(_short, report.advice_on_all_files)))


def _short(advice: Advice) -> Advice:
    words = shlex.split(advice.command)
    if words[:2] != ["seethrough", "whatif"]:
        return advice
    kept = [word for before, word in zip(("", *words), words, strict=False) if not {before, word} & _TABLES]
    return replace(advice, command=shlex.join(kept))


def _file(given: object, digest: str) -> InputFile | None:
    if not isinstance(given, str | Path):
        return None
    path = Path(given).absolute()
    try:
        about = path.stat()
    except OSError:
        return None
    changed = datetime.fromtimestamp(about.st_mtime, UTC).isoformat()
    return InputFile(str(path), about.st_size, changed, digest)


def _place(given: object) -> str | None:
    return str(Path(given).absolute()) if isinstance(given, str | Path) else None
