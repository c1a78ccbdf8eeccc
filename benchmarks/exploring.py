"""Answers of an exploration with 25,000 real and released rows: a guess, the line for 100 people, a page of people.

ACS employment of Massachusetts, 17 columns; half of the released rows are real ones, the columns of the others are
shuffled, so that people have few and many nearest rows. The stated cost of a run is held against what runs took, on
tables and sizes that the coefficients were not fitted to.
"""

import time
from collections.abc import Callable

import numpy as np
import polars as pl

import seethrough as st
from benchmarks.findings import Finding
from benchmarks.measuring import table
from seethrough.exploring.answers.tables import PeopleQuestion

ROWS = 25_000
SECRET = "ESR"
CASES = (
    ("adult.csv.gz", "income", 2_500, True, "full"),
    ("adult.csv.gz", None, 1_000, True, "fast"),
    ("adult.csv.gz", "sex", 3_000, False, "fast"),
    ("fire_10attr.csv.gz", None, 2_000, True, "attacks"),
    ("fire_10attr.csv.gz", "Call Type", 4_000, True, "full"),
    ("fire_10attr.csv.gz", None, 1_500, False, "full"),
    ("acs_employment_ma_2018.csv.gz", "ESR", 3_000, True, "full"),
    ("acs_employment_ma_2018.csv.gz", "ESR", 6_000, True, "attacks"),
    ("acs_recon_ma_2018.csv.gz", "SEX", 2_000, True, "fast"),
    ("acs_recon_ma_2018.csv.gz", "SEX", 2_000, False, "attacks"),
)


def report() -> list[Finding]:
    """Time answers after an audit with a few checks, and runs against their stated cost."""
    return [*answers(), *stated_costs()]


def tables(name: str, rows: int) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Draw real people, a release, and people outside."""
    every = table(name)
    drawn = every[np.random.default_rng(0).permutation(len(every))]
    rows = min(rows, len(drawn) // 2)
    real, outside = drawn[:rows], drawn[rows : 2 * rows]
    mixed = real.sample(rows, seed=1, shuffle=True)
    shuffled = mixed[rows // 2 :].with_columns(pl.all().shuffle(seed=1))
    return real, pl.concat([mixed[: rows // 2], shuffled]), outside


def answers() -> list[Finding]:
    """Time single answers."""
    exploration = st.explore(
        *tables("acs_employment_ma_2018.csv.gz", ROWS), secret=SECRET, checks=["gcap", "zcap", "crp"], preset="attacks"
    )
    exploration.run()
    rng = np.random.default_rng(2)
    known = [name for name in exploration.columns if name != SECRET]
    detail = f"{exploration.people_count:,} real, {ROWS:,} released rows x {len(exploration.columns)}"

    def guess() -> None:
        person = exploration.person(row=int(rng.integers(exploration.people_count)))
        some = [name for name in known if rng.random() < 0.7]
        exploration.guess(SECRET, some, person)
        exploration.one_more(SECRET, some, person)

    def line() -> None:
        exploration.rightness(SECRET, [name for name in known if rng.random() < 0.7])

    def page() -> None:
        sort = str(rng.choice([*exploration.columns, "flags", "gcap"]))
        exploration.people(PeopleQuestion(sort=sort, page=int(rng.integers(100))))

    often = f"95th of 200; {detail}"
    return [
        Finding("exploring: a guess after a tick", spread(guess, 200), "s", at_most=0.2, detail=often),
        Finding("exploring: of 100 people", spread(line, 20), "s", at_most=1.5, detail=f"95th of 20; {detail}"),
        Finding("exploring: a page of people", spread(page, 200), "s", at_most=0.2, detail=often),
    ]


def spread(work: Callable[[], None], times: int) -> float:
    """Time something many times, and give what 95 of 100 stay below."""
    taken = []
    work()
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return float(np.quantile(taken, 0.95))


def stated_costs() -> list[Finding]:
    """Run audits, and count those that took between half and twice what was stated."""
    found = []
    for name, secret, rows, has_outsiders, preset in CASES:
        real, released, outside = tables(name, rows)
        asked = {"secret": secret} if secret else {}
        exploration = st.explore(real, released, outside if has_outsiders else None, preset=preset, **asked)
        stated, begun = exploration.cost(preset=preset).seconds, time.perf_counter()
        exploration.run()
        taken = time.perf_counter() - begun
        found.append(taken / stated)
        print(f"  {name} {secret} {rows} {preset}: stated {stated:.1f} s, took {taken:.1f} s", flush=True)
    within = sum(0.5 <= each <= 2 for each in found)
    shown = ", ".join(f"{each:.2f}" for each in sorted(found))
    detail = f"of {len(CASES)} audits; taken over stated: {shown}"
    return [Finding("exploring: stated cost within a factor of 2", within, "audits", at_least=9, detail=detail)]
