"""Calls of the Python API with drawn arguments, most of them sensible."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import seethrough as st
from fuzz.case import Case
from seethrough.data.schema import Schema
from seethrough.plugins import catalog
from seethrough.protocols.parameters import parameters
from seethrough.protocols.synthesizer import guarantee_of


@dataclass(frozen=True)
class Tables:
    """Tables of a case: names of the real columns, the real table, released ones, and people outside."""

    names: list[str]
    real: Any
    released: list[Any]
    holdout: Any

    @property
    def count(self) -> int:
        """Count the tables."""
        return 1 + len(self.released) + (self.holdout is not None)


ONE = {"threads": 1}


def infer_schema(_case: Case, tables: Tables) -> Any:
    """Infer a schema."""
    return st.infer_schema(tables.real)


def audit_by_few(case: Case, tables: Tables) -> Any:
    """Audit by one or two checks, mostly without people outside, since those bring all attacks along."""
    checks = _draw_checks(case)
    holdout = tables.holdout if case.chance(0.1) else None
    params = {name: drawn for name in checks if (drawn := _draw_params(case, _checks()[name]))}
    return st.audit(tables.real, tables.released, holdout, checks=checks, params=params, **_roles(case, tables), **ONE)


def audit_by_all(case: Case, tables: Tables) -> Any:
    """Audit by a preset, with everything there is."""
    more = {"show_values": case.chance(0.3), "preset": case.pick(("fast", "full", "attacks")), "seed": case.number}
    return st.audit(tables.real, tables.released, tables.holdout, **_roles(case, tables), **more, **ONE)


def attack(case: Case, tables: Tables) -> Any:
    """Guess a secret; the truth is known in half of the cases."""
    name = case.pick(list(catalog.attacks()))
    truth = tables.real if case.chance(0.5) else None
    params = _draw_params(case, catalog.attacks()[name])
    secret = case.pick(tables.names)
    return st.attack(name, tables.real, tables.released, secret=secret, truth=truth, params=params, **ONE)


def rate_people(case: Case, tables: Tables) -> Any:
    """Rate people by one rating, or by all of them now and then."""
    rating = "all" if case.chance(0.03) else case.pick(list(catalog.ratings()))
    known = case.pick(tables.names) if case.chance(0.1) else None
    return st.rate_people(tables.real, tables.released, tables.holdout, rating=rating, identifier=known, **ONE)


def link(case: Case, tables: Tables) -> Any:
    """Link records by ranks."""
    roles = _roles(case, tables)
    roles.pop("entity", None)
    more = {"criterion": case.pick(("sum", "max", "min")), "narrow": case.pick((0.25, 0.0, 1.0, 1.5, -1.0))}
    return st.link(tables.real, tables.released, tables.holdout, **roles, **more, **ONE)


def reverse_map(case: Case, tables: Tables) -> Any:
    """Map a release back."""
    return st.reverse_map(tables.real, tables.released, seed=case.number)


def split(case: Case, tables: Tables) -> Any:
    """Split a table."""
    entity = case.pick(tables.names) if case.chance(0.2) else None
    share = case.pick((0.4, 0.4, 0.9, 1.0, 0.0, -1.0, 2.0))
    return st.split(tables.real, audit_share=share, entity=entity, seed=case.number)


def synthesize(case: Case, tables: Tables) -> Any:
    """Make a release by one of the quick generators."""
    name = case.pick(QUICK)
    rows = case.pick((1, 5, 20, 0, -1))
    found = catalog.named_synthesizers([name])
    params = _draw_params(case, found[name]) if case.chance(0.2) else {}
    schema = _declared(tables.real) if guarantee_of(found[name]) and case.chance(0.8) else None
    return st.synthesize(name, tables.real, rows, params=params, seed=case.number, schema=schema)


def _declared(real: Any) -> Schema:
    """Declare what a table holds, which a generator with a guarantee demands."""
    return Schema(tuple(replace(column, declared=True) for column in st.infer_schema(real).columns))


def game(case: Case, tables: Tables) -> Any:
    """Play two games."""
    return st.play_game(
        tables.real,
        secret=case.pick(tables.names),
        synthesizers=case.pick(("indhist", "nonprivate", "real", "random")),
        attacks=case.pick(("dcr", "gcap", "zcap", "air")),
        rows=case.pick((5, 10, 20)),
        sizes=[case.pick((1, 5, 20))],
        games=2,
        targets=case.pick((1, 1, 3)),
        aim=case.pick(("random", "isolated")),
        utility_games=case.pick((0, 1)),
    )


def verify(case: Case, tables: Tables) -> Any:
    """Verify a report on the very tables it is of."""
    checks = _draw_checks(case)
    report = st.audit(tables.real, tables.released, None, checks=checks, **_roles(case, tables), **ONE)
    found = st.verify(report.to_dict(), tables.real, tables.released, None, **ONE)
    assert found.holds, "a report is not verified by the tables that it is of"
    return found


QUICK = ("baynet", "indhist", "nonprivate", "privbayes", "random", "rap", "rap-softmax", "real")
CALLS: dict[str, Callable[[Case, Tables], Any]] = {
    "schema": infer_schema,
    "audit": audit_by_few,
    "audit by all": audit_by_all,
    "attack": attack,
    "rate_people": rate_people,
    "link": link,
    "reverse_map": reverse_map,
    "split": split,
    "synthesize": synthesize,
    "game": game,
    "verify": verify,
}
WEIGHTS = {
    "schema": 20.0,
    "audit": 20.0,
    "audit by all": 1.0,
    "attack": 12.0,
    "rate_people": 12.0,
    "link": 10.0,
    "reverse_map": 10.0,
    "split": 5.0,
    "synthesize": 7.0,
    "game": 2.0,
    "verify": 1.0,
}


def _roles(case: Case, tables: Tables) -> dict[str, Any]:
    names = case.random.sample(tables.names, len(tables.names))
    found: dict[str, Any] = {}
    if case.chance(0.7):
        found["secret"] = names[:1] if case.chance(0.8) else names[:2]
        if case.chance(0.4):
            found["keys"] = names[1:3]
    if case.chance(0.05):
        found["entity"] = names[-1]
    if case.chance(0.02):
        found["secret"] = "no such column"
    return found


def _draw_checks(case: Case) -> list[str]:
    """Draw one or two checks, a slow one rarely."""
    slow = case.chance(0.02)
    return case.some([name for name, check in _checks().items() if slow or not check.card.slow], 1, 2)


@cache
def _checks() -> dict[str, Any]:
    return dict(catalog.load())


def _draw_params(case: Case, thing: object) -> dict[str, Any]:
    """Set a parameter to a value of its kind, sensible or not; mostly none."""
    known = parameters(thing)
    if not known or case.chance(0.75):
        return {}
    found = case.pick(known)
    values: dict[str, tuple[Any, ...]] = {
        "true or false": (True, False),
        "whole number": (0, 1, 2, 3, -1, 50, 50 if hasattr(thing, "fit") else 10**9),  # steps of a fit take their time
        "number": (0.0, 0.5, 1.0, -1.0, 0.01, 1e9, float("inf"), float("nan")),
        "choice": found.choices,
        "text": ("", "x", "1"),
        "list": ("a+b", "1+2", ""),
    }
    return {found.name: case.pick(values[found.kind])}
