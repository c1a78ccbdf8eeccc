"""TOML from outside: whatever is wrong with it becomes one sentence."""

import re
import tomllib
from typing import Any

from seethrough.errors import ConfigError

LARGEST = 16 << 20
"""Characters; the reader is slow, and a schema of a million levels has less."""
_LONG_KEY = re.compile(r"""^[ \t\[]*(?:["']?[\w-]*["']?[ \t]*\.[ \t]*){1000}""", re.MULTILINE)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Read a text as TOML; `where` names it in messages. What is large or nested beyond all use is refused."""
    if len(text) > LARGEST:
        raise ConfigError(f"{where} has {len(text):,} characters; at most {LARGEST:,} are read")
    # A key of very many parts takes time that grows with their square.
    if _LONG_KEY.search(text):
        raise ConfigError(f"{where} is nested too deep to be read")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{where} is nested too deep to be read") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where} is not TOML: {error}") from error
