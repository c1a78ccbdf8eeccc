"""The desk: takes files in, has them read one after another, and says how their columns are understood."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from seethrough.data.files.sources import Source
from seethrough.data.samples import acs_release
from seethrough.data.schema import Schema
from seethrough.data.schema_files import read_schema, schema_to_toml
from seethrough.errors import SeethroughError
from seethrough.results.whole_files import write_whole_text
from seethrough.system.private_folders import private_folder
from seethrough.web.session.given_files import ROLES, GivenFile
from seethrough.web.session.session import Session
from seethrough.web.worker.computing import Computing
from seethrough.web.worker.reading import read_given
from seethrough.web.worker.understanding import UnderstoodTables, declare_columns, understand_tables

FILES, GIVEN_SCHEMA, TABLES = "files.json", "given-schema.toml", "tables"
Tell = Callable[[str, dict[str, Any]], None]
_SETTLED = frozenset({"waiting", "running"})
"""States in which files do not change the state."""


class ReadingDesk:
    """Files of one session; `changed` is called when what is to be audited has changed."""

    def __init__(self, session: Session, computing: Computing, tell: Tell, limit: int) -> None:
        self.session, self._computing, self._tell, self._limit = session, computing, tell, limit
        self.sources: dict[str, Source] = {}
        self.given: Schema | None = None
        self.changed: Callable[[], None] = lambda: None
        self._understood: UnderstoodTables | None = None
        self._declared: dict[str, Any] = {}
        self._lock = threading.RLock()

    @property
    def is_complete(self) -> bool:
        """Tell whether there are a real table and a release, all read and sound."""
        every = [file for role in ROLES for file in self.session.files[role]]
        has_both = self.session.files["real"] and self.session.files["synthetic"]
        return bool(has_both) and all(file.is_read and not file.problem for file in every)

    @property
    def is_ready(self) -> bool:
        """Tell whether an audit can run."""
        return self.is_complete and not any(column.problem for column in self.session.columns)

    def declared_schema(self) -> Schema:
        """Give what was declared about columns: by a file, and by changes since."""
        real = self.sources.get("real-0")
        before = self._understood.schema if self._understood else None
        return declare_columns(self.given, self.session.settings, before, real.dtypes if real else ())

    def take(self, role: str, number: int, label: str) -> None:
        """Take a file that has arrived among the tables."""
        self._put(GivenFile(role, number, label, self.session.folder / TABLES / f"{role}-{number}"))

    def choose(self, role: str, number: int, listed: int) -> None:
        """Take a file of the command line, by its number there."""
        offered = next((each for each in self.session.offered if each.number == listed), None)
        if offered is not None:
            self._put(GivenFile(role, number, offered.label, offered.path))

    def remove_file(self, role: str, number: int) -> None:
        """Take a file out, and what was read of it; one that arrived here goes from the disk."""
        for file in self.session.files[role]:
            if file.number == number and file.path.parent == self.session.folder / TABLES:
                with suppress(OSError):
                    file.path.unlink()
        self.session.remove_file(role, number)
        self.sources.pop(f"{role}-{number}", None)
        self._save()
        self._begin_anew()
        self._computing.put(self._settle)

    def read_again(self, role: str, number: int, separator: str, encoding: str) -> None:
        """Read a file with another separator or encoding; an empty one is found from the file."""
        key = f"{role}-{number}"
        told = {name: value for name, value in (("separator", separator), ("encoding", encoding)) if value}
        others = {name: value for name, value in self.session.settings.csv.items() if name != key}
        self.session.change(csv={**others, key: told} if told else others)
        for file in self.session.files[role]:
            if file.number == number:
                self._put(replace(file, rows=None, problem=""))

    def take_sample(self) -> None:
        """Take the shipped survey records, and a careless release made from them."""
        sample = acs_release()
        folder = self.session.folder / TABLES
        folder.mkdir(0o700, exist_ok=True)
        for role in ROLES:
            getattr(sample, role).write_csv(folder / f"{role}-0")
            self.take(role, 0, f"survey-{role}.csv")

    def understand(self) -> None:
        """Read columns again whose kind or role has changed."""
        with self._lock:
            if self._understood is None:
                self._understand(None)
            else:
                declared = self._by_column(self.declared_schema())
                names = {
                    name for name in {*declared, *self._declared} if declared.get(name) != self._declared.get(name)
                }
                self._understand(names)
        self.changed()

    def schema_text(self) -> str:
        """Give the schema as the text of schema.toml."""
        return schema_to_toml(self._understood.schema) if self._understood else ""

    def give_schema(self, text: str) -> str:
        """Take a schema; where it cannot be used, say why in a sentence and change nothing."""
        before = self.given
        try:
            self.given = _parse_schema(text)
            self._try_schema()
        except SeethroughError as error:
            self.given = before
            return str(error)
        write_whole_text(self.session.folder / GIVEN_SCHEMA, text)
        self.session.change(kinds={}, roles={})
        with self._lock:
            self._understand(None)
        self.changed()
        return ""

    def restore(self) -> None:
        """Take in again what an earlier worker of this audit had."""
        with suppress(SeethroughError):
            place = self.session.folder / GIVEN_SCHEMA
            self.given = read_schema(place) if place.exists() else None
        for told in _load_files(self.session.folder):
            own = self.session.folder / TABLES / f"{told['role']}-{told['number']}"
            path = Path(told["path"]) if told["path"] else own
            if path.is_file():
                self._queue(GivenFile(told["role"], int(told["number"]), told["label"], path))

    def _put(self, file: GivenFile) -> None:
        self._begin_anew()
        self._queue(file)
        self._save()

    def _queue(self, file: GivenFile) -> None:
        self.session.put_file(file)
        self._computing.put(lambda: self._read(file))

    def _begin_anew(self) -> None:
        """Files have changed: what was found before is about others, unless they are tables that a report lacked."""
        session = self.session
        lacked_tables = session.report is not None and session.exploration is None
        session.columns, self._understood = (), None
        if lacked_tables:
            return
        session.exploration, session.report = None, None
        session.outcomes.clear()
        session.evidence.clear()
        session.person = None
        if session.state not in _SETTLED:
            session.state, session.why = "files", ""

    def _read(self, file: GivenFile) -> None:
        csv = self.session.settings.csv.get(file.key, {})
        found, source = read_given(file, csv, self._limit)
        if not any(each.key == file.key and each.path == file.path for each in self.session.files[file.role]):
            return  # it was taken out meanwhile
        self.session.put_file(found)
        if source is None:
            self.sources.pop(file.key, None)
        else:
            self.sources[file.key] = source
        self._settle()

    def _settle(self) -> None:
        """Say how columns are understood once all files are read, and tell the state that follows."""
        with self._lock:
            if self.is_complete:
                self._understand(None)
        session = self.session
        if session.state not in _SETTLED and session.report is None and session.state not in {"stopped", "failed"}:
            every = [file for role in ROLES for file in session.files[role]]
            session.state = "ready" if self.is_ready else "files" if every else "empty"
        self._tell("state", self.facts())
        if self.is_ready:
            self.changed()

    def facts(self) -> dict[str, Any]:
        """Say what the history shows of the files."""
        session = self.session
        every = [file for role in ROLES for file in session.files[role]]
        released = session.files["synthetic"]
        return {
            "state": session.state,
            "labels": {file.key: file.label for file in every},
            "rows": released[0].rows if released else None,
            "name": released[0].label if released else "",
        }

    def _understand(self, names: set[str] | None) -> None:
        """Understand all columns, or those named; what does not fit becomes a problem of its file."""
        real = self.sources.get("real-0")
        if real is None or names == set():
            return
        releases = [self.sources[file.key] for file in self.session.files["synthetic"] if file.key in self.sources]
        declared = self.declared_schema()
        try:
            found = understand_tables(real, releases, declared, self.session.settings, names)
        except SeethroughError as error:
            first = self.session.files["real"][0]
            self.session.put_file(replace(first, problem=str(error)))
            return
        self._declared = self._by_column(declared)
        self._understood = found if self._understood is None or names is None else self._understood.with_columns(found)
        self.session.columns = self._understood.rows
        self._refuse_others()

    def _refuse_others(self) -> None:
        """Say which tables lack a column of the real one."""
        assert self._understood is not None
        wanted = [column.name for column in self._understood.schema.used]
        for role in ROLES[1:]:
            for file in self.session.files[role]:
                source = self.sources.get(file.key)
                lacks = [name for name in wanted if source is not None and name not in source.dtypes]
                if lacks:
                    said = f"{file.label} has no column {lacks[0]!r}, which {self.session.files['real'][0].label} has"
                    self.session.put_file(replace(file, problem=said))

    def _by_column(self, declared: Schema) -> dict[str, Any]:
        settings = self.session.settings
        named = dict.fromkeys(settings.secrets, "secret") | dict.fromkeys(settings.keys, "key")
        found: dict[str, Any] = {column.name: (column, named.get(column.name)) for column in declared.columns}
        return {**{name: (None, role) for name, role in named.items()}, **found}

    def _try_schema(self) -> None:
        real = self.sources.get("real-0")
        if real is not None:
            settings = replace(self.session.settings, kinds={}, roles={})
            understand_tables(real, [], declare_columns(self.given, settings, None, real.dtypes), settings)

    def _save(self) -> None:
        own = self.session.folder / TABLES
        told = [
            {
                "role": file.role,
                "number": file.number,
                "label": file.label,
                "path": "" if file.path.parent == own else str(file.path),
            }
            for role in ROLES
            for file in self.session.files[role]
        ]
        write_whole_text(self.session.folder / FILES, json.dumps(told, indent=1))


def _parse_schema(text: str) -> Schema:
    with private_folder("schema") as folder:
        place = folder / "schema.toml"
        place.write_text(text, encoding="utf-8")
        return read_schema(place)


def _load_files(folder: Path) -> list[dict[str, Any]]:
    try:
        told = json.loads((folder / FILES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [each for each in told if each.get("role") in ROLES]
