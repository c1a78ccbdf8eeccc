"""Damage: bytes changed, cut, repeated, exchanged, or of another file."""

from random import Random

_ODD = (
    b"",
    b"\x00",
    b"\xff",
    b"PAR1",
    b"ARROW1",
    b"\x1f\x8b",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b'"',
    b"\n",
    b"\r",
    b",",
    b"{",
    b"[",
)
_ODD += (b"NaN", b"1e999", b"\xed\xa0\x80", b"\xff\xff\xff\x7f", b"SQLite format 3\x00", b"null", b"\x00" * 64, b"-1")


def damage(rng: Random, content: bytes, other: bytes) -> bytes:
    """Damage a file once or a few times; `other` is a file of another kind."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 10))):
        content = _hurt(rng, content, other)
    return content


def _hurt(rng: Random, content: bytes, other: bytes) -> bytes:
    size = len(content)
    at, to = sorted((rng.randrange(size + 1), rng.randrange(size + 1)))
    odd = rng.choice(_ODD)
    ways = {
        "bits": _flip(rng, content, 0),
        "more bits": _flip(rng, content, 0),
        "bits at the end": _flip(rng, content, max(0, size - rng.randint(1, 64))),
        "bits at the beginning": _flip(rng, content[:64], 0) + content[64:],
        "cut": content[:at],
        "zeros": content[:at] + bytes(to - at) + content[to:],
        "gone": content[:at] + content[min(to, at + 40) :],
        "twice": content[:to] + content[at:],
        "odd": content[:at] + odd + content[at:],
        "of another file": content[:at] + other[at:],
        "exchanged": content[to:] + content[:to],
        "another head": odd + content[len(odd) :],
    }
    return ways[rng.choice(list(ways))]


def _flip(rng: Random, content: bytes, first: int) -> bytes:
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 4, 20))):
        if len(found) > first:
            found[rng.randrange(first, len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)
