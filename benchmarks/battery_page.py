"""Write the page and the tables of record of the battery from a store: no number on the page is typed.

python -m benchmarks.battery_page STORE COMMIT

The store is that of `seethrough study run docs/results/plans/battery-1000.toml`, the commit what ran it.
"""

import sys
from pathlib import Path

import polars as pl
from jinja2 import Environment, StrictUndefined

from benchmarks.measuring import ROOT
from seethrough.plugins import catalog
from seethrough.report.figures import figure_svg
from seethrough.report.figures.figure_files import table
from seethrough.report.machine.table_files import as_csv
from seethrough.results.evidence import FALSE_ALARM_RATES
from seethrough.results.figure import Figure, Grid, Listing
from seethrough.study.cells.results import Results
from seethrough.study.kinds.battery.scores import ERRORS, LEARNT, Scores, attack_costs, attack_rows, battery_scores
from seethrough.study.kinds.figures import make_figures
from seethrough.study.store.frame import load

STUDY = "battery-1000"
FOLDER, PAGE = ROOT / "docs" / "results" / STUDY, ROOT / "docs" / "attacks" / "generators.md"
TEMPLATE = Path(__file__).with_name("battery.md.jinja")
EARLIER, HEADLINE = "nearness-then-rarity", "log-ratio"
"""The rating that led before this table was made, and the one that people are rated by."""
MEASURE_NAMES = {"auc": "area under the curve", **{f"tpr_{rate}": f"found at {rate}" for rate in FALSE_ALARM_RATES}}
CATEGORICAL = ("nonprivate", "baynet", "rap")
"""Generators on which the earlier rating was strong."""


def main(store: str, commit: str) -> None:
    """Write the figures, their numbers and the page."""
    results = load(store, STUDY)
    figures = {figure.name: figure for figure in make_figures(results)}
    FOLDER.mkdir(exist_ok=True)
    for figure in figures.values():
        (FOLDER / f"{figure.name}.csv").write_text(as_csv(table(figure)), encoding="utf-8", newline="")
    (FOLDER / "battery-table.svg").write_text(figure_svg.render(figures["battery-table"]), encoding="utf-8")
    PAGE.write_text(page(results, figures, commit))


def page(results: Results, figures: dict[str, Figure], commit: str) -> str:
    """Render the page."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    scores = list(battery_scores(results))
    full, fast = (preset_names(preset) for preset in ("full", "fast"))
    every = sorted({*catalog.ratings(), *catalog.attacks(), LEARNT})
    measured = {cost.attack for cost in attack_costs(results)}
    return environment.from_string(TEMPLATE.read_text()).render(
        study=STUDY,
        commit=commit,
        seed=results.seed,
        errors=ERRORS,
        releases=results.done("battery").height,
        failed=results.cells.filter(pl.col("status") != "done").height,
        broken=results.cells.filter(pl.col("attack_failures").fill_null("") != "").height,
        minutes=f"{results.cells['seconds'].sum() / 60:.0f}",
        attacks=attack_rows(results)["attack"].str.split(" (").list.first().n_unique(),
        grids=[
            (panel.title, grid_table(panel)) for panel in figures["battery-table"].panels if isinstance(panel, Grid)
        ],
        leaders=[
            (p.title, rows(p.columns, list(p.rows)))
            for p in figures["battery-leaders"].panels
            if isinstance(p, Listing)
        ],
        cost=next(rows(p.columns, list(p.rows)) for p in figures["battery-cost"].panels if isinstance(p, Listing)),
        compared=comparison(scores),
        rates=rates(scores),
        full=names(full),
        fast=names(fast),
        left_out=names([name for name in every if name in measured - set(full) and not led_by(scores, name)]),
        unmeasured=names([name for name in every if name not in measured]),
        dear=[(name, led_by(scores, name)) for name in every if name not in full and led_by(scores, name)],
    )


def led_by(scores: list[Scores], attack: str) -> str:
    """Say where an attack is the best of those without labels, and by what."""
    found = []
    for each in scores:
        for synthesizer in each.synthesizers:
            for measure in each.measures:
                if each.leader(synthesizer, measure, without=LEARNT) == attack:
                    told = number(each.found[attack, synthesizer], measure)
                    found.append(f"{each.data}, {synthesizer}: {MEASURE_NAMES.get(measure, measure)} {told}")
    return "; ".join(found)


def preset_names(preset: str) -> list[str]:
    """Name the attacks of a preset."""
    arsenal = catalog.arsenal(preset)
    named = [each.name for each in arsenal.ratings] + [each.name for each in arsenal.attacks]
    return sorted([*named, *([LEARNT] if arsenal.is_supervised else [])])


def names(given: list[str]) -> str:
    """Write names as code."""
    return ", ".join(f"`{name}`" for name in given)


def grid_table(grid: Grid) -> str:
    """Write a heat map as a table: the attacks by generator."""
    body = [
        (name, *(text.replace("\n", " ") for text in texts)) for name, texts in zip(grid.rows, grid.texts, strict=True)
    ]
    return rows(("attack", *grid.columns), body)


def comparison(scores: list[Scores]) -> str:
    """Hold the headline and the supervised attack against the rating that led before, at 1 % false alarms."""
    body = []
    for each in (each for each in scores if each.family == "membership"):
        for synthesizer in (name for name in CATEGORICAL if name in each.synthesizers):
            best = each.leader(synthesizer) or ""
            told = [share(each, attack, synthesizer) for attack in (EARLIER, HEADLINE, LEARNT, best)]
            body.append((each.data, synthesizer, *told[:3], f"{told[3]} ({best})"))
    return rows(("table", "generator", EARLIER, HEADLINE, LEARNT, "most"), body)


def rates(scores: list[Scores]) -> str:
    """List what the supervised attack and the best rating find at all three rates, where anybody finds something."""
    body = []
    for each in (each for each in scores if each.family == "membership"):
        for synthesizer in each.synthesizers:
            best = each.leader(synthesizer, without=LEARNT)
            for attack in [name for name in (LEARNT, best) if each.leader(synthesizer) and name]:
                found = each.found[attack, synthesizer]
                told = [number(found, f"tpr_{rate}") for rate in FALSE_ALARM_RATES]
                body.append((each.data, synthesizer, attack, number(found, "auc"), *told))
    return rows(("table", "generator", "attack", "AUC", "at 10 %", "at 1 %", "at 0.1 %"), body)


def share(scores: Scores, attack: str, synthesizer: str) -> str:
    """Write a mean with its standard error in percent."""
    return number(scores.found.get((attack, synthesizer), {}), "tpr_0.01")


def number(found: dict[str, float | None], name: str) -> str:
    """Write a number with its standard error in percent; nothing where it cannot be resolved."""
    value, error = found.get(name), found.get(f"{name}_error")
    return "" if value is None or error is None else f"{100 * value:.1f} ± {100 * error:.1f}"


def rows(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    """Write a table as Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, tuple("---" for _ in head), *body])


if __name__ == "__main__":
    main(*sys.argv[1:])
