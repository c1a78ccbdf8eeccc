"""Run all benchmarks and print what they found."""

import os
import platform
import sys
from importlib.metadata import version

from benchmarks import (
    audit_memory,
    cap,
    linkage,
    neighbour_pass,
    panel,
    rap,
    reconstruction,
    start,
    study,
    synthesizers,
)
from benchmarks.measuring import Absent

ALL = {
    "start": start,
    "cap": cap,
    "neighbours": neighbour_pass,
    "memory": audit_memory,
    "reconstruction": reconstruction,
    "synthesizers": synthesizers,
    "rap": rap,
    "linkage": linkage,
    "panel": panel,
    "study": study,
}


def main(names: list[str]) -> None:
    """Run the benchmarks named, or all."""
    used = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "polars", "scikit-learn"))
    print(f"Python {platform.python_version()}, {used}, {os.cpu_count()} cores, {platform.machine()}")
    for name in names or ALL:
        try:
            lines = ALL[name].report()
        except Absent as reason:
            lines = [f"{name}: skipped, {reason}"]
        print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
