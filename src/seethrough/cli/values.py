"""Values of options, understood the way people write them."""

import re

from seethrough.errors import ConfigError

UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
SMALLEST = 64 << 20


def memory(text: str) -> int:
    """Understand an amount of memory such as 4GiB, 512M or 2g, in units of 1024."""
    form = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text, re.IGNORECASE)
    if not form:
        raise ConfigError(f"--memory {text!r} is not an amount of memory such as 4GiB or 512M")
    amount = int(float(form[1]) * UNITS[form[2].lower()])
    if amount < SMALLEST:
        raise ConfigError(f"--memory {text!r} is too little; at least 64M are needed")
    return amount


def names(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())
