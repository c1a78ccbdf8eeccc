"""The kind `metrics`: checks on releases of many generators (Hansen and Staer 2025)."""

import polars as pl

from seethrough.study.kinds.metrics import figures
from seethrough.study.kinds.metrics.cells import compute, read
from seethrough.study.kinds.metrics.compare import RULE, compare_metrics
from seethrough.study.kinds.metrics.evidence_figure import metric_evidence, metric_leaks
from seethrough.study.kinds.protocol import StudyKind

KIND = StudyKind(
    "metrics",
    read,
    compute,
    columns={
        "low": pl.Float64,
        "high": pl.Float64,
        "raw": pl.Float64,
        "n": pl.Int64,
        "base_rate": pl.Float64,
        "outside": pl.Int64,
        "attacks": pl.String,
        "grade": pl.String,
        "decided_by": pl.String,
        "population_p": pl.Float64,
        "attack_failures": pl.String,
    },
    figures={
        "metric-table": figures.metric_table,
        "metric-order": figures.metric_order,
        "metric-epsilon": figures.metric_epsilon,
        "metric-monotone": figures.metric_monotone,
        "metric-correlation": figures.metric_correlation,
        "metric-agreement": figures.metric_agreement,
        "metric-clusters": figures.metric_clusters,
        "metric-selection": figures.metric_selection,
        "metric-leaks": metric_leaks,
        "metric-evidence": metric_evidence,
    },
    usual_figures=("metric-table", "metric-order", "metric-correlation", "metric-clusters"),
    compare=compare_metrics,
    rule=RULE,
)
