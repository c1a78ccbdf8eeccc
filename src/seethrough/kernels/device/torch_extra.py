"""Torch, which is an extra: looked for when something needs it, with one message where it is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from seethrough.errors import ConfigError

EXTRA = "deep"


def need_torch(what: str) -> Any:
    """Import torch, or say what to install; `what` names what needs it."""
    try:
        return import_module("torch")
    except ImportError as error:
        raise ConfigError(f"{what} needs torch, which is not installed: pip install 'seethrough[{EXTRA}]'") from error


def torch_device(name: str) -> Any:
    """Find an accelerator, or say what is missing."""
    torch = need_torch(f"the device {name!r}")
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"torch cannot use the device {name!r} on this machine") from error
    return torch.device(name)


@contextmanager
def device_memory(name: str) -> Iterator[None]:
    """Say in one sentence that the memory of a device is full."""
    torch = need_torch(f"the device {name!r}")
    try:
        yield
    except torch.cuda.OutOfMemoryError as error:
        raise ConfigError(
            f"the device {name!r} has too little free memory for these tables; the processor, cpu, has no such limit"
        ) from error
