"""rap and rap-softmax: seconds of a fit, a step against asking every query by itself, a million rows."""

import time

import numpy as np
import polars as pl

from benchmarks.findings import Finding
from benchmarks.measuring import seconds, table
from seethrough.data.reading.release_tables import read_release
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import one_blas_thread
from seethrough.seeds import stream
from seethrough.synthesizers._models.domains import observed_domain
from seethrough.synthesizers._models.relaxed.fit import RelaxedFit
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.rows import three_way_queries, true_answers
from seethrough.synthesizers._models.relaxed.settings import FitSettings
from seethrough.synthesizers.rap import Rap
from seethrough.synthesizers.rap_softmax import RapSoftmax
from seethrough.utility.three_way import three_way

TABLE, RECORDS, RELEASED = "acs_recon_ma_2018.csv.gz", 1000, 1_000_000
QUERIES_AT_ONCE = 4096
STEPS = 50


def report() -> list[Finding]:
    """Run everything."""
    real = drawn()
    return [*whole_fit(real), *step(real), private_fit(real)]


def drawn() -> Table:
    """Draw records of the ACS table, every column a category."""
    frame = table(TABLE).with_columns(pl.all().cast(pl.String))
    frame = frame[stream(0, "rap").choice(len(frame), RECORDS, replace=False)]
    schema = Schema(tuple(Column(name, Kind.CATEGORICAL) for name in frame.columns))
    return read_release(frame, [frame], schema=schema).train.table


def whole_fit(real: Table) -> list[Finding]:
    """Fit with the settings of the papers, and draw a large release."""
    rng = stream(0, "fit")
    start = time.perf_counter()
    fitted = Rap().fit(real, rng)
    taken = time.perf_counter() - start
    sampling = seconds(lambda: fitted.sample(RELEASED, stream(0, "sample")))
    error, distance = three_way(real, fitted.sample(RELEASED, stream(0, "sample")), rng, None)
    what = f"`rap`, {RECORDS:,} ACS records, {len(real.columns)} columns"
    return [
        Finding(f"{what}, fit of 2,000 steps on one core", taken, "s", at_most=60),
        Finding(f"{what}, 10^6 rows drawn", sampling, "s"),
        Finding(f"{what}, MRE>10 of all three_way", error, "", at_most=0.03, detail=f"3-TVD {distance:.4f}"),
    ]


def step(real: Table) -> list[Finding]:
    """Compare one step, with the errors of all queries, with asking every query by itself."""
    domain = observed_domain(real)
    three_way, target, rng = three_way_queries(domain), true_answers(domain, real), stream(0, "step")
    relaxed = RelaxedFit(three_way, FitSettings(), rng)
    with one_blas_thread():
        ours = seconds(lambda: [relaxed.step(relaxed.answers() - target, rng) for _ in range(STEPS)]) / STEPS
        answering = seconds(relaxed.answers, 20)
    theirs = seconds(lambda: by_queries(three_way, relaxed.probabilities), 1)
    np.testing.assert_allclose(by_queries(three_way, relaxed.probabilities), relaxed.answers(), atol=1e-6)
    what = f"`rap`, {three_way.count:,} queries, against asking each by itself"
    alone = f"and {theirs * 1000:.0f} ms for the answers alone"
    return [
        Finding(f"{what}, a whole step", theirs / ours, "times", detail=f"{ours * 1000:.1f} ms {alone}"),
        Finding(f"{what}, the answers", theirs / answering, "times", detail=f"{answering * 1000:.1f} ms {alone}"),
    ]


def by_queries(three_way: ThreeWayQueries, rows: Matrix) -> Matrix:
    """Multiply the probabilities that each query asks for."""
    found = []
    for start in range(0, three_way.count, QUERIES_AT_ONCE):
        a, b, c = three_way.values(np.arange(start, min(start + QUERIES_AT_ONCE, three_way.count)))
        found.append((rows[a] * rows[b] * rows[c]).mean(axis=1))
    return np.concatenate(found)


def private_fit(real: Table) -> Finding:
    """Fit with noise, all rounds."""
    start = time.perf_counter()
    fitted = RapSoftmax(epsilon=10).fit(real, stream(0, "private"))
    taken = time.perf_counter() - start
    error, distance = three_way(real, fitted.sample(RELEASED, stream(0, "sample")), stream(0, "subsets"), None)
    utility = f"MRE>10 {error:.3f}, 3-TVD {distance:.3f}"
    return Finding("`rap-softmax`, epsilon 10, 2,000 rounds of 2 marginals", taken, "s", detail=utility)
