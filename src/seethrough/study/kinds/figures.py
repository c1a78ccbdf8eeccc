"""The figures there are, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from seethrough.errors import ConfigError
from seethrough.results.figure import Figure
from seethrough.study.kinds import comparing, setting_figures
from seethrough.study.kinds.games import figures as game_figures
from seethrough.study.kinds.linkage import figures as linkage_figures
from seethrough.study.kinds.metrics import figures as metric_figures
from seethrough.study.store.frame import Results

FIGURES: Mapping[str, Callable[[Results], Figure]] = MappingProxyType(
    {
        "roc": game_figures.roc,
        "accuracy-by-attack": game_figures.accuracy_by_attack,
        "accuracy-by-size": game_figures.accuracy_by_size,
        "utility": game_figures.utility,
        "trade-off": game_figures.trade_off,
        "scores": game_figures.scores,
        "accuracy-by-epsilon": setting_figures.accuracy_by_epsilon,
        "error-by-epsilon": setting_figures.error_by_epsilon,
        "size-by-epsilon": setting_figures.size_by_epsilon,
        "query-type": setting_figures.query_type,
        "query-count": setting_figures.query_count,
        "query-width": setting_figures.query_width,
        "cost": setting_figures.cost,
        "comparison": comparing.comparison,
        "disclosure-by-copies": linkage_figures.disclosure_by_copies,
        "interval-by-copies": linkage_figures.interval_by_copies,
        "linkage-shares": linkage_figures.linkage_shares,
        "metric-table": metric_figures.metric_table,
        "metric-order": metric_figures.metric_order,
        "metric-epsilon": metric_figures.metric_epsilon,
        "metric-monotone": metric_figures.metric_monotone,
        "metric-correlation": metric_figures.metric_correlation,
        "metric-agreement": metric_figures.metric_agreement,
        "metric-clusters": metric_figures.metric_clusters,
        "metric-selection": metric_figures.metric_selection,
    }
)
USUAL = {
    "games": ("roc", "accuracy-by-attack", "accuracy-by-size", "utility", "trade-off", "scores"),
    "metrics": ("metric-table", "metric-order", "metric-correlation", "metric-clusters"),
    "linkage": ("disclosure-by-copies", "interval-by-copies", "linkage-shares"),
}
"""What a plan that names no figures gets for each kind of part."""


def figures(results: Results) -> tuple[Figure, ...]:
    """Make the figures of a study from what is there; one without anything to show is left out."""
    there = set(results.cells["kind"].to_list())
    names = results.figures or tuple(name for kind, some in USUAL.items() if kind in there for name in some)
    found = [FIGURES[name](results) for name in names]
    return tuple(figure for figure in found if figure.table.rows)


def check_names(names: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Refuse a figure that there is not."""
    for name in names:
        if name not in FIGURES:
            raise ConfigError(f"{where} names a figure {name!r}; there are {', '.join(FIGURES)}")
    return names
