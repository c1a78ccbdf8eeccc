"""The state folder of a user: where it is, and that nobody else can reach it."""

import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from seethrough.errors import ConfigError

PLACE = "SEETHROUGH_STATE"
"""The environment variable that names the state folder."""
AUDITS = "audits"
"""The folder in it that has a folder for each audit."""


def state_place(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Tell where the state folder of this user is."""
    if named := environment.get(PLACE):
        return Path(named).absolute()
    home = Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "seethrough"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "seethrough"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "seethrough"


def open_state(place: Path) -> Path:
    """Make the state folder where it is not there, and refuse one that others could reach."""
    with suppress(FileExistsError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(0o700)
    about = os.lstat(place)
    if stat.S_ISLNK(about.st_mode):
        raise ConfigError(f"the state folder {place} is a link; a folder is expected")
    if not stat.S_ISDIR(about.st_mode):
        raise ConfigError(f"the state folder {place} is no folder")
    if hasattr(os, "geteuid"):
        if about.st_uid != os.geteuid():
            raise ConfigError(f"the state folder {place} belongs to another user")
        if stat.S_IMODE(about.st_mode) & 0o077:
            raise ConfigError(f"the state folder {place} is open to others; run: chmod 700 {place}")
    (place / AUDITS).mkdir(0o700, exist_ok=True)
    return place
