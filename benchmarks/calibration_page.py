"""Write the page and the tables of record of the calibration from a store: no number on the page is typed.

python -m benchmarks.calibration_page STORE COMMIT

The store is that of `seethrough study run docs/results/plans/calibration-1000.toml`, the commit what ran it.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from jinja2 import Environment, StrictUndefined

from benchmarks.measuring import ROOT
from benchmarks.study_cells import write_cells
from seethrough.report.figures import figure_svg
from seethrough.report.figures.figure_files import table
from seethrough.report.machine.table_files import as_csv
from seethrough.results.figure import Figure, Listing
from seethrough.study.cells.results import Results
from seethrough.study.kinds.calibration.compare import MET, NOT_MET
from seethrough.study.kinds.calibration.scores import audits_of
from seethrough.study.kinds.comparison import compare_with_published
from seethrough.study.kinds.figures import make_figures
from seethrough.study.store.frame import load

STUDY = "calibration-1000"
FOLDER, PAGE = ROOT / "docs" / "results" / STUDY, ROOT / "docs" / "results" / "calibration.md"
TEMPLATE = Path(__file__).with_name("calibration.md.jinja")


def main(store: str, commit: str) -> None:
    """Write the figures, their numbers and the page."""
    results = load(store, STUDY)
    figures = {figure.name: figure for figure in make_figures(results)}
    FOLDER.mkdir(exist_ok=True)
    write_cells(results, FOLDER)
    for figure in figures.values():
        (FOLDER / f"{figure.name}.csv").write_text(as_csv(table(figure)), encoding="utf-8", newline="")
        if figure.name != "comparison":
            (FOLDER / f"{figure.name}.svg").write_text(figure_svg.render(figure), encoding="utf-8")
    PAGE.write_text(page(results, figures, commit))


def page(results: Results, figures: dict[str, Figure], commit: str) -> str:
    """Render the page."""
    compared = [each for each in compare_with_published(results) if each.verdict in {MET, NOT_MET}]
    alarms = audits_of(results, leaking=False).filter(pl.col("value") > 0)
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return environment.from_string(TEMPLATE.read_text()).render(
        study=STUDY,
        commit=commit,
        seed=results.seed,
        date=datetime.now(UTC).date().isoformat(),
        free=len(audits_of(results, leaking=False)),
        leaking=len(audits_of(results, leaking=True)),
        missing=results.cells.filter(status="missing").height,
        failed=results.cells.filter(status="failed").height,
        broken=results.cells.filter(pl.col("attack_failures").fill_null("") != "").height,
        hours=f"{results.cells['seconds'].sum() / 3600:.1f}",
        goals=rows(("goal", "wanted", "measured", ""), [(c.what, c.published, c.ours, c.verdict) for c in compared]),
        missed=[each for each in compared if each.verdict == NOT_MET],
        alarms=first_table(figures["false-alarms"]),
        alarm_grades=counts(alarms, "grade"),
        alarm_attacks=counts(alarms, "decided_by"),
        listed=int(alarms["listed"].sum()),
        power=first_table(figures["power"]),
        people=first_table(figures["people-precision"]),
    )


def first_table(figure: Figure) -> str:
    """Give the first table of a figure as Markdown."""
    listing = next(panel for panel in figure.panels if isinstance(panel, Listing))
    return rows(listing.columns, list(listing.rows))


def rows(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    """Write a table as Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, tuple("---" for _ in head), *body])


def counts(cells: pl.DataFrame, column: str) -> str:
    """Write how often each value comes, the most frequent first."""
    found = cells[column].value_counts(sort=True).sort("count", column, descending=[True, False])
    return ", ".join(f"{count} {value}" for value, count in found.iter_rows())


if __name__ == "__main__":
    main(*sys.argv[1:])
