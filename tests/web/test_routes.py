"""The list of routes: each is closed to all but the one browser, and answers that one."""

import re
from urllib.parse import urljoin

import pytest
from asgi_caller import call
from pretend_rooms import AUDIT, DATA, PretendRooms

from seethrough.web.app import BYTES, FORM, LONGEST_FORM, ROUTES, App, Routing
from seethrough.web.guard.answers import DOWNLOAD_POLICY, FOR_EVER, HEADERS
from seethrough.web.guard.guard import Guard, Names
from seethrough.web.listening.door import Door
from seethrough.web.rendering import static_files
from seethrough.web.request_log import RequestLog
from seethrough.web.rooms import Wishes
from seethrough.web.visits import MOST_FIELDS, Tool

HOST, SECRET, SITE, LIMIT = "127.0.0.1:8123", "cookie-of-32-bytes", "00ff00ff00ff00ff", 1 << 20
NAMES = Names(frozenset({HOST}), frozenset({f"http://{HOST}"}), "seethrough_8123", SECRET)
METHODS = ("GET", "POST", "PUT", "HEAD", "OPTIONS", "TRACE", "DELETE", "PATCH", "CONNECT", "get", "BREW")
ROOT, A = f"/s-{SITE}/", f"/s-{SITE}/a/{AUDIT}/"
STYLE = next(iter(static_files()))

# Every route, by hand: method, pattern, an address of it, the status for the one browser. A route that is not here
# fails a test, so that nobody adds one without thinking of who may ask.
TABLE = [
    ("GET", "/enter", "/enter", 403),
    ("GET", "", ROOT, 200),
    ("POST", "audits", f"{ROOT}audits", 303),
    ("POST", "end", f"{ROOT}end", 200),
    ("GET", "static/{name}", f"{ROOT}static/{STYLE}", 200),
    ("GET", "a/{audit}/", A, 200),
    ("GET", "a/{audit}/files", f"{A}files", 200),
    ("PUT", "a/{audit}/files/{role}/{n}", f"{A}files/real/0", 200),
    ("POST", "a/{audit}/files/{role}/{n}", f"{A}files/real/0", 200),
    ("GET", "a/{audit}/columns", f"{A}columns", 200),
    ("POST", "a/{audit}/columns", f"{A}columns", 200),
    ("GET", "a/{audit}/question", f"{A}question", 200),
    ("POST", "a/{audit}/question", f"{A}question", 200),
    ("POST", "a/{audit}/run", f"{A}run", 303),
    ("GET", "a/{audit}/run", f"{A}run", 200),
    ("GET", "a/{audit}/events", f"{A}events", 200),
    ("POST", "a/{audit}/cancel", f"{A}cancel", 303),
    ("GET", "a/{audit}/verdict", f"{A}verdict", 200),
    ("GET", "a/{audit}/scores", f"{A}scores", 200),
    ("GET", "a/{audit}/checks/{name}", f"{A}checks/gcap", 200),
    ("GET", "a/{audit}/person", f"{A}person", 200),
    ("POST", "a/{audit}/person", f"{A}person", 200),
    ("GET", "a/{audit}/attacker", f"{A}attacker", 200),
    ("POST", "a/{audit}/attacker", f"{A}attacker", 200),
    ("GET", "a/{audit}/people", f"{A}people", 200),
    ("GET", "a/{audit}/columns/{number}", f"{A}columns/3", 200),
    ("GET", "a/{audit}/groups", f"{A}groups", 200),
    ("GET", "a/{audit}/map", f"{A}map", 200),
    ("GET", "a/{audit}/compare", f"{A}compare", 200),
    ("GET", "a/{audit}/whatif", f"{A}whatif", 200),
    ("POST", "a/{audit}/whatif", f"{A}whatif", 200),
    ("GET", "a/{audit}/take", f"{A}take", 200),
    ("GET", "a/{audit}/take/{name}", f"{A}take/report-html", 200),
    ("POST", "a/{audit}/hide", f"{A}hide", 200),
    ("POST", "a/{audit}/name", f"{A}name", 303),
    ("POST", "a/{audit}/keep", f"{A}keep", 303),
    ("POST", "a/{audit}/forget", f"{A}forget", 303),
    ("POST", "a/{audit}/delete", f"{A}delete", 303),
]
ADDRESSES = sorted({address for _, _, address, _ in TABLE} | {"/", "/nowhere", f"{ROOT}nowhere", f"{A}nowhere"})
GOOD = {"Host": HOST, "Cookie": f"seethrough_8123={SECRET}", "Sec-Fetch-Site": "same-origin"}
INTRUDERS = {
    "no cookie": {"Cookie": None},
    "wrong cookie": {"Cookie": "seethrough_8123=" + "x" * len(SECRET)},
    "foreign host": {"Host": "evil.example:8123"},
    "cross-site": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Origin": "http://evil.example"},
}


class Ended:
    """Remembers whether the server was told to end."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1


@pytest.fixture
def ended():
    return Ended()


@pytest.fixture
def rooms(tmp_path):
    return PretendRooms(tmp_path / "state")


@pytest.fixture
def door():
    return Door()


@pytest.fixture
def guard(rooms, door, ended):
    routing = Routing(SITE, LIMIT)
    tool = Tool(rooms, door, NAMES, SITE, Wishes(limit=LIMIT), ended)
    return Guard(App(tool, routing), NAMES, routing.rules, RequestLog(lambda line: None), stalled=0.2)


def ask(guard, method, address, changed=None, body=None, query=b""):
    """Ask as the one browser does, but for what is changed."""
    headers = dict(GOOD)
    if method in ("POST", "PUT"):
        body = b"a=b" if body is None else body
        kind = BYTES if method == "PUT" else FORM
        headers |= {"Origin": f"http://{HOST}", "Content-Length": str(len(body)), "Content-Type": kind}
    headers |= changed or {}
    pairs = [(name, value) for name, value in headers.items() if value is not None]
    return call(guard, method, address, pairs, body or b"", query=query)


def test_the_table_has_every_route():
    assert sorted((method, path) for method, path, _, _ in TABLE) == sorted(
        (route.method, route.path) for route in ROUTES
    )


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("intruder", INTRUDERS)
def test_no_route_answers_anybody_else(guard, rooms, ended, address, intruder):
    for method in METHODS:
        reply = ask(guard, method, address, INTRUDERS[intruder])
        assert reply.status in (400, 403, 405, 421), method
        assert DATA.encode() not in reply.body
        assert AUDIT.encode() not in reply.body
        assert set(HEADERS) <= {name for name, _ in reply.headers}
        assert reply.header("set-cookie") is None
        assert not [name for name, _ in reply.headers if name.startswith(b"access-control")]
    assert rooms.asked == []
    assert ended.count == 0


@pytest.mark.parametrize("intruder", ["no cookie", "wrong cookie"])
def test_known_and_unknown_paths_look_alike_from_outside(guard, intruder):
    for method in METHODS:
        replies = [ask(guard, method, address, INTRUDERS[intruder]) for address in ADDRESSES if address != "/enter"]
        assert len({(reply.status, reply.body) for reply in replies}) == 1


@pytest.mark.parametrize(("method", "path", "address", "status"), TABLE)
def test_every_route_answers_the_one_browser(guard, method, path, address, status):
    reply = ask(guard, method, address)
    assert reply.status == status
    assert {name for name, _ in reply.headers} >= set(HEADERS)
    if status == 303:
        assert reply.header("location").startswith(ROOT)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_route_has_the_methods_that_the_list_names(guard, address):
    named = {method for method, _, each, _ in TABLE if each == address}
    for method in METHODS:
        if method not in named:
            unknown = 404 if method in ("GET", "POST", "PUT") and not named else 405
            assert ask(guard, method, address).status == unknown, method


@pytest.mark.parametrize("address", [
    f"{ROOT}a/fedcba9876543210/", f"{ROOT}a/fedcba9876543210/verdict", f"{ROOT}a/x/files", f"{A}verdict/", f"{A}checks",
    f"{A}checks/UPPER", f"{A}checks/a_b", f"{A}checks/" + "a" * 41, f"{A}take/nothing", f"{ROOT}static/web.css",
    f"{ROOT}a", f"{ROOT}a/{AUDIT}", f"/s-{SITE}", "/s-0000000000000000/", "/enter/", f"{A}columns/1.5",
])  # fmt: skip
def test_what_is_not_there_is_not_found(guard, address):
    reply = ask(guard, "GET", address)
    assert reply.status == 404
    assert DATA.encode() not in reply.body
    link = re.search(r'href="([^"]*static/)style-', reply.body.decode())[1]
    if address.startswith(ROOT):
        assert urljoin(f"http://{HOST}{address}", link) == f"http://{HOST}{ROOT}static/"


@pytest.mark.parametrize("query", [b"row=0", b"row=-1", b"row=" + b"1" + b"0" * 30, b"row=1e3", b"check=../x"])
def test_what_an_address_asks_for_goes_to_the_worker_as_text(guard, rooms, query):
    assert ask(guard, "GET", f"{A}people", query=query).status == 404
    name, _, value = query.decode().partition("=")
    assert rooms.asked[0].query == {name: value}


def test_a_question_carries_path_query_form_and_tab(guard, rooms):
    ask(
        guard,
        "POST",
        f"{A}attacker",
        {"Seethrough-Tab": "tab-1"},
        b"known=1&known=2&name=%C3%A4+b&empty=",
        b"row=1&row=2",
    )
    asked = rooms.asked[0]
    assert (asked.page, asked.query, asked.tab) == ("attacker", {"row": "1"}, "tab-1")
    assert asked.form == {"known": ("1", "2"), "name": ("ä b",), "empty": ("",)}
    ask(guard, "GET", f"{A}checks/gcap", {"Seethrough-Tab": "../x"})
    assert (rooms.asked[1].page, rooms.asked[1].path, rooms.asked[1].tab) == ("checks", {"name": "gcap"}, "")
    assert rooms.asked[1].form is None


@pytest.mark.parametrize(("body", "status"), [
    (b"a=" + b"x" * (LONGEST_FORM - 2), 200),
    (b"a=" + b"x" * (300 << 10), 413),
    (b"&".join([b"a=1"] * MOST_FIELDS), 200),
    (b"&".join([b"a=1"] * (MOST_FIELDS + 1)), 400),
    (b"a=%ff", 400),
    (b"\xff=1", 400),
])  # fmt: skip
def test_forms_have_their_limits(guard, body, status):
    assert ask(guard, "POST", f"{A}attacker", body=body).status == status


def test_an_upload_goes_to_the_rooms_in_pieces_and_its_name_is_a_label_only(guard, rooms):
    for name, label in [
        ("..%2F..%2Fx", "../../x"), ("CON", "CON"), ("a%00b", "a\0b"), ("a" * 4000, "a" * 200), ("%C3%A4.csv", "ä.csv"),
    ]:  # fmt: skip
        assert ask(guard, "PUT", f"{A}files/real/0", {"Seethrough-Label": name}, b"age\n1\n").status == 200
        assert rooms.asked[-1] == (("real", "0"), label, 6)
    assert (rooms.folder / "real-0").read_bytes() == b"age\n1\n"
    assert sorted(path.name for path in rooms.folder.iterdir()) == ["real-0", "report.html"]


def test_events_begin_after_the_last_one_seen(guard):
    reply = ask(guard, "GET", f"{A}events", {"Last-Event-ID": "41"})
    assert reply.header("content-type").startswith("text/event-stream")
    assert reply.body.startswith(b"id: 42\n")
    assert ask(guard, "GET", f"{A}events", {"Last-Event-ID": "x"}).body.startswith(b"id: 1\n")
    assert ask(guard, "GET", f"{A}events", {"Last-Event-ID": "4"}).status == 503


def test_a_file_is_taken_away_and_never_shown(guard):
    reply = ask(guard, "GET", f"{A}take/report-html")
    assert reply.body == DATA.encode()
    assert reply.header("content-disposition") == 'attachment; filename="report.html"'
    assert reply.header("content-type") == BYTES
    assert reply.header("content-security-policy") == DOWNLOAD_POLICY
    assert "sandbox" in DOWNLOAD_POLICY


def test_static_files_are_three_and_kept_by_their_digest(guard):
    assert len(static_files()) == 3
    for name, file in static_files().items():
        reply = ask(guard, "GET", f"{ROOT}static/{name}")
        assert reply.body == file.content
        assert reply.header("cache-control") == FOR_EVER
        assert re.fullmatch(r"[a-z]+-[0-9a-f]{16}", name)


def test_ending_is_asked_for_once(guard, ended):
    assert ask(guard, "POST", f"{ROOT}end", body=b"").status == 200
    assert ended.count == 1


def test_an_error_in_a_handler_says_nothing_of_data(guard):
    reply = ask(guard, "GET", f"{A}checks/broken")
    assert reply.status == 500
    assert DATA.encode() not in reply.body


ENTERED = [
    ({}, 200), ({"Sec-Fetch-Dest": "document"}, 200), ({"Sec-Fetch-Dest": "image"}, 403),
    ({"Sec-Purpose": "prefetch"}, 403), ({"Sec-Fetch-Dest": "iframe"}, 403),
    ({"Sec-Purpose": "prefetch;prerender", "Sec-Fetch-Dest": "document"}, 403),
]  # fmt: skip


@pytest.mark.parametrize(("headers", "status"), ENTERED)
def test_the_link_gives_the_cookie_to_a_browser_that_opens_it_as_a_page(guard, door, headers, status):
    query = f"token={door.issue_token()}".encode()
    reply = ask(guard, "GET", "/enter", {"Cookie": None, **headers}, query=query)
    assert reply.status == status
    if status == 200:
        expected = f"seethrough_8123={SECRET}; HttpOnly; SameSite=Strict; Path={ROOT}"
        assert reply.header("set-cookie") == expected
        assert f'http-equiv="refresh" content="0; url={ROOT}"'.encode() in reply.body
    assert reply.header("location") is None
    assert door.is_waiting() is (status != 200), "what is not let in does not spend the link"


def test_a_link_opens_once(guard, door):
    query = f"token={door.issue_token()}".encode()
    assert ask(guard, "HEAD", "/enter", {"Cookie": None}, query=query).status == 403
    assert [ask(guard, "GET", "/enter", {"Cookie": None}, query=query).status for _ in range(3)] == [200, 403, 403]


@pytest.mark.parametrize("query", [b"", b"token=", b"token=x", b"token={}&token={}", b"token={}x", b"Token={}"])
def test_a_wrong_link_opens_nothing_and_locks_nobody_out(guard, door, query):
    token = door.issue_token().encode()
    for _ in range(20):
        assert ask(guard, "GET", "/enter", {"Cookie": None}, query=query.replace(b"{}", token)).status == 403
    assert ask(guard, "GET", "/enter", {"Cookie": None}, query=b"token=" + token).status == 200


def test_a_link_lasts_ten_minutes_and_a_new_one_replaces_it():
    now = [0.0]
    door = Door(lambda: now[0])
    first = door.issue_token()
    now[0] = 599.9
    assert door.is_waiting()
    now[0] = 600.0
    assert not door.is_waiting()
    assert not door.lets_in(b"token=" + first.encode(), None, None)
    second, third = door.issue_token(), door.issue_token()
    assert len({first, second, third}) == 3
    assert not door.lets_in(b"token=" + second.encode(), None, None)
    assert door.lets_in(b"token=" + third.encode(), "document", None)
    assert not door.lets_in(b"token=", None, None), "an empty token is not the spent one"
