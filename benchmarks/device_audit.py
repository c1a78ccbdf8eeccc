"""A whole audit on an accelerator beside the same audit on the processor of that machine: numbers, and time.

    python -m benchmarks.device_audit run cuda FOUND.json 100000 1000000    where the accelerator is
    python -m benchmarks.device_audit record FOUND.json                      where the page is made

Tables are those of `benchmarks.scale`. Each audit is done once on the device before it is timed there, on few rows:
the first run builds kernels.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import seethrough as st
from benchmarks.device import RECORD
from benchmarks.findings import Finding
from benchmarks.scale import KEYS, SECRET, people, people_outside
from seethrough.report.audit_report import AuditReport
from seethrough.results.outcome import Measured

FEW = 2_000


def run(device: str, out: Path, sizes: list[int]) -> None:
    """Audit on both, compare, and write it down in the form that `record` takes."""
    import torch

    audited(FEW, device)
    found = [finding for rows in sizes for finding in compared(rows, device)]
    for finding in found:
        print(finding.line(), flush=True)
    card = torch.cuda.get_device_name(0) if device.startswith("cuda") else device
    entry = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"one {card}, {os.cpu_count()} CPU cores; not run by `make bench`",
        "versions": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__, "seethrough": st.__version__},
        "command": f"python -m benchmarks.device_audit run {device} FILE {' '.join(map(str, sizes))}",
        "findings": [finding.to_dict() for finding in found],
    }
    out.write_text(json.dumps(entry, indent=1), encoding="utf-8")


def audited(rows: int, device: str) -> tuple[AuditReport, float]:
    """Audit tables of so many rows; gives the seconds too."""
    real, synthetic = people(rows)
    begun = time.perf_counter()
    report = st.audit(real, synthetic, people_outside(rows), secret=SECRET, keys=KEYS, device=device)
    return report, time.perf_counter() - begun


def compared(rows: int, device: str) -> Iterator[Finding]:
    """Compare both reports: what scores, leaks and p differ by, and how long each took."""
    (here, slow), (there, fast) = audited(rows, "cpu"), audited(rows, device)
    size = f"audit of {rows:,} x 17, as many people outside"
    if here.targets:
        size += f", {here.targets.asked:,} targets"
    yield Finding(f"{size}, on the device", fast, "s", detail=f"{slow:.1f} s on the processor of that machine")
    scores = [(one.risk.value, two.risk.value) for one, two in outcomes(here, there)]
    counted = f"{len(scores)} scores; verdict {there.verdict.grade.value} on both"
    assert here.verdict.grade is there.verdict.grade
    yield Finding(f"{size}: largest difference of a score", largest(scores), at_most=1e-9, detail=counted)
    pairs = list(zip(here.tables[0].evidence.attacks, there.tables[0].evidence.attacks, strict=True))
    leaks = [(one.leak.value, two.leak.value) for one, two in pairs if one.leak and two.leak]
    yield Finding(f"{size}: largest difference of a leak", largest(leaks), at_most=1e-9, detail=f"{len(leaks)} attacks")
    chances = [(one.p, two.p) for one, two in pairs if one.p is not None and two.p is not None]
    yield Finding(f"{size}: largest difference of a p", largest(chances), at_most=1e-3)


def outcomes(here: AuditReport, there: AuditReport) -> Iterator[tuple[Measured, Measured]]:
    """Pair the checks that ran; what ran on one alone would be an error."""
    for one, two in zip(here.tables[0].outcomes, there.tables[0].outcomes, strict=True):
        assert type(one) is type(two), one.check
        if isinstance(one, Measured) and isinstance(two, Measured):
            yield one, two


def largest(pairs: list[tuple[float, float]]) -> float:
    """Give the largest difference of a pair."""
    return max(abs(one - two) for one, two in pairs)


def record(path: Path) -> None:
    """Take what `run` wrote over into device.json, from which `python -m benchmarks page` makes the page."""
    entries = json.loads(RECORD.read_text(encoding="utf-8"))
    entries |= {"device-audit": json.loads(path.read_text(encoding="utf-8"))}
    RECORD.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "record":
        record(Path(words[0]))
    else:
        run(words[0], Path(words[1]), [int(word) for word in words[2:]])
