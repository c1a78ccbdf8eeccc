"""Is your synthetic data see-through?

import seethrough as st
report = st.audit(real=train, synthetic=synth, holdout=holdout, secret="income", keys=["age", "sex", "zip"])
report["gcap"].risk
report.to_html("report.html")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seethrough.api import attack, audit, infer_schema, play_game
    from seethrough.contracts.game import AttackReport, GameReport
    from seethrough.data import samples
    from seethrough.report.audit_report import AuditReport
    from seethrough.verifying import verify

__version__ = "0.1.0"
_FROM_API = ("AttackReport", "AuditReport", "GameReport", "attack", "audit", "infer_schema", "play_game")
__all__ = [
    "AttackReport",
    "AuditReport",
    "GameReport",
    "__version__",
    "attack",
    "audit",
    "infer_schema",
    "play_game",
    "samples",
    "verify",
]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: the command line has to answer --help before NumPy is there.
    if name in _FROM_API:
        from seethrough import api

        return getattr(api, name)
    if name == "samples":
        from seethrough.data import samples

        return samples
    if name == "verify":
        from seethrough.verifying import verify

        return verify
    raise AttributeError(f"module 'seethrough' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
