"""Write the page and the tables of record of linkage over several files from a store: no number on the page is typed.

python -m benchmarks.linkage_page STORE

The store is that of `seethrough study run docs/results/plans/linkage-copies-1000.toml`.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from benchmarks.measuring import ROOT
from seethrough.report.figures import figure_svg
from seethrough.report.figures.figure_files import table
from seethrough.report.machine.table_files import as_csv
from seethrough.results.figure import Figure
from seethrough.study.cells.results import Results
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import make_figures
from seethrough.study.kinds.linkage.scores import BASELINE, LinkageScores, linkage_scores
from seethrough.study.kinds.published import NOT_COMPARABLE, REPRODUCED
from seethrough.study.store.frame import load

STUDY = "linkage-copies-1000"
FOLDER, PAGE = ROOT / "docs" / "results" / STUDY, ROOT / "docs" / "results" / "linkage.md"
TEMPLATE = Path(__file__).with_name("linkage.md.jinja")
CLOSEST, FILES = "level 1", (1, 3, 20)


def main(store: str) -> None:
    """Write the figures, their numbers and the page."""
    results = load(store, STUDY)
    figures = make_figures(results)
    FOLDER.mkdir(exist_ok=True)
    write_figures(figures, FOLDER)
    PAGE.write_text(page(results))


def write_figures(figures: Iterable[Figure], folder: Path) -> None:
    """Write the numbers of each figure, and a picture of each that is not the comparison."""
    for figure in figures:
        (folder / f"{figure.name}.csv").write_text(as_csv(table(figure)), encoding="utf-8", newline="")
        if figure.name != "comparison":
            (folder / f"{figure.name}.svg").write_text(figure_svg.render(figure), encoding="utf-8")


def page(results: Results) -> str:
    """Render the page."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    compared = [each for each in compare_with_published(results) if each.verdict != NOT_COMPARABLE]
    cells = results.cells
    return environment.from_string(TEMPLATE.read_text()).render(
        study=STUDY,
        seed=results.seed,
        cells=f"{len(cells):,}",
        failed=cells.filter(status="failed").height + cells.filter(status="missing").height,
        minutes=f"{cells['seconds'].sum() / 60:.0f}",
        runs={scores.data: f"{scores_runs(scores):,}" for scores in linkage_scores(results)},
        compared=rows(
            ("quantity", "published", "here", ""), [(c.what, c.published, c.ours, c.verdict) for c in compared]
        ),
        reproduced=sum(each.verdict == REPRODUCED for each in compared),
        of=len(compared),
        missed=[each.what for each in compared if each.verdict != REPRODUCED],
        disclosed=rows(
            ("records", "hidden", "files", "level 1", "all columns permuted"),
            [row for scores in linkage_scores(results) for row in disclosed(scores)],
        ),
    )


def scores_runs(scores: LinkageScores) -> int:
    """Count the runs."""
    return len(scores.values(CLOSEST, FILES[0], "any_exact"))


def disclosed(scores: LinkageScores) -> Iterable[tuple[str, ...]]:
    """Give the share of records that some of so many files discloses, and the same with all columns permuted."""
    for files in FILES:
        told = [scores.values(closeness, files, "any_exact").mean() for closeness in (CLOSEST, BASELINE)]
        yield (scores.data.split()[0], scores.hidden, str(files), *(f"{100 * share:.1f} %" for share in told))


def rows(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    """Write a table as Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, tuple("---" for _ in head), *body])


if __name__ == "__main__":
    main(*sys.argv[1:])
