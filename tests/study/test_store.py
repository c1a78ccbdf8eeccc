"""The store: readable while it is written, and clear about what is wrong with a file."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import pytest

from seethrough.errors import StoreError
from seethrough.study.cells.cell import Result, Status
from seethrough.study.run.running import run
from seethrough.study.store.frame import load
from seethrough.study.store.migrations import VERSION
from seethrough.study.store.store import APPLICATION, Adopted, Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.sqlite"


@pytest.fixture
def filled(study_of, here, path):
    run(study_of(), path, here)
    return path


def test_results_can_be_read_while_others_are_written(study_of, path):
    study = study_of()
    first, second, *_ = study.group_of
    with Store.write(path) as store:
        store.enter(study)
        store.record([Result(first, Status.DONE, 0.5)], None)
        with Store.read(path) as reader:
            assert reader.statuses() == {first: "done"}
            store.record([Result(second, Status.DONE, 0.5)], None)
            assert len(reader.statuses()) == 2


def test_results_of_another_store_are_taken_over_once(study_of, here, filled, tmp_path):
    study, other = study_of(), tmp_path / "other.sqlite"
    first, second, *_ = study.group_of
    with Store.write(other) as store:
        store.record([Result(first, Status.FAILED, error="was unlucky"), Result(second, Status.DONE, 7.0)], None)
    with Store.write(other) as store, Store.read(filled) as theirs:
        assert store.adopt(theirs) == Adopted(taken=47, known=1, different=1)
        assert store.adopt(theirs) == Adopted(taken=0, known=48, different=1)
        found = dict(store.rows("SELECT key, value FROM cell"))
        kept = dict(theirs.rows("SELECT key, value FROM cell"))
    assert found == kept | {second: 7.0}
    assert run(study, other, here).progress.computed == 0


def test_what_failed_elsewhere_is_not_taken_over(filled, tmp_path):
    other = tmp_path / "other.sqlite"
    with Store.write(other) as store:
        store.record([Result("a", Status.FAILED, error="x"), Result("b", Status.UNAVAILABLE, error="y")], None)
    with Store.write(filled) as store, Store.read(other) as theirs:
        assert store.adopt(theirs) == Adopted(0, 0, 0)


def test_a_reader_cannot_write(filled):
    with Store.read(filled) as store, pytest.raises(StoreError, match="read-only"):
        store.record([Result("x", Status.DONE)], None)


def test_only_one_run_writes_at_a_time(filled):
    with Store.write(filled), pytest.raises(StoreError, match="being written by another run"), Store.write(filled):
        pass
    with Store.write(filled):
        pass


def test_a_later_version_is_refused_and_left_alone(filled):
    with sqlite3.connect(filled) as other:
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError, match=rf"later Seethrough \(store version {VERSION + 1}"), opening(filled):
            pass
    assert other.execute("SELECT count(*) FROM cell").fetchone() == (48,)


def test_a_store_whose_random_streams_had_other_names_is_refused_and_kept(filled):
    with sqlite3.connect(filled) as other:
        other.execute("PRAGMA user_version = 1")
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError, match="begun by an earlier Seethrough, whose random numbers"), opening(filled):
            pass
    assert other.execute("SELECT count(*) FROM cell").fetchone() == (48,)


def test_an_earlier_version_is_brought_up_to_date(filled, monkeypatch, kept):
    before = kept(filled)
    from seethrough.study.store import migrations, store

    more = (*migrations.MIGRATIONS, ("ALTER TABLE study ADD COLUMN remark TEXT",))
    monkeypatch.setattr(store, "MIGRATIONS", more)
    monkeypatch.setattr(store, "VERSION", VERSION + 1)
    with (
        pytest.raises(StoreError, match="earlier version; `seethrough study run` brings"),
        Store.read(filled),
    ):
        pass
    with Store.write(filled) as opened:
        assert opened.rows("SELECT remark FROM study") == [(None,)]
    assert kept(filled) == before


def test_a_migration_that_fails_leaves_the_store_as_it_was(filled, monkeypatch, kept):
    from seethrough.study.store import migrations, store

    before = kept(filled)
    steps = ("ALTER TABLE study ADD COLUMN remark TEXT", "ALTER TABLE absent ADD COLUMN remark TEXT")
    with monkeypatch.context() as patched:
        patched.setattr(store, "MIGRATIONS", (*migrations.MIGRATIONS, steps))
        patched.setattr(store, "VERSION", VERSION + 1)
        with pytest.raises(StoreError, match="no such table"), Store.write(filled):
            pass
    assert kept(filled) == before
    with Store.read(filled) as opened, pytest.raises(StoreError, match="no such column"):
        opened.rows("SELECT remark FROM study")


def test_a_database_of_another_program_is_refused(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError, match="another program"), opening(path):
            pass


def test_a_file_that_is_no_database_is_refused_and_left_alone(path):
    path.write_text("name,age\n" * 200)
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError, match="it is no store"), opening(path):
            pass
    assert path.read_text() == "name,age\n" * 200
    assert list(path.parent.iterdir()) == [path]


def test_a_damaged_store_is_refused_and_kept(filled):
    content = bytearray(filled.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    for page in range(1, len(content) // size):
        content[page * size : page * size + 64] = b"\xa5" * 64
    filled.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), Store.write(filled):
        pass
    assert filled.read_bytes() == content


def test_a_store_cut_short_is_refused(filled):
    content = filled.read_bytes()
    filled.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match="damaged"), Store.write(filled):
        pass


def test_a_full_disk_loses_nothing(study_of, path, kept, monkeypatch):
    study = study_of()
    keys = list(study.group_of)
    with Store.write(path) as store:
        store.enter(study)
        store.record([Result(keys[0], Status.DONE, 0.5)], None)
        pages = store.rows("PRAGMA page_count")[0][0]
        store.rows(f"PRAGMA max_page_count = {pages}")
        many = [Result(key, Status.DONE, 0.5, {"text": "x" * 4000}) for key in keys]
        with pytest.raises(StoreError, match="the disk is full; what was kept so far is safe"):
            store.record(many, None)
    assert list(kept(path)) == [keys[0]]


def test_a_store_that_cannot_be_opened(tmp_path):
    with (
        pytest.raises(StoreError, match="is not there; `seethrough study run` begins"),
        Store.read(tmp_path / "no"),
    ):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"), Store.write(tmp_path / "file" / "s.sqlite"):
        pass
    with pytest.raises(StoreError, match="cannot be opened"), Store.write(tmp_path):
        pass


WRITING = """
import os, sys
from pathlib import Path
from seethrough.errors import StoreError
from seethrough.study.store.store import Store
if os.getuid() == 0:
    os.setuid(65534)  # a superuser may write everything, so another user is taken
try:
    with Store.write(Path(sys.argv[1])):
        print("written")
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="this system has no users of the kind that is needed")
def test_a_read_only_store_is_refused(filled):
    with tempfile.TemporaryDirectory() as folder:
        store = shutil.copy(filled, folder)
        os.chmod(store, 0o444)
        os.chmod(folder, 0o555)
        found = subprocess.run([sys.executable, "-c", WRITING, store], capture_output=True, text=True, check=False)
        os.chmod(folder, 0o700)
    assert "s.sqlite: it cannot be" in found.stdout, found.stdout + found.stderr


def test_the_mark_is_in_the_file(filled):
    with sqlite3.connect(filled) as other:
        assert other.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        kinds = {row[0] for row in other.execute("SELECT DISTINCT typeof(result) FROM cell")}
    assert kinds == {"text"}


def test_cells_that_differ_in_seconds_alone_are_the_same(path, tmp_path):
    other = tmp_path / "other.sqlite"
    for place, seconds in ((path, 1.0), (other, 2.0)):
        with Store.write(place) as store:
            quick = Result("a", Status.DONE, 0.5, {"seconds": seconds, "by attack": [{"attack_seconds": seconds}]})
            store.record([quick, Result("b", Status.DONE, seconds)], None)
    with Store.write(path) as store, Store.read(other) as theirs:
        assert store.adopt(theirs) == Adopted(taken=0, known=2, different=1)


def test_a_torn_cell_gets_a_sentence(filled):
    with sqlite3.connect(filled) as connection:
        connection.execute("UPDATE cell SET result = substr(result, 1, 3) || '{'")
    with Store.read(filled) as store:
        name = store.rows("SELECT name FROM study")[0][0]
    with pytest.raises(StoreError, match="is damaged; keep the file"):
        load(filled, name)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE cell SET value = 'games'",
        "UPDATE place SET size = 'x'",
        "UPDATE study SET plan = 'no plan'",
        "UPDATE study SET figures = 'x'",
        "UPDATE study SET figures = x'00ff'",
        "UPDATE study SET plan = 5",
    ],
)
def test_a_study_that_is_not_as_a_run_writes_it_is_refused_in_a_sentence(filled, change):
    with sqlite3.connect(filled) as opened:
        opened.execute(change)
    opened.close()
    with pytest.raises(StoreError, match=r"is damaged: study tiny is not as a run writes it$"):
        load(filled, "tiny")
