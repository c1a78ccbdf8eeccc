"""`seethrough open`: what it refuses before it begins, and what it serves then."""

import re
import signal
import subprocess
import sys

import pytest
from running_server import running
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.commands import open as command
from seethrough.cli.main import app

COMMAND = [sys.executable, "-m", "seethrough", "open", "--no-browser"]
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0"}


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "real.csv"
    path.write_text("age,sex\n" + "".join(f"{20 + row % 50},{'FM'[row % 2]}\n" for row in range(200)))
    return path


def open_tool(*words):
    found = CliRunner().invoke(app, ["open", "--no-browser", *map(str, words)])
    return found.exit_code, found.stderr


def test_without_the_extra_it_names_what_to_install(monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert open_tool() == (
        2, "seethrough: the tool in the browser needs further packages: pip install 'seethrough[web]'\n",
    )  # fmt: skip


def test_the_command_needs_no_package_of_the_extra_to_be_listed():
    code = (
        "import sys\n"
        "for name in ('starlette', 'uvicorn', 'h11', 'anyio'): sys.modules[name] = None\n"
        "sys.argv = ['seethrough', 'open', '--help']\n"
        "import seethrough.cli.main as m\n"
        "m.main()"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--without-tls" in found.stdout


@pytest.mark.parametrize(("words", "said"), [
    (["nowhere.csv"], "nowhere.csv cannot be used: No such file or directory"),
    (["--real", "nowhere.csv"], "nowhere.csv cannot be used: No such file or directory"),
    (["--synthetic", "FOLDER"], "FOLDER is a folder, not a table"),
    (["FOLDER"], "FOLDER has no report.json, so it is no folder that `seethrough audit --out` wrote"),
    (["FOLDER", "FOLDER/report.json"], "one audit is opened at a time"),
    (["FOLDER", "--secret", "age"], "names its own tables and columns; give it alone"),
    (["--keep", "--private"], "--keep keeps tables, and --private keeps nothing"),
    (["--limit", "much"], "--limit 'much' is not a size of files such as 2GiB or 512M"),
    (["--memory", "1k"], "is too little"),
    (["--listen", "0.0.0.0"], "--listen 0.0.0.0 needs --behind"),
    (["--host-name", "*"], "is not a name with a port"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_one_sentence(tmp_path, words, said):
    code, error = open_tool(*(word.replace("FOLDER", str(tmp_path)) for word in words))
    assert code == 2
    assert said.replace("FOLDER", str(tmp_path)) in error
    assert error.count("\n") == 1


def test_a_state_folder_that_others_can_read_is_refused(tmp_path, monkeypatch):
    place = tmp_path / "state"
    place.mkdir(mode=0o755)
    place.chmod(0o755)
    monkeypatch.setenv("SEETHROUGH_STATE", str(place))
    code, error = open_tool()
    assert code == 2
    assert str(place) in error


def test_it_serves_and_ends_by_ctrl_c_with_nothing_left(state, table):
    with running(state, [*COMMAND, str(table)], {"SEETHROUGH_STATE": str(state)}) as server:
        server.enter()
        assert server.ask("GET", server.root).status == 200
        modes = {path.relative_to(state): path.stat().st_mode & 0o777 for path in [state, *state.rglob("*")]}
        assert not [path for path, mode in modes.items() if mode & 0o077]
        reply = server.ask("POST", f"{server.root}audits", {**FORM, "Origin": server.origin})
        assert reply.status == 303
        assert reply.headers["location"].startswith(f"{server.root}a/")
        rest = server.end(signal.SIGINT)
    assert server.process.returncode == 0
    assert "Seethrough has ended (Ctrl-C)." in rest
    assert not list(state.rglob("*.csv")) + list(state.rglob("real-*"))


def test_a_signal_ends_it_with_its_code(state):
    with running(state, COMMAND, {"SEETHROUGH_STATE": str(state)}) as server:
        rest = server.end(signal.SIGTERM)
    assert server.process.returncode == 128 + signal.SIGTERM
    assert "Seethrough has ended (SIGTERM)." in rest


UPLOADS = {
    "a program": (b"\x7fELF\x02\x01\x01" + b"\0" * 100, 415), "a pickle": (b"\x80\x04\x95\x10\0\0\0" + b"x" * 100, 415),
    "a page": (b"<!DOCTYPE html><html><script>alert(1)</script>", 415),
    "a zip": (b"PK\x03\x04\x14\0" + b"\0" * 100, 415),
    "a table": (b"age,sex\n1,F\n2,M\n", 200), "nothing": (b"", 415),
}  # fmt: skip


def test_uploads_are_known_by_their_content_and_named_by_us(state):
    """Names are labels: whatever a file is called, it is stored by its role and number."""
    with running(state, COMMAND, {"SEETHROUGH_STATE": str(state)}) as server:
        server.enter()
        audit = server.ask("POST", f"{server.root}audits", {**FORM, "Origin": server.origin}).headers["location"]
        put = {"Origin": server.origin, "Content-Type": "application/octet-stream"}
        for kind, (content, status) in UPLOADS.items():
            told = {**put, "Content-Length": str(len(content))}
            reply = server.ask("PUT", f"{audit}files/real/0", told, content)
            assert reply.status == status, kind
            if status == 415:
                assert re.search(r"<p[^>]*>[^<]{20,}", reply.body.decode()), "a sentence says what is taken"
        content = UPLOADS["a table"][0]
        for name in (
            "..%2F..%2Fx",
            "CON",
            "a%00b",
            "a" * 4000,
            "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
            "%E2%80%AEvsc.x",
        ):
            told = {**put, "Content-Length": str(len(content)), "Seethrough-Label": name}
            assert server.ask("PUT", f"{audit}files/real/0", told, content).status == 200
            stored = [path.name for path in state.rglob("*") if path.is_file() and path.read_bytes() == content]
            assert stored == ["real-0"]
        page = server.ask("GET", f"{audit}files").body
        assert b"<script>alert" not in page
        for path in ("files/real/-1", "files/real/1", "files/other/0", "files/real/x"):
            reply = server.ask("PUT", audit + path, {**put, "Content-Length": "3"}, b"a\n1")
            assert reply.status == 404, path


def test_an_id_of_another_audit_or_check_or_row_is_not_found(state):
    with running(state, COMMAND, {"SEETHROUGH_STATE": str(state)}) as server:
        server.enter()
        audit = server.ask("POST", f"{server.root}audits", {**FORM, "Origin": server.origin}).headers["location"]
        assert server.ask("GET", f"{server.root}a/{'0' * 16}/files").status == 404
        for path in ("nowhere", "take/nothing", "take/report-html", "static/x"):
            assert server.ask("GET", audit + path).status == 404, path


SCRIPT = """
import sys
from seethrough.web.house import House
from seethrough.web.listening.addresses import choose_place
from seethrough.web.rooms import Wishes
from seethrough.web.serving import Manner, serve
import asyncio
say = lambda line: print(line, flush=True)
serve(House, Wishes(), choose_place("", 0, "", ()), Manner(say, lambda line: None, opens_browser=False))
say("loaded " + " ".join(sorted({"numpy", "polars", "scipy", "pandas", "narwhals", "sklearn"} & set(sys.modules))))
say("ours " + " ".join(sorted(name for name in sys.modules if name.startswith("seethrough."))))
"""


def test_the_server_process_knows_neither_tables_nor_numbers(state):
    """After pages of the server and of a worker, and an upload."""
    with running(state, [sys.executable, "-c", SCRIPT], {"SEETHROUGH_STATE": str(state)}) as server:
        server.enter()
        audit = server.ask("POST", f"{server.root}audits", {**FORM, "Origin": server.origin}).headers["location"]
        content = UPLOADS["a table"][0]
        told = {
            "Origin": server.origin,
            "Content-Type": "application/octet-stream",
            "Content-Length": str(len(content)),
        }
        assert server.ask("PUT", f"{audit}files/real/0", told, content).status == 200
        assert server.ask("GET", f"{audit}files").status == 200
        heavy, ours = server.end().splitlines()[-2:]
    assert heavy == "loaded "
    rooms = {name.split(".")[1] for name in ours.split()[1:]}
    assert rooms <= {"web", "system", "text", "errors"}


def test_an_audit_of_the_command_line_is_opened(state, tmp_path):
    release = st.samples.acs_release()
    folder = tmp_path / "audit"
    report = st.audit(release.real[:120], release.synthetic[:120], release.holdout[:120], checks="crp", preset="fast")
    report.save(folder)
    with running(state, [*COMMAND, str(folder)], {"SEETHROUGH_STATE": str(state)}) as server:
        page = server.ask("GET", server.door)
        to = re.search(r"url=([^\"]+)", page.body.decode())[1]
        assert re.fullmatch(r"/s-[0-9a-f]{16}/a/[a-z0-9-]+/", to)
        server.cookie = page.headers["set-cookie"].partition(";")[0]
        assert server.ask("GET", to).status in (200, 303)


def test_two_servers_of_one_user_do_not_disturb_each_other(state):
    with (
        running(state, COMMAND, {"SEETHROUGH_STATE": str(state)}) as first,
        running(state, COMMAND, {"SEETHROUGH_STATE": str(state)}) as second,
    ):
        first.enter(), second.enter()
        audit = first.ask("POST", f"{first.root}audits", {**FORM, "Origin": first.origin}).headers["location"]
        assert first.ask("GET", audit).status in (200, 303)
        assert second.ask("GET", audit).status in (200, 303, 404, 409)
        assert second.ask("GET", second.root).status == 200
        first.end(signal.SIGINT)
        assert second.ask("GET", second.root).status == 200
