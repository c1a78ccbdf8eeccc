"""Write the page and tables of record of the attribute inference games from a store: no number on the page is typed.

python -m benchmarks.games_page STORE [DEFAULTS.json]

The store is that of `seethrough study run` with plans aia-*.toml in docs/results/plans. What it has is written into the
folders of these studies, with every game; what it lacks stays as it was written before, and the page is made of all.
"""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, StrictUndefined

from benchmarks.measuring import ROOT
from benchmarks.study_cells import write_cells
from seethrough.report.figures import figure_svg
from seethrough.report.figures.figure_files import table
from seethrough.report.machine.table_files import as_csv
from seethrough.study.kinds.figures import make_figures
from seethrough.study.kinds.published import NOT_COMPARABLE
from seethrough.study.store.frame import load
from seethrough.study.store.store import Store

STUDIES = {
    "size": ("aia-size-500", "aia-size-250"),
    "dp": ("aia-dp-200", "aia-dp-50"),
    "queries": ("aia-queries-50",),
    "unlike": ("aia-unlike-48",),
}
"""Studies by subject; what several have is that of the first, which has more games."""
COMPARED = "aia-size-500", "aia-size-250", "aia-dp-50", "aia-queries-50"
"""Studies with published numbers, in the order in which they are looked at."""
COST = "aia-cost"
RESULTS = ROOT / "docs" / "results"
PAGE, TEMPLATE = RESULTS / "generators.md", Path(__file__).with_name("games.md.jinja")
ATTACKS = {"recon": "lp", "recon:gls": "gls", "dcr": "dcr", "infer": "infer"}


def main(store: str, defaults: str = "") -> None:
    """Write figures, tables and the page."""
    with Store.read(Path(store)) as found:
        there = {name for (name,) in found.rows("SELECT name FROM study")}
    for name in sorted({COST, *(name for names in STUDIES.values() for name in names)} & there):
        export(store, name)
    if defaults:
        (RESULTS / "library-defaults.json").write_text(Path(defaults).read_text(encoding="utf-8"), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


def export(store: str, name: str) -> None:
    """Write the figures of a study, their numbers, and every cell."""
    folder, results = RESULTS / name, load(store, name)
    folder.mkdir(exist_ok=True)
    write_cells(results, folder)
    for figure in make_figures(results):
        (folder / f"{figure.name}.csv").write_text(as_csv(table(figure)), encoding="utf-8", newline="")
        if figure.name not in {"comparison", "scores"}:
            (folder / f"{figure.name}.svg").write_text(figure_svg.render(figure), encoding="utf-8")


def page() -> str:
    """Render the page from what was exported."""
    by_study = {key: merged(key, "scores.csv", ["data", "synthesizer", "size", "attack"]) for key in STUDIES}
    scores = {key: pl.concat(parts.values(), how="diagonal") for key, parts in by_study.items()}
    sizes = errors_of("size", "utility.csv")
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        studies=STUDIES,
        games=games_played({name: part for parts in by_study.values() for name, part in parts.items()}),
        cost=COST,
        size=[by_size(scores["size"], data, ATTACKS) for data in ("acs", "fire")],
        dp=[by_size(scores["dp"], data, ATTACKS) for data in ("acs", "fire")],
        queries=[by_attack(scores["queries"], data) for data in ("acs", "fire")],
        errors=errors(sizes),
        dp_errors=errors(errors_of("dp", "error-by-epsilon.csv")),
        steps=steps(scores["unlike"], scores["size"], sizes),
        absent=absent(scores["unlike"], scores["queries"]),
        compared=rows(("what", "published", "here", ""), best_compared(COMPARED)),
        library=library(json.loads((RESULTS / "library-defaults.json").read_text(encoding="utf-8"))),
        seconds=seconds(),
    )


def merged(subject: str, file: str, keys: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Read what each study of a subject has that none before it has."""
    found: dict[str, pl.DataFrame] = {}
    for name in STUDIES[subject]:
        part = pl.read_csv(RESULTS / name / file)
        for before in found.values():
            part = part.join(before, on=keys, how="anti", nulls_equal=True)
        found[name] = part
    return found


def errors_of(subject: str, file: str) -> pl.DataFrame:
    """Read the errors of all generators of a subject, by generator."""
    keys = ["data", "synthesizer", "size", "measure", *(["epsilon"] if "epsilon" in file else [])]
    return pl.concat(merged(subject, file, keys).values(), how="diagonal")


def games_played(scores: dict[str, pl.DataFrame]) -> str:
    """Say how many games each study has with each generator, the forest by itself."""
    lines = []
    for name, found_there in scores.items():
        some = found_there.filter(pl.col("size").is_not_null())
        for is_forest in (False, True):
            part = some.filter((pl.col("attack") == "infer") == is_forest)
            found = part.group_by("synthesizer", maintain_order=True).agg(pl.col("answers").min())
            for count, names in found.group_by("answers", maintain_order=True).agg("synthesizer").iter_rows():
                told = ", ".join(f"`{each}`" for each in names)
                lines.append((f"[{name}](plans/{name}.toml)", f"{told}{', the forest' if is_forest else ''}", count))
    return rows(("study", "generators", "games"), lines)


def best_compared(studies: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """Keep one comparison of each published number: that of the first study that can be compared, else the first."""
    best: dict[str, dict[str, str]] = {}
    for path in (RESULTS / study / "comparison.csv" for study in studies):
        with path.open(encoding="utf-8", newline="") as found:
            for each in csv.DictReader(found):
                before = best.get(each["what"])
                is_better = before is None or before["verdict"] == NOT_COMPARABLE != each["verdict"]
                if each["here"] and "not measured" not in each["here"] and is_better:
                    best[each["what"]] = {name: value.removeprefix("'") for name, value in each.items()}
    return [(each["what"], each["published"], each["here"], each["verdict"]) for each in best.values()]


def rows(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Write a table."""
    written = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(str(each) for each in line) + " |" for line in written)


def told(row: dict[str, Any] | None) -> str:
    """Write an accuracy with its interval and the area under the curve; empty where nothing was played."""
    if row is None:
        return ""
    auc = f", {row['auc']:.3f}".replace("0.", ".") if row["auc"] is not None else ""
    return f"{100 * row['accuracy']:.0f} ({100 * row['low']:.0f}-{100 * row['high']:.0f}){auc}"


def find(scores: pl.DataFrame, **asked: object) -> dict[str, Any] | None:
    """Find a score; none where it was not played."""
    found = scores.filter(*(pl.col(key) == value for key, value in asked.items()))
    return found.row(0, named=True) if found.height else None


def by_size(scores: pl.DataFrame, data: str, attacks: dict[str, str]) -> str:
    """Write accuracies of a table by generator, size and attack."""
    some = scores.filter(pl.col("data") == data, pl.col("size").is_not_null())
    there = [attack for attack in attacks if attack in some["attack"].to_list()]
    lines = []
    for generator in some["synthesizer"].unique(maintain_order=True):
        for size in sorted(some.filter(pl.col("synthesizer") == generator)["size"].unique()):
            cells = [told(find(some, synthesizer=generator, size=size, attack=attack)) for attack in there]
            played = some.filter(pl.col("synthesizer") == generator, pl.col("size") == size)["answers"].max()
            lines.append((f"`{generator}`", power(size), played, *cells))
    return rows(("generator", "m", "games", *(attacks[attack] for attack in there)), lines)


def by_attack(scores: pl.DataFrame, data: str) -> str:
    """Write accuracies at the largest release by query and generator."""
    some = scores.filter(pl.col("data") == data, pl.col("size") == scores["size"].max())
    generators = some["synthesizer"].unique(maintain_order=True).to_list()
    lines = [
        (f"`{attack}`", *(told(find(some, synthesizer=generator, attack=attack)) for generator in generators))
        for attack in some["attack"].unique(maintain_order=True)
    ]
    return rows(("queries", *(f"`{generator}`" for generator in generators)), lines)


def errors(found: pl.DataFrame) -> str:
    """Write MRE>10 and 3-TVD by generator, table and size, or by epsilon at the largest size."""
    by = "epsilon" if "epsilon" in found.columns else "size"
    lines = []
    for generator, data, value in found.select("synthesizer", "data", by).unique(maintain_order=True).iter_rows():
        pair = [find(found, synthesizer=generator, data=data, measure=each, **{by: value}) for each in ("mre", "tvd")]
        shown = power(value) if by == "size" else f"{value:g}"
        lines.append((f"`{generator}`", data, shown, *(f"{each['value']:.3f}" for each in pair if each)))
    return rows(("generator", "table", "m" if by == "size" else by, "MRE>10", "3-TVD"), lines)


def steps(scores: pl.DataFrame, whole_scores: pl.DataFrame, whole: pl.DataFrame) -> str:
    """Write what a fit of rap that ends early leaves to reconstruct."""
    early = errors_of("unlike", "utility.csv")
    lines = []
    for data in ("acs", "fire"):
        for generator in ("rap:steps=100", "rap:steps=200", "rap:steps=400", "rap:steps=1000", "rap"):
            source, utility = (whole_scores, whole) if generator == "rap" else (scores, early)
            pick = [find(source, data=data, synthesizer=generator, size=m, attack="recon") for m in (1_000, 1_000_000)]
            error = find(utility, data=data, synthesizer=generator, size=1_000_000, measure="mre")
            shown = f"{error['value']:.4f}" if error else ""
            games = pick[0]["answers"] if pick[0] else ""
            lines.append((data, f"`{generator}`", games, shown, *(told(each) for each in pick)))
    return rows(("table", "fit", "games", "MRE>10 at m = 10^6", "lp, m = 10^3", "lp, m = 10^6"), lines)


def absent(scores: pl.DataFrame, others: pl.DataFrame) -> str:
    """Write both answers to queries about groups without a released row."""
    lines = []
    for data in ("acs", "fire"):
        for generator in ("nonprivate", "rap", "baynet"):
            for size in (100, 1_000, 1_000_000):
                zero = find(scores, data=data, synthesizer=generator, size=size, attack="recon:absent=zero")
                drop = find(others, data=data, synthesizer=generator, size=size, attack="recon")
                lines.append((data, f"`{generator}`", power(size), told(drop), told(zero)))
    return rows(("table", "generator", "m", "left out (here)", "taken to be 0 (paper)"), lines)


def library(found: dict[str, Any]) -> str:
    """Write what the habits of libraries do to utility and to reconstruction."""
    lines = []
    for which in ("network", "numbers"):
        for data, played in found.get(which, {}).items():
            scores = pl.DataFrame(played["scores"]).with_columns(auc=None, synthesizer=pl.col("generator"))
            for each in played["errors"]:
                score = find(scores, generator=each["generator"], size=each["size"], attack="recon")
                told_games = f"{each['games']}, {score['games'] if score else ''}"
                lines.append(
                    (data, each["generator"], power(each["size"]), f"{each['mre']:.3f}", told(score), told_games)
                )
    return rows(("table", "generator", "m", "MRE>10", "lp", "games (MRE>10, lp)"), lines)


def seconds() -> str:
    """Write seconds of one attack by size and number of queries."""
    found = pl.read_csv(RESULTS / COST / "cost.csv")
    counts = sorted(found["queries"].unique())
    lines = []
    for size in sorted(found["size"].unique()):
        cells = [find(found, size=size, queries=count) for count in counts]
        lines.append((power(size), *(f"{each['seconds']:.3f}" if each else "" for each in cells)))
    return rows(("m", *(power(count) for count in counts)), lines)


def power(size: float) -> str:
    """Write a power of ten."""
    return f"10^{len(str(int(size))) - 1}"


if __name__ == "__main__":
    main(*sys.argv[1:])
