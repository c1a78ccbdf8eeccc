"""A few cases of each target of `make fuzz`, always the same, and the machinery that runs them."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = {
    "tables": 15,
    "damaged_files": 60,
    "edited_reports": 20,
    "command_lines": 20,
    "schemas": 30,
    "plans": 30,
    "stores": 20,
}

BROKE_ONCE = {
    "damaged_files": [(1, 1135), (1, 2653), (1, 2707), (1, 8326), (2, 576)],
    "tables": [(1, 915), (3, 100), (4, 182), (5, 25), (5, 699), (6, 7413), (6, 13365), (7, 1620)],
    "command_lines": [(2, 1447), (3, 1447)],
}
"""Seeds and numbers of cases that a search found."""


@pytest.fixture(autouse=True)
def _beside(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.parametrize("target", CASES)
def test_fixed_cases_break_no_promise(target, tmp_path, monkeypatch):
    from fuzz.case import Case
    from fuzz.watching import own_folder, play
    from fuzz.worker import load

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    module = load(target)
    module.prepare(tmp_path)
    for seed, number in [*BROKE_ONCE.get(target, []), *((1, number) for number in range(CASES[target]))]:
        with own_folder(tmp_path) as folder:
            played = play(module, Case(target, seed, number, folder, tmp_path), None)
        assert not played.broken, f"python -m fuzz {target} --seed {seed} --case {number}\n{played.trace}"


def test_a_case_is_decided_by_target_seed_and_number(tmp_path):
    from fuzz.case import Case
    from fuzz.material.tables import draw_population

    def drawn(seed, number):
        return str(draw_population(Case("tables", seed, number, tmp_path, tmp_path)).rows(5))

    assert drawn(3, 7) == drawn(3, 7)
    assert len({drawn(3, 7), drawn(3, 8), drawn(4, 7)}) == 3


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """A worker, and a target `broken` beside the others whose cases end in every way there is."""
    from fuzz import workers

    target = tmp_path / "own" / "fuzz_broken.py"
    target.parent.mkdir()
    target.write_text(
        "import os, sys, time, warnings\n"
        "from fuzz.case import Broken, Ending\n"
        "def prepare(session): pass\n"
        "def play(case):\n"
        "    match case.number:\n"
        "        case 0: os.kill(os.getpid(), 11)\n"
        "        case 1: time.sleep(60)\n"
        "        case 2: warnings.warn('careful')\n"
        "        case 3: raise Broken('a promise')\n"
        "        case 4: sys.stderr.write('spilled')\n"
        "        case 5: open(os.path.join(os.environ['TMPDIR'], 'x'), 'w').close()\n"
        "    return Ending('a result', 'nothing', 2)\n"
    )
    monkeypatch.setattr(workers, "MORE_PATHS", [str(target.parent)])
    found = workers.Worker(tmp_path / "worker", limit=3)
    yield found
    found.stop()


def test_a_crash_an_endless_loop_and_whatever_is_printed_are_findings(worker):
    from fuzz.tally import Tally
    from fuzz.workers import Chunk

    tally = Tally("fuzz_broken", 0)
    played = list(worker.run(Chunk("fuzz_broken", 0, 0, 7)))
    for each in played:
        tally.add(each)
    assert [each.number for each in played] == list(range(7))
    said = [each.broken for each in played]
    assert said[:2] == ["the process died: signal 11", "it took longer than 3 seconds"]
    assert said[2].startswith("UserWarning in ")
    assert said[3:] == ["a promise", "something was printed", "nothing left temporary files", ""]
    assert (tally.cases, tally.findings, len(tally.kinds)) == (7, 6, 6)
    assert tally.replay(played[3]) == "python -m fuzz fuzz_broken --seed 0 --case 3"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells how long a process has worked")
def test_a_case_that_works_is_told_from_one_that_waits():
    from fuzz.spent_time import all_seconds, is_waiting

    works, waits = (
        subprocess.Popen([sys.executable, "-c", code]) for code in ("while 1: 0", "import time; time.sleep(60)")
    )
    try:
        while all_seconds(works.pid) < 0.2:
            time.sleep(0.02)
        assert not is_waiting(works.pid, 0.2)
        while not is_waiting(waits.pid, 0.2):
            time.sleep(0.02)
    finally:
        for process in (works, waits):
            process.kill()
            process.wait()


def test_the_page_has_the_figures_of_the_record():
    from fuzz import record

    text = record.PAGE.read_text(encoding="utf-8")
    assert record.page(text, record.read()) == text, "run `python -m fuzz --page`"


def test_runs_that_follow_each_other_are_shown_as_one():
    from fuzz import record

    run = {"target": "tables", "seed": 1, "commit": "abc", "date": "2026-01-01", "kinds": {}, "seconds": 9}
    runs = [run | {"first": first, "cases": 100, "tables": 190, "findings": 0} for first in (100, 0, 500)]
    runs[2] |= {"findings": 2, "kinds": {"KeyError in a.py, <f>": 2}}
    block = "<!-- figures of tables, from reliability.json -->\n<!-- end of figures -->"
    page = record.page(block, {"runs": runs})
    assert "| `python -m fuzz tables --seed 1 --first 0 --cases 200`, 2026-01-01 | abc | 200 | 380 | 0 | 18 |" in page
    assert "| all | | 300 | 570 | 2 | 27 |" in page
    assert "The last commit searched, abc: 300 cases, 2 findings." in page
    clean = record.page(block, {"runs": [*runs, runs[0] | {"commit": "def"}]})
    assert "The last commit searched, def: 100 cases, **no finding**." in clean
    assert "- KeyError in a.py, &lt;f&gt;" in page
    assert record.page(page, {"runs": runs}) == page
