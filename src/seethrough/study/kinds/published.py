"""Published numbers beside ours: the facts that come with a kind, and what a comparison with one of them says."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

REPRODUCED, NOT_REPRODUCED, NOT_COMPARABLE = "reproduced", "not reproduced", "not comparable"
LEAST_RUNS = 50
"""Games or runs below which nothing is compared."""


@dataclass(frozen=True)
class PublishedComparison:
    """One published fact and ours."""

    what: str
    published: str
    ours: str
    verdict: str
    source: str


def read_facts(package: str) -> dict[str, Any]:
    """Read the published.toml of a kind, which holds what the papers state."""
    return tomllib.loads((files(package) / "published.toml").read_text(encoding="utf-8"))
