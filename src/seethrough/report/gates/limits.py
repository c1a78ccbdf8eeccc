"""Limits a user sets on a report: `verdict >= clear` fails the audit when it is true.

    limit      = both { "or" both }
    both       = one { "and" one }
    one        = "not" one | "(" limit ")" | operand operator operand
    operand    = number | grade | name
    operator   = ">" | ">=" | "<" | "<=" | "==" | "!="
    grade      = cannot-tell | no-leak-found | slight | clear | severe, in this order
    name       = "verdict" | family [ "." evidence ] | check { "." field }
               | "artefacts." artefact [ "." ( "share" | "found" | "chance" ) ]
    family     = membership | attribute | identity
    evidence   = leak [ "." ( value | low | high ) ] | p | members | outsiders | detectable
    field      = value | low | high | raw | n | base_rate | risk | copy | independent

`verdict` and a family alone are grades, and grades are compared with grades. `gcap` is the risk of a check; `risk`,
`copy` and `independent` (the controls) may be followed by `value`, `low` or `high`. A limit that rests on evidence that
could not be had is undecided, which counts as broken. One that names a check that was not measured cannot be judged,
and that is an error. Neither is a pass, whatever else stands in the limit.
Nothing but this is understood, and nothing is run.
"""

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isinf
from typing import Any, NamedTuple

from seethrough.errors import ConfigError, near_names
from seethrough.report.gates import evidence_quantities, quantities
from seethrough.report.gates.evidence_quantities import GRADES, EvidenceName, Undecided
from seethrough.report.gates.quantities import CheckFailed, Name
from seethrough.results.evidence import Grade
from seethrough.results.report import Report, TableAudit

__all__ = ["Broken", "CheckFailed", "Limit", "judge", "parse"]

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
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


Operand = Name | EvidenceName | Grade | float


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class LimitComparison:
    """Two operands and how they are compared."""

    left: Operand
    sign: str
    right: Operand

    @property
    def allows_untested(self) -> bool:
        """Tell whether the comparison asks for "cannot tell" itself."""
        return Grade.CANNOT_TELL in (self.left, self.right)


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
    """A limit that a synthetic table broke, with the numbers that broke it.

    It counts as broken as well where it is undecided; `found` then says why.
    """

    limit: Limit
    synthetic: str
    found: str
    is_undecided: bool = False

    def __str__(self) -> str:
        """Say it in one line."""
        if self.is_undecided:
            return f"limit {self.limit.text!r} is undecided for {self.synthetic}, which counts as broken: {self.found}"
        return f"{self.synthetic} breaks the limit {self.limit.text!r}: {self.found}"

    @property
    def for_others(self) -> str:
        """Say it without the numbers, which single people move."""
        how = "is undecided for" if self.is_undecided else "is broken by"
        return f"limit {self.limit.text!r} {how} {self.synthetic}"


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
        at = self._place
        right = self._operand()
        if _is_grade(left) is not _is_grade(right):
            self._place = at
            raise self._error(f"grades are compared with grades, numbers with numbers; grades are {', '.join(GRADES)}")
        return LimitComparison(left, sign, right)

    def _operand(self) -> Operand:
        token = self._next()
        if token.kind == "number":
            if isinf(float(token.text)):
                raise self._error(f"{token.text} is beyond all numbers, so it could never be reached")
            self._place += 1
            return float(token.text)
        if token.kind != "name" or token.text in {"and", "or", "not"}:
            raise self._error(f"a name or a number is expected, not {token.text!r}")
        try:
            name = _named(token.text, self._checks)
        except ConfigError as error:
            raise self._error(self._meant_grade(token.text) or str(error)) from None
        self._place += 1
        return name

    def _meant_grade(self, text: str) -> str:
        """Ask whether a grade was meant, where it is compared with."""
        follows_sign = self._place > 0 and self._tokens[self._place - 1].text in OPERATORS
        near = near_names(text, GRADES) if follows_sign else []
        return f"there is no grade {text!r}; did you mean {' or '.join(near)}?" if near else ""

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
            raise self._error("it ends too early; limits are of the form 'verdict >= clear' or 'gcap.low > 0.4'")
        return self._tokens[self._place]

    def _error(self, said: str) -> ConfigError:
        past = self._place >= len(self._tokens)
        return self._error_at(len(self._text) if past else self._tokens[self._place].at, said)

    def _error_at(self, at: int, said: str) -> ConfigError:
        return ConfigError(f"limit {self._text!r}, at character {at + 1}: {said}")

    def _blank_after(self, at: int) -> int:
        return at + len(self._text[at:]) - len(self._text[at:].lstrip())


def _named(text: str, checks: tuple[str, ...]) -> Operand:
    if text in GRADES and text not in checks:
        return GRADES[text]
    if evidence_quantities.is_evidence(text, checks):
        return evidence_quantities.parse_evidence(text)
    return quantities.parse_quantity(text, checks)


def _is_grade(operand: Operand) -> bool:
    return isinstance(operand, Grade) or (isinstance(operand, EvidenceName) and operand.is_grade)


def judge(limits: Iterable[Limit], report: Report) -> tuple[Broken, ...]:
    """Find the limits that any synthetic table breaks, and those that are undecided on it."""
    found = (_judge(limit, table) for limit in limits for table in report.tables)
    return tuple(broken for broken in found if broken)


def _judge(limit: Limit, table: TableAudit) -> Broken | None:
    values: dict[str, str] = {}
    name = table.synthetic.name
    try:
        is_broken = _holds(limit.expression, _Looked(limit.text, table, values))
    except Undecided as reason:
        return Broken(limit, name, str(reason), is_undecided=True)
    return Broken(limit, name, ", ".join(f"{of} = {value}" for of, value in values.items())) if is_broken else None


class _Looked(NamedTuple):
    """Looks up names in one table and notes what it found."""

    text: str
    table: TableAudit
    values: dict[str, str]

    def value(self, operand: Operand, allows_untested: bool) -> Grade | float:
        match operand:
            case Name():
                number = quantities.number(operand, self.table, self.text)
                self.values[operand.text] = f"{number:.4g}"
                return number
            case EvidenceName():
                found = evidence_quantities.look_up(operand, self.table, may_be_untested=allows_untested)
                self.values[operand.text] = found.value if isinstance(found, Grade) else f"{found:.4g}"
                return found
        return operand


def _holds(expression: Expression, looked: _Looked) -> bool:
    """Judge all parts, so that what was not measured is noticed though the rest would decide."""
    match expression:
        case LimitComparison(left, sign, right):
            allowed = expression.allows_untested
            return OPERATORS[sign](looked.value(left, allowed), looked.value(right, allowed))
        case Not(inner):
            return not _holds(inner, looked)
        case Several(word, parts):
            found = [_holds(part, looked) for part in parts]
            return all(found) if word == "and" else any(found)
