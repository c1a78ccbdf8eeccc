"""The socket and its connections: what uvicorn is told, and the answers that it would give by itself.

A request that is no HTTP gets the same headers as any other answer, and a connection that does not say in a while what
it wants ends: uvicorn would wait for ever, and a few dozen of them would keep the user out.
"""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from seethrough.errors import ConfigError
from seethrough.web.guard.answers import all_headers, plain_page
from seethrough.web.guard.guard import LONGEST_HEAD
from seethrough.web.guard.requests import Application
from seethrough.web.listening.addresses import ListeningPlace
from seethrough.web.request_log import RequestLog

CONNECTIONS = 64
"""From so many open connections on, the next request is turned away."""
HEAD_SECONDS = 15.0
"""Seconds that a connection may take to say what it wants."""
END_SECONDS = 2
"""Seconds that open streams have at the end."""


def open_socket(place: ListeningPlace) -> socket.socket:
    """Listen; from then on a browser that connects waits for the server."""
    family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Not SO_REUSEADDR on Windows: there it would let others take the port as well.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((place.address, place.port))
        listening.listen(2 * CONNECTIONS)
    except OSError as error:
        listening.close()
        where = f"port {place.port} of {place.address}" if place.port else place.address
        raise ConfigError(f"{where} cannot be listened on: {error.strerror or 'the system refuses it'}") from error
    return listening


class ToolProtocol(H11Protocol):
    """One connection: it ends where it does not speak HTTP, or says nothing."""

    log: ClassVar[RequestLog]
    patience: ClassVar[float] = HEAD_SECONDS
    _giving_up: asyncio.TimerHandle | None = None
    _has_begun = False
    """Whether a request has begun that is not whole yet; browsers open connections ahead and leave them silent."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take bytes in; once they are a request, it may take its time."""
        super().data_received(data)
        self._has_begun = self._is_waiting()
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, with all headers, and end the connection."""
        self.log.note_refusal("http", 400)
        page = plain_page(400)
        said = [(b"content-type", b"text/html; charset=utf-8"), (b"connection", b"close")]
        try:
            for event in (
                h11.Response(status_code=400, headers=all_headers(said), reason=b"Bad Request"),
                h11.Data(data=page),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # an answer has begun already
            pass
        self.transport.close()

    def _wait_for_head(self) -> None:
        if not self._is_waiting() or self.transport.is_closing():
            self._stop_waiting()
        elif self._giving_up is None:
            self._giving_up = self.loop.call_later(self.patience, self._give_up)

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _stop_waiting(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None

    def _give_up(self) -> None:
        self._giving_up = None
        if self._is_waiting():
            if self._has_begun:
                self.log.note_refusal("silence", 408)
            self.transport.close()


class ToolServer(uvicorn.Server):
    """A server whose signals are handled by who runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    def is_full(self) -> bool:
        """Tell whether so many connections are open that the next request is turned away."""
        return len(self.server_state.connections) >= CONNECTIONS


def make_server(app: Application, log: RequestLog) -> ToolServer:
    """Configure uvicorn: HTTP/1.1 by h11 and nothing else, no word of its own, an end within seconds."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = True
    protocol: Any = type("LoggedProtocol", (ToolProtocol,), {"log": log})
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        proxy_headers=False,
        access_log=False,
        server_header=False,
        log_config=None,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_graceful_shutdown=END_SECONDS,
    )
    return ToolServer(config)
