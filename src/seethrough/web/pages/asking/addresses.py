"""Addresses of views: they name people by row, columns, levels and releases by number, and never a value.

What is asked stands in the address, so that going back, reloading, a bookmark and a second tab work. Sets of columns
are written as numbers and ranges ("1-4.7"), or, where that would be long, as the bits of a number ("x8f").
"""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

_LONGEST = 240
"""Characters of a set of columns above which it is written as bits; a whole query has at most 500."""
_LARGEST = 10**9
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_RANGES = re.compile(r"[1-9][0-9]{0,5}(?:-[1-9][0-9]{0,5})?(?:\.[1-9][0-9]{0,5}(?:-[1-9][0-9]{0,5})?)*")


class AddressRefused(ValueError):
    """An address that names nothing; the words say what."""


def number_in(query: Mapping[str, str], name: str, most: int, what: str) -> int | None:
    """Read a number from 1 to `most`; None where there is none, an error where it is something else."""
    text = query.get(name, "")
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= min(most, _LARGEST):
        raise AddressRefused(f"There is no such {what}: there are {most:,}.")
    return int(text)


def choice_in(query: Mapping[str, str], name: str, choices: Iterable[str], otherwise: str) -> str:
    """Read one of some words; what is not among them is the usual one."""
    found = query.get(name, "")
    return found if found in tuple(choices) else otherwise


def write_numbers(numbers: Iterable[int]) -> str:
    """Write a set of numbers from 1 on; an empty set is "0"."""
    listed = sorted(set(numbers))
    if not listed:
        return "0"
    breaks = [place for place, (before, after) in enumerate(pairwise(listed), start=1) if after != before + 1]
    runs = [listed[start:end] for start, end in zip([0, *breaks], [*breaks, len(listed)], strict=True)]
    text = ".".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return text if len(text) <= _LONGEST else f"x{sum(1 << number for number in listed):x}"


def read_numbers(text: str, most: int) -> tuple[int, ...] | None:
    """Read a set of numbers from 1 to `most`; None where nothing was written."""
    if not text:
        return None
    if text == "0":
        return ()
    if re.fullmatch(r"x[0-9a-f]{1,480}", text):
        bits = int(text[1:], 16)
        found = [number for number in range(1, bits.bit_length()) if bits >> number & 1]
    elif _RANGES.fullmatch(text):
        ends = [part.split("-") for part in text.split(".")]
        found = [number for part in ends for number in range(int(part[0]), min(int(part[-1]), most + 1) + 1)]
    else:
        raise AddressRefused("The columns of this address cannot be read.")
    if any(number > most for number in found) or not found:
        raise AddressRefused(f"There is no such column: there are {most:,}.")
    return tuple(sorted(set(found)))


def address(page: str, /, **asked: object) -> str:
    """Write an address; what is None or empty stays out."""
    given = "&".join(f"{name}={value}" for name, value in asked.items() if value not in (None, ""))
    return f"{page}?{given}" if given else page
