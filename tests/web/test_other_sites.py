"""Pages of other sites in the same browser: they see nothing of the tool, change nothing in it, and get no cookie."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import Browser, needs_browser
from pretend_rooms import AUDIT, DATA
from running_server import pretend_server

pytestmark = needs_browser
PAGE = """<!doctype html><title>other</title><p id="out"></p>
<img id="image" src="{tool}take/report-html"><iframe name="frame" src="{tool}"></iframe>
<script src="{tool}verdict"></script><link rel="stylesheet" href="{tool}verdict">
<link rel="prefetch" href="{tool}people">
<form id="form" method="post" action="{tool}delete" target="frame"><input name="a" value="b"></form>
<form id="plain" method="post" action="{tool}delete" target="frame" enctype="text/plain">
<input name="a" value="b"></form>
<script>
const said = []
const tell = (what) => {{ said.push(what); document.getElementById("out").textContent = said.join("\\n") }}
document.getElementById("form").submit()
setTimeout(() => document.getElementById("plain").submit(), 300)
for (const mode of ["cors", "no-cors"])
  for (const method of ["GET", "POST"])
    fetch("{tool}verdict", {{ mode, method, credentials: "include" }})
      .then(async (answer) => tell(`${{answer.type}} ${{await answer.text()}}`), () => tell("refused"))
fetch("{tool}files/real/0", {{ method: "PUT", credentials: "include", body: "age" }})
  .then(() => tell("put"), () => tell("refused"))
const socket = new WebSocket("{tool}events".replace("http", "ws"))
socket.onopen = () => tell("socket open")
socket.onerror = () => tell("refused")
const events = new EventSource("{tool}events", {{ withCredentials: true }})
events.onmessage = (event) => tell(event.data)
</script>"""


class OtherSite(BaseHTTPRequestHandler):
    """Serves one page, and remembers which cookies it is sent."""

    page, cookies = "", []

    def do_GET(self):
        self.cookies.append(self.headers.get("Cookie") or "")
        body = self.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def other():
    server = ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    OtherSite.cookies = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def answers(server):
    """Lines of the log about requests that were answered."""
    return [line for line in server.log().splitlines() if "refused" not in line]


@pytest.fixture
def visit(tmp_path):
    """A browser that has followed the link from a file, as the command has it do."""
    (tmp_path / "profile").mkdir()
    with pretend_server(tmp_path / "state") as server, Browser(tmp_path / "profile") as browser:
        start = tmp_path / "start.html"
        start.write_text(f'<meta http-equiv="refresh" content="0; url={server.link}">')
        browser.open(start)
        browser.until("location.pathname.startsWith('/s-') && document.title.includes('Seethrough')")
        yield server, browser


def test_the_link_leads_from_a_file_to_the_tool_and_stays_open(visit):
    server, browser = visit
    browser.open(browser.see("location.href"))
    assert "403" not in browser.text()
    assert DATA in browser.text()
    assert browser.errors == []
    assert browser.requests_elsewhere(server.origin, "file:") == []
    assert not [request for request in browser.requests if request.url.endswith("favicon.ico")]
    assert browser.see("document.cookie") == "", "scripts cannot read it"


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_on_another_port_gets_nothing(visit, other, name):
    server, browser = visit
    tool = f"{server.origin}{browser.see('location.pathname')}a/{AUDIT}/"
    OtherSite.page = PAGE.format(tool=tool)
    browser.settle()
    before = answers(server)
    tab = browser.another_tab()
    tab.open(f"http://{name}:{other}/")
    tab.until("document.getElementById('out').textContent.split('\\n').length >= 6", "everything was tried")
    tab.settle(1.0)
    said = tab.text("#out")
    assert set(said.split()) == {"refused"}
    assert tab.see("document.getElementById('image').naturalWidth") == 0
    assert answers(server) == before, "nothing was answered"
    assert set(OtherSite.cookies) == {""}, "the tool's cookie was sent nowhere else"
    # The tool still works, and a link to it from elsewhere brings no cookie along.
    assert server.log().count("refused") >= 1
    tab.see(f"location.assign('{tool}verdict')")
    time.sleep(0.5)
    tab.settle(1.0)
    assert DATA not in tab.text()
    browser.open(browser.see("location.href"))
    assert DATA in browser.text()
