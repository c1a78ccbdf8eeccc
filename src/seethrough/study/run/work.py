"""What a worker does: compute the cells of one task, whatever happens to them."""

import json
from collections.abc import Mapping
from typing import Any

from seethrough.kernels.budget import one_blas_thread
from seethrough.study.cells.capture import describe_error
from seethrough.study.cells.cell import Result, Status
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.kinds.registry import study_kinds


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> list[Result]:
    """Compute a task; what cannot be computed fails with the error, once for each cell."""
    found: dict[str, Result] = {}
    error = "no result came"
    with one_blas_thread():
        try:
            for result in study_kinds()[task["kind"]].compute(task, cache, memory):
                found[result.key] = result
        except MemoryError:
            error = "memory ran out"
        except Exception as problem:  # noqa: BLE001  a generator that cannot be fitted fails its own cells alone
            error = describe_error(problem)
    keys = [cell["key"] for cell in task["cells"]]
    return [found.get(key) or Result(key, Status.FAILED, error=error) for key in keys]


def answer(task: bytes, cache: WorkerCache, memory: int) -> bytes:
    """Do the same for a task that travelled as JSON."""
    return json.dumps([result.to_dict() for result in compute(json.loads(task), cache, memory)]).encode()


def parse_answers(answered: bytes) -> list[Result]:
    """Read an answer."""
    return [Result.from_dict(each) for each in json.loads(answered)]
