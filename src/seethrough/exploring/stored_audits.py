"""An audit that was written to a folder: its report read back, and its tables found again."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seethrough.data.files.json_files import parse_json
from seethrough.data.files.sources import open_source, readable
from seethrough.errors import ConfigError
from seethrough.plugins import catalog
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import records
from seethrough.report.machine.files import RECORDS
from seethrough.report.machine.input_files import INPUTS, AuditInputs, read_inputs
from seethrough.report.machine.reading_back import read_back
from seethrough.results.card import Card
from seethrough.results.report import Report

REPORT = "report.json"
_NAME_THEM = "name the tables: --real, --synthetic, --holdout"


@dataclass(frozen=True)
class StoredTables:
    """Where the tables of an audit are: paths or frames, the schema and the card that it was given."""

    real: Any = None
    synthetic: Any = None
    holdout: Any = None
    schema: Any = None
    card: Any = None


def installed_cards() -> Mapping[str, Card]:
    """Give what describes the checks that are installed, by name."""
    return {name: check.card for name, check in catalog.load().items()}


def load_report(audit: str | Path | Mapping[str, Any]) -> AuditReport:
    """Read a report back from the folder of an audit, with risks of single records, or from its report.json alone."""
    form = audit if isinstance(audit, Mapping) else load_form(audit)
    report = read_back(form, installed_cards())
    if not isinstance(audit, Mapping) and Path(audit).is_dir() and (Path(audit) / RECORDS).is_file():
        source = open_source(Path(audit) / RECORDS, RECORDS)
        with readable(RECORDS, may_panic=True):
            frame = source.frame.collect()
        report = records.with_records(report, frame)
    try:
        return AuditReport(**vars(report))
    except ValueError as error:
        raise ConfigError(f"this report cannot be shown: {error}") from error


def load_form(audit: str | Path) -> Any:
    """Read the JSON form of a report from the folder of an audit, or from a file."""
    path = Path(audit) / REPORT if Path(audit).is_dir() else Path(audit)
    return _parsed(path, "; an audit with --out writes it")


def find_tables(
    audit: str | Path | Mapping[str, Any] | Report, said: Mapping[str, Any], given: StoredTables
) -> StoredTables:
    """Take the tables that are given, or find those of an audit by its inputs.json; `said` is the JSON form."""
    if given.real is not None and given.synthetic is not None:
        return given
    if not (given.real is None and given.synthetic is None and given.holdout is None):
        raise ConfigError(f"give the real and the synthetic table, or none at all: then {INPUTS} says where they lie")
    inputs = _inputs(audit)
    if not inputs.is_of(said["release"]):
        raise ConfigError(f"{INPUTS} is of another audit than {REPORT}; {_NAME_THEM}")
    for role, file in inputs.tables:
        if not Path(file.path).is_file():
            raise ConfigError(f"the {role} is no longer at {file.path}; {_NAME_THEM}")
    names = [table["name"] for table in said["release"]["synthetic"]]
    return StoredTables(
        Path(inputs.real.path),
        {name: Path(file.path) for name, file in zip(names, inputs.synthetic, strict=True)},
        None if inputs.holdout is None else Path(inputs.holdout.path),
        given.schema if given.schema is not None else _path(inputs.schema),
        given.card if given.card is not None else _path(inputs.card),
    )


def _inputs(audit: str | Path | Mapping[str, Any] | Report) -> AuditInputs:
    if isinstance(audit, str | Path):
        folder = Path(audit) if Path(audit).is_dir() else Path(audit).parent
        if not (folder / INPUTS).is_file():
            raise ConfigError(f"there is no {INPUTS} beside {REPORT}, which says where the tables lie; {_NAME_THEM}")
        return read_inputs(_parsed(folder / INPUTS))
    if isinstance(audit, AuditReport) and audit.inputs is not None:
        return audit.inputs
    raise ConfigError("the tables that were audited are needed: the report does not say where they lie")


def _parsed(path: Path, hint: str = "") -> Any:
    try:
        return parse_json(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}{hint}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not JSON: it is not text in UTF-8") from error


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
