"""Names of what exists, without loading it: the command line has to answer --help before NumPy is there.

A file bears the name of what it defines, and so does an entry point.
"""

import pkgutil
from pathlib import Path
from types import ModuleType

from seethrough import synthesizers
from seethrough.attacks import attribute


def own_attacks() -> list[str]:
    """Name the attribute attacks of this package."""
    return _files(attribute)


def first_line(attack: str) -> str:
    """Read what the file of an attribute attack says first, without its name, and without running it."""
    (folder,) = attribute.__path__
    with Path(folder, f"{attack.replace('-', '_')}.py").open(encoding="utf-8") as file:
        said = file.readline().strip(' "\n').partition(": ")[2]
    return said[:1].upper() + said[1:]


def own_synthesizers() -> list[str]:
    """Name the synthesizers of this package."""
    return _files(synthesizers)


def installed_attacks() -> list[str]:
    """Name the attacks that installed packages offer; looking through all packages takes a moment."""
    return _installed("seethrough.attacks")


def installed_linkage_attacks() -> list[str]:
    """Name the ways to link that installed packages offer."""
    return _installed("seethrough.linkage_attacks")


def _installed(group: str) -> list[str]:
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group).names)


def _files(package: ModuleType) -> list[str]:
    files = (info.name for info in pkgutil.iter_modules(package.__path__) if not info.ispkg)
    return sorted(name.replace("_", "-") for name in files if not name.startswith("_"))
