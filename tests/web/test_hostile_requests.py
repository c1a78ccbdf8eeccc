"""Requests that no browser of the user makes, sent by raw sockets to a real server on this machine."""

import re
import socket
import time

import pytest
from pretend_rooms import AUDIT, DATA
from running_server import PATIENCE, Raw, pretend_server, read_all

from seethrough.web.guard.answers import HEADERS
from seethrough.web.listening.connections import CONNECTIONS

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with pretend_server(tmp_path_factory.mktemp("hostile") / "state", silence=2.0) as running:
        yield running.enter()


@pytest.fixture
def page(server):
    return f"{server.root}a/{AUDIT}/verdict"


@pytest.fixture
def form(server):
    return {"Origin": server.origin, "Content-Type": FORM, "Content-Length": "3"}


@pytest.fixture
def put(server):
    return {"Origin": server.origin, "Content-Type": "application/octet-stream"}


def is_refused(reply, status):
    """Every answer, errors too, has all headers and no byte of data."""
    assert reply.status == status, reply.whole[:300]
    assert {name.decode() for name in HEADERS} <= set(reply.headers), reply.head
    assert DATA.encode() not in reply.whole
    assert "set-cookie" not in reply.headers
    assert "server" not in reply.headers
    assert not [name for name in reply.headers if name.startswith("access-control")]
    return True


def test_the_one_browser_is_answered(server, page):
    reply = server.ask("GET", page)
    assert reply.status == 200
    assert DATA.encode() in reply.body


@pytest.mark.parametrize("path", ["/", "/s-0000000000000000/", "/nowhere", "/favicon.ico", "/robots.txt", "known"])
def test_without_the_cookie_nothing_is_there(server, page, path):
    assert is_refused(server.ask("GET", page if path == "known" else path, Cookie=None), 403)


@pytest.mark.parametrize("host", [
    "evil.example", "10.evil.example", "127.0.0.1.evil.example:PORT", "evil.example:PORT", "127.0.0.1:1", "127.0.0.1",
    "localhost", "LOCALHOST.:PORT", "localhost.:PORT", "127.0.0.1:PORT0", "127.0.0.1:PORT@evil.example", "0.0.0.0:PORT",
    "127.1:PORT", "2130706433:PORT", "[::1]:PORT", "127.0.0.1:PORT, evil.example", "localhost:+PORT",
])  # fmt: skip
def test_a_foreign_host_is_misdirected(server, page, host):
    assert is_refused(server.ask("GET", page, Host=host.replace("PORT", str(server.port))), 421)


def test_a_host_is_compared_in_lower_case(server, page):
    assert server.ask("GET", page, Host=f"LocalHost:{server.port}").status == 200


@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_there_is_one_host(server, page, version):
    head, cookie = f"GET {page} HTTP/{version}\r\n", f"Cookie: {server.cookie}\r\n"
    host = f"Host: {server.host}\r\n"
    for hosts in ("", host + host, host + "Host: evil.example\r\n"):
        assert is_refused(server.send(f"{head}{hosts}{cookie}\r\n".encode()), 400)


@pytest.mark.parametrize("target", [
    "http://evil.example/", "https://127.0.0.1/", "http://HOST/", "*", "//evil.example/", "evil", "HOST", "/a//b",
    "/..%2f", "/%2e%2e/", "/../", "/a/./b", "/%00", "/a%0d%0ab", "/a\\b", "/a;b", "/ä", "/" + "a" * 5000,
    "/?" + "a" * 5000, "/?a=\"", "/#x",
])  # fmt: skip
def test_an_address_has_the_form_of_ours(server, target):
    target = target.replace("HOST", server.host)
    expected = 403 if target == '/?a="' else 400
    head = f"GET {target} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n\r\n"
    assert is_refused(server.send(head.encode()), expected)


@pytest.mark.parametrize("content", [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
    b"GET / HTTP/1.1\nnonsense\n\n",
    b"GET /\r\n\r\n",
    b"GET / HTTP/2.0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\r\n" * 9000 + b"\x00",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * (17 << 10) + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: a\r\n" * 4000 + b"\r\n",
], ids=range(13))  # fmt: skip
def test_what_is_no_http_is_told_so_with_all_headers(server, content):
    reply = server.send(content)
    # A head of more than the limit may be cut off while it is still being sent.
    assert (reply.whole == b"" and len(content) > (16 << 10)) or is_refused(reply, 400)


@pytest.mark.parametrize("path", ["/", "known", "/nowhere", "/enter"])
@pytest.mark.parametrize("with_cookie", [True, False])
def test_no_socket_is_upgraded(server, page, path, with_cookie):
    told = {"Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    told |= {"Connection": "Upgrade"} | ({} if with_cookie else {"Cookie": None})
    assert is_refused(server.ask("GET", page if path == "known" else path, told), 403)


@pytest.mark.parametrize("changed", [
    {"Origin": "null"}, {"Origin": None}, {"Origin": "http://127.0.0.1:1"}, {"Origin": "http://evil.example"},
    {"Origin": "file://"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "none"}, {"Cookie": None},
])  # fmt: skip
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_change_comes_from_our_own_pages(server, form, put, method, changed):
    path = f"{server.root}a/{AUDIT}/" + ("hide" if method == "POST" else "files/real/0")
    told = {**(form if method == "POST" else put), "Content-Length": "3", **changed}
    assert is_refused(server.ask(method, path, told, b"a=b"), 403)


def test_an_image_of_another_site_of_this_machine_is_refused(server, page):
    told = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    assert is_refused(server.ask("GET", page, told), 403)


def test_a_navigation_from_another_site_brings_no_cookie(server, page):
    told = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Cookie": None}
    assert is_refused(server.ask("GET", page, told), 403)


def test_a_preflight_is_refused(server, page):
    told = {"Cookie": None, "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    assert is_refused(server.ask("OPTIONS", page, told), 403)


@pytest.mark.parametrize("method", ["HEAD", "TRACE", "DELETE", "OPTIONS", "PATCH", "CONNECT", "BREW"])
def test_other_methods_are_not_there(server, page, method):
    assert is_refused(server.ask(method, page), 405)


def test_a_link_opens_once_and_is_not_spent_by_looking(server):
    server.process.stdin.write("\n")
    server.process.stdin.flush()
    server.read_link()
    door = {"Cookie": None}
    assert is_refused(server.ask("HEAD", server.door, door), 403)
    assert is_refused(server.ask("GET", server.door, {**door, "Sec-Purpose": "prefetch"}), 403)
    assert is_refused(server.ask("GET", server.door, {**door, "Sec-Fetch-Dest": "image"}), 403)
    assert is_refused(server.ask("GET", server.door + "x", door), 403)
    assert is_refused(server.ask("GET", "/enter", door), 403)
    away = {**door, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    reply = server.ask("GET", server.door, away)
    assert reply.status == 200
    assert "location" not in reply.headers
    assert reply.headers["set-cookie"].startswith(server.cookie)
    assert is_refused(server.ask("GET", server.door, away), 403)


@pytest.mark.parametrize(("told", "status"), [
    ({"Content-Length": None}, 411),
    ({"Transfer-Encoding": "chunked"}, 411),
    ({"Content-Length": "3", "Content-Encoding": "gzip"}, 415),
    ({"Content-Length": "3", "Content-Type": "text/csv"}, 415),
    ({"Content-Length": "3", "Content-Type": None}, 415),
    ({"Content-Length": str((1 << 20) + 1)}, 413),
    ({"Content-Length": str(10 << 30)}, 413),
])  # fmt: skip
def test_a_file_says_how_long_it_is_and_is_no_longer_than_agreed(server, put, told, status):
    reply = server.ask("PUT", f"{server.root}a/{AUDIT}/files/real/9", {**put, **told})
    assert is_refused(reply, status)
    assert reply.headers["connection"] == "close"
    assert not list(server.folder.glob("real-9*"))


def test_nothing_is_read_of_a_file_that_is_too_long(server, put):
    told = {**put, "Content-Length": str(10 << 30)}
    before = memory_of(server)
    reply = server.ask("PUT", f"{server.root}a/{AUDIT}/files/real/9", told, b"x" * (8 << 20))
    assert reply.status in (413, None), "or the connection is reset while it is still being sent"
    assert memory_of(server) - before < 4 << 20


def memory_of(server):
    """Bytes that are resident."""
    with open(f"/proc/{server.process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) << 10


def test_a_file_that_is_broken_off_leaves_nothing(server, put):
    head = request_head(server, "PUT", f"{server.root}a/{AUDIT}/files/real/8", {**put, "Content-Length": "1000"})
    with server.connect() as connection:
        connection.sendall(head + b"x" * 500)
        wait_until(lambda: list(server.folder.glob("real-8*")))
    wait_until(lambda: not list(server.folder.glob("real-8*")))


def request_head(server, method, path, told):
    told = {"Host": server.host, "Cookie": server.cookie, **told}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items() if value)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def wait_until(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    "kind", ["multipart/form-data; boundary=x", "application/json", "text/plain", f"{FORM}; charset=x"]
)
def test_a_form_is_a_form(server, form, kind):
    told = {**form, "Content-Type": kind}
    assert is_refused(server.ask("POST", f"{server.root}a/{AUDIT}/hide", told, b"a=b"), 415)


def test_forms_have_their_limits(server, form):
    path = f"{server.root}a/{AUDIT}/hide"
    assert is_refused(server.ask("POST", path, {**form, "Content-Length": str(300 << 10)}), 413)
    many = b"&".join([b"a=1"] * 5001)
    assert is_refused(server.ask("POST", path, {**form, "Content-Length": str(len(many))}, many), 400)


@pytest.mark.parametrize("address", [
    "people?row=0", "people?row=-1", "people?row=1" + "0" * 30, "people?row=1e3", "people?check=../x", "checks/A",
])  # fmt: skip
def test_what_is_not_in_an_audit_is_not_found(server, address):
    assert is_refused(server.ask("GET", f"{server.root}a/{AUDIT}/{address}"), 404)


def test_another_id_is_not_found(server):
    assert is_refused(server.ask("GET", f"{server.root}a/fedcba9876543210/verdict"), 404)


def test_many_connections_are_turned_away_and_then_it_is_fine_again(server, page):
    held = [server.connect() for _ in range(CONNECTIONS + 6)]
    try:
        wait_until(lambda: server.ask("GET", page).status == 503)
        assert is_refused(server.ask("GET", page), 503)
    finally:
        for connection in held:
            connection.close()
    wait_until(lambda: server.ask("GET", page).status == 200)


def test_a_connection_that_says_nothing_ends(server, page):
    """Here after 2 seconds; a request that drips in has no longer."""
    with server.connect() as silent, server.connect() as slow:
        slow.settimeout(0.2)
        slow.sendall(b"GET / HTTP/1.1\r\n")
        ended, begun = False, time.monotonic()
        while not ended and time.monotonic() - begun < PATIENCE:
            try:
                slow.sendall(b"X: y\r\n")
                ended = not slow.recv(100)
            except TimeoutError:
                continue
            except OSError:
                ended = True
        assert ended
        assert silent.recv(100) == b""


def test_pipelined_requests_are_each_looked_at(server, page):
    good = request_head(server, "GET", page, {})
    bad = request_head(server, "GET", page, {"Host": "evil.example"})
    with server.connect() as connection:
        connection.sendall(good + bad + good)
        whole = read_all(connection)
    assert re.findall(rb"HTTP/1.1 (\d+)", whole) == [b"200", b"421"], "what was refused ends the connection"


def test_a_second_request_is_not_smuggled_in_a_body(server, page, form):
    inner = request_head(server, "GET", page, {})
    told = {**form, "Content-Length": str(len(inner)), "Transfer-Encoding": "chunked"}
    with server.connect() as connection:
        connection.sendall(request_head(server, "POST", f"{server.root}a/{AUDIT}/hide", told) + b"0\r\n\r\n" + inner)
        whole = read_all(connection)
    assert DATA.encode() not in whole
    assert Raw(whole).status in (400, 411)


def test_nothing_listens_elsewhere(server):
    """Only on loopback: another address of this machine is refused by the system itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(2)
        assert probe.connect_ex(("127.0.0.2", server.port)) != 0


def test_the_log_has_patterns_and_nothing_that_was_asked(server, page):
    server.ask("GET", f"{server.root}a/{AUDIT}/checks/gcap?row=4211")
    server.ask("GET", page, Cookie="seethrough_1=wrong-cookie-here")
    log = server.log()
    assert re.search(r"^\d\d:\d\d:\d\d GET a/AUDIT/checks/NAME 404 \d+ ms$", log, re.MULTILINE)
    assert re.search(r"^\d\d:\d\d:\d\d refused by [a-z]+ \d{3}(, \d+ more before)?$", log, re.MULTILINE)
    secrets = [
        AUDIT,
        "gcap",
        "4211",
        "row",
        server.cookie.partition("=")[2],
        server.link.partition("=")[2],
        "wrong-cookie",
    ]
    assert [each for each in [*secrets, "evil.example", "nurse", server.root] if each in log] == []
    pattern = r"\d\d:\d\d:\d\d (refused by [a-z]+ \d{3}(, \d+ more before)?|[A-Z]+ \S+ \d{3} \d+ ms|error of .*)"
    assert [line for line in log.splitlines() if not re.fullmatch(pattern, line)] == []
    times = [line[:8] for line in log.splitlines() if "refused" in line]
    assert max(times.count(time) for time in times) <= 2, "one a second"
