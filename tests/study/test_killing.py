"""Kill -9 at random moments: nothing is lost, nothing is computed twice, and the numbers stay the same."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from seethrough.study.run.running import run
from seethrough.study.run.workers import Processes
from seethrough.study.store.store import Store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
RUN = """
import sys
from pathlib import Path
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import read_plan
from seethrough.study.run.running import run
from seethrough.study.run.workers import Processes

if __name__ == "__main__":
    run(expand(read_plan(Path(sys.argv[1]))), Path(sys.argv[2]), Processes(2, 1 << 28))
"""


@pytest.fixture
def command(folder, plan_text, more_games):
    """How to run a plan of some 800 cells in a process of its own."""
    (folder / "tiny.toml").write_text(plan_text.replace(*more_games))
    (folder / "run.py").write_text(RUN)
    return [sys.executable, str(folder / "run.py"), str(folder / "tiny.toml"), str(folder / "s.sqlite")]


def children(pid):
    """Find the processes that a coordinator has started and that compute cells."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as stat, open(f"/proc/{entry}/cmdline") as line:
                parent, words = int(stat.read().rpartition(")")[2].split()[1]), line.read()
        except OSError:
            continue
        if parent == pid and "spawn_main" in words:
            found.append(int(entry))
    return found


def cells_in(path):
    if not path.exists():
        return 0
    with Store.read(path) as store:
        return store.rows("SELECT count(*) FROM cell")[0][0]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to find the processes")
@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_kill_9_of_coordinator_and_workers_many_times_in_a_row(
    command, folder, kept, many_undisturbed, times, monkeypatch
):
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    rng = np.random.default_rng(0)
    store = folder / "s.sqlite"
    sizes = [0]
    for number in range(times):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _wait_for_more(process, store, sizes[-1])
        time.sleep(float(rng.uniform(0, 0.3)))
        for worker in children(process.pid)[: number % 2 + 1] if number % 3 else []:
            os.kill(worker, signal.SIGKILL)
        time.sleep(float(rng.uniform(0, 0.3)))
        process.kill()
        process.wait()
        sizes.append(cells_in(store))
    assert sizes == sorted(sizes)
    assert sizes[-1] > 0
    subprocess.run(command, check=True, timeout=120)
    found = kept(store)
    assert found == many_undisturbed
    assert not [*temporary.iterdir()], "temporary files were left behind"
    with Store.read(store) as opened:
        computed = opened.rows("SELECT sum(computed) FROM run")[0][0]
    assert computed == len(found), "a cell was computed and kept twice"


def _wait_for_more(process, store, before):
    """Let a run get to work: until it has kept something new, or is through."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if cells_in(store) > before:
                return
        except Exception:  # noqa: BLE001  the store may be just being made
            pass
        time.sleep(0.02)


def test_a_worker_that_dies_costs_only_its_cell(study_of, more_games, tmp_path, kept, many_undisturbed):
    study = study_of(more_games)
    assert study.size == len(many_undisturbed)
    killed = []

    def tell(now):
        if now.computed > 100 * (len(killed) + 1) and len(killed) < 2:
            victim = children(os.getpid())[0]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    ended = run(study, tmp_path / "s.sqlite", Processes(2, 1 << 28), tell=tell)
    assert len(set(killed)) == 2
    assert (ended.progress.computed, ended.progress.failed) == (study.size, 0)
    assert kept(tmp_path / "s.sqlite") == many_undisturbed


def test_a_task_that_kills_its_worker_is_given_up(folder, plan_text):
    """A check that ends the process each time: its cells fail, all others are there."""
    fewer = plan_text.replace("runs = 2", "runs = 1").replace('["real", "indhist"]', '["indhist"]')
    (folder / "tiny.toml").write_text(fewer)
    (folder / "run.py").write_text(
        RUN.replace(
            'if __name__ == "__main__":',
            "import os\nfrom seethrough.plugins import catalog\nbuild = catalog.build_check\n"
            "def deadly(name, params={}):\n"
            '    if name == "zcap" and __name__ != "__main__":\n        os._exit(9)\n    return build(name, params)\n'
            'catalog.build_check = deadly\nif __name__ == "__main__":',
        )
    )
    command = [sys.executable, str(folder / "run.py"), str(folder / "tiny.toml"), str(folder / "s.sqlite")]
    subprocess.run(command, check=True, timeout=120)
    with Store.read(folder / "s.sqlite") as store:
        counts = dict(store.rows("SELECT status, count(*) FROM cell GROUP BY status"))
        errors = store.rows("SELECT DISTINCT error FROM cell WHERE status = 'failed'")
        attempts = store.rows("SELECT DISTINCT attempts FROM cell WHERE status = 'failed'")
    assert counts == {"done": 40, "failed": 2}
    assert errors == [("the worker died 3 times, the last time with exit code 9: it was killed, or memory ran out",)]
    assert attempts == [(3,)]


def test_workers_end_with_their_coordinator(command, folder):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _wait_for_more(process, folder / "s.sqlite", 0)
    workers = children(process.pid)
    assert workers
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{worker}") for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(os.path.exists(f"/proc/{worker}") for worker in workers)


def test_interrupting_a_run_ends_it_cleanly(command, folder, plan_text):
    # So many cells that the run cannot be through before it is interrupted.
    (folder / "tiny.toml").write_text(plan_text.replace("games = 4", "games = 2000"))
    words = [sys.executable, "-m", "seethrough", "study", "run", command[2], "--store", command[3], "--workers", "2"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    _wait_for_more(process, folder / "s.sqlite", 0)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert f"cells are kept in {folder / 's.sqlite'}; run again to go on" in said
    assert f"stopped: {cells_in(folder / 's.sqlite')} of " in said
