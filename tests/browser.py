"""The browser that pages are tested in: a Chromium or Chrome of this machine, spoken to through a pipe.

A `Tab` does what a reader does (open, click, type, press keys, choose or drop files, print) and remembers what
happened in it: requests, errors on the console, dialogs, bytes. `Browser` is the program with its first tab. No
package is needed: messages are JSON, each ended by a zero byte. Nothing here is timed; waiting ends after two
minutes, because a test must end.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), NAMES[0])
"""Its path; where there is none a name, so that what is not skipped says what is missing."""
MUST = bool(os.environ.get("SEETHROUGH_NEEDS_BROWSER", "") not in ("", "0") or "CI" in os.environ)
"""Whether tests fail where there is no browser, instead of being skipped."""
needs_browser = pytest.mark.skipif(
    shutil.which(BROWSER) is None and not MUST,
    reason="no Chromium or Chrome is installed to open the tool in",
)
"""Skips where there is no browser, unless one has to be there (`SEETHROUGH_NEEDS_BROWSER=1` or CI): `make browser`."""

PATIENCE = 120.0
KEYS = {
    "Tab": (9, ""),
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    " ": (32, " "),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
    "End": (35, ""),
    "Home": (36, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
}
NAMED = frozenset(
    {"button", "checkbox", "combobox", "dialog", "image", "link", "navigation", "progressbar", "radio", "textbox"}
)
"""Roles that need a name."""
WORDS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=IsolateSandboxedIframes",
    "--remote-debugging-pipe",
)


class PageExchanged(Exception):
    """The page went away before it answered, because another one was opened."""


@dataclass(frozen=True)
class Request:
    """One request that a page made, or tried to make."""

    method: str
    url: str
    kind: str


def errors_in(method: str, words: dict[str, Any]) -> list[str]:
    """What an event says of errors: thrown, written to the console, or noted by the browser itself."""
    match method:
        case "Runtime.exceptionThrown":
            return [json.dumps(words["exceptionDetails"])]
        case "Runtime.consoleAPICalled" if words["type"] in ("error", "assert"):
            return [json.dumps(words["args"])]
        case "Log.entryAdded" if words["entry"]["level"] == "error":
            return [f"{words['entry']['text']} {words['entry'].get('url', '')}"]
    return []


class Program:
    """The browser's process and the pipe to it; what is heard is handed to the tab it belongs to."""

    def __init__(self, folder: Path) -> None:
        (theirs, to), (back, answers) = os.pipe(), os.pipe()
        # The protocol asks for the descriptors 3 and 4; what is put there must not come from there.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs, answers)]
        actions: list[Any] = [(os.POSIX_SPAWN_DUP2, end, place) for place, end in enumerate(ends, start=3)]
        actions += [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
        words = [BROWSER, *WORDS, f"--user-data-dir={folder}"]
        self._process = os.posix_spawn(BROWSER, words, os.environ, file_actions=actions)
        for end in (theirs, answers, *ends):
            os.close(end)
        self._to, self._back = os.fdopen(to, "wb"), os.fdopen(back, "rb", buffering=0)
        self._rest, self._number = b"", 0
        self._answers: dict[int, dict[str, Any]] = {}
        self.tabs: dict[str, Tab] = {}

    def close(self) -> None:
        self.ask("", "Browser.close")
        os.waitpid(self._process, 0)
        self._to.close()
        self._back.close()

    def ask(self, session: str, method: str, **words: object) -> dict[str, Any]:
        number = self.tell(session, method, **words)
        ends = time.monotonic() + PATIENCE
        while number not in self._answers:
            assert self.hear(ends - time.monotonic()), f"no answer to {method}"
        answer = self._answers.pop(number)
        if answer.get("error", {}).get("message") == "Inspected target navigated or closed":
            raise PageExchanged(method)
        assert "error" not in answer, f"{method}: {answer}"
        return dict(answer["result"])

    def tell(self, session: str, method: str, **words: object) -> int:
        """Send a message without waiting for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": words} | ({"sessionId": session} if session else {})
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        return self._number

    def hear(self, seconds: float) -> bool:
        """Take the next message in; `False` where none came in this time."""
        while b"\0" not in self._rest:
            if not select.select([self._back], [], [], max(seconds, 0.0))[0]:
                return False
            more = self._back.read(1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        first, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(first)
        if "id" in message:
            self._answers[message["id"]] = message
        elif message.get("sessionId") in self.tabs:
            self.tabs[message["sessionId"]].happened(message["method"], message["params"])
        return True


class Tab:
    """One page of the browser, and what happened in it since it was opened."""

    def __init__(self, program: Program) -> None:
        self.program = program
        target = program.ask("", "Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        self._session = program.ask("", "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        program.tabs[self._session] = self
        self.requests: list[Request] = []
        self.errors: list[str] = []
        self.dialogs: list[str] = []
        self.weight = 0
        self._loads = 0
        self._media: dict[str, Any] = {"media": "", "features": []}
        for domain in ("Page", "Network", "Runtime", "Log", "DOM"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **words: object) -> dict[str, Any]:
        return self.program.ask(self._session, method, **words)

    def close(self) -> None:
        self.program.ask("", "Target.closeTarget", targetId=self._target)
        del self.program.tabs[self._session]

    # What happens

    def happened(self, method: str, words: dict[str, Any]) -> None:
        """Remember an event of the page."""
        match method:
            case "Network.requestWillBeSent":
                request = words["request"]
                self.requests.append(Request(request["method"], request["url"], words.get("type", "")))
            case "Network.webSocketCreated":
                self.requests.append(Request("GET", words["url"], "WebSocket"))
            case "Network.loadingFinished":
                self.weight += int(words["encodedDataLength"])
            case "Page.loadEventFired":
                self._loads += 1
            case "Page.javascriptDialogOpening":
                self.dialogs.append(words["message"])
                # Answered without waiting: we are inside of what hears.
                self.program.tell(self._session, "Page.handleJavaScriptDialog", accept=True)
            case _:
                self.errors += [said[:500] for said in errors_in(method, words)]

    def requests_elsewhere(self, *origins: str) -> list[Request]:
        """Requests to anywhere but these origins; what a page carries in itself (`data:`, `blob:`) goes nowhere."""
        own = (*origins, "data:", "blob:", "about:")
        return [request for request in self.requests if not request.url.startswith(own)]

    def settle(self, seconds: float = 0.2) -> None:
        """Take in what has happened meanwhile, until nothing came for that long."""
        while self.program.hear(seconds):
            pass

    # Looking

    def open(self, page: Path | str) -> None:
        """Open a file or an address, and wait until it is loaded."""
        before, self.weight = self._loads, 0
        told = self.ask("Page.navigate", url=page.as_uri() if isinstance(page, Path) else page)
        assert "errorText" not in told, f"{page}: {told['errorText']}"
        self.wait_for_load(before)

    def wait_for_load(self, before: int) -> None:
        ends = time.monotonic() + PATIENCE
        while self._loads <= before:
            assert self.program.hear(ends - time.monotonic()), "the page was not loaded"

    def see(self, script: str) -> Any:
        """Evaluate a script on the page; again on the next one if the page went away meanwhile."""
        words = {"expression": script, "returnByValue": True, "awaitPromise": True}
        try:
            told = self.ask("Runtime.evaluate", **words)
        except PageExchanged:
            self.settle(0.2)
            told = self.ask("Runtime.evaluate", **words)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def see_in_frame(self, script: str) -> Any:
        """Look at the first frame of the page, from a world of its own that shares the document alone."""
        [child] = self.ask("Page.getFrameTree")["frameTree"]["childFrames"]
        world = self.ask("Page.createIsolatedWorld", frameId=child["frame"]["id"])["executionContextId"]
        told = self.ask("Runtime.evaluate", expression=script, contextId=world, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def until(self, script: str, said: str = "", seconds: float = PATIENCE) -> Any:
        """Look again and again until the answer is not false; a page that is being exchanged has no answer."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                told = self.program.ask(self._session, "Runtime.evaluate", expression=script, returnByValue=True)
            except PageExchanged:
                continue
            found = told["result"]
            is_there = found["type"] == "object" and found.get("subtype") != "null"  # as an element is
            if "exceptionDetails" not in told and (found.get("value") or is_there):
                return found.get("value")
            time.sleep(0.05)
        text = self.see("document.body ? document.body.innerText.slice(0, 2000) : ''")
        raise AssertionError(f"not seen: {said or script}\n{self.see('location.href')}\n{text}")

    def text(self, selector: str = "body") -> str:
        return str(self.see(f"document.querySelector({json.dumps(selector)}).innerText"))

    def nameless(self) -> list[str]:
        """The roles of what can be used or seen and has no name that a screen reader could say."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        told = [(each["role"]["value"], each.get("name", {}).get("value", "")) for each in nodes if not each["ignored"]]
        return [role for role, name in told if role in NAMED and not name.strip()]

    def picture(self, path: Path, whole: bool = True) -> None:
        """Write what is seen as PNG: the whole page, or the window."""
        found = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        if whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16_000), "scale": 1}
            found = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(found["data"]))

    def pdf(self) -> bytes:
        """The page as it is printed on A4."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True, "printBackground": True}
        return base64.b64decode(self.ask("Page.printToPDF", **paper)["data"])

    # Doing

    def press(self, key: str, times: int = 1, shift: bool = False) -> None:
        """Press a key by its name (`Tab`, `Enter`, `ArrowDown`) or its letter."""
        code, text = KEYS.get(key, (ord(key[0].upper()), key))
        words = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        if len(key) == 1 and key.isalpha():
            words["code"] = f"Key{key.upper()}"
        for _ in range(times):
            self.ask("Input.dispatchKeyEvent", type="keyDown", **words, **({"text": text} if text else {}))
            self.ask("Input.dispatchKeyEvent", type="keyUp", **words)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.ask("Input.insertText", text=text)

    def place_of(self, selector: str) -> tuple[float, float]:
        x, y = self.see(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)});"
            " it.scrollIntoView({block: 'center'});"
            " const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        return float(x), float(y)

    def click(self, selector: str) -> None:
        x, y = self.place_of(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def follow(self, selector: str) -> None:
        """Click and wait until the page that this leads to is loaded."""
        before, self.weight = self._loads, 0
        self.click(selector)
        self.wait_for_load(before)

    def choose_files(self, selector: str, paths: Iterable[Path]) -> None:
        """Choose files in a field for files, as by its button."""
        found = self.ask("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")["result"]
        files = [str(path) for path in paths]
        self.ask("DOM.setFileInputFiles", files=files, objectId=found["objectId"])

    def drop_files(self, selector: str, paths: Iterable[Path]) -> None:
        """Drag files from the desktop onto an element and let them go."""
        x, y = self.place_of(selector)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.ask("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    # Circumstances

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, **features: str) -> None:
        """What the reader prefers: `color_scheme="dark"`, `reduced_motion="reduce"`, `forced_colors="active"`."""
        fixed = {"color_scheme": "prefers-color-scheme", "reduced_motion": "prefers-reduced-motion"}
        named = {fixed.get(name, name.replace("_", "-")): value for name, value in features.items()}
        self._media["features"] = [{"name": name, "value": value} for name, value in named.items()]
        self.ask("Emulation.setEmulatedMedia", **self._media)

    def on_paper(self, printed: bool = True) -> None:
        self._media["media"] = "print" if printed else ""
        self.ask("Emulation.setEmulatedMedia", **self._media)

    def switch_scripts(self, on: bool) -> None:
        self.ask("Emulation.setScriptExecutionDisabled", value=not on)

    def switch_network(self, on: bool) -> None:
        self.ask(
            "Network.emulateNetworkConditions", offline=not on, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )

    def keep_downloads(self, folder: Path) -> None:
        """Downloads go to this folder under the name that they are given."""
        self.program.ask("", "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))


class Browser(Tab):
    """The program with its first tab; it ends with the `with` block."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Program(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.program.close()

    def another_tab(self) -> Tab:
        """A second tab, with the same cookies."""
        return Tab(self.program)
