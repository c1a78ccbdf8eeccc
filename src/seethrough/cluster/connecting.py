"""Coming to the scheduler of a cluster, whose workers have to have this version."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from seethrough.errors import ConfigError
from seethrough.kernels.process_pool import ATTEMPTS

LOCAL = "local"
PATIENCE = "20s"
"""How long to wait for a scheduler to answer."""


def load_dask() -> Any:
    """Import Dask, which is an extra."""
    try:
        import distributed
    except ImportError as error:
        raise ConfigError("--cluster needs Dask, which is not installed: pip install 'seethrough[cluster]'") from error
    return distributed


def connect(address: str, count: int, version: str, stack: ExitStack) -> Any:
    """Give a client of the scheduler at an address, or of one with `count` threads here; `stack` ends both.

    An empty `version` lets workers of any version in.
    """
    distributed = load_dask()
    client = stack.enter_context(_client(distributed, address, count, stack))
    refuse_other_versions(client.run(own_version), version)
    return client


def _client(distributed: Any, address: str, count: int, stack: ExitStack) -> Any:
    import dask

    stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": ATTEMPTS - 1}))
    if address == LOCAL:
        from seethrough.cluster.dask_here import cluster_here

        return _started(distributed, stack.enter_context(cluster_here(count)))
    try:
        return _started(distributed, address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        hint = " (a tls:// address needs certificates, see docs/cluster.md)" if "tls" in address else ""
        raise ConfigError(f"--cluster {address}: no Dask scheduler answers there{hint}") from error


def _started(distributed: Any, scheduler: Any, **options: Any) -> Any:
    """Start a client; Dask gives its own thread 10 s to begin and fails an assertion when a busy machine is slower."""
    for _ in range(ATTEMPTS):
        try:
            with _no_client_dying():
                return distributed.Client(scheduler, **options)
        except AssertionError as error:
            stalled = error
    raise ConfigError("Dask did not start on this machine, which is too busy: run it again later") from stalled


@contextmanager
def _no_client_dying() -> Iterator[None]:
    """Let clients that were refused die before another begins, and none meanwhile.

    A client that begins holds a lock of Dask, and one that dies asks for it: found dead by Python just then, on the
    same thread, it waits for ever.
    """
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def refuse_other_versions(found: dict[str, str], own: str) -> None:
    """Refuse workers with another Seethrough: their numbers may differ."""
    for worker, version in found.items():
        if own and version != own:
            raise ConfigError(f"the worker {worker} has Seethrough {version}, this is {own}; install the same")


def own_version() -> str:
    """Tell the version of Seethrough where this runs."""
    return str(import_module("seethrough").__version__)
