"""The way in: a token that opens once, and the page that hands over the cookie.

The page answers 200 and refreshes to the tool, because a redirect that begins at a file loses the strict cookie. The
token is spent by a browser that opens it as a page, not by one that fetches ahead of its user.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from urllib.parse import parse_qs

TOKEN_BYTES = 32
LASTS = 600.0
"""Seconds that a link can be used."""


class Door:
    """Holds the token of the newest link; the ones before open nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._token, self._until = "", 0.0

    def issue_token(self) -> str:
        """Make a new token in the place of the one before."""
        self._token, self._until = secrets.token_urlsafe(TOKEN_BYTES), self._clock() + LASTS
        return self._token

    def is_waiting(self) -> bool:
        """Tell whether there is a token that opens."""
        return bool(self._token) and self._clock() < self._until

    def lets_in(self, query: bytes, destination: str | None, purpose: str | None) -> bool:
        """Spend the token where a page is opened with it; `destination` and `purpose` are headers (Sec-)."""
        if destination not in (None, "document") or purpose is not None or not self.is_waiting():
            return False
        given = parse_qs(query.decode("ascii", "replace")).get("token", [""])
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), self._token.encode()):
            return False
        self._token = ""
        return True


def entrance_page(to: str) -> str:
    """Make the page that leads on to the tool; `to` is an address of ours."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Seethrough</title>'
        '<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="refresh" content="0; url={to}"></head>\n'
        f'<body><h1>Seethrough</h1><p><a href="{to}">Go on to the tool</a></p></body></html>\n'
    )
