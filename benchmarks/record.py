"""The record of all benchmarks, `docs/benchmarks.json`, and the page that is made of it, `docs/benchmarks.md`.

Each benchmark stands in the record with the day, machine, versions and load of its own run, so that one can be run
again by itself and the page still says of every value when and on what it was measured.
"""

import json
import os
import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from benchmarks.findings import Finding
from benchmarks.measuring import ROOT
from benchmarks.peers.comparison import table as peer_table
from benchmarks.peers.survival import largest_table

RECORD, PAGE = ROOT / "docs" / "benchmarks.json", ROOT / "docs" / "benchmarks.md"
TEMPLATE, LENT = Path(__file__).with_name("page.md.jinja"), Path(__file__).with_name("device.json")
FORMAT = 1
PACKAGES = ("seethrough", "numpy", "scipy", "polars", "scikit-learn", "highspy")


@dataclass(frozen=True)
class Entry:
    """What one benchmark found, or why it was skipped, and the circumstances."""

    findings: tuple[Finding, ...] = ()
    circumstances: dict[str, Any] = field(default_factory=dict)
    skipped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            **self.circumstances,
            "findings": [each.to_dict() for each in self.findings],
            **({"skipped": self.skipped} if self.skipped else {}),
        }

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "Entry":
        """Read the JSON form."""
        rest = {name: value for name, value in given.items() if name not in ("findings", "skipped")}
        found = tuple(Finding.from_dict(each) for each in given.get("findings", ()))
        return cls(found, rest, given.get("skipped", ""))


def circumstances() -> dict[str, Any]:
    """Describe day, machine, versions and what else the machine had to do."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{processor()}, {os.cpu_count()} cores, {memory_gib():.0f} GiB, {platform.system()}",
        "versions": {"Python": platform.python_version(), **{name: _version(name) for name in PACKAGES}},
        "load": round(os.getloadavg()[0], 1),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed as a package"


def processor() -> str:
    """Name the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def memory_gib() -> float:
    """Give the memory of the machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)


def read() -> dict[str, Any]:
    """Read the record; one that is not there is empty."""
    empty: dict[str, Any] = {"format": FORMAT, "benchmarks": {}}
    return dict(json.loads(RECORD.read_text())) if RECORD.exists() else empty


def write(record: dict[str, Any]) -> None:
    """Write the record with what was measured on lent machines, and the page."""
    record["benchmarks"] |= json.loads(LENT.read_text())
    for path, text in ((RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n"), (PAGE, page(record))):
        part = path.with_suffix(".part")
        part.write_text(text)
        part.replace(path)


def page(record: dict[str, Any]) -> str:
    """Render the page."""
    entries = {name: Entry.from_dict(given) for name, given in record["benchmarks"].items()}
    goals = [each for entry in entries.values() for each in entry.findings if each.goal]
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return environment.from_string(TEMPLATE.read_text()).render(
        met=[each for each in goals if each.met],
        missed=[each for each in goals if each.met is False],
        unknown=[each for each in goals if each.met is None],
        entry=lambda name: section(entries.get(name)),
        peers=peer_table(record.get("peers")),
        largest=largest_table(record.get("largest")),
    )


def section(entry: Entry | None) -> str:
    """Render the table of one benchmark, and below it when and on what it was measured."""
    if entry is None or entry.skipped:
        return "Not measured" + (f": {entry.skipped}." if entry else ".")
    rows = [f"| {e.what} | {e.measured} | {e.goal} | {e.verdict} | {e.detail} |" for e in entry.findings]
    told = entry.circumstances
    versions = ", ".join(f"{name} {number}" for name, number in told["versions"].items())
    load = f", load {told['load']} at its start" if "load" in told else ""
    took = f", took {told['seconds']:,.0f} s" if "seconds" in told else ""
    note = f" {told['note']}." if "note" in told else ""
    how = f" by `{told['command']}`" if "command" in told else ""
    head = ["| what | measured | goal | | from |", "| --- | --- | --- | --- | --- |"]
    return "\n".join(
        [*head, *rows, "", f"Measured {told['date']}{how} on {told['machine']}{load}{took}; {versions}.{note}"]
    )
