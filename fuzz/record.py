"""The figures of docs/reliability.md: kept in docs/reliability.json by runs, written into the page from there."""

import json
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fuzz.tally import Tally

ROOT = Path(__file__).resolve().parents[1]
RECORD, PAGE = ROOT / "docs" / "reliability.json", ROOT / "docs" / "reliability.md"
FORMAT = 1
_BLOCK = re.compile(r"(<!-- figures of ([a-z_]+), from reliability\.json -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def add(tally: Tally, first: int, path: Path = RECORD) -> None:
    """Add a run to a record."""
    kept = read(path)
    kept["runs"].append(
        {
            "target": tally.target,
            "seed": tally.seed,
            "first": first,
            "cases": tally.cases,
            "tables": tally.tables,
            "findings": tally.findings,
            "kinds": {kind.what[:300]: kind.times for kind in tally.kinds.values()},
            "endings": dict(tally.endings.most_common()),
            "seconds": round(tally.seconds),
            "commit": _commit(),
            "date": datetime.now(UTC).date().isoformat(),
        }
    )
    _write(kept, path)


def take_over(path: Path) -> None:
    """Add the runs of another record to the one of the page."""
    kept = read()
    kept["runs"] += [run for run in read(path)["runs"] if run not in kept["runs"]]
    _write(kept, RECORD)


def _write(kept: dict[str, Any], path: Path) -> None:
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path = RECORD) -> dict[str, Any]:
    """Read a record; one that is not there is empty."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {"format": FORMAT, "runs": []}


def write_page() -> None:
    """Write the figures into the page."""
    PAGE.write_text(page(PAGE.read_text("utf-8"), read()), encoding="utf-8")


def page(text: str, record: dict[str, Any]) -> str:
    """Put the figures of a record in their places."""
    return _BLOCK.sub(lambda found: found[1] + _figures(record, found[2]) + found[3], text)


def _figures(record: dict[str, Any], target: str) -> str:
    runs = [run for run in record["runs"] if run["target"] == target]
    if not runs:
        return "Not run yet.\n"
    head = "| run | commit | cases | tables | findings | seconds |\n| --- | --- | --- | --- | --- | --- |\n"
    rows = [
        f"| `python -m fuzz {target} --seed {run['seed']} --first {run['first']} --cases {run['cases']}`, "
        f"{run['date']} "
        f"| {run['commit']} | {run['cases']:,} | {run['tables']:,} | {run['findings']:,} | {run['seconds']:,} |\n"
        for run in runs
    ]
    sums = {name: sum(run[name] for run in runs) for name in ("cases", "tables", "findings", "seconds")}
    rows.append("| all | | " + " | ".join(f"{value:,}" for value in sums.values()) + " |\n")
    return head + "".join(rows)


def _commit() -> str:
    """Name the commit; a tree with changes is said to have some."""
    told = [
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--", "src"))
    ]
    return f"{told[0]} with changes" if told[1] else told[0]
