"""How many source files one number passes from CSV files to the page: those whose functions run.

    PYTHONPATH=src python benchmarks/journey.py [METRIC]

One audit with one check reads the shipped records from CSV files and writes `report.html`. It runs twice, and the
second time is followed, so that what runs only while modules are loaded does not count. docs/architecture.md has the
answer.
"""

import inspect
import sys
import tempfile
import threading
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import seethrough as st

HOME = Path(st.__file__).parent
ROWS = 300


def write_tables(folder: Path) -> dict[str, Path]:
    """Write a small release as CSV files."""
    tables = st.samples.acs_release(0)
    paths = {name: folder / f"{name}.csv" for name in ("real", "synthetic", "holdout")}
    for name, path in paths.items():
        getattr(tables, name)[:ROWS].write_csv(path)
    return paths


def make_check(metric: str) -> Any:
    """Build the metric as an object, so that the catalog need not build all others to find it."""
    values = vars(import_module(f"seethrough.metrics.{metric}")).values()
    return next(value() for value in values if isinstance(value, type) and hasattr(value, "card"))


def audit(paths: dict[str, Path], check: Any) -> None:
    """One check, from the files to the page."""
    report = st.audit(**paths, secret="disability", keys=["age", "sex", "race"], checks=[check])
    report.to_html(paths["real"].parent / "report.html")


def files_passed(paths: dict[str, Path], check: Any) -> set[Path]:
    """Follow an audit, in its threads too, and collect the files of ours whose functions run."""
    seen: set[str] = set()

    def follow(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # a function, not the body of a class
            seen.add(frame.f_code.co_filename)

    threading.setprofile(follow)
    sys.setprofile(follow)
    try:
        audit(paths, check)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {path for path in map(Path, seen) if path.is_relative_to(HOME) and path.suffix == ".py"}


def main(metric: str = "gcap") -> None:
    """Print the number of files, and how many of each folder."""
    check = make_check(metric)
    with tempfile.TemporaryDirectory() as folder:
        paths = write_tables(Path(folder))
        audit(paths, check)
        files = files_passed(paths, check)
    print(f"{metric}: {len(files)} files")
    for name, count in Counter(path.relative_to(HOME).parts[0] for path in files).most_common():
        print(f"  {name}: {count}")


if __name__ == "__main__":
    main(*sys.argv[1:])
