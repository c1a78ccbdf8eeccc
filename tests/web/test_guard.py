"""Every step of the guard, in its order, and the headers of every answer."""

import pytest
from asgi_caller import call

from seethrough.web.guard.answers import DOWNLOAD_POLICY, FOR_EVER, HEADERS
from seethrough.web.guard.guard import Guard, Names, RouteRule
from seethrough.web.request_log import RequestLog

HOST, SECRET = "127.0.0.1:8123", "cookie-of-32-bytes"
NAMES = Names(
    frozenset({HOST, "localhost:8123"}),
    frozenset({f"http://{HOST}", "http://localhost:8123"}),
    "seethrough_8123",
    SECRET,
)
FORM = "application/x-www-form-urlencoded"
RULES = {
    "/enter": {"GET": RouteRule("/enter")},
    "/s-1/": {"GET": RouteRule("start")},
    "/s-1/form": {"GET": RouteRule("form"), "POST": RouteRule("form", 100, FORM)},
    "/s-1/file": {"PUT": RouteRule("file", 1000, "application/octet-stream")},
}
COOKIE = ("Cookie", f"seethrough_8123={SECRET}")
OURS = [("Host", HOST), COOKIE]
POST = [*OURS, ("Origin", f"http://{HOST}"), ("Content-Type", FORM), ("Content-Length", "3")]
PUT = [*OURS, ("Origin", f"http://{HOST}"), ("Content-Type", "application/octet-stream"), ("Content-Length", "3")]


async def inner(scope, receive, send):
    """Says what it got."""
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": inner.headers})
    await send({"type": "http.response.body", "body": b"inside " + body})


inner.headers = []


@pytest.fixture
def lines():
    return []


@pytest.fixture
def guard(lines):
    return Guard(inner, NAMES, lambda path: RULES.get(path, {}), RequestLog(lines.append), stalled=0.1)


def without(headers, name):
    return [pair for pair in headers if pair[0] != name]


def put_in(headers, name, value):
    return [*without(headers, name), (name, value)]


@pytest.mark.parametrize(("method", "path", "headers"), [
    ("GET", "/s-1/", OURS),
    ("GET", "/s-1/", put_in(OURS, "Host", "localhost:8123")),
    ("GET", "/s-1/", put_in(OURS, "Host", "LOCALHOST:8123")),
    ("GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "none")]),
    ("GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "same-origin")]),
    ("GET", "/s-1/", [("Host", HOST), ("Cookie", f"seethrough_8123=old; a=b; seethrough_8123={SECRET}")]),
    ("GET", "/enter", [("Host", HOST)]),
    ("GET", "/enter", [("Host", HOST), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]),
    ("POST", "/s-1/form", POST),
    ("POST", "/s-1/form", [*POST, ("Sec-Fetch-Site", "same-origin")]),
    ("POST", "/s-1/form", put_in(POST, "Origin", "http://localhost:8123")),
    ("PUT", "/s-1/file", PUT),
])  # fmt: skip
def test_what_the_one_browser_asks_gets_through(guard, lines, method, path, headers):
    reply = call(guard, method, path, headers, b"" if method == "GET" else b"a=b")
    assert (reply.status, reply.body[:6]) == (200, b"inside")
    assert len(lines) == 1
    assert "refused" not in lines[0]


REFUSED = [
    ("kind", 403, "GET", "/s-1/", [*OURS, ("Upgrade", "websocket"), ("Connection", "Upgrade")]),
    ("kind", 403, "GET", "/nowhere", [("Host", "evil.example"), ("Upgrade", "websocket")]),
    ("form", 400, "GET", "/s-1/", without(OURS, "Host")),
    ("form", 400, "GET", "/s-1/", [*OURS, ("Host", HOST)]),
    ("form", 400, "POST", "/s-1/form", [*POST, ("Origin", f"http://{HOST}")]),
    ("form", 400, "GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "none")]),
    ("form", 400, "POST", "/s-1/form", [*POST, ("Content-Length", "3")]),
    ("form", 400, "POST", "/s-1/form", [*POST, ("Content-Type", FORM)]),
    ("form", 400, "GET", "http://evil.example/", OURS),
    ("form", 400, "GET", "/s-1/%2e%2e/x", OURS),
    ("form", 400, "GET", "/s-1/..%2fx", OURS),
    ("form", 400, "GET", "/s-1/x%00", OURS),
    ("form", 400, "GET", "/s-1//x", OURS),
    ("form", 400, "GET", "/s-1/../x", OURS),
    ("form", 400, "GET", "/s-1/.git", OURS),
    ("form", 400, "GET", "/s-1/a\\b", OURS),
    ("form", 400, "GET", "/s-1/a;b", OURS),
    ("form", 400, "GET", "*", OURS),
    ("form", 400, "GET", "/" + "a" * 200, OURS),
    ("form", 400, "GET", "/s-1/", [*OURS, *[("X", "y" * 100)] * 170]),
    ("host", 421, "GET", "/s-1/", put_in(OURS, "Host", "evil.example")),
    ("host", 421, "GET", "/s-1/", put_in(OURS, "Host", "127.0.0.1.evil.example:8123")),
    ("host", 421, "GET", "/s-1/", put_in(OURS, "Host", "127.0.0.1:8124")),
    ("host", 421, "GET", "/s-1/", put_in(OURS, "Host", "127.0.0.1")),
    ("host", 421, "GET", "/s-1/", put_in(OURS, "Host", "LOCALHOST.:8123")),
    ("host", 421, "GET", "/enter", [("Host", "evil.example")]),
    ("site", 403, "GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "same-site")]),
    ("site", 403, "GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]),
    ("site", 403, "GET", "/s-1/", [*OURS, ("Sec-Fetch-Site", "unheard-of")]),
    ("site", 403, "GET", "/enter", [("Host", HOST), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]),
    ("origin", 403, "POST", "/s-1/form", without(POST, "Origin")),
    ("origin", 403, "POST", "/s-1/form", put_in(POST, "Origin", "null")),
    ("origin", 403, "POST", "/s-1/form", put_in(POST, "Origin", "http://127.0.0.1:8124")),
    ("origin", 403, "POST", "/s-1/form", put_in(POST, "Origin", f"https://{HOST}")),
    ("origin", 403, "POST", "/s-1/form", put_in(POST, "Origin", f"http://{HOST}/")),
    ("origin", 403, "POST", "/s-1/form", [*POST, ("Sec-Fetch-Site", "none")]),
    ("origin", 403, "PUT", "/s-1/file", without(PUT, "Origin")),
    ("cookie", 403, "GET", "/s-1/", [("Host", HOST)]),
    ("cookie", 403, "GET", "/nowhere", [("Host", HOST)]),
    ("cookie", 403, "GET", "/s-1/", put_in(OURS, "Cookie", "seethrough_8123=")),
    ("cookie", 403, "GET", "/s-1/", put_in(OURS, "Cookie", f"seethrough_8124={SECRET}")),
    ("cookie", 403, "GET", "/s-1/", put_in(OURS, "Cookie", f"seethrough_8123={SECRET}x")),
    ("cookie", 403, "HEAD", "/enter", [("Host", HOST)]),
    ("cookie", 403, "OPTIONS", "/s-1/form", [("Host", HOST), ("Origin", f"http://{HOST}")]),
    ("method", 405, "HEAD", "/s-1/", OURS),
    ("method", 405, "OPTIONS", "/s-1/", OURS),
    ("method", 405, "TRACE", "/s-1/", OURS),
    ("method", 405, "DELETE", "/nowhere", OURS),
    ("method", 405, "POST", "/s-1/", POST),
    ("method", 405, "GET", "/s-1/file", OURS),
    ("method", 404, "POST", "/nowhere", POST),
    ("body", 413, "GET", "/s-1/", [*OURS, ("Content-Length", "5")]),
    ("body", 413, "GET", "/s-1/", [*OURS, ("Transfer-Encoding", "chunked")]),
    ("body", 411, "POST", "/s-1/form", without(POST, "Content-Length")),
    ("body", 411, "PUT", "/s-1/file", [*PUT, ("Transfer-Encoding", "chunked")]),
    ("form", 400, "PUT", "/s-1/file", put_in(PUT, "Content-Length", "-3")),
    ("form", 400, "PUT", "/s-1/file", put_in(PUT, "Content-Length", "9" * 30)),
    ("body", 413, "POST", "/s-1/form", put_in(POST, "Content-Length", "101")),
    ("body", 413, "PUT", "/s-1/file", put_in(PUT, "Content-Length", str(10 << 30))),
    ("body", 415, "POST", "/s-1/form", without(POST, "Content-Type")),
    ("body", 415, "POST", "/s-1/form", put_in(POST, "Content-Type", "multipart/form-data; boundary=x")),
    ("body", 415, "POST", "/s-1/form", put_in(POST, "Content-Type", "application/json")),
    ("body", 415, "POST", "/s-1/form", put_in(POST, "Content-Type", "text/plain")),
    ("body", 415, "POST", "/s-1/form", put_in(POST, "Content-Type", FORM + "; charset=utf-7")),
    ("body", 415, "PUT", "/s-1/file", [*PUT, ("Content-Encoding", "gzip")]),
]


@pytest.mark.parametrize("refused", REFUSED)
def test_a_request_is_refused_by_the_step_that_it_fails(guard, lines, refused):
    step, status, method, path, headers = refused
    reply = call(guard, method, path, headers, b"a=b")
    assert reply.status == status
    assert b"inside" not in reply.body
    assert reply.header("connection") == "close"
    assert f"refused by {step} {status}" in lines[0]


@pytest.mark.parametrize("query", [b"a" * 501, b"a b", b"a\x00b", "ä".encode(), b"a\tb"])
def test_a_query_is_printable_and_short(guard, query):
    assert call(guard, "GET", "/s-1/", OURS, query=query).status == 400


def test_the_steps_come_in_their_order(guard):
    """A request that fails all steps is refused by the first; mended one by one, by the next."""
    failing = {
        "Upgrade": "websocket", "Host": "evil.example", "Sec-Fetch-Site": "cross-site", "Origin": "null",
        "Content-Length": "999999", "Content-Type": "text/plain",
    }  # fmt: skip
    mended = {"Upgrade": None, "Host": HOST, "Sec-Fetch-Site": "same-origin", "Origin": f"http://{HOST}"}
    seen = [call(guard, "PATCH", "/%", failing.items()).status]
    for name, value in mended.items():
        failing[name] = value
        headers = [(name, value) for name, value in failing.items() if value]
        seen += [call(guard, "POST", path, headers).status for path in ("/%", "/s-1/")]
    headers = [*headers, COOKIE]
    seen += [call(guard, method, path, headers).status for method, path in (("POST", "/s-1/"), ("POST", "/s-1/form"))]
    assert seen == [403, 400, 421, 400, 403, 400, 403, 400, 403, 405, 413]


def test_a_socket_is_closed_before_it_is_accepted(guard):
    assert call(guard, kind="websocket", path="/s-1/", headers=OURS).events == ["websocket.close"]


def test_the_same_page_says_no_whether_the_path_exists_or_not(guard):
    replies = [call(guard, "GET", path, [("Host", HOST)]) for path in ("/s-1/", "/s-1/form", "/nowhere", "/")]
    assert len({(reply.status, reply.body, tuple(reply.headers)) for reply in replies}) == 1
    assert b"Press Enter in the terminal for a new link" in replies[0].body


@pytest.mark.parametrize("asked", [*REFUSED, ("", 200, "GET", "/s-1/", OURS)])
def test_every_answer_has_all_headers_once(guard, asked):
    _, _, method, path, headers = asked
    reply = call(guard, method, path, headers)
    names = [name for name, _ in reply.headers]
    assert all(names.count(name) == 1 for name in HEADERS)
    assert dict(reply.headers) | dict(HEADERS) == dict(reply.headers)
    assert not [name for name in names if name == b"server" or name.startswith(b"access-control")]


def test_the_headers_are_those_of_the_specification():
    assert HEADERS[b"content-security-policy"].decode() == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
        "trusted-types seethrough"
    )
    told = {name.decode(): value.decode() for name, value in HEADERS.items()}
    assert {name: told[name] for name in ("x-content-type-options", "cache-control", "x-frame-options")} == {
        "x-content-type-options": "nosniff", "cache-control": "no-store", "x-frame-options": "DENY",
    }  # fmt: skip
    rest = ("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy")
    assert {told[name] for name in rest} == {"same-origin"}
    assert all(each.endswith("=()") for each in told["permissions-policy"].split(", "))


def test_an_application_can_say_two_headers_in_one_other_way_each(guard, monkeypatch):
    said = [("Content-Security-Policy", DOWNLOAD_POLICY), ("Cache-Control", FOR_EVER), ("Server", "x")]
    monkeypatch.setattr(inner, "headers", [(name.encode(), value.encode()) for name, value in said])
    reply = call(guard, "GET", "/s-1/", OURS)
    assert reply.header("content-security-policy") == DOWNLOAD_POLICY
    assert reply.header("cache-control") == FOR_EVER
    assert reply.header("server") is None
    said = [("content-security-policy", "default-src *"), ("cache-control", "public"), ("x-frame-options", "ALLOW")]
    said += [("access-control-allow-origin", "*")]
    monkeypatch.setattr(inner, "headers", [(name.encode(), value.encode()) for name, value in said])
    reply = call(guard, "GET", "/s-1/", OURS)
    assert dict(reply.headers) == dict(HEADERS)


def test_an_error_of_the_application_is_answered_with_all_headers_and_without_its_text(lines):
    async def failing(scope, receive, send):
        raise ValueError("row 4,211: nurse")

    guard = Guard(failing, NAMES, lambda path: RULES.get(path, {}), RequestLog(lines.append))
    reply = call(guard, "GET", "/s-1/", OURS)
    assert reply.status == 500
    assert set(HEADERS) <= {name for name, _ in reply.headers}
    assert b"nurse" not in reply.body
    assert "ValueError in test_guard.py" in lines[0]
    assert not [line for line in lines if "nurse" in line]


def test_a_body_that_stalls_ends_the_request(guard, lines):
    async def reading(scope, receive, send):
        while (await receive()).get("more_body"):
            pass

    guard._inner = reading
    reply = call(guard, "PUT", "/s-1/file", PUT, pieces=[b"a", None])
    assert (reply.status, reply.header("connection")) == (408, "close")
    assert "refused by body 408" in lines[0]


def test_an_answer_before_the_body_has_come_ends_the_connection(guard):
    async def deaf(scope, receive, send):
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard._inner = deaf
    assert call(guard, "PUT", "/s-1/file", PUT).header("connection") == "close"
    assert call(guard, "GET", "/s-1/", OURS).header("connection") is None


def test_a_full_house_turns_everybody_away_with_all_headers(lines):
    guard = Guard(inner, NAMES, lambda path: RULES.get(path, {}), RequestLog(lines.append), is_full=lambda: True)
    reply = call(guard, "GET", "/s-1/", OURS)
    assert reply.status == 503
    assert set(HEADERS) <= {name for name, _ in reply.headers}


def test_a_secret_is_not_shown_with_the_names():
    assert SECRET not in repr(NAMES)
