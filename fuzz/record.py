"""The figures of docs/reliability.md: kept in docs/reliability.json by runs, written into the page from there."""

import html
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
GOALS = {"tables": 100_000, "command_lines": 5_000, "damaged_files": 10_000, "edited_reports": 1_000}
"""Cases to be run; of tables, tables."""
SHOWN = 12
"""Ways to end that the record keeps of a run, the most frequent."""
COUNTED = ("cases", "tables", "findings", "seconds")
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
            "endings": dict(tally.endings.most_common(SHOWN)),
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
    runs = _joined([run for run in record["runs"] if run["target"] == target])
    if not runs:
        return "Not run yet.\n"
    head = "| run | commit | cases | tables | findings | seconds |\n| --- | --- | --- | --- | --- | --- |\n"
    rows = [
        f"| `python -m fuzz {target} --seed {run['seed']} --first {run['first']} --cases {run['cases']}`, "
        f"{run['date']} | {run['commit']} | {_shown(run)} |\n"
        for run in runs
    ]
    sums = {name: sum(run[name] for run in runs) for name in COUNTED}
    kinds = sorted({kind for run in runs for kind in run["kinds"]})
    found = "".join(f"- {html.escape(kind, quote=False)}\n" for kind in kinds)
    table = f"{head}{''.join(rows)}| all | | {_shown(sums)} |\n{_goal(target, sums)}"
    last = _last([run for run in record["runs"] if run["target"] == target])
    return table + last + (f"\nFindings of all runs, by kind:\n\n{found}" if found else "")


def _last(runs: list[dict[str, Any]]) -> str:
    """Say what the search found at the commit that it was run on last."""
    last = [run for run in runs if run["commit"] == runs[-1]["commit"]]
    cases, findings = (sum(run[name] for run in last) for name in ("cases", "findings"))
    told = f"{findings:,} findings" if findings else "**no finding**"
    return f"\nThe last commit searched, {runs[-1]['commit']}: {cases:,} cases, {told}.\n"


def _goal(target: str, sums: dict[str, int]) -> str:
    """Say how far the goal is reached, and how to go on."""
    if target not in GOALS:
        return ""
    done = sums["tables" if target == "tables" else "cases"]
    reached = "reached" if done >= GOALS[target] else "not reached yet"
    return f"\n{done:,} of a goal of {GOALS[target]:,}: {reached}.\n"


def _shown(run: dict[str, Any]) -> str:
    return " | ".join(f"{run[name]:,}" for name in COUNTED)


def _joined(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put runs together that follow each other, with one seed at one commit."""
    joined: list[dict[str, Any]] = []
    for run in sorted(runs, key=lambda run: (run["date"], run["seed"], run["first"])):
        last = joined[-1] if joined else None
        if last and all(last[name] == run[name] for name in ("seed", "commit", "date")) and _follows(last, run):
            joined[-1] = last | {name: last[name] + run[name] for name in COUNTED}
            joined[-1]["kinds"] = last["kinds"] | run["kinds"]
        else:
            joined.append(run)
    return joined


def _follows(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return bool(second["first"] == first["first"] + first["cases"])


def _commit() -> str:
    """Name the commit; a tree with changes is said to have some."""
    told = [
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--", "src"))
    ]
    return f"{told[0]} with changes" if told[1] else told[0]
