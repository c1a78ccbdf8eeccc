"""Arguments that the public functions share: what they may be, and how they are understood. One dialect, one place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import cpu_count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from seethrough.auditing.attacked_people import Targets
from seethrough.data.schema import Schema
from seethrough.data.split.split_card import SplitCard
from seethrough.errors import ConfigError
from seethrough.kernels.budget import GIB, Budget
from seethrough.kernels.device.torch_extra import torch_device
from seethrough.plugins import catalog
from seethrough.plugins.labels import label_of
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.results.evidence import GradeLimits
from seethrough.results.timings import Progress, ShowProgress
from seethrough.synthesizers.callable import HeldGenerator

Names = str | Sequence[str]
"""One name, or several."""
TableLike = Any
"""A path to CSV, Parquet or Arrow, or a frame of pandas, Polars, Arrow or DuckDB."""
TablesLike = Any
"""One table, a list of them, or a mapping from names to them."""
SchemaLike = Schema | str | Path | None
"""A schema, or the path of one in TOML or of SDV metadata in JSON."""
CardLike = SplitCard | str | Path | None
"""The card of a split, or its path."""
MEMORY = 4 * GIB
NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


def list_names(names: Names) -> tuple[str, ...]:
    """List names that may be given as a single one."""
    return (names,) if isinstance(names, str) else tuple(names)


def list_tables(tables: TablesLike) -> Any:
    """List tables that may be given as a single one."""
    return tables if isinstance(tables, list | tuple | dict) else [tables]


def read_targets(text: str) -> Targets:
    """Understand how many people are attacked: a number, or all; nothing leaves it to the number of people."""
    plain = text.strip().replace(",", "")
    if not plain:
        return None
    if plain.lower() == "all":
        return "all"
    if not plain.isascii() or not plain.isdigit():
        raise ConfigError(f"targets {text[:40]!r} is neither a number of people nor all")
    return int(plain)


def grade_limits(grades: Sequence[float] | None) -> GradeLimits:
    """Understand the limits of grades: where a leak begins to be clear, and severe."""
    if grades is None:
        return GradeLimits()
    if len(grades) != 2 or not 0 < grades[0] <= grades[1] <= 1:
        shown = ",".join(f"{limit:g}" for limit in grades)
        raise ConfigError(f"grades {shown!r} are not two shares of people in rising order, as 0.01,0.1")
    clear, severe = grades
    return GradeLimits(float(clear), float(severe), "the user")


def budget_of(memory: int, threads: int | None, device: str = "cpu") -> Budget:
    """Make the budget of a computation; no number of threads is one for each core. A device has to be there."""
    if device != "cpu":
        torch_device(device)
    return Budget(memory, threads, device=device) if threads else Budget(memory, device=device)


def count_workers(workers: int) -> int:
    """Count processes; 0 is one for each core."""
    return workers or cpu_count() or 1


def with_progress(budget: Budget, progress: ShowProgress | None, steps: int, doing: str) -> Budget:
    """Let the passes of a computation tell the share that is done as so many steps."""
    if progress is None:
        return budget
    return replace(budget, tick=lambda share: progress(Progress(share * steps, steps, doing)))


def list_synthesizers(given: Iterable[str | Synthesizer] | Mapping[str, Synthesizer]) -> Mapping[str, Synthesizer]:
    """Find synthesizers by label; objects are called by their name and the parameters that were set."""
    if isinstance(given, Mapping):
        return {name: _as_synthesizer(each) for name, each in given.items()}
    found: dict[str, Synthesizer] = {}
    for each in [given] if isinstance(given, str) else given:
        for label, synthesizer in _labelled(each).items():
            if found.setdefault(label, synthesizer) != synthesizer:
                raise ConfigError(f"two synthesizers are called {label!r}; give them as a mapping from names")
    return found


def _labelled(given: str | Synthesizer) -> Mapping[str, Synthesizer]:
    if isinstance(given, str):
        return catalog.named_synthesizers([given])
    synthesizer = _as_synthesizer(given)
    return {label_of(synthesizer): synthesizer}


def _as_synthesizer(given: Any) -> Synthesizer:
    """Take a generator as it is, and any other object as one that can learn and make rows."""
    return given if hasattr(given, "card") else HeldGenerator(given)
