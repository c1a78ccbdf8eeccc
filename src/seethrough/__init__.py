"""Is your synthetic data see-through?

import seethrough as st
report = st.audit(real=train, synthetic=synth, holdout=holdout, secret="income", keys=["age", "sex", "zip"])
report["gcap"].risk
report.to_html("report.html")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.api import Synthesis, attack, audit, infer_schema, play_game, synthesize
    from seethrough.contracts.game import AttackReport, GameReport
    from seethrough.data import samples
    from seethrough.linkage import Linkage, ReverseMapping, closeness_experiment, link, reverse_map
    from seethrough.report.audit_report import AuditReport
    from seethrough.studying import load_study, run_study
    from seethrough.verifying import verify

__version__ = "0.1.0"
_FROM_API = (
    "AttackReport",
    "AuditReport",
    "GameReport",
    "Synthesis",
    "attack",
    "audit",
    "infer_schema",
    "play_game",
    "synthesize",
)
_FROM_LINKAGE = ("Linkage", "ReverseMapping", "closeness_experiment", "link", "reverse_map")
_FROM_STUDY = ("load_study", "run_study")
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
    # Loaded when asked for: the command line has to answer --help before NumPy is there.
    if name in _FROM_API:
        from seethrough import api

        return getattr(api, name)
    if name in _FROM_LINKAGE:
        from seethrough import linkage

        return getattr(linkage, name)
    if name in _FROM_STUDY:
        from seethrough import studying

        return getattr(studying, name)
    if name == "samples":
        from seethrough.data import samples

        return samples
    if name == "verify":
        from seethrough.verifying import verify

        return verify
    raise AttributeError(f"module 'seethrough' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
