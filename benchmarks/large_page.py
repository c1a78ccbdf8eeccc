"""The part of docs/scale.md about releases in chunks, made of what docs/scale.json records: rates, and what follows.

How long a thousand million rows would take on workers is calculated from the rates of the largest release that was
measured: each pass reads and encodes again, since workers keep no rows, and passes are shared evenly. Nobody ran it.
"""

from typing import Any

from benchmarks.measuring import ROOT

PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- measured by `python -m benchmarks.large` -->", "<!-- end of large -->"
PAPER_ROWS, PAPER_WORKERS = 1_000_000_000, 32
MILLION = 1_000_000
WORDS = {
    "Together": "levels, drawn rows, digest",
    "NearRowsPass": "k nearest rows of members and people outside, with the density around them",
    "NearestDistancesPass": "nearest row of members and people outside, in other spaces",
    "OtherRowsPass": "nearest other row of released rows that ask",
    "NearestProjectedPass": "nearest row in a projection",
    "ShownByNearestPass": "secrets of the rows nearest on the keys",
    "ShownByAllPass": "secrets of all rows",
    "KeyLookupPass": "look-ups by key sets",
    "AgreementsPass": "agreement on the secret of rows nearest on the keys",
    "NearestByKeysPass": "secrets of the rows that differ in fewest keys",
    "RowsInBoxesPass": "rows in the box around people",
    "CommonRowsPass": "rows in common",
    "MatchesPass": "equal rows, and rows equal but for one column",
    "TallyPass": "counts of cells",
    "CellCountsPass": "counts of single columns",
    "BlockCountsPass": "counts of single columns by block of rows",
    "DifferentRowsPass": "different rows on the keys",
}


def write_part(found: list[dict[str, Any]]) -> None:
    """Write tables and the calculation between their marks."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{part_of_page(found)}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def part_of_page(found: list[dict[str, Any]]) -> str:
    """Write one line for each release, the passes of the largest, and the calculation."""
    lines = [
        "| released rows | columns | targets of each kind | cores | time | processor time | memory |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in found:
        sizes = f"| {each['rows']:,} | {each['columns']} | {each['targets']:,} | {each['cores']} |"
        lines.append(f"{sizes} {each['seconds']:,.0f} s | {each['cpu']:,.0f} s | {each['peak']:.1f} GiB |")
    return "\n".join([*lines, "", *_passes(found[-1]), "", calculation(found[-1]), ""])


def _passes(largest: dict[str, Any]) -> list[str]:
    said = (
        f"Processor seconds for a million rows in the audit of {largest['rows']:,}, by pass; reading and encoding them "
        f"takes {largest['reading']:.1f} s more, once here where encoded rows are kept, in each pass on workers:"
    )
    lines = [said, "", "| pass | passes | seconds for a million rows |", "| --- | ---: | ---: |"]
    rates = {name: (count, seconds / largest["rows"] * MILLION) for name, (count, seconds) in largest["passes"].items()}
    shown = sorted((name for name in rates if rates[name][1] >= 0.1), key=lambda name: -rates[name][1])
    lines += [f"| {WORDS.get(name, name)} | {rates[name][0]} | {rates[name][1]:.1f} |" for name in shown]
    others = [rate for name, rate in rates.items() if name not in shown]
    return [*lines, f"| all others | {_count(largest, shown)} | {sum(rate for _, rate in others):.1f} |"]


def _count(largest: dict[str, Any], shown: list[str]) -> int:
    return sum(count for name, (count, _) in largest["passes"].items() if name not in shown)


def paper_seconds(largest: dict[str, Any]) -> float:
    """Calculate the seconds of passes over a thousand million rows on workers of one thread."""
    passes = sum(count for count, _ in largest["passes"].values())
    computing = sum(seconds for _, seconds in largest["passes"].values()) / largest["rows"]
    return PAPER_ROWS * (computing + passes * largest["reading"] / MILLION) / PAPER_WORKERS


def calculation(largest: dict[str, Any]) -> str:
    """Say what a thousand million rows would take, and that nobody ran it."""
    passes = sum(count for count, _ in largest["passes"].values())
    computing = sum(seconds for _, seconds in largest["passes"].values()) / largest["rows"] * MILLION
    return (
        f"{PAPER_ROWS:,} rows on {PAPER_WORKERS} workers of one thread: **a paper calculation from these rates, which "
        f"nobody has run.** {passes} passes that read again at {largest['reading']:.1f} s a million rows, and "
        f"{computing:.1f} s of computing, are {computing + passes * largest['reading']:.0f} s of processor time a "
        f"million rows; times {PAPER_ROWS // MILLION:,}, over {PAPER_WORKERS} workers, "
        f"{paper_seconds(largest) / 60:,.0f} minutes for {largest['targets']:,} targets of each kind, beside what the "
        "coordinator does alone. The network carries the people once a pass, and what was found in each chunk back."
    )
