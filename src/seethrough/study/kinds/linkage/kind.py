"""The kind `linkage`: what several synthetic tables disclose together (Ruiz, Muralidhar, Domingo-Ferrer 2018)."""

import polars as pl

from seethrough.study.kinds.linkage import figures
from seethrough.study.kinds.linkage.cells import SHARES, compute, read
from seethrough.study.kinds.linkage.compare import RULE, compare_linkage
from seethrough.study.kinds.protocol import StudyKind

KIND = StudyKind(
    "linkage",
    read,
    compute,
    columns={**dict.fromkeys(SHARES.values(), pl.Float64), "n": pl.Int64},
    figures={
        "disclosure-by-copies": figures.disclosure_by_copies,
        "interval-by-copies": figures.interval_by_copies,
        "linkage-shares": figures.linkage_shares,
    },
    usual_figures=("disclosure-by-copies", "interval-by-copies", "linkage-shares"),
    compare=compare_linkage,
    rule=RULE,
)
