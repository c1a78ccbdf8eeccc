"""One request behind the guard: what it brings, and how it is answered."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from seethrough.web.guard.guard import Names
from seethrough.web.listening.door import Door
from seethrough.web.messages import Answer
from seethrough.web.rendering import error_page
from seethrough.web.rooms import Form, Rooms, Wishes

MOST_FIELDS = 5_000
MOST_QUERIES = 50
NOTHING_HERE = Answer(404, said="There is no such page.")
"""The same for an audit that is not there and a page that is not there."""
_TITLES = {
    403: "No way in",
    404: "Not found",
    409: "Not now",
    413: "Too large",
    415: "Cannot be read",
    507: "Disk full",
}


class BadRequest(Exception):
    """A form or a query that no page of ours makes."""


@dataclass(frozen=True)
class Tool:
    """What requests are answered with: the audits, the way in, where pages live, and how all ends."""

    rooms: Rooms
    door: Door
    names: Names
    site: str
    wishes: Wishes
    end: Callable[[], None]

    @property
    def root(self) -> str:
        """Give the path under which all pages live."""
        return f"/s-{self.site}/"


@dataclass(frozen=True)
class Visit:
    """A request, and the parameters of its path."""

    tool: Tool
    request: Request
    path: Mapping[str, str]

    @property
    def rooms(self) -> Rooms:
        """Give the audits."""
        return self.tool.rooms

    @property
    def audit(self) -> str:
        """Give the id of the audit that it is about."""
        return self.path["audit"]

    def header(self, name: str) -> str:
        """Give a header, empty where it is missing."""
        return self.request.headers.get(name, "")

    async def form(self) -> Form:
        """Read what was posted; the guard has seen to its length and kind."""
        found: dict[str, list[str]] = {}
        for name, value in _fields(await self.request.body(), MOST_FIELDS):
            found.setdefault(name, []).append(value)
        return {name: tuple(values) for name, values in found.items()}

    def query(self) -> dict[str, str]:
        """Read what stands in the address; of two that are named alike the first counts."""
        return dict(reversed(_fields(self.request.scope["query_string"], MOST_QUERIES)))

    async def pieces(self) -> AsyncIterator[bytes]:
        """Give the body as it arrives."""
        async for piece in self.request.stream():
            if piece:
                yield piece

    def respond(self, answer: Answer) -> Response:
        """Pass an answer on: a page, the address of another, or a sentence in a page of the server's."""
        if answer.to and answer.status == 303:
            is_outside = answer.to.startswith("../../")
            return self.lead_to(answer.to.removeprefix("../../") if is_outside else f"a/{self.audit}/{answer.to}")
        if answer.html or not answer.said:
            return HTMLResponse(answer.html, answer.status)
        return self.say(answer.status, answer.said, f"a/{self.audit}/{answer.to}" if answer.to else "")

    def lead_to(self, page: str) -> Response:
        """Send the browser to another page."""
        return RedirectResponse(self.tool.root + page, 303)

    def say(self, status: int, said: str, run: str = "") -> Response:
        """Answer in a sentence, with a link to the run that is at fault."""
        title, root = _TITLES.get(status, "This cannot be done") if status >= 400 else "Done", self.tool.root
        return HTMLResponse(error_page(said, title, root, self.tool.wishes.warning, run and root + run), status)


def _fields(content: bytes, most: int) -> list[tuple[str, str]]:
    try:
        return parse_qsl(content.decode("ascii"), keep_blank_values=True, max_num_fields=most, errors="strict")
    except ValueError:
        raise BadRequest from None
