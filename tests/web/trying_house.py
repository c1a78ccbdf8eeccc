"""A house of one's own with small tables, and what happens in it."""

import asyncio
import json
import time

import numpy as np
import polars as pl

from seethrough.web.house import House
from seethrough.web.messages import Asked
from seethrough.web.processes.worker_process import WorkerLimits
from seethrough.web.rooms import Wishes

QUICK = {"preset": ("choose",), "check": ("gcap", "ks"), "seed": ("7",)}


def small_tables(rows=80, seed=5):
    """A real table, a release that copies half of it, and people outside; as CSV."""
    rng = np.random.default_rng(seed)

    def people(count):
        age = rng.integers(17, 90, count)
        job = rng.choice(["nurse", "teacher", "clerk", "cook"], count)
        income = np.where(rng.random(count) < 0.3 + 0.4 * (age > 50), ">50K", "<=50K")
        return pl.DataFrame({"age": age, "job": job, "zip": rng.integers(1, 40, count), "income": income})

    real, others = people(rows), people(rows)
    release = pl.concat([real[: rows // 2], others[: rows // 2]])
    return {
        role: frame.write_csv().encode()
        for role, frame in zip(("real", "synthetic", "holdout"), (real, release, people(rows)), strict=True)
    }


async def pieces_of(content, size=1 << 16):
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def put(house, audit, role, content, number="0", label=None):
    label = f"{role}.csv" if label is None else label
    return await house.receive(audit, (role, number), label, len(content), pieces_of(content))


async def put_all(house, audit, tables):
    answers = [await put(house, audit, role, content) for role, content in tables.items()]
    assert [each.status for each in answers] == [200] * len(tables), answers


def record_of(house, audit):
    return house._shelf.find(audit).record


async def until(holds, seconds=120.0):
    """Wait for something to hold: generously, as tests are not timed."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.02)


async def until_ready(house, audit):
    await until(lambda: record_of(house, audit).state == "ready")


async def settle(house, audit, **fields):
    answer = await house.ask(audit, Asked("question", form={**QUICK, **fields}))
    assert answer.status == 303, answer


async def events_of(house, audit, after=0):
    pieces = [piece.decode() async for piece in house.follow(audit, after)]
    found = []
    for piece in pieces:
        if piece.startswith("id: "):
            number, event, data = piece.strip().split("\n")
            found.append((int(number[4:]), event[7:], json.loads(data[6:])))
    return found


def live(place, work, wishes=None, **limits):
    """Let something happen in a house, and close it."""

    async def all_of_it():
        house = House(wishes or Wishes(threads=1), place, limits=WorkerLimits(**limits) if limits else None)
        await house.start()
        try:
            return await work(house)
        finally:
            await house.close()

    return asyncio.run(all_of_it())
