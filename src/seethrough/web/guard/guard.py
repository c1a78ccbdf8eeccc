"""Who may ask: the steps that every request passes, in this order, before anything else sees it.

kind -> form -> host -> site -> origin -> cookie -> method -> body. No route is excepted; only the door, `GET /enter`,
needs no cookie, because that is where a browser gets it. What is refused is answered with the same few words whether
the path exists or not, unread, and the connection ends. Every answer, errors too, gets all headers (answers.py).

The class speaks ASGI and knows no framework: it wraps any application, and is told of the routes by a function.
"""

import asyncio
import hmac
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from seethrough.web.guard.answers import SentAnswer
from seethrough.web.guard.requests import STALLED, Application, ArrivingBody, Head, Receive, Scope, Send, Stalled
from seethrough.web.request_log import RequestLog

LONGEST_PATH, LONGEST_QUERY, LONGEST_HEAD = 200, 500, 16 << 10
_PATH = re.compile(rb"/[A-Za-z0-9/_.-]*")
_QUERY = re.compile(rb"[!-~]*")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_ONCE = (b"origin", b"sec-fetch-site", b"content-length", b"content-type")
_OURS = (b"same-origin", b"none")
_CHANGING = ("POST", "PUT")


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
        arriving = ArrivingBody(receive, self._stalled)
        answering = SentAnswer(send, lambda: head.has_body() and not arriving.is_whole)
        try:
            rule, begun = self._admit(head), time.perf_counter()
            await self._let_in(scope, arriving, answering)
            self._log.note_answer(head.method, rule.pattern, answering.status, time.perf_counter() - begun)
        except Refusal as refusal:
            self._log.note_refusal(refusal.step, refusal.status)
            await answering.refuse(refusal.status)

    async def _let_in(self, scope: Scope, arriving: ArrivingBody, answering: SentAnswer) -> None:
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
