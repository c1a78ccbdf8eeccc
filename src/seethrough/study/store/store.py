"""Store: the results of studies in one SQLite file, which only the coordinating process writes.

WAL mode lets others read while a study runs. Each answer of a worker is one transaction, so that a process may be ended
at any moment: what was answered is there, the rest is missing, nothing is half there. Results are JSON and numbers.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seethrough.errors import StoreError
from seethrough.study.cells.cell import Result, Status
from seethrough.study.plan.expansion import Study
from seethrough.study.store.migrations import MIGRATIONS, OLDEST, VERSION
from seethrough.system.held_folders import OWNER_FOLDER
from seethrough.system.private_folders import OWNER_FILE

APPLICATION = 0x53656554
"""Marks our files among those of SQLite."""
_BUSY = 10.0
_COLUMNS = "key, status, value, result, error, seconds, attempts, version, finished"
_FINAL = f"status IN ('{Status.DONE.value}', '{Status.SKIPPED.value}')"


@dataclass(frozen=True)
class Adopted:
    """What came of taking over another store: cells taken, cells that were there, and those of them that differ."""

    taken: int
    known: int
    different: int


class Store:
    """An open store; `Store.write` opens it for the coordinator, `Store.read` for everybody else."""

    def __init__(self, path: Path, connection: sqlite3.Connection, version: str = "") -> None:
        self.path = path
        self._connection = connection
        self._version = version

    @classmethod
    @contextmanager
    def write(cls, path: Path, version: str = "") -> Iterator["Store"]:
        """Open or begin a store as its only writer, of this program's version; another writer beside it is refused."""
        with _troubles(path), _alone(path), _troubles(path):  # inside too: one that is refused leaves no lock
            _make_private(path)
            connection = _connected(path)
            try:
                _begin(path, connection)
                yield cls(path, connection, version)
            finally:
                connection.close()

    @classmethod
    @contextmanager
    def read(cls, path: Path) -> Iterator["Store"]:
        """Open a store to look at it, also while it is written."""
        if not path.is_file():
            raise StoreError(f"{path} is not there; `seethrough study run` begins a store")
        with _troubles(path):
            connection = _connected(path)
            try:
                connection.execute("PRAGMA query_only = 1")
                _refuse_others(path, connection)
                if _version(connection) != VERSION:
                    raise StoreError(f"{path} is of an earlier version; `seethrough study run` brings it up to date")
                yield cls(path, connection)
            finally:
                connection.close()

    def enter(self, study: Study) -> int:
        """Note a study and its cells, and give its number; refuse one whose data are not those it was begun with."""
        plan = study.plan
        found = self._one("SELECT id, data FROM study WHERE name = ? AND form = ?", plan.name, plan.form)
        if found:
            self._refuse_changed(study, json.loads(found[1]))
        told = (plan.seed, plan.title, plan.source, plan.text, json.dumps(plan.figures))
        with _troubles(self.path), self._connection as writing:
            number = found[0] if found else None
            data = json.dumps(study.digests | (json.loads(found[1]) if found else {}))
            if number is None:
                head = "name, form, seed, title, source, plan, figures, data, begun"
                words = (plan.name, plan.form, *told, data, _now())
                number = writing.execute(f"INSERT INTO study ({head}) VALUES (?,?,?,?,?,?,?,?,?)", words).lastrowid
            else:
                sets = "seed = ?, title = ?, source = ?, plan = ?, figures = ?, data = ?"
                writing.execute(f"UPDATE study SET {sets} WHERE id = ?", (*told, data, number))
            self._enter_cells(writing, int(number or 0), study)
        return int(number or 0)

    def _enter_cells(self, writing: sqlite3.Connection, number: int, study: Study) -> None:
        known = {
            key for (key,) in writing.execute("SELECT key FROM place WHERE study = ? ORDER BY position", (number,))
        }
        wanted = study.group_of
        if known == wanted.keys():
            return
        writing.execute("DELETE FROM place WHERE study = ?", (number,))
        cells = ((group, cell) for group in study.groups for cell in group.cells)
        rows = (
            (number, c.key, position, g.kind, g.data, c.synthesizer, c.size, c.number, c.what, c.name)
            for position, (g, c) in enumerate(cells)
        )
        writing.executemany("INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def _refuse_changed(self, study: Study, before: dict[str, str]) -> None:
        for name, digest in study.digests.items():
            if before.get(name, digest) != digest:
                raise StoreError(
                    f"{study.plan.where} data.{name} is not what the study in {self.path} was begun with: digest "
                    f"{digest} instead of {before[name]}; give the table of then, or name another --store"
                )

    def statuses(self) -> dict[str, str]:
        """Give the status of every cell that is there, by its key."""
        return dict(self.rows("SELECT key, status FROM cell"))

    def record(self, results: Sequence[Result], run: int | None, attempts: int = 1) -> None:
        """Keep results, all or none, as those of a run."""
        now = _now()
        rows = [
            (
                r.key,
                r.status.value,
                r.value,
                json.dumps(dict(r.result)),
                r.error,
                r.seconds,
                attempts,
                self._version,
                now,
            )
            for r in results
        ]
        with _troubles(self.path), self._connection as writing:
            writing.executemany("INSERT OR REPLACE INTO cell VALUES (?,?,?,?,?,?,?,?,?)", rows)
            words = (len(rows), time.time(), run)
            writing.execute("UPDATE run SET computed = computed + ?, latest = ? WHERE id = ?", words)

    def adopt(self, other: "Store") -> Adopted:
        """Take over what another store has computed; a result that is here already stays."""
        mine = {key: row for key, *row in self.rows(f"SELECT key, status, value, result FROM cell WHERE {_FINAL}")}
        theirs = other.rows(f"SELECT {_COLUMNS} FROM cell WHERE {_FINAL}")
        taken = [row for row in theirs if row[0] not in mine]
        different = sum(row[0] in mine and _what_counts(row[1:4]) != _what_counts(mine[row[0]]) for row in theirs)
        with _troubles(self.path), self._connection as writing:
            writing.executemany(f"INSERT OR REPLACE INTO cell ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)", taken)
        return Adopted(len(taken), len(theirs) - len(taken), different)

    def begin_run(self, study: int, workers: str) -> int:
        """Note that a run begins, and give its number."""
        now = time.time()
        with _troubles(self.path), self._connection as writing:
            head = "INSERT INTO run (study, begun, latest, computed, workers, ended) VALUES (?,?,?,0,?,'')"
            return int(writing.execute(head, (study, now, now, workers)).lastrowid or 0)

    def end_run(self, run: int, how: str) -> None:
        """Note how a run ended; one that was killed has no such note."""
        with _troubles(self.path), self._connection as writing:
            writing.execute("UPDATE run SET ended = ?, latest = ? WHERE id = ?", (how, time.time(), run))

    def rows(self, query: str, *words: object) -> list[tuple[Any, ...]]:
        """Ask the store."""
        with _troubles(self.path):
            return self._connection.execute(query, words).fetchall()

    def _one(self, query: str, *words: object) -> tuple[Any, ...] | None:
        found = self.rows(query, *words)
        return found[0] if found else None


def parse_result(text: str | None, key: str, path: Path) -> Any:
    """Read the result of a cell; one that is torn is told by its key."""
    try:
        return json.loads(text or "{}")
    except ValueError as error:
        raise StoreError(f"{path}: the cell {key} is damaged; keep the file, and begin another with --store") from error


def _what_counts(row: Sequence[Any]) -> tuple[Any, ...]:
    """Give what two runs of one cell have to agree on: all but how long it took."""
    status, value, result = row
    try:
        return status, value, _without_seconds(json.loads(result or "{}"))
    except ValueError:  # a torn result is like no other
        return status, value, result


def _without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seconds(each) for key, each in value.items() if not key.endswith("seconds")}
    return [_without_seconds(each) for each in value] if isinstance(value, list) else value


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY)


def _make_private(path: Path) -> None:
    """Make a file that is not there yet for its owner alone; one that is there keeps the mode that it was given.

    SQLite gives the files that it makes beside it the same mode.
    """
    with suppress(OSError):  # what stands against it is said when the file is opened
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_FILE))


def _begin(path: Path, connection: sqlite3.Connection) -> None:
    """Make a new file a store, bring an older one up to date, refuse all others."""
    _refuse_others(path, connection)
    if (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise StoreError(f"{path} is damaged ({found}); keep it, and begin another with --store")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    for version in range(_version(connection), VERSION):
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in MIGRATIONS[version]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {version + 1}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _refuse_others(path: Path, connection: sqlite3.Connection) -> None:
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and mark != APPLICATION:
        raise StoreError(f"{path} is a database of another program; name another file with --store")
    version = _version(connection)
    if tables and version < OLDEST:
        raise StoreError(
            f"{path} was begun by an earlier Seethrough, whose random numbers were others; "
            "begin another store with --store"
        )
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a later Seethrough (store version {version}, this one knows {VERSION}); "
            "use that one, or name another --store"
        )


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock that ends with the process, however it ends: an open transaction in a file beside the store."""
    try:
        path.parent.mkdir(OWNER_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    beside = path.with_name(f"{path.name}.lock")
    is_ours = not beside.exists()
    _make_private(beside)
    lock = sqlite3.connect(beside, timeout=0.2, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" in str(error):
            raise StoreError(f"{path} is being written by another run; wait for it, or name another --store") from error
        raise
    try:
        yield
    except StoreError:
        # A run that was refused leaves nothing behind; others that were waiting for this lock find it held.
        if is_ours:
            beside.unlink(missing_ok=True)
        raise
    finally:
        lock.close()


@contextmanager
def _troubles(path: Path) -> Iterator[None]:
    """Say in a sentence what SQLite has against the file."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite quotes what it read, and that is no text
        raise StoreError(f"{path}: it is damaged; keep it, and begin another with --store") from error
    except sqlite3.Error as error:
        said = str(error)
        known = {
            "readonly": "it cannot be written: the file or its folder is read-only",
            "read-only": "it cannot be written: the file or its folder is read-only",
            "unable to open": "it cannot be opened: the folder is not there or not ours to write",
            "disk is full": "the disk is full; what was kept so far is safe: make room and run again",
            "not a database": "it is no store: the file is something else, or damaged at its beginning",
            "malformed": "it is damaged; keep it, and begin another with --store",
            "disk I/O": "the disk does not take or give what is written; what was kept so far is safe",
            "locked": "another process holds it",
        }
        reason = next((words for mark, words in known.items() if mark in said), said)
        raise StoreError(f"{path}: {reason}") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
