"""The headline rating on releases of a Bayesian network finds no fewer members than the rating that audits had before.

Beside it values of the page that the ratings are from, means of three draws there and here: 4,000 members, 4,000 rated
people outside, 4,000 as the reference, 4,000 released rows. Draws differ, and so may the network; areas agree to .03.
"""

import numpy as np
import polars as pl
import pytest

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.reading.release_tables import read_release
from seethrough.data.rows import stack_tables
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.operating_points import operating_point
from seethrough.kernels.statistics.roc import placements
from seethrough.plugins import catalog

ROWS = 4_000
MEMBERS = np.arange(2 * ROWS) < ROWS
AREAS = {
    "adult": {"log-ratio": 0.616, "self-ratio": 0.619, "density-ratio": 0.606, "likelihood-gain-5": 0.636},
    "acs_recon_ma_2018": {"log-ratio": 0.589, "self-ratio": 0.580, "density-ratio": 0.581, "likelihood-gain-5": 0.601},
}
BEFORE = "nearness-then-rarity"


@pytest.fixture(scope="module", params=AREAS)
def rated(shared_folder, request):
    """Scores of three draws."""
    frame = pl.read_csv(shared_folder / "data" / f"{request.param}.csv.gz")
    if request.param.startswith("acs"):
        frame = frame.cast(pl.String)
    names = {BEFORE, *AREAS[request.param]}
    return request.param, [scores(frame.sample(3 * ROWS, seed=draw, shuffle=True), draw, names) for draw in range(3)]


def scores(frame, draw, names):
    read = read_release(frame[:ROWS], [frame[:1]], frame[ROWS:])
    members, outside = read.train.table, read.holdout.table
    sampler = catalog.build_synthesizer("baynet").fit(members, np.random.default_rng(draw))
    shown = {
        Seen.PEOPLE: stack_tables([members, outside.take(np.arange(ROWS))]),
        Seen.RELEASE: sampler.sample(ROWS, np.random.default_rng(draw + 10)),
        Seen.REFERENCE: outside.take(np.arange(ROWS, 2 * ROWS)),
    }
    bench = Bench(shown, Budget())
    return {name: catalog.ratings()[name].rate(bench, np.random.default_rng(0)) for name in names}


def found(scores, rate):
    return operating_point(scores[MEMBERS], scores[~MEMBERS], rate).found


@pytest.mark.slow
def test_the_headline_finds_no_fewer_members_than_the_rating_before(rated):
    for draw in rated[1]:
        assert found(draw["log-ratio"], 0.01) >= found(draw[BEFORE], 0.01)


@pytest.mark.slow
def test_areas_are_those_of_another_program(rated):
    table, draws = rated
    for name, wanted in AREAS[table].items():
        area = np.mean([placements(draw[name][MEMBERS], draw[name][~MEMBERS]).mean() for draw in draws])
        assert area == pytest.approx(wanted, abs=0.03), name
