"""What exists and can be added: the catalog of checks, attacks and generators, their labels, and what authors need.

Everything that a metric, an attack or a generator of another package is made of can be imported from here;
docs/adding.md leads through one of each. Names are loaded when asked for, because the command line wants some before
NumPy is there.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.bench.bench import Bench
    from seethrough.bench.person.example import Example
    from seethrough.data.release import Part
    from seethrough.data.schema import Column, Kind, Role, Schema
    from seethrough.data.table import Table
    from seethrough.errors import ConfigError, NotApplicable
    from seethrough.protocols.attack import (
        AttributeAttack,
        AttributeView,
        Guesses,
        JoiningAttack,
        JointAttack,
        NumberAttack,
        NumberGuesses,
        Posed,
        PosingAttack,
    )
    from seethrough.protocols.check import Check, Explaining, Growing
    from seethrough.protocols.in_audits import AuditedAttack, InAudits
    from seethrough.protocols.linkage import LinkageAttack, LinkageView, Linked
    from seethrough.protocols.parameters import plain
    from seethrough.protocols.synthesizer import (
        Draw,
        Privacy,
        Sampler,
        SamplerCard,
        SamplerWithDetails,
        Synthesizer,
        SynthesizerCard,
        SynthesizerWithProgress,
    )
    from seethrough.results.card import Card, Category, Evidence, Need
    from seethrough.results.estimate import Estimate
    from seethrough.results.explained.worked import Lacking, RowsOf, Step, Worked
    from seethrough.results.outcome import Measurement

_PUBLIC = {
    "seethrough.bench.bench": ("Bench",),
    "seethrough.bench.person.example": ("Example",),
    "seethrough.data.release": ("Part",),
    "seethrough.data.schema": ("Column", "Kind", "Role", "Schema"),
    "seethrough.data.table": ("Table",),
    "seethrough.errors": ("ConfigError", "NotApplicable"),
    "seethrough.protocols.attack": (
        *("AttributeAttack", "AttributeView", "Guesses", "JoiningAttack", "JointAttack"),
        *("NumberAttack", "NumberGuesses", "Posed", "PosingAttack"),
    ),
    "seethrough.protocols.check": ("Check", "Explaining", "Growing"),
    "seethrough.protocols.in_audits": ("AuditedAttack", "InAudits"),
    "seethrough.protocols.linkage": ("LinkageAttack", "LinkageView", "Linked"),
    "seethrough.protocols.parameters": ("plain",),
    "seethrough.protocols.synthesizer": (
        "Draw",
        "Privacy",
        "Sampler",
        "SamplerCard",
        "Synthesizer",
        "SynthesizerCard",
        "SamplerWithDetails",
        "SynthesizerWithProgress",
    ),
    "seethrough.results.card": ("Card", "Category", "Evidence", "Need"),
    "seethrough.results.estimate": ("Estimate",),
    "seethrough.results.explained.worked": ("Lacking", "RowsOf", "Step", "Worked"),
    "seethrough.results.outcome": ("Measurement",),
}
__all__ = [
    "AttributeAttack",
    "AttributeView",
    "AuditedAttack",
    "Bench",
    "Card",
    "Category",
    "Check",
    "Column",
    "ConfigError",
    "Draw",
    "Estimate",
    "Evidence",
    "Example",
    "Explaining",
    "Growing",
    "Guesses",
    "InAudits",
    "JoiningAttack",
    "JointAttack",
    "Kind",
    "Lacking",
    "LinkageAttack",
    "LinkageView",
    "Linked",
    "Measurement",
    "Need",
    "NotApplicable",
    "NumberAttack",
    "NumberGuesses",
    "Part",
    "Posed",
    "PosingAttack",
    "Privacy",
    "Role",
    "RowsOf",
    "Sampler",
    "SamplerCard",
    "SamplerWithDetails",
    "Schema",
    "Step",
    "Synthesizer",
    "SynthesizerCard",
    "SynthesizerWithProgress",
    "Table",
    "Worked",
    "plain",
]


def __getattr__(name: str) -> Any:
    for module, names in _PUBLIC.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'seethrough.plugins' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
