"""The neighbour pass against scikit-learn's brute force on the one-hot encoding of the same rows.

Ours folds duplicates, finds the nearest row in both directions, and is exact; theirs finds one direction, with the
rounding error of the expansion x^2 + y^2 - 2xy. Run as a module it measures with the threads given and prints JSON.
"""

import json
import sys

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import in_a_process, seconds, table

ROWS = 20_000
NAME = "acs_employment_ma_2018.csv.gz"


def report() -> list[Finding]:
    """Compare on one thread, then show how ours scales."""
    table(NAME)
    one = in_a_process("benchmarks.neighbour_pass", 1, one_thread=True)
    two = in_a_process("benchmarks.neighbour_pass", 2, one_thread=True)
    what = f"neighbour pass, {ROWS:,} x {ROWS:,} ACS rows"
    zeros = f"exact zeros among {one['matches']:.0f} matching rows: {one['our_zeros']:.0f} and {one['their_zeros']:.0f}"
    told = f"{one['ours']:.2f} s both ways and exact, against {one['sklearn']:.2f} s one way; {zeros}"
    twice = f"{one['ours']:.2f} s and {two['ours']:.2f} s"
    return [
        Finding(f"{what}, one thread, against scikit-learn", one["sklearn"] / one["ours"], "times", 1, detail=told),
        Finding(f"{what}, largest difference of a distance from scikit-learn's", one["difference"], ""),
        Finding(f"{what}, two threads against one", one["ours"] / two["ours"], "times", detail=twice),
    ]


def measure(threads: int) -> dict[str, float]:
    """Time both on the same rows."""
    from sklearn.neighbors import NearestNeighbors

    from seethrough.data.encoding import points
    from seethrough.data.reading.release_tables import read_release
    from seethrough.kernels.budget import Budget
    from seethrough.kernels.neighbours.nearest import nearest_between

    frame = table(NAME).sample(2 * ROWS, seed=0, shuffle=True)
    release = read_release(frame[:ROWS], [frame[ROWS:]])
    real, synthetic = points(release.train.table), points(release.synthetic[0].table)
    budget = Budget(threads=threads)
    ours = seconds(lambda: nearest_between(real, synthetic, budget))
    result = {"ours": ours}
    if threads == 1:
        first, second = (one_hot(side, (real, synthetic)) for side in (real, synthetic))
        search = NearestNeighbors(n_neighbors=1, algorithm="brute", n_jobs=1).fit(second)
        result["sklearn"] = seconds(lambda: search.kneighbors(first), repeats=2)
        exact, theirs = nearest_between(real, synthetic, budget).rows, search.kneighbors(first)[0][:, 0]
        result |= {"our_zeros": float((exact == 0).sum()), "their_zeros": float((theirs[exact == 0] == 0).sum())}
        result |= {"matches": float((exact == 0).sum()), "difference": float(np.abs(exact - theirs).max())}
    return result


def one_hot(side, both):
    """Encode points as scikit-learn users do: numbers, and an indicator for each level."""
    columns = [side.numbers]
    for mine, *others in zip(side.codes, *(points.codes for points in both), strict=True):
        levels = np.unique(np.concatenate(others))
        if len(levels) > 1:
            columns.append((mine[:, None] == levels) / np.sqrt(2))
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
