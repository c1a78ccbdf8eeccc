"""A server from its first to its last moment: link, browser, Enter, signals, idleness, neighbours."""

import re
import signal
import stat
import sys
import time

import pytest
from pretend_rooms import AUDIT, DATA
from running_server import PATIENCE, pretend_server

from seethrough.web.serving import site_name


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def wait_until(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_order(folder, number):
    with pretend_server(folder) as server:
        server.enter()
        rest = server.end(number)
    assert f"ending {int(number)} stopped" in rest
    assert (folder / "closed").exists(), "the rooms were closed"
    assert server.process.returncode == 0


def test_a_signal_ends_it_within_seconds_though_a_stream_is_open(folder):
    with pretend_server(folder) as server:
        server.enter()
        with server.connect() as stream:
            told = f"Host: {server.host}\r\nCookie: {server.cookie}\r\nLast-Event-ID: 3\r\n\r\n"
            stream.sendall(f"GET {server.root}a/{AUDIT}/events HTTP/1.1\r\n{told}".encode())
            heard = b""
            while b"id: 4" not in heard:  # in as many pieces as the system makes of it
                piece = stream.recv(65536)
                assert piece, heard
                heard += piece
            rest = server.end(signal.SIGINT)
    assert "ending 2 stopped" in rest
    assert (folder / "closed").exists()


def test_end_in_the_browser_ends_it(folder):
    form = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0"}
    with pretend_server(folder) as server:
        server.enter()
        reply = server.ask("POST", f"{server.root}end", {**form, "Origin": server.origin})
        assert reply.status == 200
        rest = server.end(0)
    assert "ending 0 ended from the browser" in rest


def test_it_ends_where_nobody_asks(folder):
    with pretend_server(folder, idle=0.5) as server:
        assert "ending 0 nobody asked for" in server.end(0)


def test_connections_that_a_browser_opens_ahead_end_without_a_word(folder):
    with pretend_server(folder, silence=0.3) as server:
        with server.connect() as silent:
            assert silent.recv(100) == b""
        assert "silence" not in server.log()
        with server.connect() as begun:
            begun.sendall(b"GET / HTTP/1.1\r\n")
            assert begun.recv(100) == b""
        assert "refused by silence 408" in server.log()


def test_the_server_loads_nothing_that_computes(folder):
    with pretend_server(folder) as server:
        server.enter()
        assert server.ask("GET", server.root).status == 200
        assert server.end().splitlines()[-1] == "loaded "


def test_enter_in_the_terminal_makes_a_new_link_and_the_old_one_is_dead(folder):
    with pretend_server(folder) as server:
        old = server.door
        server.process.stdin.write("\n")
        server.process.stdin.flush()
        assert server.read_link() not in server.lines[0]
        assert server.ask("GET", old).status == 403
        server.enter()
        assert server.ask("GET", server.root).status == 200


def test_two_servers_have_ports_and_cookies_of_their_own_and_one_path(folder):
    with pretend_server(folder) as first, pretend_server(folder) as second:
        first.enter(), second.enter()
        assert first.port != second.port
        assert first.root == second.root
        assert first.cookie.partition("=")[0] != second.cookie.partition("=")[0]
        for server, other in ((first, second), (second, first)):
            assert server.ask("GET", server.root).status == 200
            assert server.ask("GET", server.root, Cookie=other.cookie).status == 403
            assert server.ask("GET", server.root, Host=other.host).status == 421
            assert server.ask("GET", server.root, Cookie=f"{other.cookie}; {server.cookie}").status == 200
            form = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0"}
            assert server.ask("POST", f"{server.root}end", {**form, "Origin": other.origin}).status == 403


@pytest.mark.skipif(sys.platform != "linux", reason="looks at files by their modes")
def test_a_browser_gets_the_link_in_a_private_file_that_goes_away(folder, tmp_path, monkeypatch):
    """The browser here is a script that writes down its command line, and copies the file with its mode."""
    script = tmp_path / "browser"
    script.write_text(
        "#!/bin/sh\n"
        f'echo "$@" > {tmp_path}/words.part\n'
        'path="${1#file://}"\n'
        f'stat -c "%a" "$path" "$(dirname "$path")" > {tmp_path}/modes\n'
        f'cp "$path" {tmp_path}/page\n'
        f"mv {tmp_path}/words.part {tmp_path}/words\n"
    )
    script.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{script} %s")
    with pretend_server(folder, browser=True) as server:
        assert "your browser is opening it now" in " ".join(server.lines)
        wait_until((tmp_path / "words").exists)
        words = (tmp_path / "words").read_text()
        assert "token" not in words, "others can read the command line of a browser"
        assert (tmp_path / "modes").read_text().split() == ["600", "700"]
        page = (tmp_path / "page").read_text()
        assert f'content="0; url={server.link}"' in page
        path = words.strip().removeprefix("file://")
        server.enter()
        wait_until(lambda: not stat_of(path))
        server.end()
    assert not stat_of(path)


def stat_of(path):
    try:
        with open(path):
            return True
    except FileNotFoundError:
        return False


def test_without_a_browser_the_link_is_said(folder, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    with pretend_server(folder, browser=sys.platform == "linux") as server:
        assert len(server.lines) == 2
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/enter\?token=[\w-]{43}", server.link)
        assert server.lines[1] == "Press Enter for a new link, Ctrl-C to end."


def test_a_port_that_is_taken_is_said_in_one_sentence(folder):
    with pretend_server(folder) as first:
        second = pretend_server(folder, port=first.port)
        with pytest.raises(AssertionError, match="cannot be listened on"):
            second.__enter__()


def test_behind_a_proxy_it_goes_by_that_name_alone(folder):
    with pretend_server(folder, behind="https://Audit.example.org:443/", port=0) as server:
        assert server.link.startswith("https://audit.example.org/enter?token=")
        port = int(re.search(r":(\d+)", listening_port(server))[1])
        connect_to(server, port)
        reply = server.ask("GET", server.door)
        cookie = reply.headers["set-cookie"]
        assert re.match(rf"__Secure-seethrough_{port}=[\w-]+; HttpOnly; SameSite=Strict; Path=/s-\w+/; Secure$", cookie)
        server.cookie, root = cookie.partition(";")[0], re.search(r"Path=([^;]+)", cookie)[1]
        assert server.ask("GET", root).status == 200
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "audit.example.org:443", "example.org"):
            assert server.ask("GET", root, Host=host).status == 421
        form = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0"}
        assert server.ask("POST", f"{root}audits", {**form, "Origin": "http://audit.example.org"}).status == 403
        assert server.ask("POST", f"{root}audits", {**form, "Origin": "https://audit.example.org"}).status == 303


def test_elsewhere_without_tls_every_page_says_so(folder):
    with pretend_server(folder, listen="0.0.0.0", without_tls=True, host_names=["box.example:80"]) as server:
        assert server.host == "box.example:80"
        port = int(re.search(r":(\d+)", listening_port(server))[1])
        connect_to(server, port)
        server.enter()
        for path in (server.root, f"{server.root}nowhere"):
            assert b"can read every page" in server.ask("GET", path).body
        assert server.ask("GET", server.root, Host=f"127.0.0.1:{port}").status == 200
        assert server.ask("GET", server.root, Host=f"0.0.0.0:{port}").status == 421


def test_a_container_publishes_its_port_on_loopback(folder):
    with pretend_server(folder, listen="0.0.0.0", host_names=["127.0.0.1:8000"]) as server:
        assert server.host == "127.0.0.1:8000"
        connect_to(server, int(re.search(r":(\d+)", listening_port(server))[1]))
        server.enter()
        reply = server.ask("GET", server.root)
        assert reply.status == 200
        assert DATA.encode() in reply.body
        assert b"can read every page" not in reply.body


def connect_to(server, port):
    """Connect to this port, whatever name the server goes by."""
    import socket

    server.connect = lambda: socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def listening_port(server):
    """Where a process listens, as Linux tells: ADDRESS:PORT in decimal."""
    if sys.platform != "linux":
        pytest.skip("asks Linux where the server listens")
    from pathlib import Path

    inodes = set()
    for link in Path(f"/proc/{server.process.pid}/fd").iterdir():
        try:
            inodes |= set(re.findall(r"socket:\[(\d+)\]", str(link.readlink())))
        except OSError:
            continue
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and words[9] in inodes:
            return f":{int(words[1].rpartition(':')[2], 16)}"
    raise AssertionError("it listens nowhere")


def test_the_name_of_the_site_is_random_kept_and_private(tmp_path):
    name = site_name(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{16}", name)
    assert site_name(tmp_path) == name
    assert stat.S_IMODE((tmp_path / "site").stat().st_mode) == 0o600
    (tmp_path / "site").write_text("../../x")
    assert re.fullmatch(r"[0-9a-f]{16}", site_name(tmp_path)), "what is damaged is made anew"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    (tmp_path / "other").mkdir()
    assert site_name(tmp_path / "other") != name
