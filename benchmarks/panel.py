"""The whole panel of metrics: against the published times of the papers' programs, and how it grows.

PrivEval and the programs behind the comparison of 21 metrics cannot be installed beside this one; their times are the
published or recorded ones named here, on other machines, so these ratios are orders of magnitude. Run as a module it
audits in a fresh process and prints JSON.
"""

import json
import sys
import time
from typing import Any

import numpy as np
import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, peak_gib, processor_seconds, table

PAPER_SECONDS = 5000
"""Hansen and Staer 2025: the sum of their 21 metrics on 25,000 x 18 rows of hospital records, i7-9750H, 12 threads."""
PRIVEVAL_CPU_SECONDS = {"all": 290.0, "id-score": 173.9, "hitting-rate": 43.6, "nnaa": 16.9, "gcap": 6.0, "d-mlp": 10.7}
"""PrivEval's own code on 11,097 rows of online shoppers, 18 columns: CPU seconds, recorded on two shared cores."""
PEER_SECONDS = {
    "nnaa": ("SynthEval 1.7.3", 9.79),
    "dcr": ("SynthEval 1.7.3", 2.32),
    "gcap": ("SDMetrics 0.32.0", 6.77),
}
"""4,879 rows of Adult, recorded on two shared cores: medians of up to three runs."""
NOT_IN_PRIVEVAL = ("chi-squared", "inverse-kl", "js-distance", "ks", "linkage", "membership", "recon")
KEYS = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]


def report() -> list[Finding]:
    """Audit at the papers' sizes, then at growing ones."""
    mixed_rows(10)
    whole = in_a_process("benchmarks.panel", 25_000, "all")
    attacked = in_a_process("benchmarks.panel", 25_000, "attacked")
    shoppers = in_a_process("benchmarks.panel", 11_097, "priveval")
    small = in_a_process("benchmarks.panel", 4_879, "priveval")
    cost = whole["checks"]
    slow = sorted(cost.items(), key=lambda item: -item[1])[:5]
    what = f"panel of {len(cost)} checks, 25,000 x 25,000 rows, 18 mixed columns, both controls"
    slowest = "slowest: " + ", ".join(f"`{name}` {seconds:.1f} s" for name, seconds in slow)
    return [
        Finding(what, whole["seconds"], "s", at_most=10, detail=slowest),
        Finding(
            f"{what}, 25,000 people outside, attacks and tests",
            attacked["seconds"],
            "s",
            at_most=10,
            detail=f"{attacked['cpu']:.1f} s of processor time; a release of a Bayesian network",
        ),
        Finding(f"{what}, peak", whole["peak"], "GiB", at_most=4),
        *against_priveval(shoppers),
        *against_recorded(small["checks"]),
        *growth(),
    ]


def against_priveval(ours: dict[str, Any]) -> list[Finding]:
    """Compare processor time with the times recorded for PrivEval."""
    spent = {"all": ours["cpu"], **ours["checks"]}
    found = []
    for name, theirs in PRIVEVAL_CPU_SECONDS.items():
        what = "17 metrics together" if name == "all" else f"`{name}` alone"
        goal = {"all": 20, "id-score": 50, "hitting-rate": 50}.get(name)
        told = f"{spent[name]:.2f} s of processor time against {theirs} s (recorded)"
        against = f"11,097 rows, 18 columns, against PrivEval, {what}"
        found.append(Finding(against, theirs / spent[name], "times", at_least=goal, detail=told))
    return found


def against_recorded(ours: dict[str, float]) -> list[Finding]:
    """Compare single metrics with the times recorded for other programs."""
    found = []
    for name, (program, theirs) in PEER_SECONDS.items():
        told = f"{ours[name]:.3f} s against {theirs} s (recorded)"
        what = f"`{name}`, 4,879 Adult rows, against {program}"
        found.append(Finding(what, theirs / ours[name], "times", at_least=20, detail=told))
    return found


def growth() -> list[Finding]:
    """Show time and memory of the panel as the rows double."""
    sizes = (10_000, 20_000, 40_000, 80_000)
    found = [in_a_process("benchmarks.panel", rows, "acs") for rows in sizes]
    each = (f"{n:,}: {f['seconds']:.1f} s, {f['peak']:.2f} GiB" for n, f in zip(sizes, found, strict=True))
    power = np.polyfit(np.log(sizes), np.log([f["seconds"] for f in found]), 1)[0]
    return [
        Finding("panel, n x n ACS rows, growth of the time with n, power", float(power), "", detail="; ".join(each))
    ]


def mixed_rows(rows: int) -> pl.DataFrame:
    """Put Adult beside three columns of ACS; a few of its rows come twice to reach 50,000."""
    adult, acs = table("adult.csv.gz"), table("acs_employment_ma_2018.csv.gz").select("SCHL", "RELP", "ANC")
    both = pl.concat([pl.concat([adult, adult[: 50_000 - len(adult)]]), acs[:50_000]], how="horizontal")
    return both.sample(2 * rows, seed=0, shuffle=True)


def measure(rows: int, which: str) -> dict[str, object]:
    """Audit half of the rows as if it had been made from the other half."""
    import seethrough as st
    from seethrough.system.own_process import settle_own_process

    if which == "acs":
        frame = table("acs_employment_ma_2015_2017.parquet").drop("year").sample(2 * rows, seed=0, shuffle=True)
        roles: dict[str, object] = {"secret": "SEX"}
    else:
        frame, roles = mixed_rows(rows), {"secret": "income", "keys": KEYS}
    if which == "priveval":
        return alone(frame[:rows], frame[rows:], roles)
    synthetic, outside = frame[rows:], None
    if which == "attacked":
        synthetic, outside = st.synthesize("baynet", frame[:rows], rows).frame, synthetic
    settle_own_process()  # as the command does
    start, busy = time.perf_counter(), processor_seconds()
    found = st.audit(frame[:rows], synthetic, outside, **roles)
    return {
        "seconds": time.perf_counter() - start,
        "cpu": processor_seconds() - busy,
        "peak": peak_gib(),
        "checks": {o.check: getattr(o, "seconds", 0.0) for o in found.tables[0]},
    }


def alone(real: pl.DataFrame, synthetic: pl.DataFrame, roles: dict[str, object]) -> dict[str, object]:
    """Time each metric by itself, with all the work that it shares with others, and all of them together."""
    from seethrough.bench.bench import Bench
    from seethrough.data.reading.release_tables import read_release
    from seethrough.data.release import Part
    from seethrough.kernels.budget import Budget
    from seethrough.metrics.hidden_rate import HiddenRate
    from seethrough.plugins import catalog
    from seethrough.seeds import stream

    release = read_release(real, [synthetic], secrets=(roles["secret"],), keys=roles["keys"])
    tables = release.parts(release.synthetic[0].table)
    checks = {name: check for name, check in catalog.load().items() if name not in NOT_IN_PRIVEVAL}
    checks["hidden-rate"] = HiddenRate(assume_aligned=True)
    seconds, start = {}, time.process_time()
    together: Bench[Part] = Bench(tables, Budget())
    for check in checks.values():
        check.measure(together, stream(0, "bench"))
    cpu = time.process_time() - start
    for name, check in checks.items():
        begin = time.perf_counter()
        check.measure(Bench(tables, Budget(threads=1)), stream(0, "bench"))
        seconds[name] = time.perf_counter() - begin
    return {"cpu": cpu, "checks": seconds}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), sys.argv[2])))
