"""Studies: what the engine costs for each cell, what a second worker is worth, how fast nothing is found to do."""

import os
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.findings import Finding
from seethrough.study.cells.cell import Result, Status
from seethrough.study.cells.results import FULL
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import parse_plan
from seethrough.study.run.running import run
from seethrough.study.run.workers import Here, Processes
from seethrough.study.store.store import Store

MEMORY = 1 << 28
PLAN = """
format = 1
name = "bench"
[data.people]
file = "people.csv"
secret = "ill"
categorical = true
[[games]]
data = "people"
rows = {rows}
sizes = {sizes}
games = {games}
synthesizers = ["nonprivate"]
attacks = {attacks}
utility_games = 0
baselines = false
"""


def report() -> list[Finding]:
    """Measure all three."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rng = np.random.default_rng(0)
        columns = {f"c{number}": rng.choice(list("uvwxyz"), 2000) for number in range(8)}
        pl.DataFrame({**columns, "ill": rng.choice(["no", "yes"], 2000)}).write_csv(folder / "people.csv")
        return [_overhead(folder), _throughput(folder), _resume(folder)]


def _study(folder, rows, sizes, games, attacks):
    return expand(parse_plan(PLAN.format(rows=rows, sizes=sizes, games=games, attacks=attacks), "bench", FULL, folder))


def _overhead(folder: Path) -> Finding:
    """Wall time of a run of trivial cells, less the time that the cells themselves took."""
    study = _study(folder, 10, [5], 1500, ["dcr"])
    workers, begun = Silent(Here(MEMORY)), time.perf_counter()
    run(study, folder / "overhead.sqlite", workers)
    wall = time.perf_counter() - begun
    each = (wall - workers.seconds) / study.size * 1000
    return Finding(f"study, engine, {study.size:,} cells of one group each", each, "ms a cell", at_most=5)


class Silent:
    """Workers that note how long they computed."""

    described = "noted"

    def __init__(self, workers):
        self.workers, self.seconds = workers, 0.0

    def answers(self, tasks, tables):
        """Pass answers on, and add up the time until each."""
        found = self.workers.answers(tasks, tables)
        while True:
            begun = time.perf_counter()
            each = next(found, None)
            self.seconds += time.perf_counter() - begun
            if each is None:
                return
            yield each


def _throughput(folder: Path) -> Finding:
    """Cells a second with two workers and with one in turn, three times: the middle ratio counts."""
    study = _study(folder, 1000, [10_000], 60, ["recon"])
    rounds = [[_rate(study, folder / f"{turn}-{count}.sqlite", count) for count in (1, 2)] for turn in range(3)]
    one, two = sorted(rounds, key=lambda rates: rates[1] / rates[0])[1]
    ratios = ", ".join(f"{rates[1] / rates[0]:.2f}" for rates in rounds)
    told = f"{two:.2f} and {one:.2f} cells a second; three rounds: {ratios}; load {os.getloadavg()[0]:.1f} after"
    what = "study, 2 workers against 1 on reconstruction, n = 1,000"
    return Finding(what, two / one, "times", at_least=1.8, detail=told)


def _rate(study, store: Path, count: int) -> float:
    """Cells a second from the first answers to the last, so that starting processes does not count."""
    marks: list[tuple[float, int]] = []
    run(study, store, Processes(count, MEMORY), tell=lambda now: marks.append((time.perf_counter(), now.computed)))
    answered = [mark for mark in marks if mark[1] > 2 * count]
    return (answered[-1][1] - answered[0][1]) / (answered[-1][0] - answered[0][0])


def _resume(folder: Path) -> Finding:
    """Time from a plan of 100,000 cells that are all there to the end of the run."""
    words = (folder, 10, [5, 10], 25_000, ["dcr", "dcr:distance=codes"])
    study = _study(*words)
    store = folder / "resume.sqlite"
    with Store.write(store) as opened:
        opened.enter(study)
        opened.record([Result(key, Status.DONE, 1.0, {"truth": [1]}) for key in study.group_of], None)
    begun, used = time.perf_counter(), time.process_time()
    again = _study(*words)
    ended = run(again, store, Here(MEMORY))
    assert ended.progress.computed == 0
    took, used = time.perf_counter() - begun, time.process_time() - used
    what = f"study, {again.size:,} cells that are all there, until nothing to do is found"
    return Finding(what, took, "s", at_most=5, detail=f"{used:.2f} s of processor time")
