"""The browser's way to the link: a private file, because other users can read the command line of a browser.

The file has mode 0600 in a folder with 0700, and leads on to the link. It is removed once the link is used or too old.
"""

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from seethrough.system.private_folders import write_private

_NAME = "seethrough.html"


class StartFile:
    """The file that leads a browser to the newest link; `folder` is private and removed by who made it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def write(self, link: str) -> Path:
        """Write the file anew."""
        self.remove()
        page = (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Seethrough</title>'
            f'<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url={link}"></head>\n'
            f'<body><p><a href="{link}">Open Seethrough</a></p></body></html>\n'
        )
        write_private(self._path, page.encode("ascii"))
        return self._path

    def remove(self) -> None:
        """Remove the file, where it is still there."""
        self._path.unlink(missing_ok=True)


def has_browser() -> bool:
    """Tell whether a browser with windows can be opened; one inside the terminal would take the terminal."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_browser(page: Path, failed: Callable[[], None]) -> None:
    """Open a file in the browser of this user, without waiting for it."""

    def try_to() -> None:
        is_open = False
        with suppress(OSError, webbrowser.Error):
            is_open = webbrowser.open(page.as_uri())
        if not is_open:
            failed()

    threading.Thread(target=try_to, daemon=True).start()
