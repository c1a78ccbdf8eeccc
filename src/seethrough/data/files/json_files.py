"""JSON from outside: whatever is wrong with it becomes one sentence."""

import json
from typing import Any

from seethrough.errors import ConfigError


def parse_json(text: str, where: str) -> Any:
    """Read a text as JSON; `where` names it in messages. Deep nesting and NaN, which is no JSON, are refused."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ConfigError(f"{where} is nested too deep to be read") from error
    except ValueError as error:
        raise ConfigError(f"{where} is not JSON: {error}") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
