"""An audit from its files to its end, with the process that computes it, and without a browser."""

import asyncio
import gzip
import json
import os
import shutil
from contextlib import suppress

import polars as pl
import pytest
import trying_house as trying
from trying_house import live, put, put_all, record_of, settle, small_tables, until, until_ready

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.web import uploads
from seethrough.web.audits.shelf import INTERRUPTED
from seethrough.web.house import BUSY, HELD, House, make_house
from seethrough.web.messages import Asked
from seethrough.web.processes.worker_pool import STOPPED
from seethrough.web.rooms import Wishes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are those of POSIX")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "state"


def scores(form):
    return {each["check"]: each.get("risk") for each in form["outcomes"]}


def test_from_files_to_a_report_with_the_numbers_of_the_library(place, tmp_path):
    tables = small_tables()

    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, tables)
        await until_ready(house, audit)
        await settle(house, audit)
        assert (await house.run(audit, {})).to == "run"
        events = await trying.events_of(house, audit)
        verdict = await house.ask(audit, Asked("verdict"))
        report = json.loads((house.folder / "audits" / audit / "report.json").read_text())
        return audit, events, verdict, report, house.listing()

    audit, events, verdict, report, [row] = live(place, work)
    names = [event for _, event, _ in events if event != "progress"]
    begun = names.index("begun")
    assert names[begun:] == ["begun", "verdict", "outcome", "outcome", "finished", "done"]
    assert [number for number, _, _ in events] == list(range(events[0][0], events[0][0] + len(events)))
    assert events[begun][2] == {"checks": ["gcap", "ks"], "releases": ["synthetic.csv"], "seed": 7}
    assert verdict.status == 200
    for role, content in tables.items():
        (tmp_path / f"{role}.csv").write_bytes(content)
    paths = [tmp_path / f"{role}.csv" for role in ("real", "synthetic", "holdout")]
    expected = st.audit(*paths, checks=["gcap", "ks"], seed=7).to_dict()
    assert scores(report) == scores(expected)
    assert report["verdict"] == expected["verdict"]
    assert (row["id"], row["name"], row["rows"], row["state"]) == (audit, "synthetic.csv", 80, "done")
    assert row["severity"] in {"severe", "clear", "slight", "none", "unknown"}
    assert row["verdict"]


def test_while_it_runs_files_and_a_second_run_are_refused_and_after_it_reports_are_taken(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        await settle(house, audit)
        await house.run(audit, {})
        refusals = [await house.run(audit, {}), await put(house, audit, "real", b"a\n1\n")]
        await trying.events_of(house, audit)
        names = ("report-html", "others-json", "people-csv", "people-parquet", "schema", "no-such", "..")
        taken = {name: await house.download(audit, name) for name in names}
        sizes = {name: path.stat().st_size if path else None for name, path in taken.items()}
        people = [pl.read_csv(taken["people-csv"]), pl.read_parquet(taken["people-parquet"])]
        await house.ask(audit, Asked("hide", form={"hidden": ("yes",)}))
        hidden = pl.read_csv(await house.download(audit, "people-csv"))
        return refusals, sizes, people, hidden

    refusals, sizes, people, hidden = live(place, work)
    real = pl.read_csv(small_tables()["real"])
    for found in people:
        assert found.select(real.columns).rows() == real.rows()
    assert not set(real.columns) & set(hidden.columns)
    assert [each.status for each in refusals] == [409, 409]
    assert refusals[1].said == BUSY
    assert [name for name, size in sizes.items() if not size] == ["no-such", ".."]


def test_at_the_end_results_stay_and_can_be_opened_without_tables(place):
    async def first(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        await settle(house, audit)
        await house.run(audit, {})
        await trying.events_of(house, audit)
        return audit

    audit = live(place, first)
    left = set(os.listdir(place / "audits" / audit))
    assert {"report.json", "report.html", "report.md", "events.jsonl", "audit.json"} <= left
    assert not left & {"tables", "records.parquet", "taken", "schema.toml"}
    assert os.listdir(place) == ["audits"]

    async def later(house):
        verdict = await house.ask(audit, Asked("verdict"))
        index = await house.ask(audit, Asked("index"))
        [row] = house.listing()
        return verdict, index, row

    verdict, index, row = live(place, later)
    assert verdict.status == 200
    assert index.status in {200, 303}
    assert (row["has_tables"], row["state"]) == (False, "done")


def test_a_run_can_be_stopped_and_run_again_with_the_same_numbers(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables(400))
        await until_ready(house, audit)
        await settle(house, audit, check=("ks", "gcap", "d-mlp"))
        await house.run(audit, {})
        await until(lambda: any(each.event == "outcome" for each in house._journal(audit).events))
        await house.cancel(audit)
        stopped = record_of(house, audit)
        page = await house.ask(audit, Asked("run"))
        before = [each for each in await trying.events_of(house, audit) if each[1] != "progress"]
        await house.run(audit, {})
        await trying.events_of(house, audit)
        after = record_of(house, audit)
        return stopped, page, before, after, json.loads((house.folder / "audits" / audit / "report.json").read_text())

    stopped, page, before, after, report = live(place, work)
    assert (stopped.state, stopped.why) == ("stopped", STOPPED)
    assert [event for _, event, _ in before][-2:] == ["stopped", "done"]
    assert before[-1][2] == {"state": "stopped"}
    assert page.status == 200
    assert after.state == "done"
    told = next(data for _, event, data in before if event == "outcome")
    assert scores(report)[told["check"]] == told["risk"]


def test_two_servers_do_not_write_to_one_audit(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        other = House(Wishes(threads=1), place)
        try:
            await other.start()
            files = await other.ask(audit, Asked("files"))
            refusals = [
                await other.run(audit, {}),
                await put(other, audit, "real", b"a\n1\n"),
                await other.manage(audit, "delete", {}),
                await other.manage(audit, "name", {"name": ("x",)}),
                await other.ask(audit, Asked("question", form=trying.QUICK)),
            ]
            mine = await other.create(sample=False)
            assert {row["id"] for row in house.listing()} == {audit, mine}
        finally:
            await other.close()
        assert house._shelf.find(audit).has_tables
        return files, refusals, record_of(house, audit)

    files, refusals, record = live(place, work)
    assert files.status == 200
    assert {(each.status, each.said) for each in refusals} == {(409, HELD)}
    assert record.state == "ready"


def test_two_tabs_see_one_state_and_an_older_change_is_refused(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        first = await house.ask(audit, Asked("question", form={**trying.QUICK, "version": ("0",)}))
        late = await house.ask(audit, Asked("question", form={**trying.QUICK, "seed": ("9",), "version": ("0",)}))
        return first, late, json.loads((house.folder / "audits" / audit / "settings.json").read_text())

    first, late, settings = live(place, work)
    assert first.status == 303
    assert late.status == 409
    assert "seed" in late.said
    assert "checks" in late.said
    assert (settings["seed"], settings["version"]) == (7, 1)


def test_a_question_posted_with_run_is_settled_first_and_nothing_to_run_is_said(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        nothing = await house.run(await house.create(sample=False), {})
        assert nothing.said.startswith("Give a real table and at least one release")
        assert nothing.status == 409
        odd = await house.run(audit, {**trying.QUICK, "seed": ("no number",)})
        good = await house.run(audit, {**trying.QUICK, "seed": ("11",)})
        return odd, good, await trying.events_of(house, audit)

    odd, good, events = live(place, work)
    assert odd.status == 200  # the page of the question, with a sentence
    assert good.to == "run"
    assert next(data for _, event, data in events if event == "begun")["seed"] == 11


LABELS = ("../../x", "CON", "a\0b", "x" * 4000, "", "\u202egpj.csv", "{{7*7}}", "</title>", "=cmd()")


def test_the_name_of_a_file_is_a_label_only(place):
    async def work(house):
        audit, table = await house.create(sample=False), small_tables()["synthetic"]
        for number, label in enumerate(LABELS):
            assert (await put(house, audit, "synthetic", table, str(number), label)).status == 200
        await until(lambda: len(record_of(house, audit).labels) == len(LABELS))
        page = await house.ask(audit, Asked("files"))
        return os.listdir(house.folder / "audits" / audit / "tables"), record_of(house, audit).labels, page

    stored, labels, page = live(place, work)
    assert sorted(stored) == [f"synthetic-{number}" for number in range(len(LABELS))]
    assert all(0 < len(label) <= 200 for label in labels.values())
    assert not any(odd in label for label in labels.values() for odd in "\0\u202e")
    assert page.status == 200
    assert page.html.count("</title>") == 1


def test_a_place_that_is_none_is_not_found(place):
    odd = [("odd", "0"), ("real", "1"), ("real", "-1"), ("synthetic", "100"), ("real", "²"), ("..", "0")]

    async def work(house):
        audit = await house.create(sample=False)
        return [(await put(house, audit, role, b"a\n1\n", number)).status for role, number in odd]

    assert live(place, work) == [404] * len(odd)


def test_files_that_cannot_be_used_are_said_in_one_sentence(place, monkeypatch):
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 3_000_000)
    given = {
        "short.csv": b"a,b,c\n1,2,3\n1,2\n4,5,6\n",
        "cut.parquet": b"PAR1" + bytes(100),
        "torn.csv.gz": gzip.compress(b"a,b\n1,2\n" * 1000)[:-20],
        "bomb.csv.gz": bomb,
    }

    async def work(house):
        audit = await house.create(sample=False)
        for number, (label, content) in enumerate(given.items()):
            assert (await put(house, audit, "synthetic", content, str(number), label)).status == 200
        await until(lambda: len(record_of(house, audit).labels) == len(given))
        page = ""
        for _ in range(200):
            page = (await house.ask(audit, Asked("files"))).html
            if all(said in page for said in ("line 3", "unpacks to more")):
                break
            await asyncio.sleep(0.1)
        return page

    page = live(place, work, Wishes(limit=1 << 20, threads=1))
    assert "line 3 has 2 fields where the header has 3" in page
    assert "ends in the middle" in page
    assert "gzip stream cannot be unpacked" in page
    assert "unpacks to more than" in page
    assert not any(f"synthetic-{number}" in page for number in range(len(given)))


def test_a_full_disk_is_answered_and_pages_still_work(place, monkeypatch):
    async def work(house):
        audit = await house.create(sample=False)
        monkeypatch.setattr(uploads, "free_bytes", lambda folder: (1 << 30) + 10)
        refused = await put(house, audit, "real", small_tables()["real"])
        return refused, await house.ask(audit, Asked("files")), os.listdir(house.folder / "audits" / audit / "tables")

    refused, page, left = live(place, work)
    assert refused.status == 507
    assert page.status == 200
    assert left == []


def test_a_worker_that_is_killed_in_a_run_is_said_and_others_go_on(place):
    async def work(house):
        audit, other = await house.create(sample=False), await house.create(sample=False)
        await put_all(house, audit, small_tables(400))
        await until_ready(house, audit)
        await put(house, other, "real", small_tables()["real"])
        await settle(house, audit, check=("d-mlp",))
        await house.run(audit, {})
        await until(lambda: record_of(house, audit).state == "running")
        os.kill(house.workers._by_audit[audit].process.pid, 9)
        events = await trying.events_of(house, audit)
        return (
            events,
            record_of(house, audit),
            await house.ask(other, Asked("files")),
            await house.ask(audit, Asked("run")),
        )

    events, record, other, page = live(place, work)
    said = "The process of this audit ended (signal 9, probably memory)."
    assert [each[1] for each in events[-2:]] == ["failed", "done"]
    assert events[-2][2] == {"said": said}
    assert (record.state, record.why) == ("failed", said)
    assert other.status == page.status == 200
    assert "signal 9, probably memory" in page.html


def test_rename_keep_forget_delete(place):
    async def work(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        await house.manage(audit, "name", {"name": ("\u202eName\n",), "note": ("n" * 5000,)})
        await house.manage(audit, "keep", {"keep": ("yes",)})
        record = record_of(house, audit)
        await house.manage(audit, "forget", {})
        forgotten = house._shelf.find(audit).has_tables
        missing = await house.manage(audit, "else", {})
        gone = await house.manage(audit, "delete", {})
        return record, forgotten, missing, gone, house.holds(audit), house.listing()

    record, forgotten, missing, gone, holds, rows = live(place, work)
    assert "\n" not in record.name
    assert "\u202e" not in record.name
    assert len(record.note) <= 1000
    assert record.is_kept
    assert not forgotten
    assert missing.status == 404
    assert (gone.status, gone.to) == (303, "../../")
    assert not holds
    assert rows == ()


def test_files_of_the_command_line_are_chosen_by_their_role(place, tmp_path):
    tables = small_tables()
    for role, content in tables.items():
        (tmp_path / f"{role}.csv").write_bytes(content)
    paths = {role: tmp_path / f"{role}.csv" for role in tables}
    wishes = Wishes(
        real=paths["real"], synthetic=(paths["synthetic"],), holdout=paths["holdout"], secrets=("income",), threads=1
    )

    async def work(house):
        audit = house.opening().removeprefix("a/").removesuffix("/")
        await until_ready(house, audit)
        columns = await house.ask(audit, Asked("columns"))
        return columns, os.listdir(house.folder / "audits" / audit / "tables"), (await house.create(sample=False))

    columns, stored, _ = live(place, work, wishes)
    assert columns.status == 200
    assert stored == []
    assert all(path.exists() for path in paths.values())
    assert os.listdir(place / "audits") == []


def test_files_that_are_not_there_are_refused_before_anything_starts(place, tmp_path, monkeypatch):
    monkeypatch.setenv("SEETHROUGH_STATE", str(place))
    with pytest.raises(ConfigError, match="is not there"):
        make_house(Wishes(offered=(tmp_path / "no.csv",)))
    assert not place.exists()


def test_the_sample_is_there_to_try(place):
    async def work(house):
        audit = await house.create(sample=True)
        await until_ready(house, audit)
        return record_of(house, audit)

    record = live(place, work)
    assert record.rows == 5000
    assert set(record.labels) == {"real-0", "synthetic-0", "holdout-0"}


def test_an_interrupted_run_is_shown_and_can_be_run_again(place):
    async def first(house):
        audit = await house.create(sample=False)
        await put_all(house, audit, small_tables())
        await until_ready(house, audit)
        await settle(house, audit)
        record = house._shelf.find(audit)
        record.change(state="running")
        for each in house._shelf._open.values():  # as if the server were killed: locks go, nothing is removed
            os.close(each.descriptor)
        house._shelf._open.clear()
        return audit

    audit = live(place, first)

    async def later(house):
        [row] = house.listing()
        page = await house.ask(audit, Asked("run"))
        await house.run(audit, {})
        events = await trying.events_of(house, audit)
        return row, page, events, record_of(house, audit)

    row, page, events, record = live(place, later)
    assert (row["state"], row["has_tables"]) == ("interrupted", True)
    assert INTERRUPTED.rstrip(".") in page.html or page.status == 200
    assert next(data for _, event, data in events if event == "begun")["seed"] == 7
    assert record.state == "done"
    with suppress(OSError):
        assert "tables" not in os.listdir(place / "audits" / audit)


@pytest.fixture(scope="module")
def audit_folder(tmp_path_factory):
    """What the command line left, with its tables beside."""
    place = tmp_path_factory.mktemp("command-line")
    for role, content in small_tables().items():
        (place / f"{role}.csv").write_bytes(content)
    paths = [place / f"{role}.csv" for role in ("real", "synthetic", "holdout")]
    st.audit(*paths, checks=["gcap", "ks"], seed=7).save(place / "audit")
    return place / "audit"


@pytest.fixture
def moved_folder(audit_folder, tmp_path):
    """The same folder where nobody knows its tables."""
    moved = tmp_path / "moved"
    shutil.copytree(audit_folder, moved)
    for name in ("inputs.json", "records.parquet"):
        (moved / name).unlink()
    return moved


def test_the_folder_of_an_audit_is_opened_and_its_tables_can_be_dropped_where_they_are_gone(place, moved_folder):
    before = sorted(os.listdir(moved_folder))

    async def work(house):
        audit = house.opening().removeprefix("a/").removesuffix("/")
        verdict = await house.ask(audit, Asked("verdict"))
        await put_all(house, audit, small_tables())
        found = ""
        for _ in range(600):
            found = (await house.ask(audit, Asked("attacker"))).html
            if "attacker guesses" in found:
                break
            await asyncio.sleep(0.1)
        still = await house.ask(audit, Asked("verdict"))
        return verdict, found, still

    verdict, found, still = live(place, work, Wishes(audit=moved_folder, threads=1))
    assert verdict.status == still.status == 200
    assert "attacker guesses" in found
    assert sorted(os.listdir(moved_folder)) == before
    assert os.listdir(place / "audits") == []


@pytest.mark.parametrize("knows_its_tables", [True, False])
def test_other_tables_than_those_audited_are_refused(place, audit_folder, moved_folder, knows_its_tables):
    async def work(house):
        audit = house.opening().removeprefix("a/").removesuffix("/")
        await put_all(house, audit, small_tables(seed=6))
        page = ""
        for _ in range(600):
            page = (await house.ask(audit, Asked("attacker"))).html
            if "have changed since" in page:
                break
            await asyncio.sleep(0.1)
        return page

    assert "have changed since this audit" in live(
        place, work, Wishes(audit=audit_folder if knows_its_tables else moved_folder, threads=1)
    )
