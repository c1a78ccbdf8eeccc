"""Everything that is shown of a synthetic table besides its scores, put together."""

import numpy as np

from seethrough.auditing.diagnostics.distributions import column_distributions
from seethrough.auditing.diagnostics.exposure import column_exposure
from seethrough.auditing.diagnostics.fidelity import marginal_fidelity, pair_fidelity
from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestBetween
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats
from seethrough.results.diagnostics import Artefact, Diagnostics, Distances

BINS = 30
MOST = 0.995
"""The bins end at the distance that so many rows stay below; the last one holds the rest."""


def collect_diagnostics(
    benches: tuple[Bench[Part], Bench[Part]],
    outside: bool,
    artefacts: tuple[Artefact, ...],
    rng: np.random.Generator,
) -> Diagnostics:
    """Put together what is shown of the release as a whole, but for distances, which describe no rows that are drawn.

    `benches` hold the release and the independent table, `outside` says that the latter are rows of people kept out.
    """
    release, independent = benches
    real, table = release.table(Part.TRAIN), release.table(Part.SYNTHETIC)
    others = independent.table(Part.SYNTHETIC) if outside else None
    pairs = pair_fidelity(release, independent if outside else None)
    return Diagnostics(
        artefacts=artefacts,
        distances=None,
        columns=column_exposure(real, table, others, rng),
        marginals=marginal_fidelity(release, independent if outside else None),
        distributions=column_distributions(real, table, others),
        pairs=pairs,
        pair_similarity=1 - float(np.mean([pair.released for pair in pairs])) if pairs else None,
    )


def show_distances(release: Bench[Part], independent: Bench[Part]) -> Distances | None:
    """Show the distances that checks have searched for; without such a check no search is made for a picture."""
    ask = NearestBetween(Part.TRAIN, Part.SYNTHETIC)
    found, other = release.known_answer(ask), independent.known_answer(ask)
    return None if found is None or other is None else bin_distances(found.columns, other.columns)


def bin_distances(released: Floats, independent: Floats) -> Distances:
    """Count two sets of distances over common bins."""
    end = max(float(np.quantile(each, MOST)) for each in (released, independent)) or 1.0
    edges = np.linspace(0.0, end, BINS + 1)
    counts = [np.histogram(np.minimum(each, end), edges)[0] for each in (released, independent)]
    return Distances(
        edges=tuple(float(edge) for edge in edges),
        released=tuple(int(count) for count in counts[0]),
        independent=tuple(int(count) for count in counts[1]),
        released_zero=int(np.count_nonzero(released == 0)),
        independent_zero=int(np.count_nonzero(independent == 0)),
        released_median=float(np.median(released)),
        independent_median=float(np.median(independent)),
    )
