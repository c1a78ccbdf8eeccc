"""What the supervised attack knows of a person; none of it depends on who is a member, for a bench has no labels.

In this order: ln(s_j + e) for j = 1, 2, 3, 5, 10, 20 and ln(r_j + e) for j = 1, 2, 5, 10, 20, the distances to released
rows and to people of the reference; the single ratings; for each column how far the nearest released row is; for each
number ln(distance to the nearest value of that column + e / 1000) in the release and in the reference; the person's own
values. What cannot be computed for a table is left out for all people.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from seethrough.attacks.membership.classifier import Classifier
from seethrough.attacks.membership.density_ratio import DensityRatio
from seethrough.attacks.membership.distance_difference import DistanceDifference
from seethrough.attacks.membership.likelihood_gain import LikelihoodGain, LikelihoodGainOfFive
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.log_ratio_first import LogRatioFirst
from seethrough.attacks.membership.near_count import NearCount
from seethrough.attacks.membership.release_density import ReleaseDensity
from seethrough.attacks.membership.self_ratio import SelfRatio
from seethrough.attacks.membership.share_of_release import ShareOfRelease
from seethrough.bench.bench import Bench
from seethrough.bench.membership.columns_alone import GapsToNearest, NearestValues, OwnValues
from seethrough.bench.membership.graph import GraphRatios, PairRatios
from seethrough.bench.pool import OFFSET, Neighbours, Seen, TypicalDistance
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.protocols.rating import Rating
from seethrough.seeds import stream

RELEASED_NEIGHBOURS = 1, 2, 3, 5, 10, 20
REFERENCE_NEIGHBOURS = 1, 2, 5, 10, 20
RATINGS: tuple[Rating, ...] = (
    LogRatioFirst(),
    LogRatio(),
    SelfRatio(),
    DistanceDifference(),
    ShareOfRelease(),
    NearCount(),
    ReleaseDensity(),
    DensityRatio(),
    LikelihoodGain(),
    LikelihoodGainOfFive(),
    Classifier(),
)
VALUE_OFFSET = 1 / 1000
"""Of the offset of distances, added to distances in one column alone."""


def membership_features(bench: Bench[Seen]) -> Floats:
    """Describe everybody; one row a row of the people."""
    found: list[Floats] = []
    for part in _parts(bench):
        try:
            found.append(part())
        except NotApplicable:  # what a table has not is told of nobody
            continue
    return np.column_stack(found)


def _parts(bench: Bench[Seen]) -> Iterator[Callable[[], Floats]]:
    yield partial(_logs, bench, Seen.RELEASE, RELEASED_NEIGHBOURS)
    yield partial(_logs, bench, Seen.REFERENCE, REFERENCE_NEIGHBOURS)
    for rating in RATINGS:
        # None of these ratings draws anything.
        yield partial(rating.rate, bench, stream(0, "features"))
    for request in (PairRatios(), GraphRatios(), GapsToNearest()):
        yield partial(bench.get, request)
    for table in (Seen.RELEASE, Seen.REFERENCE):
        yield partial(_log_gaps, bench, table)
    yield partial(bench.get, OwnValues())


def _logs(bench: Bench[Seen], part: Seen, places: tuple[int, ...]) -> Floats:
    distances = bench.get(Neighbours(part)).distances
    there = [place - 1 for place in places if place <= distances.shape[1]]
    return np.log(distances[:, there] + _offset(bench))


def _log_gaps(bench: Bench[Seen], table: Seen) -> Floats:
    """Give logarithms of distances in one column alone."""
    return np.log(bench.get(NearestValues(table)) + VALUE_OFFSET * _offset(bench))


def _offset(bench: Bench[Seen]) -> float:
    try:
        return OFFSET * bench.get(TypicalDistance(Seen.REFERENCE))
    except NotApplicable:
        return OFFSET * bench.get(TypicalDistance(Seen.RELEASE))
