"""Torch, which is an extra: looked for when something needs it, with one message where it is not installed."""

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
