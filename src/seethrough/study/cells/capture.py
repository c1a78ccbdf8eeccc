"""The one place of a study where an error becomes a result: a broken cell must not stop the others."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from seethrough.errors import NotApplicable
from seethrough.study.cells.cell import Result, Status

CellValue = tuple[float | None, Mapping[str, Any]]
"""The main number of a cell, and all of it."""


def capture(key: str, work: Callable[[], CellValue]) -> Result:
    """Compute one cell; what does not apply is skipped, what breaks is failed, both with the reason."""
    begun = perf_counter()
    try:
        value, result = work()
    except NotApplicable as reason:
        return Result(key, Status.SKIPPED, error=str(reason), seconds=perf_counter() - begun)
    except MemoryError:
        return Result(key, Status.FAILED, error="memory ran out", seconds=perf_counter() - begun)
    except Exception as error:  # noqa: BLE001  see above
        return Result(key, Status.FAILED, error=describe_error(error), seconds=perf_counter() - begun)
    return Result(key, Status.DONE, value, result, seconds=perf_counter() - begun)


def describe_error(error: Exception) -> str:
    """Say what went wrong in one line."""
    return f"{type(error).__name__}: {error}".strip()[:2000]
