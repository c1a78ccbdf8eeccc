"""What every answer carries, errors too: all headers, and for a refusal a sentence that does not tell what exists."""

from collections.abc import Callable, Mapping

from seethrough.web.guard.requests import Event, Send

_CLOSE = (b"connection", b"close")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types seethrough"
)
DOWNLOAD_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For files that are taken away: were one shown, nothing in it would run, and not in the tool's origin."""
FOR_EVER = "private, max-age=31536000, immutable"
"""For files with a digest in their name."""
_OFF = (
    "accelerometer autoplay bluetooth browsing-topics camera clipboard-read clipboard-write display-capture "
    "encrypted-media fullscreen gamepad geolocation gyroscope hid idle-detection keyboard-map local-fonts magnetometer "
    "microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock serial storage-access usb "
    "web-share window-management xr-spatial-tracking"
)
HEADERS: Mapping[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"cache-control": b"no-store",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",
    b"permissions-policy": ", ".join(f"{name}=()" for name in _OFF.split()).encode(),
}
_OTHERWISE = {b"content-security-policy": DOWNLOAD_POLICY.encode(), b"cache-control": FOR_EVER.encode()}
"""What an application may say instead, word by word."""

SENTENCES: Mapping[int, str] = {
    400: "This request is not one that a browser makes here.",
    403: "This address opens in one browser only. Press Enter in the terminal for a new link.",
    404: "There is no such page.",
    405: "This cannot be done here.",
    408: "Nothing arrived for a minute; the connection was ended.",
    411: "What is sent has to say how long it is.",
    413: "This is more than fits here.",
    415: "This is not of the kind that is taken here.",
    421: "The tool is not known by this name. Use the link that the terminal shows.",
    500: "The tool made an error; the terminal says where.",
    503: "The tool is ending, or too many connections are open. Close some tabs and load this page again.",
}


def all_headers(said: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Add every header of ours to those of an answer; of ours only two can be said otherwise, in one way each."""
    kept = [(name.lower(), value) for name, value in said]
    kept = [(name, value) for name, value in kept if name not in HEADERS or _OTHERWISE.get(name) == value]
    there = {name for name, _ in kept}
    kept = [(name, value) for name, value in kept if name != b"server" and not name.startswith(b"access-control-")]
    return [*kept, *((name, value) for name, value in HEADERS.items() if name not in there)]


def plain_page(status: int) -> bytes:
    """Make the page of an error: a sentence, no style, as styles are behind the cookie too."""
    sentence = SENTENCES[status]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Seethrough</title>'
        '<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"></head>\n'
        f"<body><h1>Seethrough</h1><p>{sentence}</p></body></html>\n"
    ).encode()


class SentAnswer:
    """Sends an answer on, with all headers; knows whether it has begun, and how it went.

    Where a body is still to come (`is_unread`) the connection ends with the answer, or it would have to be read.
    """

    def __init__(self, send: Send, is_unread: Callable[[], bool]) -> None:
        self._send, self._is_unread, self.status = send, is_unread, 0

    async def __call__(self, event: Event) -> None:
        """Send an event on."""
        if event["type"] == "http.response.start":
            self.status = event["status"]
            headers = all_headers(list(event.get("headers", ())))
            if self._is_unread() and _CLOSE not in headers:
                headers.append(_CLOSE)
            event = {**event, "headers": headers}
        await self._send(event)

    async def refuse(self, status: int) -> None:
        """Answer in a sentence and end the connection; where an answer has begun already, it is cut off."""
        if self.status:
            raise ConnectionAbortedError("the answer had begun")
        page = plain_page(status)
        length = (b"content-length", str(len(page)).encode())
        headers = [(b"content-type", b"text/html; charset=utf-8"), length, _CLOSE]
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": page})
