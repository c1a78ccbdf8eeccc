"""Calls an ASGI application without a server: one request, one reply."""

import asyncio
from dataclasses import dataclass, field

PATIENCE = 10.0


@dataclass
class Reply:
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    events: list[str] = field(default_factory=list)

    def header(self, name):
        """All values of a header, joined; None where there is none."""
        found = [value.decode("latin-1") for each, value in self.headers if each.decode().lower() == name.lower()]
        return ", ".join(found) if found else None


def call(app, method="GET", path="/", headers=(), body=b"", *, query=b"", kind="http", pieces=None):
    """Send one request; `headers` are pairs of texts, `pieces` a body in parts of which None never comes."""
    reply, left = Reply(), list(pieces if pieces is not None else [body])
    scope = {"type": kind, "method": method, "path": path, "raw_path": path.encode(), "query_string": query}
    scope |= {"http_version": "1.1", "scheme": "http", "root_path": "", "server": ("127.0.0.1", 1), "client": None}
    scope["headers"] = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

    async def receive():
        if not left or left[0] is None:
            await asyncio.sleep(PATIENCE)
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(event):
        reply.events.append(event["type"])
        if event["type"] == "http.response.start":
            reply.status, reply.headers = event["status"], list(event["headers"])
        reply.body += event.get("body", b"")

    asyncio.run(asyncio.wait_for(app(scope, receive, send), PATIENCE))
    return reply
