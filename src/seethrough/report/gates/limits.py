"""Limits a user sets on a report: `gcap > 0.4` fails the audit when it is true.

    limit      = both { "or" both }
    both       = one { "and" one }
    one        = "not" one | "(" limit ")" | operand operator operand
    operand    = number | name
    operator   = ">" | ">=" | "<" | "<=" | "==" | "!="
    name       = check { "." field } | "artefacts." artefact [ "." ( "share" | "found" | "chance" ) ]
    field      = value | low | high | raw | n | base_rate | risk | advantage | excess | copy | independent

`gcap` is its risk; `risk`, `advantage` (the risk over that of the independent control), `copy` and `independent` (the
controls) may be followed by `value`, `low` or `high`; `excess` is `advantage.value`. A limit that names something that
was not measured cannot be judged, and that is an error, not a pass, whatever else stands in the limit.
Nothing but this is understood, and nothing is run.
"""

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from seethrough.errors import ConfigError
from seethrough.report.gates import quantities
from seethrough.report.gates.quantities import CheckFailed, Name
from seethrough.results.report import Report, TableAudit

__all__ = ["Broken", "CheckFailed", "Limit", "judge", "parse"]

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
LONGEST = 2000
DEEPEST = 50
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|(?P<name>[A-Za-z][A-Za-z0-9_/.:-]*)"
    r"|(?P<sign>>=|<=|==|!=|>|<|\(|\)))"
)


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class LimitComparison:
    """Two operands and how they are compared."""

    left: Name | float
    sign: str
    right: Name | float


@dataclass(frozen=True)
class Not:
    """The opposite."""

    inner: "Expression"


@dataclass(frozen=True)
class Several:
    """Several conditions, of which all or any have to hold."""

    word: str
    parts: tuple["Expression", ...]


Expression = LimitComparison | Not | Several


@dataclass(frozen=True)
class Limit:
    """One limit, as the user wrote it and as it is understood."""

    text: str
    expression: Expression


@dataclass(frozen=True)
class Broken:
    """A limit that a synthetic table broke, with the numbers that broke it."""

    limit: Limit
    synthetic: str
    found: str


def parse(text: str, checks: Iterable[str]) -> Limit:
    """Understand a limit on some of `checks`."""
    return Limit(text.strip(), _Parser(text, tuple(checks)).whole())


class _Parser:
    """Reads a limit from left to right; every complaint says where."""

    def __init__(self, text: str, checks: tuple[str, ...]) -> None:
        self._text, self._checks, self._place = text, checks, 0
        self._tokens = list(self._split())

    def whole(self) -> Expression:
        found = self._limit(0)
        if self._place < len(self._tokens):
            raise self._error(f"'and', 'or' or the end is expected, not {self._next().text!r}")
        return found

    def _split(self) -> Iterable[_Token]:
        if len(self._text) > LONGEST:
            raise ConfigError(f"limit is {len(self._text)} characters long; at most {LONGEST} are allowed")
        at = 0
        while self._text[at:].strip():
            found = _TOKEN.match(self._text, at)
            if not found:
                raise self._error_at(self._blank_after(at), f"{self._text[at:].strip()[0]!r} is not understood")
            kind = str(found.lastgroup)
            yield _Token(kind, found[kind], found.start(kind))
            at = found.end()

    def _limit(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise self._error("too many brackets")
        return self._several("or", lambda: self._several("and", lambda: self._one(depth)))

    def _several(self, word: str, read: Callable[[], Expression]) -> Expression:
        parts = [read()]
        while self._is_word(word):
            self._place += 1
            parts.append(read())
        return parts[0] if len(parts) == 1 else Several(word, tuple(parts))

    def _one(self, depth: int) -> Expression:
        if self._is_word("not"):
            self._place += 1
            return Not(self._one(depth + 1)) if depth < DEEPEST else self._limit(depth + 1)
        if self._next().text == "(":
            self._place += 1
            inner = self._limit(depth + 1)
            self._take(")")
            return inner
        left, sign = self._operand(), self._sign()
        return LimitComparison(left, sign, self._operand())

    def _operand(self) -> Name | float:
        token = self._next()
        if token.kind == "number":
            self._place += 1
            return float(token.text)
        if token.kind != "name" or token.text in {"and", "or", "not"}:
            raise self._error(f"a name or a number is expected, not {token.text!r}")
        try:
            name = quantities.parse_quantity(token.text, self._checks)
        except ConfigError as error:
            raise self._error(str(error)) from None
        self._place += 1
        return name

    def _sign(self) -> str:
        token = self._next()
        if token.text not in OPERATORS:
            raise self._error(f"one of {' '.join(OPERATORS)} is expected, not {token.text!r}")
        self._place += 1
        return token.text

    def _take(self, text: str) -> None:
        if self._next().text != text:
            raise self._error(f"{text!r} is expected, not {self._next().text!r}")
        self._place += 1

    def _is_word(self, word: str) -> bool:
        return self._place < len(self._tokens) and self._tokens[self._place][:2] == ("name", word)

    def _next(self) -> _Token:
        if self._place >= len(self._tokens):
            raise self._error("it ends too early; limits are of the form 'gcap > 0.4' or 'gcap.low > 0.4'")
        return self._tokens[self._place]

    def _error(self, said: str) -> ConfigError:
        past = self._place >= len(self._tokens)
        return self._error_at(len(self._text) if past else self._tokens[self._place].at, said)

    def _error_at(self, at: int, said: str) -> ConfigError:
        return ConfigError(f"limit {self._text!r}, at character {at + 1}: {said}")

    def _blank_after(self, at: int) -> int:
        return at + len(self._text[at:]) - len(self._text[at:].lstrip())


def judge(limits: Iterable[Limit], report: Report) -> tuple[Broken, ...]:
    """Find the limits that any synthetic table breaks."""
    found = []
    for limit in limits:
        for table in report.tables:
            numbers: dict[str, float] = {}
            if _holds(limit.expression, _Looked(limit.text, table, numbers)):
                told = ", ".join(f"{name} = {number:.4g}" for name, number in numbers.items())
                found.append(Broken(limit, table.synthetic.name, told))
    return tuple(found)


class _Looked(NamedTuple):
    """Looks up names in one table and notes what it found."""

    text: str
    table: TableAudit
    numbers: dict[str, float]

    def number(self, operand: Name | float) -> float:
        if isinstance(operand, float):
            return operand
        self.numbers[operand.text] = quantities.number(operand, self.table, self.text)
        return self.numbers[operand.text]


def _holds(expression: Expression, looked: _Looked) -> bool:
    """Judge all parts, so that what was not measured is noticed though the rest would decide."""
    match expression:
        case LimitComparison(left, sign, right):
            return OPERATORS[sign](looked.number(left), looked.number(right))
        case Not(inner):
            return not _holds(inner, looked)
        case Several(word, parts):
            found = [_holds(part, looked) for part in parts]
            return all(found) if word == "and" else any(found)
