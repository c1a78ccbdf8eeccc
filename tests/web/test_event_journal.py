"""Events: the journal, its replay, and streams that follow."""

import asyncio
import json
import stat

from seethrough.web import events
from seethrough.web.events import Journal


def journal_of(tmp_path, *names):
    journal = Journal(tmp_path / "events.jsonl")
    for name in names:
        journal.append(name, {"about": name})
    return journal


async def all_of(stream):
    return [piece.decode() async for piece in stream]


def numbers(pieces):
    return [int(piece.split("\n")[0].removeprefix("id: ")) for piece in pieces if piece.startswith("id: ")]


def test_an_event_is_a_line_and_a_block_of_the_stream(tmp_path):
    event = journal_of(tmp_path).append("outcome", {"risk": 0.5, "name": "é\n"})
    [line] = (tmp_path / "events.jsonl").read_text().splitlines()
    assert json.loads(line) == {"n": 1, "event": "outcome", "data": {"risk": 0.5, "name": "é\n"}}
    assert event.as_sent() == b'id: 1\nevent: outcome\ndata: {"risk":0.5,"name":"\\u00e9\\n"}\n\n'
    assert stat.S_IMODE((tmp_path / "events.jsonl").stat().st_mode) == 0o600


def test_what_was_told_is_replayed_after_the_last_number_seen(tmp_path):
    journal = journal_of(tmp_path, "begun", "outcome", "outcome", "done")
    pieces = asyncio.run(all_of(journal.follow(2)))
    assert pieces[0] == "retry: 2000\n\n"
    assert numbers(pieces) == [3, 4]
    assert numbers(asyncio.run(all_of(journal.follow(0)))) == [1, 2, 3, 4]


def test_who_asks_after_the_end_is_told_that_it_was(tmp_path):
    journal = journal_of(tmp_path, "begun", "done")
    assert numbers(asyncio.run(all_of(journal.follow(2)))) == [2]
    assert numbers(asyncio.run(all_of(journal.follow(99)))) == [2]


def test_a_torn_last_line_is_dropped_and_numbers_go_on(tmp_path):
    journal_of(tmp_path, "begun", "outcome")
    place = tmp_path / "events.jsonl"
    whole = place.read_bytes()
    place.write_bytes(whole + b'{"n":3,"event":"outc')
    again = Journal(place)
    assert [each.number for each in again.after(0)] == [1, 2]
    assert again.append("done", {}).number == 3
    assert [each.event for each in Journal(place).after(0)] == ["begun", "outcome", "done"]


def test_another_run_begins_a_journal_whose_numbers_go_on(tmp_path):
    journal = journal_of(tmp_path, "begun", "outcome", "done", "begun", "outcome")
    assert [(each.number, each.event) for each in Journal(journal.path).after(0)] == [(4, "begun"), (5, "outcome")]
    assert [each.number for each in journal.after(2)] == [4, 5]


def test_a_stream_follows_what_comes(tmp_path):
    async def follow():
        journal = journal_of(tmp_path, "begun")
        reading = asyncio.create_task(all_of(journal.follow(0)))
        for name in ("outcome", "outcome", "done"):
            await asyncio.sleep(0.01)
            journal.append(name, {})
        return await asyncio.wait_for(reading, 10), journal

    pieces, journal = asyncio.run(follow())
    assert numbers(pieces) == [1, 2, 3, 4]
    assert not journal.streams


def test_a_stream_that_was_cut_goes_on_without_loss_or_doubles(tmp_path):
    """As a closed laptop does: again and again, each time from the last number seen."""

    async def follow():
        journal, seen = journal_of(tmp_path), []
        for step in range(20):
            journal.append("outcome", {"step": step})
            stream = journal.follow(seen[-1] if seen else 0)
            async for piece in stream:
                seen += numbers([piece.decode()])
                if numbers([piece.decode()]):
                    break  # the connection goes
            await stream.aclose()
        journal.append("done", {})
        seen += numbers(await all_of(journal.follow(seen[-1])))
        return seen

    assert asyncio.run(follow()) == list(range(1, 22))


def test_silence_is_broken_by_comments(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "COMMENT_EVERY", 0.01)

    async def wait():
        journal = journal_of(tmp_path)
        pieces = []
        async for piece in journal.follow(0):
            pieces.append(piece)
            if len(pieces) == 3:
                journal.append("done", {})
        return pieces

    pieces = asyncio.run(wait())
    assert pieces[1].startswith(b":")
    assert pieces[2].startswith(b":")
    assert events.RETRY == 2000


def test_at_most_four_streams(tmp_path):
    async def follow():
        journal = journal_of(tmp_path, "begun")
        streams = [journal.follow(0) for _ in range(4)]
        for stream in streams:
            await anext(stream)
        refused = journal.follow(0)
        await streams[0].aclose()
        again = journal.follow(0)
        journal.close()
        for stream in (*streams[1:], again):
            await all_of(stream)
        return refused, again, journal.streams

    refused, again, left = asyncio.run(follow())
    assert refused is None
    assert again is not None
    assert not left


def test_a_journal_of_another_server_is_looked_at_again(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "_LOOK_EVERY", 0.01)

    async def follow():
        theirs = journal_of(tmp_path, "begun")
        mine = Journal(tmp_path / "events.jsonl", is_read_only=True)
        reading = asyncio.create_task(all_of(mine.follow(0)))
        await asyncio.sleep(0.05)
        theirs.append("outcome", {})
        theirs.append("done", {})
        return numbers(await asyncio.wait_for(reading, 10))

    assert asyncio.run(follow()) == [1, 2, 3]


def test_a_full_disk_does_not_silence_a_run(tmp_path, monkeypatch):
    journal = journal_of(tmp_path, "begun")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(events.os, "write", full)
    journal.append("outcome", {})
    journal.append("done", {})
    assert numbers(asyncio.run(all_of(journal.follow(0)))) == [1, 2, 3]
