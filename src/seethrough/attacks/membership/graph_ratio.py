"""Graph ratio: how much more frequent the person's values of columns that go together are in the release.

    rating = sum over families of  ln P_S(child, parents) - ln P_S(parents) - ln P_R(child, parents) + ln P_R(parents)
    P_T(c) = (n_T(x_c) + 1/2) / (|T| + k_c / 2)      S: release, R: reference, k_c: cells of c met in any table

Families are those of a network learnt from the release alone: it begins with the column that shares most information
with all others; then, again and again, the child and two placed columns (one for the second column) with the largest
mutual information are added. Numbers are cut into at most 20 bins. The root is left out.

What it sees
------------
Combinations of three values that the release has more often than other people do.

What it misses
--------------
What only whole rows show, and near copies whose numbers fall into another bin.

Strong against
--------------
Networks on categories, where it has the largest area of all single ratings (ACS: .606, the log ratio .589). At few
false alarms, and against a diffusion model (area .531), other ratings find more.

References
----------
Andrey et al. 2025, arXiv:2504.00758 (TAMIS).

Deviations
----------
The graph is that of the release alone. Families are taken given their parents: the sum over cliques without the
parents' terms, which is the published reading, came behind on Adult and ACS (areas .550 and .584 instead of .557 and
.603).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.membership.graph import GraphRatios
from seethrough.bench.pool import Seen
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class GraphRatio:
    """Rates people by how frequent their combinations of values are in the release and among other people."""

    name: ClassVar[str] = "graph-ratio"
    title: ClassVar[str] = "Log ratio of frequencies along a network of columns"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    is_optional: ClassVar[bool] = True
    measure: ClassVar[str] = ""

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Add up the families."""
        if len(bench.table(Seen.RELEASE).schema.used) < 2:
            raise NotApplicable("one column goes together with no other")
        return bench.get(GraphRatios())
