"""What a worker is given for a pass: the pass itself, kept in its memory. Imported only where Dask is there."""

from dataclasses import fields, is_dataclass, replace
from typing import Any
from uuid import uuid4

from distributed import WorkerPlugin, get_worker
from threadpoolctl import threadpool_limits

from seethrough.cluster.connecting import own_version, refuse_other_versions
from seethrough.kernels.budget import Budget
from seethrough.kernels.passes import Chunk, Pass

_PASSES = "seethrough_passes"


class SentPass(WorkerPlugin):
    """Puts one pass into the memory of a worker when it starts, and takes it away in the end."""

    idempotent = True

    def __init__(self, each: Pass[Any, Any], memory: int, version: str) -> None:
        self.name, self.version = f"seethrough-pass-{uuid4().hex}", version
        self.each = with_budget(each, Budget(memory=memory, threads=1))

    def setup(self, worker: Any) -> None:
        """Refuse another version, and keep to one BLAS thread as long as the worker lives."""
        refuse_other_versions({worker.address: own_version()}, self.version)
        threadpool_limits(limits=1, user_api="blas")
        vars(worker).setdefault(_PASSES, {})[self.name] = self.each

    def teardown(self, worker: Any) -> None:
        """Forget the pass, and with it the people that it is about."""
        vars(worker).get(_PASSES, {}).pop(self.name, None)


def compute_chunk(name: str, chunk: Chunk[Any], hint: Any) -> Any:
    """Read a chunk and compute its state, on the worker that this runs on."""
    each: Pass[Any, Any] = vars(get_worker())[_PASSES][name]
    return each.partial(chunk.read(), chunk.before, hint)


def with_budget(each: Any, budget: Budget) -> Any:
    """Let a pass, and those inside it, use what a worker has."""
    if isinstance(each, tuple):
        return tuple(with_budget(part, budget) for part in each)
    if isinstance(each, Budget):
        return budget
    if not is_dataclass(each) or isinstance(each, type):
        return each
    inside = {field.name: getattr(each, field.name) for field in fields(each) if field.name in _INSIDE}
    return replace(each, **{name: with_budget(value, budget) for name, value in inside.items()}) if inside else each


_INSIDE = frozenset({"budget", "each", "passes"})
