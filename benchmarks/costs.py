"""Fit what checks cost: audits of several tables and sizes, with and without people outside and a named secret.

python -m benchmarks.costs            measure, and write src/seethrough/exploring/pricing/costs.toml
python -m benchmarks.costs KIND       measure one kind only ("people outside, a secret"), and fit with what was kept

What was measured is kept in benchmarks/costs.json, so that kinds can be measured one at a time. Everything runs on one
thread and is measured in seconds of the processor, so that other work on the machine does not count; how much several
threads help is from the time and the processor's time of the default audit (docs/benchmarks.json).
"""

import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
from scipy.optimize import nnls

import seethrough as st
from benchmarks.measuring import ROOT, in_a_process, table
from seethrough.attacks.attribute.recon import DENSE
from seethrough.exploring.pricing.cost_model import BEYOND, EVIDENCE, LEAST_SQUARES, ON_SECRETS, SOLVING
from seethrough.exploring.pricing.machine_speed import measure_speed

KEPT = Path(__file__).with_suffix(".json")
RECORD = ROOT / "docs" / "benchmarks.json"
COSTS = ROOT / "src" / "seethrough" / "exploring" / "pricing" / "costs.toml"
SIZES = {"full": (400, 1_500, 2_500, 5_000), "fast": (400, 1_500), "attacks": (400, 1_500)}
"""Rows of the audits by preset; that of all checks has to show how they grow."""
COLUMNS = 15
KINDS = (
    "people outside, a secret",
    "people outside, no secret",
    "nobody outside, a secret",
    "nobody outside, no secret",
)

PRESETS = ("full", "fast", "attacks")
TABLES = {"adult": ("adult.csv.gz", "income"), "acs": ("", "employed")}


def people(name: str) -> pl.DataFrame:
    """Read a table of people."""
    if name == "acs":
        found = st.samples.acs_release()
        return pl.concat([found.real, found.holdout])
    return table(TABLES[name][0])


def tables(name: str, rows: int, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Draw real people, others, and a release in which some rows are real and columns of the rest are shuffled."""
    every = people(name)
    drawn = every[np.random.default_rng(seed).permutation(len(every))]
    half = min(rows, len(drawn) // 2)
    real, outside = drawn[:half], drawn[half : 2 * half]
    mixed = real.sample(half, seed=seed, shuffle=True)
    shuffled = mixed[half // 2 :].with_columns(pl.all().shuffle(seed=seed))
    return real, pl.concat([mixed[: half // 2], shuffled]), outside


class MemoryWatch(threading.Thread):
    """Notes the largest resident size while each thing is done."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.doing, self.held, self.over = "start", defaultdict(int), False

    def run(self) -> None:
        """Look a hundred times a second."""
        while not self.over:
            self.held[self.doing] = max(self.held[self.doing], resident())
            time.sleep(0.01)


def resident() -> int:
    """Give the resident bytes of this process."""
    path = Path("/proc/self/statm")
    if path.exists():
        return int(path.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(kind: str, name: str, rows: int, preset: str) -> dict[str, object]:
    """Run one audit, and give what everything took."""
    real, released, outside = tables(name, rows)
    asked = {"secret": TABLES[name][1]} if kind.endswith("a secret") else {}
    holdout = outside if kind.startswith("people outside") else None
    checks = {"checks": ["crp"]} if preset != "full" else {}
    exploration = st.explore(real, released, holdout, preset=preset, threads=1, **asked, **checks)
    watch, before = MemoryWatch(), resident()
    watch.start()
    report = exploration.run(tell=lambda progress: setattr(watch, "doing", progress.doing))
    watch.over = True
    timings, evidence = report.timings, report.tables[0].evidence
    secrets = sum(attack.seconds for attack in evidence.attacks if attack.secret and attack.name not in SOLVING)
    solving = sum(attack.seconds for attack in evidence.attacks if attack.secret and attack.name in SOLVING)
    steps = defaultdict(float)
    for each in timings.steps:
        steps[each.step] += each.seconds
    steps["rest"] = max(timings.rest, 0.0)
    steps[LEAST_SQUARES] = min(solving, steps[EVIDENCE])
    steps[ON_SECRETS] = min(secrets, steps[EVIDENCE] - steps[LEAST_SQUARES])
    steps[EVIDENCE] -= steps[LEAST_SQUARES] + steps[ON_SECRETS]
    shared = defaultdict(float)
    for each in timings.shared:
        shared[each.request] += each.seconds
    return {
        "kind": kind,
        "table": name,
        "rows": len(real),
        "columns": real.width,
        "preset": preset,
        "total": timings.total - timings.reading,
        "checks": {each.check: each.seconds for each in timings.checks},
        "shared": dict(shared),
        "steps": dict(steps),
        "bytes": {doing: held - before for doing, held in watch.held.items()},
        "alone": len(sys.argv) == 5,
    }


def uses(kind: str) -> dict[str, list[str]]:
    """Find which shared computations each check asks for, by running each alone."""
    real, released, outside = tables("adult", 200)
    asked = {"secret": "income"} if kind.endswith("a secret") else {}
    holdout = outside if kind.startswith("people outside") else None
    found = {}
    for name in st.explore(real, released, holdout, **asked).check_names:
        report = st.explore(real, released, holdout, checks=[name], preset="attacks", **asked).run()
        found[name] = sorted({each.request for each in report.timings.shared})
    nothing = set(found["crp"]) & set(found["ks"])  # what is computed for pictures, whatever is checked
    return {name: [each for each in every if each not in nothing] for name, every in found.items()}


def run(kinds: list[str]) -> None:
    """Measure the kinds, keep it, and fit."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"runs": [], "uses": {}}
    for kind in kinds:
        runs = [each for each in kept["runs"] if each["kind"] != kind]
        for name in TABLES:
            for preset, sizes in SIZES.items():
                for rows in sizes:
                    runs.append(in_a_process("benchmarks.costs", kind, name, rows, preset, one_thread=True))
                    print(kind, name, rows, preset, f"{runs[-1]['total']:.2f} s", flush=True)
        kept["runs"], kept["uses"][kind] = runs, uses(kind)
        kept |= {"speed": measure_speed(), "parallel": parallel_share()}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    COSTS.write_text(fitted(kept))


def parallel_share() -> float:
    """Find the share of an audit that runs on all threads, by Amdahl's law from two of them."""
    [found] = json.loads(RECORD.read_text())["benchmarks"]["default-audit"]["findings"]
    taken, busy = found["value"], float(re.search(r"([\d.]+) s of processor time", found["detail"])[1])
    return float(np.clip(2 * (1 - taken / busy), 0.0, 0.95))


def fitted(kept: dict[str, object]) -> str:
    """Fit the coefficients, and write them."""
    lines = [
        "# Written by `python -m benchmarks.costs`: seconds and bytes as a + b rows + c rows², the latter two for",
        f"# tables of {COLUMNS} columns. `speed` are the seconds of machine_speed.py where this was measured.",
        f"speed = {kept['speed']:.6g}",
        "threads = 1",
        f"parallel = {kept['parallel']:.3g}",
        f"columns = {COLUMNS}",
        f"dense = {DENSE}",
        f"base_bytes = {base_bytes()}",
    ]
    for kind in KINDS:
        like = kind if kind in kept["uses"] else next(iter(kept["uses"]))
        lines += section(kind, [each for each in kept["runs"] if each["kind"] == like], kept["uses"][like])
    return "\n".join(lines) + "\n"


def section(kind: str, runs: list[dict], used: dict[str, list[str]]) -> list[str]:
    """Write the coefficients of one kind of audit."""
    whole = [each for each in runs if each["preset"] == "full"]
    lines = [f'\n[kinds."{kind}".checks]']
    own = {name: fit(by_solver(whole)[0] if name in SOLVING else whole, "checks", name) for name in whole[0]["checks"]}
    lines += [f"{quoted(name)} = {numbers(each)}" for name, each in sorted(own.items())]
    many = by_solver(whole)[1]
    lines += [f"{quoted(name + BEYOND)} = {numbers(fit(many, 'checks', name))}" for name in SOLVING if name in own]
    middle = np.median(np.array(list(own.values())), axis=0)
    lines.append(f"other = {numbers(middle)}")
    lines.append(f'\n[kinds."{kind}".shared]')
    asked = sorted({each for every in used.values() for each in every})
    lines += [f"{name} = {numbers(fit(whole, 'shared', name))}" for name in asked]
    lines.append(f'\n[kinds."{kind}".uses]')
    lines += [f"{quoted(name)} = {json.dumps(every)}" for name, every in sorted(used.items())]
    for preset in PRESETS:
        mine = [each for each in runs if each["preset"] == preset] or whole
        lines += steps_section(kind, preset, mine, whole, asked)
    lines.append(f'\n[kinds."{kind}".bytes]')
    alone = [each for each in whole if each["alone"]] or whole  # memory that an earlier audit left is nobody's
    evidence = [max(v for k, v in each["bytes"].items() if k not in each["checks"]) for each in alone]
    lines.append(f"all = {numbers(fit_values(alone, evidence))}")
    lines += [f"{quoted(name)} = {numbers(fit(alone, 'bytes', name))}" for name in sorted(whole[0]["checks"])]
    return lines


def steps_section(kind: str, preset: str, mine: list[dict], whole: list[dict], asked: list[str]) -> list[str]:
    """Write what is done besides checks in audits of one preset; least squares are those of audits with all checks."""
    lines = [f'\n[kinds."{kind}".steps.{preset}]']
    names = sorted({name for each in mine for name in (*each["steps"], EVIDENCE, ON_SECRETS)} - {LEAST_SQUARES})
    lines += [f"{quoted(name)} = {numbers(fit(mine, 'steps', name))}" for name in names]
    for each, some in zip(("", BEYOND), by_solver(whole), strict=True):
        lines.append(f"{quoted(LEAST_SQUARES + each)} = {numbers(fit(some, 'steps', LEAST_SQUARES))}")
    unasked = [sum(v for k, v in each["shared"].items() if k not in asked) for each in mine]
    return [*lines, f"pictures = {numbers(fit_values(mine, unasked))}"]


def by_solver(runs: list[dict]) -> tuple[list[dict], list[dict]]:
    """Part runs whose systems of least squares were factored from those in which they were solved by steps."""
    return [each for each in runs if each["rows"] <= DENSE], [each for each in runs if each["rows"] > DENSE]


def fit(runs: list[dict], what: str, name: str) -> np.ndarray:
    """Fit one thing."""
    return fit_values(runs, [each[what].get(name, 0.0) for each in runs])


def fit_values(runs: list[dict], values: list[float]) -> np.ndarray:
    """Fit a + b rows + c rows², none negative, to relative errors: a small audit counts as much as a large one."""
    rows = np.array([each["rows"] for each in runs], float)
    wide = np.array([each["columns"] / COLUMNS for each in runs])
    found = np.array(values, float)
    weights = 1 / np.maximum(found, max(found.max() * 0.02, 1e-9))
    curved = len(set(rows.tolist())) > 2  # two sizes cannot tell a curve from a line
    several = len(set(rows.tolist())) > 1  # one size cannot tell a line from a constant
    design = np.column_stack([np.ones(len(rows)) * several, wide * rows, wide * rows**2 * curved])
    scale = np.maximum(design.max(axis=0), 1e-300)
    return nnls(design / scale * weights[:, None], found * weights)[0] / scale * [1, 1, curved]


def base_bytes() -> int:
    """Give what a process holds that has loaded everything and no table."""
    code = "import seethrough.api.explore, seethrough.plugins.catalog as c, benchmarks.costs as b; c.load(); "
    words = [sys.executable, "-c", code + "print(b.resident())"]
    return int(subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def quoted(name: str) -> str:
    """Write a key."""
    return json.dumps(name)


def numbers(found: np.ndarray) -> str:
    """Write coefficients."""
    return f"[{', '.join(f'{each:.4g}' for each in found)}]"


if __name__ == "__main__":
    time.perf_counter = time.process_time
    if len(sys.argv) == 5:  # one audit, in a process of its own, so that its memory is its own too
        print(json.dumps(measured(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])))
    else:
        run(sys.argv[1:] or list(KINDS))
