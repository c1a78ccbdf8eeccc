"""Labels: generators with parameters in one word, as `privbayes:epsilon=1,k=2`, or `mine=privbayes:epsilon=1`.

The label is what results show, so that one game can have a generator twice, under different parameters. The word before
a first "=" that stands before any ":" is a name of the user's own.
"""

import re
from dataclasses import dataclass
from typing import Any

from seethrough.errors import ConfigError
from seethrough.protocols.parameters import parameters

_OWN_NAME = re.compile(r"([^:=]+)=(.+)", re.DOTALL)


@dataclass(frozen=True)
class Label:
    """What is shown, the name of the generator, and the text of its parameters."""

    shown: str
    name: str
    text: str


def parse_label(whole: str) -> Label:
    """Take a label apart."""
    own = _OWN_NAME.fullmatch(whole)
    name, _, text = (own[2] if own else whole).partition(":")
    return Label((own[1] if own else whole).strip(), name.strip(), text)


def values(label: Label, known: list[str]) -> dict[str, str]:
    """Find the parameters in a label; a comma separates only where the name of a parameter follows."""
    if not label.text.strip():
        return {}
    names = "|".join(map(re.escape, known))
    found: dict[str, str] = {}
    for part in re.split(rf",(?=\s*(?:{names})\s*=)", label.text) if known else [label.text]:
        name, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(
                f"{part.strip()!r} in {label.shown!r} is not of the form NAME=VALUE, as privbayes:epsilon=1"
            )
        if found.setdefault(name.strip(), value.strip()) != value.strip():
            raise ConfigError(f"{label.shown!r} sets {name.strip()} twice")
    return found


def label_of(generator: Any) -> str:
    """Name a generator with the parameters that differ from those it has by default."""
    usual = {parameter.name: parameter.value for parameter in parameters(type(generator)())}
    changed = [each for each in parameters(generator) if each.value != usual[each.name]]
    shown = ",".join(f"{each.name}={_shown(each.value)}" for each in changed)
    return f"{generator.name}:{shown}" if shown else str(generator.name)


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
