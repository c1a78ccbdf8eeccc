"""The kind `calibration`: verdicts on releases whose leak is known."""

import polars as pl

from seethrough.results.evidence import LeakFamily
from seethrough.study.kinds.calibration import figures
from seethrough.study.kinds.calibration.cells import compute, read
from seethrough.study.kinds.calibration.compare import RULE, compare_calibration
from seethrough.study.kinds.protocol import StudyKind

_FAMILIES = [family.value for family in LeakFamily]

KIND = StudyKind(
    "calibration",
    read,
    compute,
    columns={
        "outside": pl.Int64,
        "grade": pl.String,
        "p_verdict": pl.Float64,
        "decided_by": pl.String,
        "leak": pl.Float64,
        "population_p": pl.Float64,
        "attack_failures": pl.String,
        **{f"grade_{family}": pl.String for family in _FAMILIES},
        **{f"p_{family}": pl.Float64 for family in _FAMILIES},
        "listed": pl.Int64,
        "listed_copied": pl.Int64,
        **{f"listed_{family}": pl.Int64 for family in _FAMILIES},
        **{f"listed_copied_{family}": pl.Int64 for family in _FAMILIES},
    },
    figures={
        "false-alarms": figures.false_alarms,
        "power": figures.power,
        "people-precision": figures.people_precision,
    },
    usual_figures=("false-alarms", "power", "people-precision"),
    compare=compare_calibration,
    rule=RULE,
)
