"""Is your synthetic data see-through?

import seethrough as st
report = st.audit(real=train, synthetic=synth, holdout=holdout, secret="income", keys=["age", "sex", "zip"])
report.verdict.sentence
report.people()
report.to_html("report.html")

All of it: docs/api.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.api.attack import attack
    from seethrough.api.audit import audit, infer_schema
    from seethrough.api.explore import explore
    from seethrough.api.game import play_game
    from seethrough.api.link import Linkage, closeness_experiment, link
    from seethrough.api.rate_people import Membership, rate_people
    from seethrough.api.read_report import read_report
    from seethrough.api.reverse_map import ReverseMapping, reverse_map
    from seethrough.api.split import Split, split
    from seethrough.api.study import load_study, run_study
    from seethrough.api.synthesize import Synthesis, SynthesisCard, synthesize
    from seethrough.api.verify import Verification, verify
    from seethrough.api.whatif import whatif
    from seethrough.data import samples
    from seethrough.data.schema import Schema
    from seethrough.data.split.split_card import SplitCard
    from seethrough.errors import SeethroughError
    from seethrough.exploring.exploration import Exploration
    from seethrough.report.audit_report import AuditReport
    from seethrough.report.machine.report_schema import report_schema
    from seethrough.report.what_if.what_if_report import WhatIfReport
    from seethrough.results.game import AttackReport, GameReport
    from seethrough.results.timings import Progress

__version__ = "0.2.0"
_PUBLIC = {
    "seethrough.api.attack": ("attack",),
    "seethrough.api.audit": ("audit", "infer_schema"),
    "seethrough.api.explore": ("explore",),
    "seethrough.api.game": ("play_game",),
    "seethrough.api.link": ("Linkage", "closeness_experiment", "link"),
    "seethrough.api.rate_people": ("Membership", "rate_people"),
    "seethrough.api.read_report": ("read_report",),
    "seethrough.api.reverse_map": ("ReverseMapping", "reverse_map"),
    "seethrough.api.split": ("Split", "split"),
    "seethrough.data.split.split_card": ("SplitCard",),
    "seethrough.api.study": ("load_study", "run_study"),
    "seethrough.api.synthesize": ("Synthesis", "SynthesisCard", "synthesize"),
    "seethrough.api.verify": ("Verification", "verify"),
    "seethrough.api.whatif": ("whatif",),
    "seethrough.data.schema": ("Schema",),
    "seethrough.errors": ("SeethroughError",),
    "seethrough.exploring.exploration": ("Exploration",),
    "seethrough.report.audit_report": ("AuditReport",),
    "seethrough.report.machine.report_schema": ("report_schema",),
    "seethrough.report.what_if.what_if_report": ("WhatIfReport",),
    "seethrough.results.game": ("AttackReport", "GameReport"),
    "seethrough.results.timings": ("Progress",),
}
"""Where each public name is; loaded when asked for, because the command line answers --help before NumPy is there."""
__all__ = [
    "AttackReport",
    "AuditReport",
    "Exploration",
    "GameReport",
    "Linkage",
    "Membership",
    "Progress",
    "ReverseMapping",
    "Schema",
    "SeethroughError",
    "Split",
    "SplitCard",
    "Synthesis",
    "SynthesisCard",
    "Verification",
    "WhatIfReport",
    "__version__",
    "attack",
    "audit",
    "closeness_experiment",
    "explore",
    "infer_schema",
    "link",
    "load_study",
    "play_game",
    "rate_people",
    "read_report",
    "report_schema",
    "reverse_map",
    "run_study",
    "samples",
    "split",
    "synthesize",
    "verify",
    "whatif",
]


def __getattr__(name: str) -> Any:
    if name == "samples":
        return import_module("seethrough.data.samples")
    for module, names in _PUBLIC.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'seethrough' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
