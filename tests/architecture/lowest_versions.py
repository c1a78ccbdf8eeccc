"""The lower bounds of pyproject.toml as exact versions: python lowest_versions.py pyproject.toml."""

import re
import sys
import tomllib
from pathlib import Path

_BOUND = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9][0-9.]*)")
EXTRAS = ("test", "cluster", "figures", "web")
"""What the tests need besides; torch is tested by `make test-deep`, at one version."""


def lowest_versions(project: Path) -> list[str]:
    """Give NAME==VERSION for every dependency, with the version that it has to have at least."""
    told = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    asked = [*told["dependencies"], *(each for extra in EXTRAS for each in told["optional-dependencies"][extra])]
    found = [_BOUND.fullmatch(each) for each in asked if not each.startswith("seethrough[")]
    assert all(found), "every dependency has a lower bound and nothing else"
    return sorted({f"{bound[1]}=={bound[2]}" for bound in found if bound})


if __name__ == "__main__":
    sys.stdout.write("\n".join(lowest_versions(Path(sys.argv[1]))) + "\n")
