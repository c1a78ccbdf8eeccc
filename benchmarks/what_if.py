"""Is the lever that what-if recommends the best of all? And what does dropping near copies do?

    python benchmarks/what_if.py levers ../shared/data docs/results/whatif.json
    python benchmarks/what_if.py copies ../shared/data docs/results/whatif-copies.json
    python benchmarks/what_if_page.py docs/results

Twelve releases: ACS (9 columns, secret ESR) and Adult (9 columns, secret income), 500 members and 500 people outside,
by baynet and rap (500 relaxed rows, 300 steps), of several samples. For each the usual what-if (a quick pass over all
levers on columns, six of them measured) names a lever; then every lever is measured, with another seed: other
references, other draws, other subsets of columns. `copies` drops near copies from the same releases, and compares
similarity scores and the leak of every attack on the secret, before and after. A release whose result stands in the
file already is not made again.
"""

import json
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import polars as pl

import seethrough as st
from seethrough.auditing.evidence.assess import EvidenceRules
from seethrough.auditing.evidence.attribute.joint_answers import LOOKUP
from seethrough.auditing.levers.defaults import column_levers, screen_levers, usual_levers
from seethrough.auditing.levers.leaks import StatedLeak, changes, leak_of_all
from seethrough.auditing.levers.run import take_stock, try_baseline, try_levers
from seethrough.auditing.levers.situation import Generators
from seethrough.data.reading.release_tables import read_release
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.influence import smallest_error, success_influence
from seethrough.plugins import catalog
from seethrough.results.evidence import Grade, LeakFamily

PEOPLE = 500
TABLES = {
    "acs": ("acs_employment_ma_2018.csv.gz", "ESR", "AGEP SCHL MAR RELP CIT MIL SEX RAC1P ESR"),
    "adult": (
        "adult.csv.gz",
        "income",
        "age workclass education marital-status occupation relationship sex hours-per-week income",
    ),
}
GENERATORS = {"baynet": "baynet", "rap": "rap:relaxed_rows=500,steps=300"}
CASES = [(table, generator, sample) for sample in (1, 2, 3) for table in TABLES for generator in GENERATORS]
SIMILARITY = ("dcr", "nndr", "hitting-rate")


def tables(folder: Path, table: str, sample: int) -> tuple[pl.DataFrame, pl.DataFrame, str]:
    """Draw members and people outside."""
    file, secret, columns = TABLES[table]
    frame = pl.read_csv(folder / file, null_values=["?"]).select(columns.split())
    drawn = frame.sample(2 * PEOPLE, seed=sample, shuffle=True)
    return drawn[:PEOPLE], drawn[PEOPLE:], secret


def situation_of(release, generator, seed):
    """Attack a release by the quick attacks, with one thread."""
    own = catalog.named_synthesizers([generator])
    others = catalog.named_synthesizers(["privbayes:epsilon=1"])
    generators = Generators(next(iter(own.values())), others)
    return take_stock(release, catalog.arsenal("fast"), EvidenceRules(seed), Budget(threads=1), generators)


def run_case(folder: Path, table: str, generator: str, sample: int) -> dict:
    """Let what-if recommend, then measure every lever."""
    real, outside, secret = tables(folder, table, sample)
    label = GENERATORS[generator]
    begun = time.perf_counter()
    made = st.synthesize(label, real, PEOPLE, seed=sample).frame
    release = read_release(real, [made], outside, secrets=[secret])
    usual = situation_of(release, label, 0)
    baseline = try_baseline(usual)
    chosen, _ = screen_levers(usual, column_levers(usual), baseline, lambda _: None)
    rows = try_levers(usual, (*usual_levers(usual), *chosen), baseline, lambda _: None)
    recommended = next((row for row in rows if row.helps and row.is_remedy), None)
    middle = time.perf_counter()
    again = situation_of(release, label, 1)
    other = try_baseline(again)
    every = try_levers(again, (*usual_levers(again), *column_levers(again)), other, lambda _: None)
    best = next((row for row in every if row.helps and row.is_remedy), None)
    return {
        "table": table,
        "generator": generator,
        "sample": sample,
        "recommended": recommended.lever if recommended else None,
        "best": best.lever if best else None,
        "place": next((row.place for row in every if recommended and row.lever == recommended.lever), None),
        "levers": len(every),
        "baseline": short(baseline.to_dict()),
        "rows": [short(row.to_dict()) for row in rows],
        "every": [short(row.to_dict()) for row in every],
        "seconds": [round(middle - begun, 1), round(time.perf_counter() - middle, 1)],
    }


def short(row: dict) -> dict:
    """Keep of a lever what the page shows."""
    kept = ("lever", "change", "utility_change", "leak", "grade", "helps", "is_remedy", "near_copies", "reason")
    return {name: row[name] for name in kept}


def run_copies(folder: Path, table: str, generator: str, sample: int) -> dict:
    """Drop near copies: scores of similarity, and the leak of each attack on the secret, before and after."""
    real, outside, secret = tables(folder, table, sample)
    label = GENERATORS[generator]
    made = st.synthesize(label, real, PEOPLE, seed=sample).frame
    release = read_release(real, [made], outside, secrets=[secret])
    arsenal = replace(catalog.arsenal("full"), ratings=(), is_supervised=False)
    situation = take_stock(release, arsenal, EvidenceRules(0), Budget(threads=1), Generators())
    kept = np.flatnonzero(~situation.near_copies(situation.whole))
    after = situation.trial.assess(situation.whole.take(kept))
    pairs = list(attribute_pairs(situation.assessment, after))
    changed = changes([(first, second) for _, first, second in pairs], 0, 0.95)
    scores = {}
    for name, frame in (("before", made), ("after", made[kept.tolist()])):
        report = st.audit(real, frame, outside, checks=SIMILARITY, preset="fast", threads=1)
        scores[name] = {check: report[check].measurement.risk.value for check in SIMILARITY}
    return {
        "table": table,
        "generator": generator,
        "sample": sample,
        "dropped": len(made) - len(kept),
        "scores": scores,
        "attacks": [
            {"attack": attack, "before": first.leak.value, "after": second.leak.value, "change": asdict(change)}
            for (attack, first, second), change in zip(pairs, changed, strict=True)
        ],
    }


def attribute_pairs(before, after):
    """State the leak of every attack on the secret on both releases."""
    later = {answer.label: answer for answer in after.answers}
    inside = before.pool.member_people
    for answer in before.answers:
        pair = []
        for each in (answer, later.get(answer.label)):
            if each is not None:
                # A look-up speaks of everybody, and is right about those whom it finds.
                asked = np.ones(len(inside), bool) if each.name.startswith(LOOKUP) else each.asked
                own = np.zeros(len(inside))
                own[asked] = success_influence(each.scores[asked], inside[asked])
                leak = leak_of_all(each.scores[asked], inside[asked], own[asked], 0.95)
                floor = smallest_error(int(inside.sum()), int((~inside).sum()))
                pair.append(StatedLeak(LeakFamily.ATTRIBUTE, Grade.SLIGHT, each.label, leak, 0.0, own, floor))
        if len(pair) == 2:
            yield answer.label, *pair


def run_all(run, folder: Path, result: Path) -> None:
    """Run the cases that are missing, one after the other, and keep each as it is done."""
    done = json.loads(result.read_text()) if result.exists() else []
    known = {(case["table"], case["generator"], case["sample"]) for case in done}
    for case in CASES:
        if case not in known:
            done.append(run(folder, *case))
            result.write_text(json.dumps(done, indent=1) + "\n")
            print(*case, flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["levers", folder, result]:
            run_all(run_case, Path(folder), Path(result))
        case ["copies", folder, result]:
            run_all(run_copies, Path(folder), Path(result))
        case _:
            sys.exit(__doc__)
