"""Values of options, understood the way people write them."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from seethrough.errors import ConfigError

if TYPE_CHECKING:
    from seethrough.auditing.attacked_people import Targets

UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
SMALLEST = 64 << 20
_PARAMETER = re.compile(r"\s*([a-z][a-z0-9/-]*)\.([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)


def memory(text: str) -> int:
    """Understand an amount of memory such as 4GiB, 512M or 2g, in units of 1024."""
    amount = _bytes(text)
    if amount is None:
        raise ConfigError(f"--memory {text!r} is not an amount of memory such as 4GiB or 512M")
    if amount < SMALLEST:
        raise ConfigError(f"--memory {text!r} is too little; at least 64M are needed")
    return amount


def file_size(text: str, option: str) -> int:
    """Understand the size of a file such as 2GiB."""
    amount = _bytes(text)
    if not amount:
        raise ConfigError(f"{option} {text!r} is not a size of files such as 2GiB or 512M")
    return amount


def _bytes(text: str) -> int | None:
    form = re.fullmatch(r"\s*(\d{1,12}(?:\.\d{1,12})?)\s*([kmgt]?)(?:i?b)?\s*", text, re.IGNORECASE)
    return int(float(form[1]) * UNITS[form[2].lower()]) if form else None


def names(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas; a name that has one is put in double quotes."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def counts(text: str, option: str) -> tuple[int, ...]:
    """Understand a list of whole numbers from 1 on."""
    found = tuple(int(name) if name.isascii() and name.isdigit() else 0 for name in names(text))
    if not found or min(found) < 1:
        raise ConfigError(f"{option} {text!r} is not a list of whole numbers from 1 on, as 100,1000,10000")
    return found


def shares(text: str, option: str) -> tuple[float, ...] | None:
    """Understand a list of shares; None where nothing was said."""
    if not text:
        return None
    try:
        return tuple(float(name) for name in names(text))
    except ValueError as error:
        raise ConfigError(f"{option} {text!r} is not a list of numbers, as 0.01,0.1") from error


def targets(text: str) -> "Targets":
    """Understand how many people are attacked."""
    from seethrough.api.arguments import read_targets

    return read_targets(text)


def refuse_both(external: bool, show_values: bool) -> None:
    """Refuse to show values of rows to others."""
    if external and show_values:
        raise ConfigError("--external leaves out record-level information, and --show-values shows it")


def parameters(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Understand parameters of checks such as dcr.dimensions=3, by the name of the check and their own."""
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        form = _PARAMETER.fullmatch(text)
        if not form:
            raise ConfigError(f"--param {text!r} is not of the form CHECK.NAME=VALUE, as dcr.dimensions=3")
        check, name, value = form[1], form[2], form[3].strip()
        if found.setdefault(check, {}).setdefault(name, value) != value:
            raise ConfigError(f"--param sets {check}.{name} to both {found[check][name]!r} and {value!r}")
    return found


def parameters_of(texts: Iterable[str], name: str) -> dict[str, str]:
    """Understand parameters of the one attack that a command runs, as k=3 or, with its name, recon.k=3."""
    given = list(texts)
    others = [text for text in given if not text.partition("=")[0].strip().startswith(f"{name}.")]
    if foreign := [text for text in others if "." in text.partition("=")[0]]:
        raise ConfigError(f"--param sets {foreign[0].partition('=')[0].strip()}, but the attack is {name}")
    own = parameters(text for text in given if text not in others).get(name, {})
    plain = own_parameters(others)
    if both := own.keys() & plain.keys():
        raise ConfigError(f"--param sets {min(both)} twice")
    return {**own, **plain}


def files(texts: Iterable[str], option: str) -> dict[str, Path]:
    """Understand files by name, such as acs=people.csv."""
    found: dict[str, Path] = {}
    for text in texts:
        name, equals, path = (part.strip() for part in text.partition("="))
        if not (name and equals and path) or name in found:
            raise ConfigError(f"{option} {text!r} is not of the form NAME=FILE, each name once")
        found[name] = Path(path)
    return found


def own_parameters(texts: Iterable[str]) -> dict[str, str]:
    """Understand parameters of the one thing that a command is about, such as k=3."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"--param {text!r} is not of the form NAME=VALUE, as k=3")
        if found.setdefault(name.strip(), value.strip()) != value.strip():
            raise ConfigError(f"--param sets {name.strip()} to both {found[name.strip()]!r} and {value.strip()!r}")
    return found
