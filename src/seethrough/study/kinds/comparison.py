"""Our numbers beside the published ones, kind by kind, each with a stated rule for saying whether they agree.

The rule is shown with every comparison. A fact that our study has nothing on, or measured otherwise, is not comparable.
"""

from dataclasses import replace

from seethrough.results.figure import Figure, FigureTable, Listing
from seethrough.study.cells.results import SMALL, Results
from seethrough.study.kinds.published import NOT_COMPARABLE, PublishedComparison
from seethrough.study.kinds.registry import study_kinds

COMMON_RULE = (
    "Nothing is comparable that was not measured, or was in the small form. The tables are substitutes of the "
    "published ones (another state, another year): expect the pattern."
)


def compare_with_published(results: Results) -> tuple[PublishedComparison, ...]:
    """Compare a study with all published facts that speak of what it has."""
    found = [each for kind in study_kinds().values() for each in kind.compare(results)]
    if results.form == SMALL:
        return tuple(replace(each, verdict=NOT_COMPARABLE) for each in found)
    return tuple(found)


def comparison_rule(results: Results | None = None) -> str:
    """Say when a number counts as reproduced, for every kind that compares, or for those that a study has."""
    there = set(study_kinds()) if results is None else set(results.cells["kind"].to_list())
    rules = [f"{name}: {kind.rule}." for name, kind in study_kinds().items() if kind.rule and name in there]
    return " ".join([*rules, COMMON_RULE])


def comparison(results: Results) -> Figure:
    """Give the comparison as a table."""
    found = compare_with_published(results)
    rows = tuple((c.what, c.published, c.ours or "not measured", c.verdict, c.source) for c in found)
    columns = ("what", "published", "here", "verdict", "source")
    return Figure(
        "comparison",
        "Comparison with the published numbers",
        comparison_rule(results),
        (Listing("", ("quantity", *columns[1:]), rows),),
        FigureTable(columns, rows),
        across=1,
    )
