"""Is your synthetic data see-through?

import seethrough as st
report = st.audit(real=train, synthetic=synth, holdout=holdout, secret="income", keys=["age", "sex", "zip"])
report["gcap"].risk
report.to_html("report.html")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.api import AuditReport, Synthesis, attack, audit, infer_schema, play_game, synthesize
    from seethrough.contracts.game import AttackReport, GameReport
    from seethrough.data import samples
    from seethrough.studying import load_study, run_study

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
_FROM_STUDY = ("load_study", "run_study")
__all__ = [
    "AttackReport",
    "AuditReport",
    "GameReport",
    "Synthesis",
    "__version__",
    "attack",
    "audit",
    "infer_schema",
    "load_study",
    "play_game",
    "run_study",
    "samples",
    "synthesize",
]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: the command line has to answer --help before NumPy is there.
    if name in _FROM_API:
        from seethrough import api

        return getattr(api, name)
    if name in _FROM_STUDY:
        from seethrough import studying

        return getattr(studying, name)
    if name == "samples":
        from seethrough.data import samples

        return samples
    raise AttributeError(f"module 'seethrough' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
