"""How a value of the report goes out: as it is, coarser by a named rule, or not at all."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from seethrough.report.external.coarsening import Coarsening

_NUMBER = re.compile(r"(?<![\w'.-])\d[\d,]*(?:\.\d+)?(?:\s?%)?(?!\w)")


@dataclass(frozen=True)
class Rule:
    """A rule by its name: it gets the object that holds the value, the value, and how coarse to be."""

    name: str
    apply: Callable[[Any, Any, Coarsening], Any]


def without_numbers(text: str) -> str:
    """Leave the numbers out of a sentence, but for those that are part of a name."""
    return _NUMBER.sub("some", text)


def keep_inside(empty: object) -> Rule:
    """Keep a value inside; `empty` stands in its place."""
    return Rule("refused", lambda _, __, ___: empty)


def always(value: object) -> Rule:
    """Say the same in every report for others."""
    return Rule("always the same", lambda _, __, ___: value)


AS_IS = Rule("as it is", lambda _, value, __: value)
COUNT_CLASS = Rule("a count among 1, 2, 5, 10 and so on", lambda _, number, coarse: coarse.count(number))
NUMBERLESS = Rule("a sentence without its numbers", lambda _, text, __: without_numbers(text))
NUMBERLESS_TEXTS = Rule(
    "sentences without their numbers", lambda _, texts, __: tuple(dict.fromkeys(map(without_numbers, texts)))
)
