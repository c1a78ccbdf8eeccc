"""The anonymity loss coefficient of its authors' result files (`golden/alc`, README there)."""

import csv
import gzip

import numpy as np
import pytest

from seethrough.kernels.statistics.anonymity_loss import RecallPoint, anonymity_loss, precision_recall, wilson_middle

COUNTS = {"raw": (218, 80, [4, 0, 0, 76]), "anon": (871, 120, [99, 21, 0, 0])}
"""Lines, pairs of secret and known columns, and how many pairs are perfect, strong, at risk, poor."""
OLDER = 1e-5
"""What the version that wrote the files subtracted from the factor in front of the precision."""


@pytest.fixture(scope="module", params=COUNTS)
def results(request, shared_folder):
    path = shared_folder / "golden" / "alc" / f"results_{request.param}.csv.gz"
    with gzip.open(path, "rt") as lines:
        return request.param, list(csv.DictReader(lines))


def numbers(lines, name):
    return np.array([float(line[name]) for line in lines])


def test_precisions_are_middles_of_wilson_intervals(results):
    case, lines = results
    assert len(lines) == COUNTS[case][0]
    for who in ("base", "attack"):
        people, sampled = numbers(lines, f"{who}_n"), numbers(lines, f"{who}_prec_as_sampled")
        assert wilson_middle(sampled * people, people) == pytest.approx(numbers(lines, f"{who}_prec"), abs=1e-12)


def test_the_coefficients_are_those_of_the_files(results):
    case, lines = results
    base, attack = (
        precision_recall(numbers(lines, f"{who}_prec"), numbers(lines, f"{who}_recall"))
        - OLDER * numbers(lines, f"{who}_prec")
        for who in ("base", "attack")
    )
    expected = numbers(lines, "alc")
    error = np.abs((attack - base) / (1 - base) - expected) / np.maximum(1, np.abs(expected))
    assert error.max() <= (1e-8 if case == "raw" else 1e-5)


def test_the_present_formula_gives_the_published_counts(results):
    case, lines = results
    largest = {}
    for line in lines:
        points = (RecallPoint(float(line[f"{who}_prec"]), float(line[f"{who}_recall"])) for who in ("attack", "base"))
        pair = line["secret_column"], line["known_columns"]
        largest[pair] = max(largest.get(pair, -np.inf), anonymity_loss(*points))
    _, pairs, counts = COUNTS[case]
    found = np.array(list(largest.values()))
    edges = [found <= 0, (found > 0) & (found <= 0.5), (found > 0.5) & (found <= 0.7), found > 0.7]
    assert (len(found), [int(each.sum()) for each in edges]) == (pairs, counts)
