"""The kind `games`: attribute inference games (Annamalai, Gadotti, Rocher 2024)."""

import polars as pl

from seethrough.study.kinds.games import figures, setting_figures
from seethrough.study.kinds.games.cells import compute, read
from seethrough.study.kinds.games.compare import RULE, compare_games
from seethrough.study.kinds.protocol import StudyKind

KIND = StudyKind(
    "games",
    read,
    compute,
    columns={
        "mre": pl.Float64,
        "tvd": pl.Float64,
        "truth": pl.List(pl.Int64),
        "guess": pl.List(pl.Int64),
        "scores": pl.List(pl.List(pl.Float64)),
        "attack_seconds": pl.Float64,
    },
    figures={
        "roc": figures.roc,
        "accuracy-by-attack": figures.accuracy_by_attack,
        "accuracy-by-size": figures.accuracy_by_size,
        "utility": figures.utility,
        "trade-off": figures.trade_off,
        "scores": figures.scores,
        "accuracy-by-epsilon": setting_figures.accuracy_by_epsilon,
        "error-by-epsilon": setting_figures.error_by_epsilon,
        "size-by-epsilon": setting_figures.size_by_epsilon,
        "query-type": setting_figures.query_type,
        "query-count": setting_figures.query_count,
        "query-width": setting_figures.query_width,
        "cost": setting_figures.cost,
    },
    usual_figures=("roc", "accuracy-by-attack", "accuracy-by-size", "utility", "trade-off", "scores"),
    compare=compare_games,
    rule=RULE,
)
