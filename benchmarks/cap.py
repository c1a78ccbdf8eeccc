"""Generalized CAP against its definition: for each real row, the distance to every synthetic row."""

from itertools import product

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.bench.bench import Bench
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.kernels.budget import Budget
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.seeds import stream

ROWS, SOME = 20_000, 1_000
KEYS = ("workclass", "education", "marital-status", "occupation", "race", "sex")
SECRET = "income"


def report() -> list[Finding]:
    """Compare with a loop over rows, run in full, and with a loop over pairs, extrapolated from `SOME` rows."""
    frame = table("adult.csv.gz").select(*KEYS, SECRET).sample(2 * ROWS, seed=0, shuffle=True)
    release = read_release(frame[:ROWS], [frame[ROWS:]], secrets=(SECRET,), keys=KEYS)
    real, synthetic = release.train.table, release.synthetic[0].table
    ours = seconds(lambda: check(real, synthetic), repeats=5)
    keys, others = (np.column_stack([t.column(name) for name in KEYS]) for t in (real, synthetic))
    secret, other = real.column(SECRET), synthetic.column(SECRET)
    rows = seconds(lambda: by_rows(keys, others, secret, other), repeats=1)
    half, whole = (seconds(lambda n=n: by_pairs(keys[:n], others[:n], secret, other), 1) for n in (SOME // 2, SOME))
    growth = np.log2(whole / half)
    pairs = whole * (ROWS / SOME) ** growth
    assert np.isclose(check(real, synthetic).raw, by_rows(keys, others, secret, other))
    what, mine = f"`gcap`, {ROWS:,} x {ROWS:,} Adult rows, six keys, with its interval", f"{ours * 1000:.1f} ms against"
    grown = f"{pairs:,.0f} s, extrapolated from {whole:.2f} s at {SOME:,} rows, growth n^{growth:.2f}"
    return [
        Finding(
            f"{what}, against a NumPy loop over real rows", rows / ours, "times", 200, detail=f"{mine} {rows:.2f} s"
        ),
        Finding(f"{what}, against a loop over pairs", pairs / ours, "times", 200, detail=f"{mine} {grown}"),
    ]


def check(real, synthetic):
    """Run the whole check, with nothing computed before."""
    bench = Bench({Part.TRAIN: real, Part.SYNTHETIC: synthetic}, Budget(threads=1))
    return GeneralizedCap().measure(bench, stream(0, "bench"))


def by_rows(keys, others, secret, other) -> float:
    """Compare one real row with all synthetic rows at a time."""
    scores = []
    for key, value in zip(keys, secret, strict=True):
        distance = (others != key).sum(axis=1)
        scores.append((other[distance == distance.min()] == value).mean())
    return float(np.mean(scores))


def by_pairs(keys, others, secret, other) -> float:
    """Compare one real row with one synthetic row at a time, as the definition is written."""
    distance = np.empty((len(keys), len(others)), np.int64)
    for i, j in product(range(len(keys)), range(len(others))):
        distance[i, j] = np.count_nonzero(keys[i] != others[j])
    near = distance == distance.min(axis=1, keepdims=True)
    return float(((near & (secret[: len(keys), None] == other[: len(others)])).sum(axis=1) / near.sum(axis=1)).mean())
