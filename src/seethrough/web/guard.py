"""Who may ask: the steps that every request passes, in this order, before anything else sees it.

kind -> form -> host -> site -> origin -> cookie -> method -> body. No route is excepted; only the door, `GET /enter`,
needs no cookie, because that is where a browser gets it. What is refused is answered with the same few words whether
the path exists or not, unread, and the connection ends. Every answer, errors too, gets all headers of `HEADERS`.

The class speaks ASGI and knows no framework: it wraps any application, and is told of the routes by a function.
"""

import asyncio
import hmac
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from seethrough.web.request_log import RequestLog

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

DOOR = "/enter"
"""The one path that needs no cookie."""
LONGEST_PATH, LONGEST_QUERY, LONGEST_HEAD = 200, 500, 16 << 10
STALLED = 60.0
"""Seconds without a byte of a body that was announced."""
_PATH = re.compile(rb"/[A-Za-z0-9/_.-]*")
_QUERY = re.compile(rb"[!-~]*")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_ONCE = (b"origin", b"sec-fetch-site", b"content-length", b"content-type")
_OURS = (b"same-origin", b"none")
_CHANGING = ("POST", "PUT")
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


@dataclass(frozen=True)
class RouteRule:
    """What one method of one route may bring: bytes of its body, and their Content-Type; `pattern` is for the log."""

    pattern: str
    limit: int = 0
    content_type: str = ""


@dataclass(frozen=True)
class Names:
    """What this server is called: hosts and origins, in lower case, and the cookie's name and value."""

    hosts: frozenset[str]
    origins: frozenset[str]
    cookie: str
    secret: str = field(repr=False)


class Refusal(Exception):
    """A request that is not answered, by the step that refused it."""

    def __init__(self, step: str, status: int) -> None:
        super().__init__(step)
        self.step, self.status = step, status


class Stalled(Exception):
    """A body that was announced stopped arriving."""


class Head:
    """The head of a request: its method, path and headers."""

    def __init__(self, scope: Scope) -> None:
        self.method: str = scope["method"]
        self.path: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
        self.query: bytes = scope.get("query_string", b"")
        self._headers: list[tuple[bytes, bytes]] = [(name.lower(), value) for name, value in scope["headers"]]

    def all(self, name: bytes) -> list[bytes]:
        """Give all values of a header."""
        return [value for each, value in self._headers if each == name]

    def first(self, name: bytes) -> bytes | None:
        """Give the first value of a header, None where there is none."""
        return next(iter(self.all(name)), None)

    def size(self) -> int:
        """Count the bytes of all headers, as they stand on their lines."""
        return sum(len(name) + len(value) + 4 for name, value in self._headers)

    def has_body(self) -> bool:
        """Tell whether bytes follow."""
        return self.first(b"content-length") not in (None, b"0") or self.first(b"transfer-encoding") is not None

    def is_door(self) -> bool:
        """Tell whether this asks for the one page that needs no cookie."""
        return self.method == "GET" and self.path == DOOR.encode()


Rules = Callable[[str], Mapping[str, RouteRule]]
"""The rule of each method of a path; nothing where no route has it."""


class Guard:
    """An application around another that lets through what the one browser asks that has the cookie."""

    def __init__(
        self,
        inner: Application,
        names: Names,
        rules: Rules,
        log: RequestLog,
        is_full: Callable[[], bool] = lambda: False,
        stalled: float = STALLED,
    ) -> None:
        self._inner, self._names, self._rules, self._log = inner, names, rules, log
        self._is_full, self._stalled = is_full, stalled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application do it."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            self._log.note_refusal("kind", 403)
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = Head(scope)
        arriving = _Arriving(receive, self._stalled)
        answering = _Answering(send, lambda: head.has_body() and not arriving.is_whole)
        try:
            rule, begun = self._admit(head), time.perf_counter()
            await self._let_in(scope, arriving, answering)
            self._log.note_answer(head.method, rule.pattern, answering.status, time.perf_counter() - begun)
        except Refusal as refusal:
            self._log.note_refusal(refusal.step, refusal.status)
            await answering.refuse(refusal.status)

    async def _let_in(self, scope: Scope, arriving: "_Arriving", answering: "_Answering") -> None:
        """Have the application answer; whatever goes wrong there gets an answer with all headers."""
        try:
            await self._inner(scope, arriving, answering)
        except Stalled:
            raise Refusal("body", 408) from None
        except asyncio.CancelledError:  # the server ends
            if not answering.status:
                await answering.refuse(503)
            raise
        except Exception as error:  # noqa: BLE001
            self._log.note_error(error)
            await answering.refuse(500)

    def _admit(self, head: Head) -> RouteRule:
        """Go through all steps in their order; give the rule of the route, or refuse."""
        if self._is_full():
            raise Refusal("room", 503)
        for step, check, status in (
            ("kind", _is_plain, 403),
            ("form", _is_well_formed, 400),
            ("host", self._has_our_host, 421),
            ("site", _is_from_here, 403),
            ("origin", self._has_our_origin, 403),
            ("cookie", self._has_our_cookie, 403),
        ):
            if not check(head):
                raise Refusal(step, status)
        return self._check_route(head)

    def _has_our_host(self, head: Head) -> bool:
        return _text(head.first(b"host")).lower() in self._names.hosts

    def _has_our_origin(self, head: Head) -> bool:
        if head.method not in _CHANGING:
            return True
        site = head.first(b"sec-fetch-site")
        return _text(head.first(b"origin")) in self._names.origins and site in (None, b"same-origin")

    def _has_our_cookie(self, head: Head) -> bool:
        if head.is_door():
            return True
        ours, found = self._names.secret.encode(), False
        for line in head.all(b"cookie"):
            for pair in line.split(b";"):
                name, _, value = pair.strip().partition(b"=")
                found |= name == self._names.cookie.encode() and hmac.compare_digest(value, ours)
        return found

    def _check_route(self, head: Head) -> RouteRule:
        """Refuse a method that the route does not name, and a body that is not what it takes."""
        rules = self._rules(head.path.decode("ascii"))
        if head.method not in ("GET", *_CHANGING) or (rules and head.method not in rules):
            raise Refusal("method", 405)
        if not rules:
            if head.method != "GET":
                raise Refusal("method", 404)
            rules = {"GET": RouteRule("(none)")}
        _check_body(head, rules[head.method])
        return rules[head.method]


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode("latin-1")


def _is_plain(head: Head) -> bool:
    return head.first(b"upgrade") is None


def _is_well_formed(head: Head) -> bool:
    path = head.path
    return (
        head.size() <= LONGEST_HEAD
        and len(head.all(b"host")) == 1
        and all(len(head.all(name)) <= 1 for name in _ONCE)
        and len(path) <= LONGEST_PATH
        and _PATH.fullmatch(path) is not None
        and b"//" not in path
        and b"/." not in path
        and len(head.query) <= LONGEST_QUERY
        and _QUERY.fullmatch(head.query) is not None
    )


def _is_from_here(head: Head) -> bool:
    site = head.first(b"sec-fetch-site")
    if site is None or site in _OURS:
        return True
    return head.is_door() and head.first(b"sec-fetch-mode") == b"navigate"


def _check_body(head: Head, rule: RouteRule) -> None:
    """Refuse a body that is not announced, too long, or of another kind than the route takes."""
    length = head.first(b"content-length")
    if not rule.limit:
        if head.has_body():
            raise Refusal("body", 413)
        return
    if length is None or head.first(b"transfer-encoding") is not None:
        raise Refusal("body", 411)
    if not _LENGTH.fullmatch(length):
        raise Refusal("form", 400)
    if int(length) > rule.limit:
        raise Refusal("body", 413)
    if head.first(b"content-encoding") is not None or _text(head.first(b"content-type")) != rule.content_type:
        raise Refusal("body", 415)


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


class _Answering:
    """Sends an answer on, with all headers; knows whether it has begun, and how it went.

    Where a body is still to come (`is_unread`) the connection ends with the answer, or it would have to be read.
    """

    def __init__(self, send: Send, is_unread: Callable[[], bool]) -> None:
        self._send, self._is_unread, self.status = send, is_unread, 0

    async def __call__(self, event: Event) -> None:
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


class _Arriving:
    """Hands the body on as it arrives; a body that stops arriving is an error."""

    def __init__(self, receive: Receive, patience: float) -> None:
        self._receive, self._patience, self.is_whole = receive, patience, False

    async def __call__(self) -> Event:
        if self.is_whole:
            return await self._receive()
        try:
            event = await asyncio.wait_for(self._receive(), self._patience)
        except TimeoutError:
            raise Stalled from None
        self.is_whole = not event.get("more_body", False)
        return event
