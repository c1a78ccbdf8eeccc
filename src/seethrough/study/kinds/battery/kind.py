"""The kind `battery`: all attacks on releases of many generators."""

import polars as pl

from seethrough.study.kinds.battery import figures
from seethrough.study.kinds.battery.cells import compute, read
from seethrough.study.kinds.protocol import StudyKind

KIND = StudyKind(
    "battery",
    read,
    compute,
    columns={
        "outside": pl.Int64,
        "attacks": pl.String,
        "grade": pl.String,
        "decided_by": pl.String,
        "population_p": pl.Float64,
        "attack_failures": pl.String,
    },
    figures={
        "battery-table": figures.battery_table,
        "battery-leaders": figures.battery_leaders,
        "battery-cost": figures.battery_cost,
    },
    usual_figures=("battery-table", "battery-leaders", "battery-cost"),
)
