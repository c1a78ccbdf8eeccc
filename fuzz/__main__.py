"""Run cases: `python -m fuzz [TARGET ...] [--seconds N | --cases N | --case N]`; ends with 1 where one breaks."""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from fuzz import record
from fuzz.case import Case
from fuzz.tally import Tally, write_findings
from fuzz.watching import own_folder, play
from fuzz.worker import load
from fuzz.workers import LIMIT, Chunk, Worker

TARGETS = ("tables", "command_lines", "damaged_files", "schemas", "plans", "edited_reports", "stores")
SLOW = ("kills",)
"""Targets that are run only where they are named: a case takes as long as two commands."""
AT_ONCE = 50
"""Cases of a target before the next has its turn."""
_NAMES = f"{', '.join(TARGETS)}; only where named: {', '.join(SLOW)}"
SMALLER = (1, 2, 3, 5, 8, 13, 21, 34)
"""Rows to which the tables of a failing case are cut, the fewest first."""


def main(words: list[str]) -> int:
    """Run what was asked for."""
    asked = _parser().parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if asked.page is not None:
        for path in asked.page:
            record.take_over(path)
        record.write_page()
        return 0
    if asked.case is not None:
        return _replay(asked)
    folder = Path(tempfile.mkdtemp(prefix="seethrough-fuzz-"))
    worker = Worker(folder / "worker", asked.limit)
    tallies = {name: Tally(name, asked.seed) for name in asked.targets or TARGETS}
    try:
        _go_round(asked, worker, tallies)
        for tally in tallies.values():
            _minimise(tally, worker)
    except KeyboardInterrupt:
        print("stopped")
    finally:
        worker.stop()
        shutil.rmtree(folder / "worker", ignore_errors=True)
    return _sum_up(asked, folder, tallies)


def _go_round(asked: argparse.Namespace, worker: Worker, tallies: dict[str, Tally]) -> None:
    """Give each target its turn until the time is over or all cases have been run."""
    until = time.monotonic() + asked.seconds if asked.seconds else float("inf")
    most = asked.cases or (10**9 if asked.seconds else 100)
    first = 0
    while first < most and time.monotonic() < until:
        for tally in tallies.values():
            chunk = Chunk(tally.target, asked.seed, asked.first + first, min(AT_ONCE, most - first))
            for played in worker.run(chunk):
                if tally.add(played):
                    print(f"{tally.replay(played)}\n    {played.broken[:500]}", flush=True)
                if time.monotonic() > until:
                    break
            if time.monotonic() > until:
                worker.stop()
                break
        first += AT_ONCE


def _minimise(tally: Tally, worker: Worker) -> None:
    """Look for fewer rows with which the first finding of a kind is the same."""
    for kind in tally.kinds.values():
        for rows in SMALLER if "longer than" not in kind.what else ():
            (played,) = worker.run(Chunk(tally.target, tally.seed, kind.example.number, 1, rows))
            if played.broken == kind.what:
                kind.example = played
                break


def _sum_up(asked: argparse.Namespace, folder: Path, tallies: dict[str, Tally]) -> int:
    for tally in tallies.values():
        write_findings(tally, folder)
        print(tally.line())
        if asked.verbose:
            print("\n".join(f"    {times:6} {ending}" for ending, times in tally.endings.most_common()))
        if asked.record:
            record.add(tally, asked.first, asked.record)
    if any(tally.findings for tally in tallies.values()):
        print(f"one file for each kind of finding: {folder}")
        return 1
    folder.rmdir()
    return 0


def _replay(asked: argparse.Namespace) -> int:
    """Run one case in this process, and show everything."""
    (name,) = asked.targets
    target, session = load(name), Path(tempfile.mkdtemp(prefix="seethrough-fuzz-"))
    try:
        target.prepare(session)
        with own_folder(session) as folder:
            played = play(target, Case(name, asked.seed, asked.case, folder, session, asked.rows), None)
    finally:
        shutil.rmtree(session, ignore_errors=True)
    print(f"{played.did}: {played.how}" if not played.broken else f"{played.trace}\n{played.broken}")
    return int(bool(played.broken))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS, *SLOW], metavar="TARGET", help=_NAMES)
    parser.add_argument("--seconds", type=float, default=0, help="how long to go on")
    parser.add_argument("--cases", type=int, default=0, help="how many cases of each target; 100 if nothing is said")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0, help="decides, with the number, what a case is")
    parser.add_argument("--case", type=int, help="run this case alone, in this process")
    parser.add_argument("--rows", type=int, help="cut the tables of the case to so many rows")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds that a case may take")
    parser.add_argument("--record", type=Path, nargs="?", const=record.RECORD, help="add the figures to a record")
    parser.add_argument("--page", type=Path, nargs="*", help="take records over, and write docs/reliability.md")
    parser.add_argument("--verbose", action="store_true", help="say how cases ended")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
