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


def add(tally: Tally, first: int) -> None:
    """Add a run to the record."""
    kept = read()
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
    RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read() -> dict[str, Any]:
    """Read the record; one that is not there is empty."""
    return dict(json.loads(RECORD.read_text("utf-8"))) if RECORD.exists() else {"format": FORMAT, "runs": []}


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
