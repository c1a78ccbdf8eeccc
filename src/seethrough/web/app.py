"""The routes of the tool, one list; handlers pass on what workers render, and look nothing up by a path.

Parameters are `[a-z0-9-]{1,40}`, and addresses carry ids and numbers alone. What is not in the list is not there: the
guard is told of the same list, and refuses other methods, longer bodies and other kinds of them before they are read.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse

from seethrough.web.guard.answers import DOWNLOAD_POLICY, FOR_EVER, plain_page
from seethrough.web.guard.guard import RouteRule
from seethrough.web.guard.requests import DOOR, Receive, Scope, Send
from seethrough.web.listening.door import entrance_page
from seethrough.web.messages import Asked
from seethrough.web.rendering import ended_page, start_page, static_files
from seethrough.web.visits import NOTHING_HERE, BadRequest, Tool, Visit

FORM = "application/x-www-form-urlencoded"
BYTES = "application/octet-stream"
LONGEST_FORM = 256 << 10
_LONGEST_LABEL = 200
_PARAMETER = re.compile(r"\{([a-z]+)\}")
_TAB = re.compile(r"[a-z0-9-]{1,40}")
_NUMBER = re.compile(r"[0-9]{1,15}")

Handler = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True)
class Route:
    """One method of one path: who answers, and how many bytes of which kind it takes; `limit` None is the tool's."""

    method: str
    path: str
    handler: Handler
    limit: int | None = 0
    content_type: str = ""


async def enter(visit: Visit) -> Response:
    """Let a browser in that brings the token, and give it the cookie."""
    headers, tool = visit.request.headers, visit.tool
    query: bytes = visit.request.scope["query_string"]
    if not tool.door.lets_in(query, headers.get("sec-fetch-dest"), headers.get("sec-purpose")):
        return HTMLResponse(plain_page(403), 403)
    answer = HTMLResponse(entrance_page(tool.root + visit.rooms.opening()))
    secure = "; Secure" if tool.names.cookie.startswith("__Secure-") else ""
    cookie = f"{tool.names.cookie}={tool.names.secret}; HttpOnly; SameSite=Strict; Path={tool.root}{secure}"
    answer.raw_headers.append((b"set-cookie", cookie.encode("ascii")))
    return answer


async def start(visit: Visit) -> Response:
    """Show the audits on this machine."""
    wishes = visit.tool.wishes
    return HTMLResponse(start_page(visit.rooms.listing(), is_private=wishes.is_private, warning=wishes.warning))


async def create(visit: Visit) -> Response:
    """Make a new audit."""
    form = await visit.form()
    return visit.lead_to(f"a/{await visit.rooms.create(sample=form.get('with') == ('sample',))}/")


async def end(visit: Visit) -> Response:
    """End the server."""
    await visit.form()
    visit.tool.end()
    kept = "all results are" if visit.tool.wishes.is_private else "tables that were not to be kept are"
    return HTMLResponse(ended_page(f"The tool is ending, and {kept} removed.", visit.tool.root))


async def static(visit: Visit) -> Response:
    """Give one of the files that pages load, by its name with the digest."""
    file = static_files().get(visit.path["name"])
    if file is None:
        return visit.respond(NOTHING_HERE)
    return Response(file.content, media_type=file.content_type, headers={"cache-control": FOR_EVER})


def page(name: str) -> Handler:
    """Make the handler of a page that the worker of an audit renders."""

    async def ask(visit: Visit) -> Response:
        form = await visit.form() if visit.request.method == "POST" else None
        tab = visit.header("seethrough-tab")
        given = {key: value for key, value in visit.path.items() if key != "audit"}
        asked = Asked(name, given, visit.query(), form, tab if _TAB.fullmatch(tab) else "")
        return visit.respond(await visit.rooms.ask(visit.audit, asked))

    return ask


async def upload(visit: Visit) -> Response:
    """Store a file as it arrives."""
    label = unquote(visit.header("seethrough-label"), errors="replace")[:_LONGEST_LABEL]
    length, place = int(visit.header("content-length")), (visit.path["role"], visit.path["n"])
    return visit.respond(await visit.rooms.receive(visit.audit, place, label, length, visit.pieces()))


async def run(visit: Visit) -> Response:
    """Begin a run."""
    return visit.respond(await visit.rooms.run(visit.audit, await visit.form()))


async def cancel(visit: Visit) -> Response:
    """Stop a run."""
    await visit.form()
    return visit.respond(await visit.rooms.cancel(visit.audit))


async def events(visit: Visit) -> Response:
    """Tell what happens in an audit, from the event on that the browser has seen last."""
    seen = visit.header("last-event-id")
    stream = visit.rooms.follow(visit.audit, int(seen) if _NUMBER.fullmatch(seen) else 0)
    if stream is None:
        return visit.say(503, "This audit is open in too many tabs; close one.")
    return StreamingResponse(stream, media_type="text/event-stream")


async def take(visit: Visit) -> Response:
    """Give a file to be taken away; never as a page of this origin."""
    file = await visit.rooms.download(visit.audit, visit.path["name"])
    if file is None:
        return visit.respond(NOTHING_HERE)
    policy = {"content-security-policy": DOWNLOAD_POLICY}
    return FileResponse(file, filename=file.name, media_type=BYTES, headers=policy)


def manage(what: str) -> Handler:
    """Make the handler of what is done with an audit as a whole."""

    async def do(visit: Visit) -> Response:
        return visit.respond(await visit.rooms.manage(visit.audit, what, await visit.form()))

    return do


def _get(path: str, name: str) -> Route:
    return Route("GET", f"a/{{audit}}/{path}", page(name))


def _post(path: str, handler: Handler) -> Route:
    return Route("POST", f"a/{{audit}}/{path}", handler, LONGEST_FORM, FORM)


ROUTES: tuple[Route, ...] = (
    Route("GET", DOOR, enter),
    Route("GET", "", start),
    Route("POST", "audits", create, LONGEST_FORM, FORM),
    Route("POST", "end", end, LONGEST_FORM, FORM),
    Route("GET", "static/{name}", static),
    _get("", "index"),
    _get("files", "files"),
    Route("PUT", "a/{audit}/files/{role}/{n}", upload, None, BYTES),
    _post("files/{role}/{n}", page("files")),
    _get("columns", "columns"),
    _post("columns", page("columns")),
    _get("question", "question"),
    _post("question", page("question")),
    _get("run", "run"),
    _post("run", run),
    Route("GET", "a/{audit}/events", events),
    _post("cancel", cancel),
    _get("verdict", "verdict"),
    _get("scores", "scores"),
    _get("checks/{name}", "checks"),
    _get("person", "person"),
    _post("person", page("person")),
    _get("attacker", "attacker"),
    _post("attacker", page("attacker")),
    _get("people", "people"),
    _get("columns/{number}", "column"),
    _get("groups", "groups"),
    _get("map", "map"),
    _get("compare", "compare"),
    _get("whatif", "whatif"),
    _post("whatif", page("whatif")),
    _get("take", "take"),
    Route("GET", "a/{audit}/take/{name}", take),
    _post("hide", page("hide")),
    *(_post(what, manage(what)) for what in ("name", "keep", "forget", "delete")),
)


class Routing:
    """Finds the route of a path; made once for a site."""

    def __init__(self, site: str, limit: int) -> None:
        self._limit = limit
        self._patterns = [(_pattern(site, route.path), route) for route in ROUTES]

    def find(self, path: str) -> dict[str, tuple[Route, dict[str, str]]]:
        """Give the routes of a path by their method, with its parameters."""
        found = ((route, pattern.fullmatch(path)) for pattern, route in self._patterns)
        return {route.method: (route, match.groupdict()) for route, match in found if match}

    def rules(self, path: str) -> dict[str, RouteRule]:
        """Give what each method of a path takes, for the guard."""
        routes = (route for route, _ in self.find(path).values())
        return {route.method: self._rule(route) for route in routes}

    def _rule(self, route: Route) -> RouteRule:
        limit = self._limit if route.limit is None else route.limit
        return RouteRule(
            _PARAMETER.sub(lambda found: found[1].upper(), route.path) or "start", limit, route.content_type
        )


def _pattern(site: str, path: str) -> re.Pattern[str]:
    whole = path if path.startswith("/") else f"/s-{site}/{path}"
    return re.compile(_PARAMETER.sub(r"(?P<\1>[a-z0-9-]{1,40})", whole))


class App:
    """The application behind the guard."""

    def __init__(self, tool: Tool, routing: Routing) -> None:
        self._tool, self._routing = tool, routing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that the guard let through."""
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        route, path = self._routing.find(request.scope["path"]).get(request.method, (None, {}))
        visit = Visit(self._tool, request, path)
        if route is None or ("audit" in path and not self._tool.rooms.holds(path["audit"])):
            return visit.respond(NOTHING_HERE)
        try:
            return await route.handler(visit)
        except (BadRequest, ClientDisconnect):
            return visit.say(400, "This request is not one that a page of the tool makes.")
