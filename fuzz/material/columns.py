"""Columns: odd values of every type that a data frame can have.

A kind draws a list of Python values. The state of a column, its levels or its range say, is drawn once, so that
several tables can come from one population.
"""

import datetime as dt
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random
from typing import Any

from fuzz.judging import CANARY

Values = list[Any]
Draw = Callable[[int], Values]
"""Draws so many values of one population."""

TEXTS = (
    "", " ", "a", "A", "a ", "yes", "no", "true", "FALSE", "nan", "None", "NULL", "N/A", "-", "?", "0", "00", "1.0",
    "1e5", "0x1f", "1,5", "1 000", "½", "é", "e\u0301", "名前", "👩‍👩‍👧", "\u202eabc", "line\nbreak", "\x1b[31m",
    "\x00", "<b>", "=1+1", "x" * 400, "ß", "İ", "\u0131", "\ufeff", "2020-01-01", "12:30", "$5", "5%", "inf", "-0",
)  # fmt: skip
FLOATS = (0.0, -0.0, 1.0, 0.1, 1e-300, 5e-324, 1e300, 1.7e308, -1.7e308, 1e99, 1e16, 2.0**53, math.pi, 1e-10)


def whole_numbers(rng: Random) -> Draw:
    """Integers of a small range."""
    low, high = sorted((rng.randint(-5, 100), rng.randint(-5, 100)))
    return lambda n: [rng.randint(low, high) for _ in range(n)]


def large_numbers(rng: Random) -> Draw:
    """Integers near the ends of their types."""
    ends = rng.sample((127, -128, 255, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**62, 0), 4)
    return lambda n: [rng.choice(ends) for _ in range(n)]


def normal_numbers(rng: Random) -> Draw:
    """Continuous numbers."""
    mean, scale = rng.choice((0.0, 50.0, 1e6)), rng.choice((1.0, 15.0, 1e-6))
    return lambda n: [rng.gauss(mean, scale) for _ in range(n)]


def odd_numbers(rng: Random) -> Draw:
    """Draw from a few floats at the edges, infinity and NaN among them in some."""
    found: list[float] = rng.sample(FLOATS, 4) + ([math.inf, -math.inf, math.nan] if rng.random() < 0.3 else [])
    return lambda n: [rng.choice(found) for _ in range(n)]


def spread_numbers(rng: Random) -> Draw:
    """Numbers over many orders of magnitude."""
    most = rng.choice((5, 30, 99, 150, 307))
    return lambda n: [rng.choice((-1, 1)) * 10.0 ** rng.uniform(-most, most) for _ in range(n)]


def mostly_zero(rng: Random) -> Draw:
    """Zeros, and now and then a number."""
    return lambda n: [0 if rng.random() < 0.9 else rng.randint(1, 10**6) for _ in range(n)]


def truth_values(rng: Random) -> Draw:
    """Booleans."""
    share = rng.choice((0.0, 0.02, 0.5, 1.0))
    return lambda n: [rng.random() < share for _ in range(n)]


def constant(rng: Random) -> Draw:
    """One value throughout."""
    value = rng.choice((0, 1.5, "same", True, dt.date(2020, 2, 29), "", math.nan, math.inf))
    return lambda n: [value] * n


def nothing(_rng: Random) -> Draw:
    """Missing values alone."""
    return lambda n: [None] * n


def levels(rng: Random) -> Draw:
    """Draw from a few categories."""
    found = rng.sample(("red", "green", "blue", "black", "white", "grey", "other"), rng.randint(1, 6))
    return lambda n: [rng.choice(found) for _ in range(n)]


def odd_texts(rng: Random) -> Draw:
    """Texts that may be taken for something else."""
    found = rng.sample(TEXTS, rng.randint(1, 8))
    return lambda n: [rng.choice(found) for _ in range(n)]


def free_texts(rng: Random) -> Draw:
    """Texts of which hardly two are equal, each with the mark that no message may show."""
    return lambda n: [f"{CANARY} {rng.getrandbits(30):x} street" for _ in range(n)]


def marked_levels(rng: Random) -> Draw:
    """Categories with the mark that no message may show."""
    found = [f"{CANARY}{rng.getrandbits(12)}" for _ in range(rng.randint(2, 5))]
    return lambda n: [rng.choice(found) for _ in range(n)]


def identifiers(rng: Random) -> Draw:
    """Draw a different name for each row."""
    start, form = rng.randint(0, 10**6), rng.choice(("{}", "P{:08}", "{:04}-x"))
    as_number = rng.random() < 0.4
    return lambda n: [start + i if as_number else form.format(start + i) for i in range(n)]


def written_numbers(rng: Random) -> Draw:
    """Numbers as text, in forms of several countries."""
    form = rng.choice(("{:.2f}", "{:05.0f}", "{:,.1f}", "{:e}", "{:.1f}%", "${:.0f}"))
    return lambda n: [form.format(rng.uniform(0, 5000)) for _ in range(n)]


def dates(rng: Random) -> Draw:
    """Days, of this century or of any."""
    low, high = rng.choice(((730_000, 738_000), (1, 3_652_059), (719_163, 719_163)))
    return lambda n: [dt.date.fromordinal(rng.randint(low, high)) for _ in range(n)]


def moments(rng: Random) -> Draw:
    """Moments, with a time zone or without."""
    zone = dt.UTC if rng.random() < 0.3 else None
    return lambda n: [
        dt.datetime(2020, 1, 1, tzinfo=zone) + dt.timedelta(seconds=rng.randint(0, 10**8)) for _ in range(n)
    ]


def written_dates(rng: Random) -> Draw:
    """Dates as text, some of them wrong."""
    form, wrong = rng.choice(("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%Y%m%d", "%Y-%m-%dT%H:%M:%SZ")), rng.random() < 0.2
    day = dt.datetime(2000, 1, 1)
    return lambda n: [
        "2021-02-30" if wrong and rng.random() < 0.1 else (day + dt.timedelta(days=rng.randint(0, 9000))).strftime(form)
        for _ in range(n)
    ]


def durations(rng: Random) -> Draw:
    """Spans of time."""
    return lambda n: [dt.timedelta(seconds=rng.randint(-(10**6), 10**6)) for _ in range(n)]


def times(rng: Random) -> Draw:
    """Draw times of the day."""
    return lambda n: [dt.time(rng.randint(0, 23), rng.randint(0, 59)) for _ in range(n)]


def decimals(rng: Random) -> Draw:
    """Exact decimals."""
    return lambda n: [Decimal(rng.randint(-(10**6), 10**6)).scaleb(-2) for _ in range(n)]


def nested(rng: Random) -> Draw:
    """Values that no table for people has: bytes, lists, mappings."""
    value = rng.choice((b"\x00\xff", [1, 2], {"a": 1}, []))
    return lambda n: [value] * n


def mixed(rng: Random) -> Draw:
    """Values of several types in one column, which pandas allows."""
    things: Sequence[Any] = (1, 2.5, "a", "1", True, None, math.nan, dt.date(2020, 1, 1), Decimal("1.1"), 10**30, 1j)
    found = rng.sample(things, rng.randint(2, 5))
    return lambda n: [rng.choice(found) for _ in range(n)]


COMMON = (whole_numbers, normal_numbers, levels, truth_values, marked_levels)
ODD = (
    large_numbers, odd_numbers, spread_numbers, mostly_zero, constant, nothing, odd_texts, free_texts, identifiers,
    written_numbers, dates, moments, written_dates, durations, times, decimals, nested, mixed,
)  # fmt: skip
