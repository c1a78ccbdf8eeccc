"""Kills at random moments of audit, synthesize and study: nothing is lost that was promised, nothing is left behind.

Case 3 i + k kills command k for the i-th time: by SIGTERM, by SIGHUP, by SIGKILL of the process that was started, by
SIGKILL of all its processes at once, in turn. Expected: files of before stay or are replaced by whole ones; cells of a
study that were kept stay, none is computed twice, and the rest of the run gives what an undisturbed one gives; no
process lives on; no temporary file and no hidden folder is left, after a kill of all processes at once when the same
command has been run again. A signal that can be caught ends with 128 and its number, and one sentence.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from fuzz.case import Broken, Case, Ending
from seethrough.study.store.store import Store
from seethrough.system.program_keeper import descendants

OLD = "of before"
PATIENCE = 60.0
"""Seconds until processes and folders have to be gone."""
FULL = "seconds.json"
PROGRAM = """
import csv, random, subprocess, sys, time
given, made, rows, mark = sys.argv[1:]
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", mark], start_new_session=True)
with open(given, newline="") as file:
    head, *records = csv.reader(file)
time.sleep(0.5)
with open(made, "w", newline="") as file:
    csv.writer(file).writerows([head, *random.choices(records, k=int(rows))])
"""
PLAN = """
format = 1
name = "tiny"
[data.people]
file = "people.csv"
secret = "ill"
[[metrics]]
data = "people"
rows = 60
runs = 25
synthesizers = ["indhist", "nonprivate"]
checks = ["crp", "gcap"]
"""
CELLS = 100


@dataclass(frozen=True)
class Killed:
    """A way to end a run: its name, what it does to the process, and the signal that the exit code tells."""

    name: str
    send: Callable[[int], None]
    number: int = 0


def _kill_all(process: int) -> None:
    """Kill a process and all below it as if the power were cut."""
    every = [process, *descendants(process)]
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for each in every:
            _send(each, number)


def _send(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


WAYS = (
    Killed("SIGTERM", lambda process: _send(process, signal.SIGTERM), 15),
    Killed("SIGHUP", lambda process: _send(process, signal.SIGHUP), 1),
    Killed("SIGKILL", lambda process: _send(process, signal.SIGKILL)),
    Killed("SIGKILL of all", _kill_all),
)


def prepare(session: Path, commands: Iterable[str] = ("audit", "synthesize", "study")) -> None:
    """Write the tables, and see how long each command takes."""
    rows = [f"{number % 70},{'fmx'[number % 3]},{'yes' if number * 7 % 11 < 4 else 'no'}" for number in range(400)]
    for name in ("people.csv", "released.csv"):
        (session / name).write_text("\n".join(["age,sex,ill", *rows]) + "\n")
    (session / "program.py").write_text(PROGRAM)
    (session / "plan.toml").write_text(PLAN)
    took = {}
    for name in commands:
        folder = session / f"undisturbed-{name}"
        folder.mkdir()
        begun = time.monotonic()
        found = _start(name, session, folder).wait(300)
        if found:
            raise RuntimeError(f"{name} ends with {found}: {(folder / 'said').read_text()}")
        took[name] = time.monotonic() - begun
    (session / FULL).write_text(json.dumps(took))


def play(case: Case) -> Ending:
    """Start a command, end it at some moment, judge what is there, and run it again."""
    name, way = list(COMMANDS)[case.number % 3], WAYS[case.number // 3 % len(WAYS)]
    _write_files_of_before(name, case.folder)
    process = _start(name, case.session, case.folder)
    moment = case.random.uniform(0.1, 1.05) * float(json.loads((case.session / FULL).read_text())[name])
    time.sleep(moment)
    below = {process.pid, *descendants(process.pid)}
    way.send(process.pid)
    code = process.wait(PATIENCE)
    said = f"{name}, {way.name} after {moment:.1f} s: exit code {code}, {_said(case.folder)[-300:]!r}"
    _judge_end(code, way, case.folder, said)
    _wait_for_nobody(below, case.folder, said)
    if way.send is not _kill_all:
        _judge_temporary(case.folder, said)
    JUDGES[name](case, said)
    again = _start(name, case.session, case.folder).wait(300)
    if again:
        raise Broken(f"{said}; run again, exit code {again}: {_said(case.folder)[-300:]!r}")
    _judge_temporary(case.folder, f"{said}, and another run,")
    _judge_rerun(name, case, said)
    return Ending(f"{way.name}: {'through before' if code == 0 else 'ended'}", name, 1)


def _start(name: str, session: Path, folder: Path) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "seethrough", *COMMANDS[name](session, folder)]
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup the command would ignore it, as it should
    try:
        with (folder / "said").open("wb") as said:
            return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said, cwd=folder, start_new_session=True)
    finally:
        signal.signal(signal.SIGHUP, before)


def _audit(session: Path, folder: Path) -> list[str]:
    tables = ["--real", str(session / "people.csv"), "--synthetic", str(session / "released.csv")]
    return ["audit", *tables, "--secret", "ill", "--checks", "crp,gcap", "--out", str(folder / "audit")]


def _synthesize(session: Path, folder: Path) -> list[str]:
    run = f"run={sys.executable} {session / 'program.py'} {{input}} {{output}} {{rows}} {folder}"
    to = ["--rows", "50", "--out", str(folder / "made.csv")]
    return ["synthesize", "--synthesizer", "command", "--param", run, "--real", str(session / "people.csv"), *to]


def _study(session: Path, folder: Path) -> list[str]:
    return ["study", "run", str(session / "plan.toml"), "--store", str(folder / "s.sqlite"), "--workers", "2"]


COMMANDS = {"audit": _audit, "synthesize": _synthesize, "study": _study}


def _write_files_of_before(name: str, folder: Path) -> None:
    if name == "audit":
        (folder / "audit").mkdir()
        for each in ("report.json", "records.parquet"):
            (folder / "audit" / each).write_text(OLD)
    if name == "synthesize":
        (folder / "made.csv").write_text(OLD)


def _said(folder: Path) -> str:
    return (folder / "said").read_text(errors="replace")


def _judge_end(code: int, way: Killed, folder: Path, said: str) -> None:
    text = _said(folder)
    if "Traceback" in text or "Warning" in text:
        raise Broken(f"a traceback or a warning: {said}")
    expected = {0, 128 + way.number, -way.number} if way.number else {0, -9}
    if code not in expected:
        raise Broken(f"an exit code that is not {sorted(expected)}: {said}")
    # A process that ends by the signal itself had not begun to work.
    if way.number and code == 128 + way.number and text.count("stopped") + text.count("ended by") != 1:
        raise Broken(f"not one sentence: {said}")


def _wait_for_nobody(below: set[int], folder: Path, said: str) -> None:
    until = time.monotonic() + PATIENCE
    while alive := [each for each in _processes_of(folder) | below if _is_alive(each)]:
        if time.monotonic() > until:
            raise Broken(f"{len(alive)} processes live on: {said}")
        time.sleep(0.05)


def _processes_of(folder: Path) -> set[int]:
    """Find processes with the folder in their words: the programs that a run started."""
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.fsencode(folder) in Path(f"/proc/{name}/cmdline").read_bytes():
                found.add(int(name))
        except OSError:
            continue
    return found


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def _judge_temporary(folder: Path, said: str) -> None:
    left = [str(path.relative_to(folder)) for path in (folder / "tmp").rglob("*")]
    left += [str(path.relative_to(folder)) for path in folder.rglob(".seethrough-*")] if "another run" in said else []
    if left:
        raise Broken(f"left behind {left[:3]}: {said}")


def _judge_audit(case: Case, said: str) -> None:
    report, records = case.folder / "audit" / "report.json", case.folder / "audit" / "records.parquet"
    if report.read_bytes() != OLD.encode():
        json.loads(report.read_text())
    if records.read_bytes() != OLD.encode() and pl.read_parquet(records).height != 400:
        raise Broken(f"records are missing: {said}")


def _judge_synthesize(case: Case, said: str) -> None:
    made = case.folder / "made.csv"
    if made.read_bytes() != OLD.encode() and pl.read_csv(made).height != 50:
        raise Broken(f"rows are missing: {said}")


def _judge_study(case: Case, said: str) -> None:
    count = len(_cells(case.folder)) if (case.folder / "s.sqlite").exists() else 0
    if "cells are kept" in _said(case.folder) and f"stopped: {count} of {CELLS} cells are kept" not in said:
        raise Broken(f"{count} cells are kept: {said}")


def _judge_rerun(name: str, case: Case, said: str) -> None:
    JUDGES[name](case, said)
    if name != "study":
        files = {"audit": case.folder / "audit" / "report.json", "synthesize": case.folder / "made.csv"}
        if files[name].read_bytes() == OLD.encode():
            raise Broken(f"another run wrote nothing: {said}")
        return
    if _cells(case.folder) != _cells(case.session / "undisturbed-study"):
        raise Broken(f"other cells than undisturbed: {said}")
    with Store.read(case.folder / "s.sqlite") as store:
        computed = store.rows("SELECT sum(computed) FROM run")[0][0]
    if computed != CELLS:
        raise Broken(f"{computed} cells were computed where there are {CELLS}: {said}")


def _cells(folder: Path) -> dict[str, tuple[str, float]]:
    try:
        with Store.read(folder / "s.sqlite") as store:
            rows = store.rows("SELECT key, status, value FROM cell")
    except Exception:  # noqa: BLE001 - it was killed while the store was made, so it has no tables yet
        return {}
    return {key: (status, value) for key, status, value in rows}


JUDGES = {"audit": _judge_audit, "synthesize": _judge_synthesize, "study": _judge_study}
