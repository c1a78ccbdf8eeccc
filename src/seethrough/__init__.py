"""Is your synthetic data see-through?

import seethrough as st
report = st.audit(real=train, synthetic=synth, holdout=holdout, secret="income", keys=["age", "sex", "zip"])
report["gcap"].risk
report.to_html("report.html")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.api.audit import attack, audit, infer_schema, play_game, synthesize
    from seethrough.api.link import Linkage, ReverseMapping, closeness_experiment, link, reverse_map
    from seethrough.api.study import load_study, run_study
    from seethrough.api.synthesize import Synthesis
    from seethrough.api.verify import verify
    from seethrough.data import samples
    from seethrough.report.audit_report import AuditReport
    from seethrough.results.game import AttackReport, GameReport

__version__ = "0.1.0"
_PUBLIC = {
    "seethrough.api.audit": ("attack", "audit", "infer_schema", "play_game", "synthesize"),
    "seethrough.api.link": ("Linkage", "ReverseMapping", "closeness_experiment", "link", "reverse_map"),
    "seethrough.api.study": ("load_study", "run_study"),
    "seethrough.api.synthesize": ("Synthesis",),
    "seethrough.api.verify": ("verify",),
    "seethrough.report.audit_report": ("AuditReport",),
    "seethrough.results.game": ("AttackReport", "GameReport"),
}
"""Where each public name is; loaded when asked for, because the command line answers --help before NumPy is there."""
__all__ = [
    "AttackReport",
    "AuditReport",
    "GameReport",
    "Linkage",
    "ReverseMapping",
    "Synthesis",
    "__version__",
    "attack",
    "audit",
    "closeness_experiment",
    "infer_schema",
    "link",
    "load_study",
    "play_game",
    "reverse_map",
    "run_study",
    "samples",
    "synthesize",
    "verify",
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
