"""Picture and table of docs/reading-results.md on similarity and privacy: five releases of the shipped records.

python -m benchmarks.reading_page docs
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import seethrough as st
from seethrough.report.figures import figure_svg
from seethrough.results.figure import CONFIDENCE_INTERVAL, Chart, Figure, FigureAxis, FigureTable, Series

PEOPLE = 2500
COPIED = 125
ATTACK, METRIC = "match", "dcr"
PART = re.compile(r"(?<=<!-- five releases -->\n).*(?=\n<!-- end of releases -->)", re.DOTALL)


def releases(members: pl.DataFrame, others: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Give five releases of one size: from the members, from other people, and from other people with a few members."""
    made = {name: st.synthesize(name, members, PEOPLE, seed=0).frame for name in ("indhist", "baynet")}
    return {
        "other people": others,
        f"other people, {COPIED} members copied": pl.concat([others[COPIED:], members[:COPIED]]),
        "each column by itself": made["indhist"],
        "a Bayesian network": made["baynet"],
        "members, 15 % of cells exchanged": _exchange(members),
    }


def _exchange(members: pl.DataFrame) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    start, drawn = np.arange(PEOPLE), lambda: rng.integers(0, PEOPLE, PEOPLE)
    return members.select(
        pl.Series(name, members[name].to_numpy()[np.where(rng.random(PEOPLE) < 0.15, drawn(), start)])
        for name in members.columns
    )


def measure() -> Iterator[tuple[str, float, float, float, float, str]]:
    """Audit each: name, similarity, leak in people of 100 with its interval, grade."""
    frame = st.samples.acs()
    order = np.random.default_rng(0).permutation(len(frame))
    members, outside, others = (frame[order[place * PEOPLE : (place + 1) * PEOPLE]] for place in range(3))
    for name, table in releases(members, others).items():
        report = st.audit(members, table, outside, checks=[METRIC])
        attack = report.attacks().row(by_predicate=pl.col("name") == ATTACK, named=True)
        leak = (100 * attack[part] for part in ("leak", "leak_low", "leak_high"))
        yield name, report[METRIC].risk.value, *leak, report.verdict.grade.value


def picture(rows: list[tuple[str, float, float, float, float, str]]) -> str:
    """Draw similarity to the right and the leak upwards."""
    chart = Chart(
        title="",
        x=FigureAxis(f"similarity to the real table: {METRIC}, 0 to 1", low=0, high=1),
        y=FigureAxis("leak: members found beyond people outside, of 100"),
        series=tuple(Series(name, (x,), (y,), (low,), (high,)) for name, x, y, low, high, _ in rows),
        lines=(("no leak", 0.0),),
        interval=CONFIDENCE_INTERVAL,
        joined=False,
    )
    head = ("release", "similarity", "leak", "low", "high", "verdict")
    return figure_svg.render(Figure("similarity", "", "", (chart,), FigureTable(head, tuple(rows)), across=1))


def table(rows: list[tuple[str, float, float, float, float, str]]) -> str:
    """Write the numbers of the picture."""
    head = ["| release made of | similarity | leak, of 100 | verdict |", "| --- | --- | --- | --- |"]
    return "\n".join(
        [
            *head,
            *(
                f"| {name} | {x:.2f} | {y:.1f} ({low:.1f} to {high:.1f}) | {grade} |"
                for name, x, y, low, high, grade in rows
            ),
        ]
    )


def main(docs: Path) -> None:
    """Write both."""
    rows = list(measure())
    (docs / "images" / "similarity-is-not-privacy.svg").write_text(picture(rows), encoding="utf-8")
    page = docs / "reading-results.md"
    page.write_text(PART.sub(lambda _: table(rows), page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
