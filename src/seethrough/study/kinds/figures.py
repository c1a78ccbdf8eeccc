"""The figures of all kinds, by name."""

from collections.abc import Mapping

from seethrough.errors import ConfigError, suggest_names
from seethrough.results.figure import Figure
from seethrough.study.cells.results import Results
from seethrough.study.kinds.comparison import comparison
from seethrough.study.kinds.protocol import FigureMaker
from seethrough.study.kinds.registry import study_kinds


def figure_makers() -> Mapping[str, FigureMaker]:
    """Give what makes each figure; names of two kinds must differ."""
    found: dict[str, FigureMaker] = {}
    for kind in study_kinds().values():
        for name, maker in kind.figures.items():
            if found.setdefault(name, maker) is not maker:
                raise ConfigError(f"two figures are named {name!r}; one is of the study kind {kind.name}")
    return {**found, "comparison": comparison}


def make_figures(results: Results) -> tuple[Figure, ...]:
    """Make the figures of a study from what is there; one without anything to show is left out."""
    there = set(results.cells["kind"].to_list())
    usual = (name for kind in study_kinds().values() if kind.name in there for name in kind.usual_figures)
    makers = figure_makers()
    found = [makers[name](results) for name in results.figures or usual]
    return tuple(figure for figure in found if figure.table.rows)


def check_figure_names(names: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Refuse a figure that there is not."""
    known = figure_makers()
    for name in names:
        if name not in known:
            raise ConfigError(f"{where} names a figure {name!r}; {suggest_names(name, known)}")
    return names
