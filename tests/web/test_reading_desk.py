"""The desk: files read, columns understood, changes made to both."""

import gzip

import pytest
from trying_house import small_tables

from seethrough.web.session.session import OfferedFile, Session
from seethrough.web.worker.inbox import Inbox
from seethrough.web.worker.reading_desk import ReadingDesk
from seethrough.web.worker.running import Running, run_arguments, say_failure


class AtOnce:
    """Does a job when it is put."""

    def put(self, job):
        job()


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "tables").mkdir()
    told = []
    made = ReadingDesk(Session(tmp_path), AtOnce(), lambda event, data: told.append((event, data)), 1 << 20)
    made.told = told
    return made


def give(desk, role, content, number=0, label=None):
    (desk.session.folder / "tables" / f"{role}-{number}").write_bytes(content)
    desk.take(role, number, label or f"{role}.csv")
    return next(each for each in desk.session.files[role] if each.number == number)


def give_all(desk):
    for role, content in small_tables().items():
        give(desk, role, content)
    return desk


def columns(desk):
    return {each.name: each for each in desk.session.columns}


def test_what_a_page_shows_of_a_file(desk):
    file = give(desk, "real", "name;age\nAnn;61\nBé;17\n".encode("cp1252"))
    assert (file.rows, file.columns, file.separator, file.encoding) == (2, 2, ";", "windows-1252")
    assert (file.names, file.first_rows) == (("name", "age"), (("Ann", "61"), ("Bé", "17")))
    assert file.notes == ("real.csv is not UTF-8; read as windows-1252",)
    assert not file.problem


def test_at_most_five_rows_are_shown_and_cells_are_cut(desk):
    file = give(desk, "real", b"a,b\n" + b"x" * 10_000 + b",1\n" + b"y,2\n" * 99)
    assert file.rows == 100
    assert len(file.first_rows) == 5
    assert len(file.first_rows[0][0]) == 200


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b,c\n1,2,3\n1,2\n4,5,6\n", "mine.csv: line 3 has 2 fields where the header has 3"),
        (b"a,a\n1,2\n", "mine.csv has two columns named 'a'; each needs a name of its own"),
        (b"a,b\n", None),
        (gzip.compress(b"a,b\n1,2\n" * 4_000_000), "mine.csv unpacks to more than 10 MiB"),
        (gzip.compress(b"a,b\n1,2\n" * 100)[:-9], "mine.csv is damaged: its gzip stream cannot be unpacked"),
        (b"PAR1" + bytes(50), "mine.csv ends in the middle: the closing mark PAR1 is not there"),
        (b"," * 300_000, "mine.csv: its header does not end within 262,144 characters"),
    ],
    ids=["short row", "twins", "no rows", "bomb", "torn", "cut", "endless header"],
)
def test_a_problem_is_one_sentence_that_names_the_file(desk, content, said):
    file = give(desk, "real", content, label="mine.csv")
    assert file.is_read
    if said is not None:
        assert file.problem.startswith(said)
    assert "real-0" not in file.problem


def test_a_separator_that_was_guessed_wrong_can_be_changed(desk):
    content = b"a,b|c\n1,2|3\n4,5|6\n"
    assert give(desk, "real", content).names == ("a", "b|c")
    desk.read_again("real", 0, "|", "")
    [file] = desk.session.files["real"]
    assert (file.names, file.separator) == (("a,b", "c"), "|")
    assert desk.session.settings.csv == {"real-0": {"separator": "|"}}
    desk.read_again("real", 0, "", "")
    assert desk.session.files["real"][0].names == ("a", "b|c")
    assert desk.session.settings.csv == {}


def test_columns_are_understood_once_all_is_there(desk):
    give(desk, "real", b"age,job,id\n17,nurse,a1\n90,cook,a2\n40,nurse,a3\n" * 1 + b"41,cook,a4\n" * 1)
    assert desk.session.columns == ()
    assert desk.session.state == "files"
    give(desk, "synthetic", b"age,job,id\n17,nurse,b1\n95,pilot,b2\n")
    found = columns(desk)
    assert desk.session.state == "ready"
    assert (found["age"].kind, found["age"].values, found["age"].in_release) == (
        "numeric",
        "17\u201390, 0 missing",
        "17\u201395",
    )
    assert found["job"].kind == "binary"
    assert (found["job"].values, found["job"].in_release) == ("2 levels, 0 missing", "1 unseen level, 1 level missing")
    assert (found["id"].role, found["id"].values) == ("id", "left out")
    assert desk.told[-1] == (
        "state",
        {
            "state": "ready",
            "labels": {"real-0": "real.csv", "synthetic-0": "synthetic.csv"},
            "rows": 2,
            "name": "synthetic.csv",
        },
    )


def test_changing_a_kind_reads_that_column_alone(desk, monkeypatch):
    give_all(desk)
    read = []
    from seethrough.web.worker import understanding

    plain = understanding.read_columns
    monkeypatch.setattr(
        understanding,
        "read_columns",
        lambda source, wanted, who: read.append([each.name for each in wanted]) or plain(source, wanted, who),
    )
    before = columns(desk)
    desk.session.change(0, kinds={"zip": "categorical"})
    desk.understand()
    after = columns(desk)
    assert read == [["zip"], ["zip"]]  # in the real table and in the release
    assert (before["zip"].kind, after["zip"].kind) == ("numeric", "categorical")
    assert after["zip"].is_changed
    assert {name: row for name, row in after.items() if name != "zip"} == {
        name: row for name, row in before.items() if name != "zip"
    }


def test_a_kind_that_does_not_fit_is_a_problem_of_its_column(desk):
    give_all(desk)
    desk.session.change(0, kinds={"job": "numeric"})
    desk.understand()
    said = columns(desk)["job"].problem
    assert "real.csv" in said
    assert "'job'" in said
    assert not desk.is_ready
    desk.session.change(1, kinds={})
    desk.understand()
    assert desk.is_ready


def test_roles_are_changed_and_an_identifier_is_used_anyway(desk):
    rows = b"".join(f"{at},{at % 7},{'ab'[at % 2]}\n".encode() for at in range(60))
    for role in ("real", "synthetic"):
        give(desk, role, b"person_id,x,y\n" + rows)
    assert columns(desk)["person_id"].role == "id"
    desk.session.change(0, roles={"person_id": "", "x": "secret"})
    desk.understand()
    assert columns(desk)["person_id"].role == ""
    assert columns(desk)["x"].role == "secret"
    assert run_arguments(desk)["schema"]["person_id"].is_used


def test_a_release_without_a_column_is_said(desk):
    give(desk, "real", b"a,b\n1,2\n3,4\n")
    file = give(desk, "synthetic", b"a\n1\n3\n")
    [file] = desk.session.files["synthetic"]
    assert file.problem == "synthetic.csv has no column 'b', which real.csv has"
    assert desk.session.state == "files"


def test_files_of_the_command_line_stay_where_they_are(desk, tmp_path):
    there = tmp_path / "mine.csv"
    there.write_bytes(small_tables()["real"])
    desk.session.offered = (OfferedFile(1, "mine.csv", there, 10),)
    desk.choose("real", 0, 1)
    desk.choose("holdout", 0, 7)
    assert desk.session.files["real"][0].path == there
    assert desk.session.files["holdout"] == []
    desk.remove_file("real", 0)
    assert there.exists()
    assert desk.session.files["real"] == []


def test_a_file_that_arrived_goes_from_the_disk_when_it_is_taken_out(desk):
    give_all(desk)
    desk.remove_file("holdout", 0)
    assert not (desk.session.folder / "tables" / "holdout-0").exists()
    assert desk.session.state == "ready"
    desk.remove_file("real", 0)
    assert desk.session.state == "files"
    assert desk.session.columns == ()


def test_another_worker_takes_in_what_was_there(desk):
    give_all(desk)
    desk.session.change(0, kinds={"zip": "categorical"})
    again = ReadingDesk(Session(desk.session.folder), AtOnce(), lambda *_: None, 1 << 20)
    again.session.book.now = desk.session.settings
    again.restore()
    assert {role: [each.label for each in files] for role, files in again.session.files.items()} == {
        "real": ["real.csv"],
        "synthetic": ["synthetic.csv"],
        "holdout": ["holdout.csv"],
    }
    assert columns(again)["zip"].kind == "categorical"


def test_a_schema_is_taken_away_and_given(desk):
    give_all(desk)
    desk.session.change(0, kinds={"zip": "categorical"})
    desk.understand()
    text = desk.schema_text()
    other = ReadingDesk(Session(desk.session.folder), AtOnce(), lambda *_: None, 1 << 20)
    other.restore()
    assert columns(other)["zip"].kind == "numeric"
    assert other.give_schema(text) == ""
    assert columns(other)["zip"].kind == "categorical"
    assert other.give_schema("nonsense = ").startswith("schema.toml")
    assert columns(other)["zip"].kind == "categorical"


def test_a_run_told_as_it_goes_on_ends_with_one_sentence_where_the_disk_is_full(desk, monkeypatch):
    from seethrough.errors import ConfigError
    from seethrough.web.worker import running

    def full(session, report):
        error = OSError(28, "No space left on device")
        raise ConfigError("cannot write") from error

    monkeypatch.setattr(running, "write_report", full)
    give_all(desk)
    desk.session.change(0, checks=("ks",))
    desk.told.clear()
    assert (
        Running(desk.session, desk, AtOnce(), lambda event, data: desk.told.append((event, data))).begin().status == 200
    )
    names = [event for event, _ in desk.told if event != "progress"]
    assert names == ["begun", "verdict", "outcome", "failed", "done"]
    assert desk.told[-2][1] == {"said": "The disk is full; nothing of the report was kept."}
    assert desk.session.state == "failed"
    assert not (desk.session.folder / "report.json").exists()


def test_failures_are_sentences_without_values():
    assert say_failure(MemoryError()) == "Memory ran out: choose fewer checks, or start with more --memory."
    assert say_failure(OSError(28, "No space left on device")) == "The disk is full."
    assert say_failure(ValueError("Ann, 61")) == "The run broke because of a defect (ValueError)."


def question(number, page, tab="t", form=None, **path):
    return {"n": number, "page": page, "path": path, "query": {}, "form": form, "tab": tab}


def test_of_several_questions_of_one_tab_only_the_newest_is_answered():
    inbox = Inbox()
    inbox.put(question(1, "attacker", form={"known": ["age"]}))
    assert [each["n"] for each in inbox.put(question(2, "attacker", form={"known": ["age", "sex"]}))] == [1]
    assert inbox.put(question(3, "attacker", tab="u")) == []
    assert inbox.put(question(4, "people")) == []
    assert inbox.put(question(5, "checks", name="gcap")) == []
    assert inbox.put(question(6, "checks", name="ks")) == []
    assert [inbox.take()["n"] for _ in range(5)] == [2, 3, 4, 5, 6]


def test_what_changes_something_and_what_has_no_tab_is_never_left_out():
    inbox = Inbox()
    for number in (1, 2):
        assert inbox.put(question(number, "columns", form={"kind-1": ["date"]})) == []
        assert inbox.put(question(number, "people", tab="")) == []
        assert inbox.put({"n": number, "do": "run"}) == []
    assert [inbox.take()["n"] for _ in range(6)] == [1, 1, 1, 2, 2, 2]
