"""The page of the question: secrets, keys, how thorough, what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from seethrough.api.arguments import read_targets
from seethrough.errors import SeethroughError
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import Parameter, parameters
from seethrough.results.card import Evidence, Need
from seethrough.web.messages import Answer, Asked, conflict, redirect
from seethrough.web.pages.columns import why_fixed
from seethrough.web.pages.framing import make_frame
from seethrough.web.rendering import duration, render, size
from seethrough.web.session.session import Session
from seethrough.web.session.settings import Settings, SettingsChanged

PRESETS = (
    ("attacks", "Attacks only"),
    ("fast", "Everything but the two slowest"),
    ("full", "Everything"),
    ("choose", "Choose"),
)
MOST_LISTED = 200
"""Columns up to which secrets and keys are ticked here; of more, roles are set on the page of columns."""
_GIB = 1 << 30
_NOT_OFFERED = frozenset({"secret", "origin"})
"""Parameters that name columns: those are the secrets and keys of this page."""
_LEFT_OUT = frozenset({"id", "ignore"})


@dataclass(frozen=True)
class OfferedParameter:
    """A parameter as the page offers it: what it is usually, what it is set to, what it can be."""

    name: str
    usual: str
    set: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class OfferedCheck:
    """A check as a line of the table."""

    name: str
    question: str
    needs: str
    lacks: bool
    kind: str
    cost: str
    is_chosen: bool
    parameters: tuple[OfferedParameter, ...]

    @property
    def is_set(self) -> bool:
        """Tell whether a parameter differs from its usual value."""
        return any(each.set for each in self.parameters)


@cache
def known_checks() -> Mapping[str, Check]:
    """Give all checks there are, attacks first."""
    by_kind = sorted(catalog.load().items(), key=lambda each: list(Evidence).index(each[1].card.evidence))
    return dict(by_kind)


def chosen_checks(settings: Settings) -> tuple[str, ...]:
    """Name the checks that would run."""
    chosen = frozenset(settings.checks) or _of_preset(settings.preset)
    return tuple(name for name in known_checks() if name in chosen)


@cache
def _of_preset(preset: str) -> frozenset[str]:
    return frozenset(check.card.name for check in catalog.choose(preset=preset))


def page(session: Session, asked: Asked) -> Answer:
    """Show the question, or change it."""
    if asked.form is None:
        return _show(session)
    if why := why_fixed(session):
        return conflict(why)
    version = asked.first("version")
    try:
        changes = read_changes(session, asked)
        catalog.configure(_checks_of(changes), changes["params"])
        session.change(int(version) if version.isdecimal() else None, **changes)
    except SettingsChanged as changed:
        return conflict(f"Meanwhile changed in another tab: {changed}. Reload, then make your change again.")
    except (SeethroughError, ValueError) as problem:
        return _show(session, str(problem))
    assert session.desk is not None
    session.desk.understand()
    return redirect("question")


def _show(session: Session, said: str = "") -> Answer:
    settings = session.settings
    columns = [
        (number, column.name) for number, column in enumerate(session.columns, 1) if column.role not in _LEFT_OUT
    ]
    secrets = tuple(column.name for column in session.columns if column.role == "secret")
    keys = tuple(column.name for column in session.columns if column.role == "key")
    cost = _cost(session)
    html = render(
        "question",
        make_frame(session, "question", "Question"),
        columns=columns,
        lists_columns=len(columns) <= MOST_LISTED,
        secrets=secrets,
        keys=keys,
        neighbours=settings.neighbours,
        presets=PRESETS,
        preset="choose" if settings.checks else settings.preset,
        checks=_offer_checks(session, cost),
        cost=_in_words(cost),
        waits_for_cost=cost is None and session.state == "ready",
        version=settings.version,
        seed=str(settings.seed),
        memory=f"{settings.memory / _GIB:g}",
        threads=str(settings.threads or 0),
        targets="" if settings.targets is None else str(settings.targets),
        fixed=why_fixed(session),
        said=said,
    )
    return Answer(200, html=html)


def _cost(session: Session) -> Any:
    """Ask what the run would cost; None before the tables are read."""
    if session.exploration is None:
        return None
    return session.exploration.cost(chosen_checks(session.settings), session.settings.preset)


def say_cost(session: Session) -> str:
    """Say what the run would cost; nothing before the tables are read."""
    return _in_words(_cost(session))


def _in_words(cost: Any) -> str:
    return "" if cost is None else f"about {duration(cost.seconds)} and {size(cost.bytes)} on this machine"


def _offer_checks(session: Session, cost: Any) -> tuple[OfferedCheck, ...]:
    chosen, given = set(chosen_checks(session.settings)), _given(session)
    seconds: Mapping[str, float] = {} if cost is None else cost.by_check
    return tuple(
        OfferedCheck(
            name=name,
            question=check.card.question,
            needs=", ".join(need.value for need in check.card.needs) or "-",
            lacks=bool(set(check.card.needs) - given),
            kind=check.card.evidence.value,
            cost=duration(seconds[name]).replace("less than a second", "< 1 s") if name in seconds else "-",
            is_chosen=name in chosen,
            parameters=tuple(
                _offer(each, session.settings.params.get(name, {}))
                for each in parameters(check)
                if each.name not in _NOT_OFFERED
            ),
        )
        for name, check in known_checks().items()
    )


def _given(session: Session) -> set[Need]:
    """List the needs that are met; without a named secret every column takes its turn."""
    keys = {Need.KEYS} if any(column.role == "key" for column in session.columns) else set()
    return {Need.SECRET, *keys, *({Need.HOLDOUT} if session.files["holdout"] else set())}


def _offer(parameter: Parameter, given: Mapping[str, str]) -> OfferedParameter:
    usual = (
        "none"
        if parameter.value is None
        else str(parameter.value).lower()
        if isinstance(parameter.value, bool)
        else str(parameter.value)
    )
    listed = parameter.choices or (("true", "false") if isinstance(parameter.value, bool) else ())
    choices = (("", f"{usual} (usual)"), *((each, each) for each in listed if each != usual)) if listed else ()
    return OfferedParameter(parameter.name, usual, given.get(parameter.name, ""), choices)


def read_changes(session: Session, asked: Asked) -> dict[str, Any]:
    """Read the form; a number that is none is an error in one sentence."""
    settings = session.settings
    preset, checks = _read_preset(settings, asked)
    chosen = chosen_checks(Settings(preset=preset, checks=checks))
    changes: dict[str, Any] = {
        "preset": preset,
        "checks": checks,
        "seed": _number(asked.first("seed"), "the seed", settings.seed),
        "memory": round(_GIB * _number(asked.first("memory"), "the memory", settings.memory / _GIB, least=0.1)),
        "threads": int(_number(asked.first("threads"), "the number of threads", 0)) or None,
        "params": _read_params(asked, chosen),
        "targets": read_targets(asked.first("targets")),
    }
    changes["seed"] = int(changes["seed"])
    return changes | _read_columns(session, asked)


def _read_preset(settings: Settings, asked: Asked) -> tuple[str, tuple[str, ...]]:
    """Follow the choice that changed: another preset sets the ticks, other ticks are a choice of their own."""
    shown = "choose" if settings.checks else settings.preset
    wanted = asked.first("preset", shown)
    ticked = tuple(name for name in known_checks() if name in asked.all("check"))
    if wanted != shown and wanted in {"attacks", "fast", "full"}:
        return wanted, ()
    if wanted == "choose" or set(ticked) != set(chosen_checks(settings)):
        if not ticked:
            raise ValueError("At least one check has to run.")
        return "full", ticked
    return settings.preset, settings.checks


def _read_params(asked: Asked, chosen: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in chosen:
        for each in parameters(known_checks()[name]):
            text = asked.first(f"param-{name}-{each.name}").strip()
            if text and each.name not in _NOT_OFFERED:
                found.setdefault(name, {})[each.name] = text
    return found


def _read_columns(session: Session, asked: Asked) -> dict[str, Any]:
    """Read secrets and keys; a column is one or the other, and the newer tick wins."""
    names = [column.name for column in session.columns]
    if len(names) > MOST_LISTED:
        return {}
    before = {column.name for column in session.columns if column.role == "secret"}
    secrets, keys = (_ticked(asked, field, names) for field in ("secret", "key"))
    settings = session.settings
    match asked.first("do"):
        case "all-others":
            keys = ()
        case "neighbours":
            keys = tuple(name for name in settings.neighbours if name in names and name not in secrets)
    neighbours = keys if asked.first("do") == "keep-neighbours" else settings.neighbours
    fresh = set(secrets) - before
    keys = tuple(name for name in keys if name not in fresh)
    secrets = tuple(name for name in secrets if name not in keys)
    roles = {name: role for name, role in settings.roles.items() if name not in (*secrets, *keys)}
    return {"secrets": secrets, "keys": keys, "neighbours": neighbours, "roles": roles}


def _ticked(asked: Asked, field: str, names: Sequence[str]) -> tuple[str, ...]:
    numbers = {int(each) for each in asked.all(field) if each.isdecimal()}
    return tuple(name for number, name in enumerate(names, 1) if number in numbers)


def _checks_of(changes: Mapping[str, Any]) -> tuple[Check, ...]:
    names = chosen_checks(Settings(preset=changes["preset"], checks=changes["checks"]))
    return tuple(known_checks()[name] for name in names)


def _number(text: str, what: str, otherwise: float, least: float = 0) -> float:
    if not text.strip():
        return otherwise
    try:
        found = float(text)
    except ValueError:
        raise ValueError(f"{what.capitalize()} is {text[:20]!r}; a number is expected.") from None
    if not least <= found <= 1e9:
        raise ValueError(f"{what.capitalize()} is {text[:20]!r}; it has to be at least {least:g}.")
    return found
