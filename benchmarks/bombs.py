"""Small files that unpack to very much: `python -m benchmarks.bombs` gives seconds, peak memory and what is said.

Every file has at most 64 MiB. Each is read by a command of its own process, which is ended when it takes more than the
limits below; a bomb is defused if the command ends by itself, below both, with a sentence or with a result.
"""

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

SECONDS, MIB = 120.0, 3000.0
"""Where a command is ended."""
_ROWS = 200


def _zipped(path: Path) -> None:
    block = gzip.compress(b"1,2\n" * (1 << 22), 9)  # members of a gzip file may follow each other
    with path.open("wb") as file:
        file.write(gzip.compress(b"a,b\n"))
        while file.tell() < (64 << 20) - len(block):
            file.write(block)


def _zipped_line(path: Path) -> None:
    with gzip.open(path, "wb") as file:
        for _ in range(1 << 10):
            file.write(b"a" * (1 << 20))


def _long_line(path: Path) -> None:
    path.write_bytes(b"a" * (64 << 20))


def _long_cell(path: Path) -> None:
    path.write_bytes(b"a,b\n" + b"x" * (64 << 20) + b",1\n")


def _many_columns(path: Path) -> None:
    names = ",".join(f"c{at}" for at in range(10**6))
    path.write_text(names + "\n" + "1," * (10**6 - 1) + "1\n", encoding="utf-8")


def _many_lines(path: Path) -> None:
    path.write_bytes(b"a\n" + b"1\n" * (32 << 20))


def _quotation_mark(path: Path) -> None:
    path.write_bytes(b'a,b\n1,"' + b"x,\n" * (21 << 20))


def _many_rows(path: Path) -> None:
    rows = pl.select(pl.repeat(7, 10**8, dtype=pl.Int8).alias("a"))
    pl.concat([rows] * 40).write_parquet(path, compression="zstd", row_group_size=10**8)


def _long_dictionary(path: Path) -> None:
    texts = pl.Series("a", ["x" * (1 << 20), "y" * (1 << 20)])
    texts.gather([0, 1] * 5_000).to_frame().write_parquet(path, compression="zstd")


def _arrow(path: Path) -> None:
    rows = pl.select(pl.repeat(7, 10**8, dtype=pl.Int8).alias("a"))
    pl.concat([rows] * 40).write_ipc(path, compression="zstd")


def _many_parquet_columns(path: Path) -> None:
    pl.DataFrame({f"c{at}": [1] for at in range(20_000)}).write_parquet(path)


def _deep_json(path: Path) -> None:
    path.write_bytes(b"[" * (32 << 20) + b"]" * (32 << 20))


def _wide_json(path: Path) -> None:
    path.write_bytes(b'{"columns": {' + b",".join(b'"c%d": {"sdtype": "id"}' % at for at in range(2_000_000)) + b"}}")


def _deep_toml(path: Path) -> None:
    path.write_bytes(b"a = " + b"[" * (1 << 20) + b"]" * (1 << 20))


def _dotted_toml(path: Path) -> None:
    path.write_bytes(b".".join([b"a"] * (4 << 20)) + b" = 1\n")


def _many_levels(path: Path) -> None:
    levels = ", ".join(f'"level {at}"' for at in range(10**6))
    path.write_text(f'format = 1\n[columns.a]\nkind = "categorical"\nlevels = [{levels}]\n', encoding="utf-8")


def _zeros(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\0" * (64 << 20))


def _large_store(path: Path) -> None:
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE cells (key TEXT, result BLOB)")
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        store.execute(f"CREATE VIEW studies AS {endless}")
        store.execute("INSERT INTO cells VALUES ('a', zeroblob(60000000))")


_AS_TABLE = "schema {bomb}"
_AS_SCHEMA = "schema {small} --schema {bomb}"
_AS_STORE = "study status --store {bomb}"
_AS_PLAN = "study run {bomb} --store {store}"
_AS_REPORT = "verify {bomb} --real {small} --synthetic {small}"

BOMBS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "gzip, 64 GiB of rows": ("t.csv.gz", _zipped, _AS_TABLE),
    "gzip, one line of 1 GiB": ("t.csv.gz", _zipped_line, _AS_TABLE),
    "CSV, one line of 64 MiB": ("t.csv", _long_line, _AS_TABLE),
    "CSV, one cell of 64 MiB": ("t.csv", _long_cell, _AS_TABLE),
    "CSV, 1,000,000 columns": ("t.csv", _many_columns, _AS_TABLE),
    "CSV, 33,554,432 rows": ("t.csv", _many_lines, _AS_TABLE),
    "CSV, a quotation mark never closed": ("t.csv", _quotation_mark, _AS_TABLE),
    "Parquet, 4,000,000,000 rows": ("t.parquet", _many_rows, _AS_TABLE),
    "Parquet, two texts of 1 MiB, 10,000 rows": ("t.parquet", _long_dictionary, _AS_TABLE),
    "Parquet, 20,000 columns": ("t.parquet", _many_parquet_columns, _AS_TABLE),
    "Arrow, 4,000,000,000 rows": ("t.arrow", _arrow, _AS_TABLE),
    "JSON, nested 33,554,432 deep": ("t.json", _deep_json, _AS_SCHEMA),
    "JSON, 2,000,000 columns": ("t.json", _wide_json, _AS_SCHEMA),
    "JSON as report": ("t.json", _deep_json, _AS_REPORT),
    "TOML, nested 1,048,576 deep": ("t.toml", _deep_toml, _AS_SCHEMA),
    "TOML, a key of 4,194,304 parts": ("t.toml", _dotted_toml, _AS_SCHEMA),
    "TOML as plan": ("t.toml", _deep_toml, _AS_PLAN),
    "TOML, 1,000,000 levels": ("t.toml", _many_levels, _AS_SCHEMA),
    "SQLite, zeros": ("t.sqlite", _zeros, _AS_STORE),
    "SQLite, a view without end": ("t.sqlite", _large_store, _AS_STORE),
}


def explode(name: str, folder: Path) -> tuple[int, float, float, float, str]:
    """Make a bomb and read it; gives its MiB, seconds, peak MiB, exit code (-9: ended here) and the last line."""
    file, make, words = BOMBS[name]
    path = folder / file
    make(path)
    small = folder / "small.csv"
    small.write_text("a,b\n" + "x,1\ny,2\n" * _ROWS, encoding="utf-8")
    filled = words.format(bomb=path, small=small, store=folder / "s.sqlite")
    command = [sys.executable, "-m", "seethrough", *filled.split()]
    began = time.monotonic()
    with (folder / "said").open("wb") as said:
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
        peak = 0.0
        while running.poll() is None:
            peak = max(peak, sum(_resident(process) for process in _session(running.pid)))
            if peak > MIB or time.monotonic() - began > SECONDS:
                os.killpg(running.pid, signal.SIGKILL)
            time.sleep(0.05)
    lines = (folder / "said").read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["(a result)"]
    return running.returncode, path.stat().st_size / 2**20, time.monotonic() - began, peak, lines[-1]


def _session(leader: int) -> list[int]:
    """Name the processes of a session; a command works in a child of the process that was started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        found += [int(folder.name)] if int(told[3]) == leader else []
    return found


def _resident(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Print a row of a Markdown table for each bomb, or for those whose names hold a word that is given."""
    print("| bomb | MiB | seconds | peak MiB | exit code | said |\n| --- | --- | --- | --- | --- | --- |")
    for name in BOMBS:
        if all(word in name for word in sys.argv[1:]):
            with TemporaryDirectory() as folder:
                code, size, seconds, peak, said = explode(name, Path(folder))
            print(f"| {name} | {size:.1f} | {seconds:.1f} | {peak:.0f} | {code} | {said[:160]} |", flush=True)


if __name__ == "__main__":
    main()
