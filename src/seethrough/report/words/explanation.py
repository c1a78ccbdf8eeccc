"""Everything there is to say about a check, as plain values: what `seethrough explain` and the pages in docs show."""

from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Protocol

from seethrough.protocols.module_text import DEFINITION, ExplainedSection, sections_of
from seethrough.protocols.parameters import Parameter, parameters
from seethrough.results.card import Card, Evidence, Need, Verdict
from seethrough.results.outcome import Value

Fact = tuple[str, str]

EVIDENCE = {
    Evidence.ATTACK: "attack: shows what somebody can do with the release",
    Evidence.SIMILARITY: "similarity: how close the tables are, for information",
    Evidence.FIDELITY: "fidelity: what the release keeps of the real table as a whole, for information",
}
NEEDS = {
    Need.SECRET: "a secret, a column to be guessed (--secret)",
    Need.KEYS: "keys, the columns that an attacker knows (--keys)",
    Need.HOLDOUT: "a holdout, real records that were kept out of the synthesis (--holdout)",
    Need.ORIGIN: "the origin, which synthetic row was made from which real record (--param)",
}
COMPARISON = "In the comparison of 21 metrics by Hansen and Staer (2025)"
ORDERING = "puts random data lowest and the real table highest"
MONOTONE = "grows with epsilon"


class Explained(Protocol):
    """What can be explained: a check, of which no more than its card is looked at."""

    @property
    def card(self) -> Card:
        """Say what the check is."""
        ...


@dataclass(frozen=True)
class Explanation:
    """A check, explained."""

    card: Card
    parameters: tuple[Parameter, ...]
    module: str
    sections: tuple[ExplainedSection, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """List what can be said in a line each."""
        card = self.card
        return (
            ("cannot tell", card.cannot_tell),
            ("category", card.category.value),
            ("evidence", EVIDENCE[card.evidence]),
            ("needs", "; ".join(NEEDS[need] for need in card.needs) or "nothing beside the two tables"),
            ("raw value", card.raw_unit),
            *((("for one person", card.looks_at),) if card.looks_at else ()),
            ("flags a person", flagging(card)),
            ("references", ", ".join(card.cites)),
            ("defined in", f"{self.module}, version {card.version}"),
        )

    @property
    def verdicts(self) -> tuple[Fact, ...]:
        """Say how the check came out in the comparison of 21 metrics."""
        return ((ORDERING, verdict(self.card.ordering)), (MONOTONE, verdict(self.card.monotone)))

    def describe(self) -> dict[str, Any]:
        """Give all but the text as plain values."""
        card = self.card
        return {
            "check": card.name,
            "title": card.title,
            "question": card.question,
            "cannot_tell": card.cannot_tell,
            "category": card.category.value,
            "evidence": card.evidence.value,
            "needs": [need.value for need in card.needs],
            "formula": card.formula,
            "unit": card.raw_unit,
            "looks_at": card.looks_at,
            "flagged_from": card.flagged_from,
            "verdicts": {"ordering": _plain(card.ordering), "monotone": _plain(card.monotone)},
            "references": list(card.cites),
            "params": {parameter.name: describe_parameter(parameter) for parameter in self.parameters},
            "module": self.module,
            "version": card.version,
        }

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return self.describe() | {"text": {section.title.lower(): section.text for section in self.sections}}


def explain(check: Explained) -> Explanation:
    """Collect what a check, its parameters and its module say."""
    sections = sections_of(check)
    attack = getattr(check, "attack", None)
    if not is_dataclass(attack):
        return Explanation(check.card, parameters(check), type(check).__module__, sections)
    # A check that runs an attack: the game is the same for all of its kind, what is its own stands with the attack.
    own = [replace(section, title="Attack") for section in sections_of(attack) if section.title == DEFINITION]
    return Explanation(check.card, parameters(check), type(attack).__module__, (*sections, *own))


def flagging(card: Card) -> str:
    """Say from which risk on a person counts as flagged."""
    return "never" if card.flagged_from is None else f"from a risk of {card.flagged_from:g} on"


def verdict(found: Verdict | None) -> str:
    """Say a verdict in a word."""
    return found.value if found else "not compared"


def kind(parameter: Parameter) -> str:
    """Say what a parameter may be."""
    named = " | ".join(parameter.choices) or {"list": "list, A+B+C"}.get(parameter.kind, parameter.kind)
    return f"{named} | none" if parameter.optional else named


def default(parameter: Parameter) -> str:
    """Write the value that a parameter has, as a user would write it."""
    return _written(parameter.value)


def compact(parameter: Parameter) -> str:
    """Write a parameter with its default and its choices in a few words."""
    others = [choice for choice in parameter.choices if choice != parameter.value]
    others += ["none"] if parameter.optional and parameter.value is not None else []
    return f"{parameter.name}={default(parameter)}" + (f" (or {', '.join(others)})" if others else "")


def _written(value: Value) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.6g}"
        case "":
            return "(empty)"
        case _:
            return str(value)


def _plain(found: Verdict | None) -> str | None:
    return found.value if found else None


def describe_parameter(parameter: Parameter) -> dict[str, Any]:
    """Give a parameter as plain values."""
    return {
        "kind": parameter.kind,
        "choices": list(parameter.choices),
        "optional": parameter.optional,
        "default": parameter.value,
    }
