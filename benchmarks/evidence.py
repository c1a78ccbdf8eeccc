"""The permutation test of an audit: 20,000 members and 20,000 people outside, ten statistics, 9,999 permutations.

Beside it the definition: one permutation a loop, labels shuffled by NumPy, sums taken over the members.
"""

import time
import tracemalloc

import numpy as np

from benchmarks.findings import Finding
from benchmarks.measuring import seconds
from seethrough.kernels.statistics.permutation import PERMUTATIONS, permutation_test

PEOPLE, STATISTICS = 20_000, 10
NAIVE = 200
"""Permutations of the definition that are timed; the rest would take as long each."""


def report() -> list[Finding]:
    """Time the test and the definition, and take the memory that the test asks for."""
    vectors, members = answers()
    taken, cores = (
        seconds(lambda: test(vectors, members)),
        seconds(lambda: test(vectors, members), 1, time.process_time),
    )
    naive = seconds(lambda: by_definition(vectors, members)) * PERMUTATIONS / NAIVE
    held = peak_mib(vectors, members)
    size = f"{PEOPLE:,} members and {PEOPLE:,} people outside, {STATISTICS} statistics, {PERMUTATIONS:,} permutations"
    times = f"the definition {naive:.0f} s, estimated from {NAIVE} permutations; {taken:.2f} s"
    return [
        Finding("evidence: permutation test", taken, "s", at_most=5, detail=f"{size}; {cores:.2f} s of processor time"),
        Finding("evidence: beside one permutation a loop", naive / taken, "times as fast", detail=times),
        Finding("evidence: memory of the test", held, "MiB", at_most=512, detail="largest sum of its arrays"),
    ]


def answers() -> tuple[np.ndarray, np.ndarray]:
    """Draw what attacks may have answered; every second person is a member."""
    rng = np.random.default_rng(0)
    members = np.zeros(2 * PEOPLE, bool)
    members[rng.permutation(2 * PEOPLE)[:PEOPLE]] = True
    return rng.normal(size=(2 * PEOPLE, STATISTICS)), members


def test(vectors: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Run the test, adjusted over all statistics."""
    return permutation_test(vectors, members, np.random.default_rng(1)).adjust(np.arange(STATISTICS))


def by_definition(vectors: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Sum over shuffled labels, one permutation after the other."""
    rng, labels = np.random.default_rng(1), members.copy()
    observed, reached = vectors[members].sum(axis=0), np.ones(STATISTICS)
    for _ in range(NAIVE):
        rng.shuffle(labels)
        reached += vectors[labels].sum(axis=0) >= observed
    return reached / (NAIVE + 1)


def peak_mib(vectors: np.ndarray, members: np.ndarray) -> float:
    """Give the largest sum of arrays that the test holds at a time."""
    tracemalloc.start()
    test(vectors, members)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (1 << 20)
