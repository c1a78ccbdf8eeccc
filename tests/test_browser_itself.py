"""The browser of the tests sees what it has to see: requests, errors, dialogs, files dropped or chosen, keys."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser import Browser, needs_browser

pytestmark = needs_browser

PAGE = """<!DOCTYPE html><title>a page</title><link rel="icon" href="data:,">
<input id="choose" type="file" multiple><div id="zone" style="width:200px;height:100px">drop here</div><input id="word">
<script>
const zone = document.getElementById('zone'), said = [];
document.getElementById('choose').onchange = event => said.push(...[...event.target.files].map(each => each.name));
zone.ondragover = event => event.preventDefault();
zone.ondrop = async event => {
  event.preventDefault();
  for (const each of event.dataTransfer.files) said.push(each.name + ': ' + await each.text());
};
document.onkeydown = event => said.push((event.shiftKey ? 'shift ' : '') + event.key);
</script>"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as opened:
        yield opened


@pytest.fixture
def origin() -> Iterator[str]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.encode() if self.path == "/" else b"")

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_files_are_dropped_and_chosen(browser: Browser, origin: str, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("a,b")
    (tmp_path / "two.csv").write_text("c")
    browser.open(origin)
    browser.drop_files("#zone", [tmp_path / "one.csv", tmp_path / "two.csv"])
    assert browser.until("said.length == 2 && said") == ["one.csv: a,b", "two.csv: c"]
    browser.choose_files("#choose", [tmp_path / "two.csv"])
    assert browser.until("said.length == 3 && said")[2] == "two.csv"


def test_keys_have_their_names_and_tab_moves_the_focus(browser: Browser, origin: str) -> None:
    browser.open(origin)
    browser.press("Tab", times=2)
    assert browser.see("document.activeElement.id") == "word"
    browser.type("nurse")
    browser.press("Tab", shift=True)
    assert browser.see("[document.activeElement.id, document.getElementById('word').value]") == ["choose", "nurse"]
    browser.press("j")
    assert browser.see("said") == ["Tab", "Tab", "shift Tab", "j"]


def test_requests_errors_dialogs_and_weight_are_remembered(browser: Browser, origin: str) -> None:
    browser.open(origin)
    assert browser.requests_elsewhere(origin) == []
    assert browser.errors == []
    assert len(PAGE) < browser.weight < len(PAGE) + 500
    browser.see("alert('hello')")
    browser.see("setTimeout(() => { throw new Error('odd') }); console.error('bad'); fetch('/absent')")
    browser.see("fetch('http://127.0.0.1:9/x').catch(() => 0)")
    browser.settle()
    assert browser.dialogs == ["hello"]
    assert all(any(word in error for error in browser.errors) for word in ("odd", "bad", "404"))
    assert [request.url for request in browser.requests_elsewhere(origin)] == ["http://127.0.0.1:9/x"]


def test_circumstances_change(browser: Browser, origin: str) -> None:
    browser.resize(390, 800)
    browser.prefer(color_scheme="dark", reduced_motion="reduce")
    browser.open(origin)
    assert browser.see("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [390, True]
    assert browser.see("matchMedia('(prefers-reduced-motion: reduce)').matches")
    browser.on_paper()
    assert browser.see("matchMedia('print').matches && matchMedia('(prefers-color-scheme: dark)').matches")
    browser.switch_network(on=False)
    assert browser.see("fetch('/').then(() => 'there', () => 'gone')") == "gone"
    browser.switch_network(on=True)
    assert browser.see("fetch('/').then(() => 'there', () => 'gone')") == "there"
    browser.switch_scripts(on=False)
    browser.open(origin)
    assert browser.see("typeof said") == "undefined"


def test_a_second_tab_has_its_own_log(browser: Browser, origin: str) -> None:
    other = browser.another_tab()
    other.open(origin)
    assert browser.requests == []
    assert [request.url for request in other.requests] == [origin]
    other.close()
