"""Write docs/results/README.md: every published number that the program knows, ours beside it, and why they differ.

python -m benchmarks.results_page

The numbers are those of the `comparison.csv` that each study of record has in its folder; nothing is computed here. A
published number that no study has is listed as not measured. Why one was not reproduced is said in
published_reasons.toml.
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from benchmarks.measuring import ROOT
from seethrough.study.kinds.published import NOT_COMPARABLE, NOT_REPRODUCED, REPRODUCED, read_facts

RESULTS = ROOT / "docs" / "results"
PAGE = RESULTS / "README.md"
TEMPLATE = Path(__file__).with_name("results.md.jinja")
REASONS = Path(__file__).with_name("published_reasons.toml")
NOT_MEASURED = "not measured"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, NOT_COMPARABLE, NOT_MEASURED)
STUDIES = {"games": "aia-", "metrics": "metric-", "linkage": "linkage-"}
"""How the folders of the studies of each kind begin."""


@dataclass(frozen=True)
class ComparedNumber:
    """A published number, ours, the study that has it, and why they differ; no study has what was not measured."""

    what: str
    published: str
    here: str
    verdict: str
    source: str
    study: str
    why: str

    @property
    def row(self) -> str:
        """Write a row of the table."""
        study = f"[{self.study}]({self.study})" if self.study else ""
        return (
            f"| {self.what} | {self.published} | {self.here} | {self.verdict} | {self.why} | {self.source} | {study} |"
        )


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(RESULTS), encoding="utf-8")


def page(folder: Path) -> str:
    """Render the page from the comparisons in the folder."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["reason"]
    found = {kind: list(compared_numbers(folder, kind, reasons)) for kind in STUDIES}
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        tables={kind: table(numbers) for kind, numbers in found.items()},
        counts={kind: count(numbers) for kind, numbers in found.items()},
        goals=goals(folder),
    )


def compared_numbers(folder: Path, kind: str, reasons: Sequence[Mapping[str, str]]) -> Iterator[ComparedNumber]:
    """Give what the studies of a kind compared, then the published numbers that none of them has.

    A number that several studies have is that of the one with most games or runs, if it can be compared there.
    """
    there = dict[str, ComparedNumber]()
    for path in sorted(folder.glob(f"{STUDIES[kind]}*/comparison.csv"), key=_games_in_name, reverse=True):
        for row in read(path):
            found = ComparedNumber(**row, study=path.parent.name, why=why(row, kind, reasons))
            before = there.get(found.what)
            if NOT_MEASURED not in found.here and (before is None or before.verdict == NOT_COMPARABLE != found.verdict):
                there[found.what] = found
    yield from there.values()
    for what, published, source in PUBLISHED[kind]():
        if what not in there:
            row = {"what": what, "published": published, "here": "", "verdict": NOT_MEASURED, "source": source}
            yield ComparedNumber(**row, study="", why=why(row, kind, reasons))


def _games_in_name(path: Path) -> int:
    """Read the number that the name of a study ends with."""
    last = path.parent.name.rpartition("-")[2]
    return int(last) if last.isdigit() else 0


def read(path: Path) -> list[dict[str, str]]:
    """Read a comparison."""
    with path.open(encoding="utf-8", newline="") as page:
        # What begins with a minus sign stands behind an apostrophe, so that no spreadsheet takes it for a formula.
        return [{name: value.removeprefix("'") for name, value in row.items()} for row in csv.DictReader(page)]


def why(row: Mapping[str, str], kind: str, reasons: Sequence[Mapping[str, str]]) -> str:
    """Find the first reason that fits what was compared and its verdict; what was reproduced needs none."""
    if row["verdict"] == REPRODUCED:
        return ""
    told = f"{row['what']}: {row['published']} -> {row['here']}: {row['verdict']}"
    for reason in reasons:
        if reason["kind"] == kind and re.search(reason["match"], told):
            return reason["why"]
    return ""


def table(numbers: Sequence[ComparedNumber]) -> str:
    """Write a table as Markdown."""
    head = (
        "| quantity | published | here | verdict | why | source | study |\n| --- | --- | --- | --- | --- | --- | --- |"
    )
    return "\n".join([head, *(each.row for each in numbers)])


def count(numbers: Sequence[ComparedNumber]) -> str:
    """Say how many were reproduced, and what became of the others."""
    told = [(verdict, sum(each.verdict == verdict for each in numbers)) for verdict in VERDICTS]
    return ", ".join(f"{many} {verdict}" for verdict, many in told if many)


def goals(folder: Path) -> str:
    """Say how many of the goals of the calibration are met."""
    found = [row for path in sorted(folder.glob("calibration-*/comparison.csv")) for row in read(path)]
    met = sum(row["verdict"] == "met" for row in found)
    return f"{met} of {len(found)}"


def published_games() -> Iterator[tuple[str, str, str]]:
    """Name what Annamalai, Gadotti and Rocher state, as the comparison does."""
    known = read_facts("seethrough.study.kinds.games")
    for fact in known["score"]:
        measure = {"auc": "AUC"}.get(fact["measure"], fact["measure"])
        what = f"{fact['data']}, {fact['synthesizer']}, m = {fact['size']:,}, {fact['attack']}: {measure}"
        yield what, f"above {fact['least']}" if "least" in fact else f"{fact['value']:.3f}", fact["source"]
    for fact in known["difference"]:
        small, large = fact["sizes"]
        what = f"{fact['data']}, {fact['synthesizer']}, {fact['attack']}: gain from m = {small:,} to {large:,}"
        yield what, f"{fact['value']:.3f}", fact["source"]
    for fact in known["error"]:
        what = f"{fact['data']}, {fact['synthesizer']}, m = {fact['size']:,}: {fact['measure'].upper()}"
        yield what, f"{fact['value']:.3f}", fact["source"]
    yield from _published_costs(known["cost"][0])


def _published_costs(fact: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for size, seconds in fact["seconds"].items():
        for queries, took in zip(fact["queries"], seconds, strict=True):
            what = f"seconds of one attack, m = {int(size):,}, {queries:,} queries"
            yield what, f"{took:g}", fact["source"]


def _compared_whole() -> Iterator[tuple[str, str, str]]:
    """Give nothing: a study of this kind compares every published number, or none."""
    yield from ()


PUBLISHED = {"games": published_games, "metrics": _compared_whole, "linkage": _compared_whole}


if __name__ == "__main__":
    main()
