"""What the user has settled about an audit: saved beside it, and never changed by somebody who saw an older state."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from seethrough.results.whole_files import write_whole_text

FILE = "settings.json"
DEFAULT_MEMORY = 4 << 30


@dataclass(frozen=True)
class Settings:
    """Choices of one audit; `version` grows with every change.

    `kinds` and `roles` hold what the user changed, by column ("numeric", "categorical", "binary", "date"; "secret",
    "key", "id", "ignore", ""). `csv` holds separator and encoding by file, as {"real-0": {"separator": ";"}}. An
    empty `checks` leaves the choice to the preset, no threads are one for each core. `neighbours` are the columns that
    the user once called "what neighbours know", `targets` is how many people are attacked, "all", or None.
    """

    version: int = 0
    kinds: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    csv: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    preset: str = "full"
    checks: tuple[str, ...] = ()
    seed: int = 0
    params: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    memory: int = DEFAULT_MEMORY
    threads: int | None = None
    neighbours: tuple[str, ...] = ()
    targets: int | str | None = None


class SettingsChanged(Exception):
    """A change was made on an older state; `names` says what has changed since."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


@dataclass
class SettingsBook:
    """The settings of an audit, with every version of this session, and their file."""

    folder: Path
    now: Settings = field(default_factory=Settings)
    earlier: dict[int, Settings] = field(default_factory=dict)

    def change(self, version: int | None, changes: Mapping[str, Any]) -> Settings:
        """Save changes that were made on a version (None: the newest); an older one is refused."""
        if version is not None and version != self.now.version:
            raise SettingsChanged(self.changed_since(version))
        changed = replace(self.now, **changes)
        if changed == self.now:
            return self.now
        self.earlier[self.now.version] = self.now
        self.now = replace(changed, version=self.now.version + 1)
        save_settings(self.folder, self.now)
        return self.now

    def changed_since(self, version: int) -> tuple[str, ...]:
        """Name the settings that differ from an earlier version; all of them where it is not known."""
        before = self.earlier.get(version)
        names = [each.name for each in fields(Settings) if each.name != "version"]
        if before is None:
            return tuple(names)
        return tuple(name for name in names if getattr(before, name) != getattr(self.now, name))


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings whole."""
    write_whole_text(folder / FILE, json.dumps(asdict(settings), indent=1))


def load_settings(folder: Path) -> Settings | None:
    """Read the settings of an audit; None where there are none that can be read."""
    try:
        told = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = {each.name for each in fields(Settings)}
    if not isinstance(told, dict) or not set(told) <= known:
        return None
    lists = {name: tuple(told[name]) for name in ("secrets", "keys", "checks", "neighbours") if name in told}
    return Settings(**(told | lists))
