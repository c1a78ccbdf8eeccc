"""Messages between the server and a worker: length-prefixed JSON, never anything that could be run.

Four bytes, big-endian, say how many bytes of UTF-8 JSON follow, at most `LARGEST`. The server sends questions
(`"page"`) and commands (`"do"`), each with a number `"n"`; the worker sends the answer under the same number, and
events (`"event"`) without one. Larger things are written to the folder of the audit instead.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

LARGEST = 8 << 20
"""Bytes of a message."""
PREFIX = 4
"""Bytes that say how long a message is."""
NO_WORDS: Mapping[str, str] = {}

Message = dict[str, Any]
"""One message as JSON has it."""


class MessageRefused(ValueError):
    """A message is too large, or not what was agreed."""


@dataclass(frozen=True)
class Asked:
    """A question about a page: what stands in the address, what was posted, and the tab that asks.

    `form` is None for GET; a field may stand there several times.
    """

    page: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, tuple[str, ...]] | None = None
    tab: str = ""

    def first(self, name: str, otherwise: str = "") -> str:
        """Give the first value of a field that was posted."""
        return next(iter((self.form or {}).get(name, ())), otherwise)

    def all(self, name: str) -> tuple[str, ...]:
        """Give all values of a field that was posted."""
        return (self.form or {}).get(name, ())


@dataclass(frozen=True)
class Answer:
    """What is answered: a page, the address of another relative to `a/ID/`, or one sentence that the server shows."""

    status: int
    html: str = ""
    to: str = ""
    said: str = ""


def redirect(to: str) -> Answer:
    """Send the browser to another page of the audit."""
    return Answer(303, to=to)


def not_found(said: str) -> Answer:
    """Say that there is no such thing."""
    return Answer(404, said=said)


def conflict(said: str) -> Answer:
    """Say what stands against a change."""
    return Answer(409, said=said)


def pack_message(message: Mapping[str, Any]) -> bytes:
    """Write a message with its length before it."""
    content = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    if len(content) > LARGEST:
        raise MessageRefused(f"a message of {len(content):,} bytes is larger than {LARGEST:,}")
    return len(content).to_bytes(PREFIX, "big") + content


def message_length(prefix: bytes) -> int:
    """Read how many bytes follow."""
    length = int.from_bytes(prefix, "big")
    if length > LARGEST:
        raise MessageRefused(f"a message of {length:,} bytes is larger than {LARGEST:,}")
    return length


def unpack_message(content: bytes) -> Message:
    """Read what follows the length."""
    try:
        message = json.loads(content)
    except ValueError as error:
        raise MessageRefused("a message is not JSON") from error
    if not isinstance(message, dict):
        raise MessageRefused("a message is not an object")
    return message


def read_message(stream: BinaryIO) -> Message | None:
    """Read the next message; None where the stream has ended, be it in the middle of one."""
    prefix = stream.read(PREFIX)
    if len(prefix) < PREFIX:
        return None
    length = message_length(prefix)
    content = stream.read(length)
    return unpack_message(content) if len(content) == length else None


def question(number: int, asked: Asked) -> Message:
    """Make the message that asks for a page."""
    form = None if asked.form is None else {name: list(values) for name, values in asked.form.items()}
    return {
        "n": number,
        "page": asked.page,
        "path": dict(asked.path),
        "query": dict(asked.query),
        "form": form,
        "put": None,
        "tab": asked.tab,
    }


def read_question(message: Message) -> Asked:
    """Read what is asked."""
    form = message.get("form")
    posted = None if form is None else {str(name): tuple(map(str, values)) for name, values in form.items()}
    return Asked(
        str(message["page"]), message.get("path") or {}, message.get("query") or {}, posted, message.get("tab") or ""
    )


def reply(number: int, answer: Answer) -> Message:
    """Make the message that answers."""
    told = {name: value for name, value in vars(answer).items() if value != ""}
    return {"n": number, **told}


def read_reply(message: Message) -> Answer:
    """Read what is answered."""
    words = {name: str(message.get(name, "")) for name in ("html", "to", "said")}
    return Answer(int(message["status"]), **words)
