"""Folders of audits: who may reach them, who holds them, and how they go."""

import os
import stat
from datetime import datetime

import pytest

from seethrough.errors import ConfigError
from seethrough.web.audits.shelf import INTERRUPTED, AuditShelf
from seethrough.web.audits.state_folder import open_state, state_place
from seethrough.web.audits.stored_audit import write_whole
from seethrough.web.history import list_row, say_when


@pytest.fixture
def shelf(tmp_path):
    return AuditShelf(open_state(tmp_path / "state"))


def another(shelf, **how):
    """Another server on the same state folder."""
    return AuditShelf(shelf.state, **how)


def die(shelf):
    """End as a killed server does: locks go, nothing else happens."""
    for audit in shelf.list_audits():
        if audit.descriptor is not None:
            os.close(audit.descriptor)
    shelf._open.clear()


def with_tables(audit):
    (audit.tables / "real-0").write_text("a\n1\n")
    (audit.folder / "records.parquet").write_bytes(b"PAR1")
    (audit.folder / "report.json").write_text("{}")
    return audit


def files_of(audit):
    return {each.name for each in audit.folder.iterdir()} if audit.folder.exists() else set()


def test_the_place_is_named_by_the_environment_or_the_platform(tmp_path):
    assert state_place({"SEETHROUGH_STATE": str(tmp_path)}) == tmp_path
    assert state_place({"XDG_STATE_HOME": "/x"}, "linux").as_posix() == "/x/seethrough"
    assert state_place({}, "linux").as_posix().endswith("/.local/state/seethrough")
    assert state_place({}, "darwin").as_posix().endswith("/Library/Application Support/seethrough")
    assert state_place({"LOCALAPPDATA": "/y"}, "win32").as_posix() == "/y/seethrough"


def test_everything_is_its_owners_alone(shelf):
    audit = with_tables(shelf.create("a"))
    for place in (shelf.state, shelf.folder, audit.folder, audit.tables):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    for name in ("audit.json", ".lock"):
        assert stat.S_IMODE((audit.folder / name).stat().st_mode) == 0o600


def test_a_state_folder_that_others_reach_is_refused(tmp_path):
    (tmp_path / "open").mkdir(0o755)
    with pytest.raises(ConfigError, match="is open to others; run: chmod 700"):
        open_state(tmp_path / "open")
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(ConfigError, match="is a link"):
        open_state(tmp_path / "link")
    (tmp_path / "file").touch(0o600)
    with pytest.raises(ConfigError, match="is no folder"):
        open_state(tmp_path / "file")


def test_a_state_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    (tmp_path / "theirs").mkdir(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 12345678)
    with pytest.raises(ConfigError, match="belongs to another user"):
        open_state(tmp_path / "theirs")


def test_an_audit_is_found_by_its_id_alone(shelf):
    audit = shelf.create("a")
    assert shelf.find(audit.record.audit) is audit
    for odd in ("", ".", "..", "../state", audit.record.audit[:-1], "0" * 16):
        assert shelf.find(odd) is None


def test_an_audit_held_by_another_server_can_only_be_read(shelf):
    mine = shelf.create("mine")
    theirs = another(shelf).find(mine.record.audit)
    assert theirs.is_read_only
    theirs.change(name="theirs")
    assert shelf._look(mine.record.audit).record.name == "mine"
    assert list_row(theirs)["held"]


def test_a_server_that_starts_leaves_alone_what_another_holds(shelf):
    mine = with_tables(shelf.create("mine"))
    mine.change(state="running")
    other = another(shelf)
    other.tidy()
    other.close()
    assert mine.has_tables
    assert shelf._look(mine.record.audit).record.state == "running"


def test_an_audit_that_its_server_gave_back_can_be_held(shelf):
    mine = with_tables(shelf.create("mine"))
    mine.change(state="done")
    shelf.close()
    found = another(shelf).find(mine.record.audit)
    assert not found.is_read_only
    assert not found.has_tables


def test_at_the_end_tables_go_and_results_stay(shelf):
    audit = with_tables(shelf.create("a"))
    audit.change(state="done")
    shelf.close()
    assert files_of(audit) == {"audit.json", ".lock", "report.json"}


def test_what_is_kept_stays_whole(shelf):
    audit = with_tables(shelf.create("a"))
    audit.change(state="done", is_kept=True)
    shelf.close()
    assert {"tables", "records.parquet"} <= files_of(audit)
    another(shelf).tidy()
    assert {"tables", "records.parquet"} <= files_of(audit)


@pytest.mark.parametrize("state", ["empty", "files", "ready"])
def test_an_audit_that_never_ran_goes(shelf, state):
    audit = with_tables(shelf.create("a"))
    audit.change(state=state)
    shelf.close()
    assert os.listdir(shelf.folder) == []


def test_private_keeps_nothing(shelf):
    private = another(shelf, is_private=True, is_kept=True)
    audit = with_tables(private.create("a"))
    audit.change(state="done")
    private.close()
    assert os.listdir(shelf.folder) == []


def test_what_a_killed_private_server_left_goes_too(shelf):
    private = another(shelf, is_private=True)
    with_tables(private.create("a")).change(state="running")
    die(private)
    shelf.tidy()
    assert os.listdir(shelf.folder) == []


def test_the_folder_of_the_command_line_is_left_alone(shelf, tmp_path):
    origin = tmp_path / "audit"
    origin.mkdir()
    (origin / "report.json").write_text("{}")
    shelf.create("audit", str(origin)).change(state="done")
    shelf.close()
    assert os.listdir(shelf.folder) == []
    assert os.listdir(origin) == ["report.json"]


@pytest.mark.parametrize("state", ["running", "waiting"])
def test_a_run_that_a_killed_server_left_is_interrupted_and_can_be_run_again(shelf, state):
    audit = with_tables(shelf.create("a"))
    audit.change(state=state)
    (audit.tables / "synthetic-0.part").write_text("half")
    (audit.folder / ".new-1").write_text("half")
    die(shelf)
    after = another(shelf)
    after.tidy()
    [found] = after.list_audits()
    assert (found.record.state, found.record.why) == ("stopped", INTERRUPTED)
    assert list_row(found)["state"] == "interrupted"
    assert os.listdir(found.tables) == ["real-0"]
    assert not (audit.folder / ".new-1").exists()
    assert not found.is_read_only
    assert another(shelf).find(audit.record.audit).is_read_only
    after.close()
    assert not audit.tables.exists()


def test_finished_audits_of_a_killed_server_lose_their_tables_and_no_more(shelf):
    audit = with_tables(shelf.create("a"))
    audit.change(state="done")
    die(shelf)
    another(shelf).tidy()
    assert files_of(audit) == {"audit.json", ".lock", "report.json"}


def test_what_was_being_made_or_removed_goes(shelf):
    (shelf.folder / ".gone-1").mkdir()
    (shelf.folder / ".gone-1" / "real-0").write_text("a")
    (shelf.folder / ".new-1").mkdir()
    (shelf.folder / ".new-1" / ".lock").touch()
    (shelf.folder / ".new-2").mkdir()  # just being made: no lock yet
    (shelf.folder / "0123456789abcdef").mkdir()
    (shelf.folder / "0123456789abcdef" / ".lock").touch()
    (shelf.folder / "0123456789abcdef" / "audit.json").write_text('{"torn')
    shelf.tidy()
    assert os.listdir(shelf.folder) == [".new-2"]
    os.utime(shelf.folder / ".new-2", (0, 0))
    shelf.tidy()
    assert os.listdir(shelf.folder) == []


def test_forget_and_delete(shelf):
    audit = with_tables(shelf.create("a"))
    audit.forget_tables()
    assert files_of(audit) == {"audit.json", ".lock", "report.json"}
    shelf.delete(audit)
    assert os.listdir(shelf.folder) == []
    assert shelf.find(audit.record.audit) is None


def test_the_newest_stands_first(shelf):
    old, new = shelf.create("old"), shelf.create("new")
    old.change(created=1.0)
    assert [each.record.name for each in another(shelf).list_audits()] == ["new", "old"]
    assert new.record.created > 1.0


def test_a_file_is_whole_or_as_before(tmp_path, monkeypatch):
    place = tmp_path / "a.json"
    write_whole(place, b"before")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(place, b"after")
    assert place.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["a.json"]


def test_when_it_was():
    now = datetime(2026, 11, 16, 20, 0).timestamp()
    assert say_when(datetime(2026, 11, 16, 14, 2).timestamp(), now) == "today 14:02"
    assert say_when(datetime(2026, 11, 12, 14, 2).timestamp(), now) == "12 Nov"
    assert say_when(datetime(2025, 1, 2).timestamp(), now) == "2 Jan 2025"
