"""How near the nearest synthetic row is to each real record, brought to [0, 1].

u_i = (d_YZ(i) - d_min) / (d_max - d_min), at most 1, where the norm says what the ends are:

absolute
    d_min = 0 and d_max the diameter of the box that the real table spans: the only norm under which a far table
    scores far.
pairs
    The smallest and the largest distance of any real and synthetic row (Trudslev et al. 2025).
nn
    The smallest and the largest of the distances d_YZ themselves (synthcity, PrivEval; Hansen and Staer 2025).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import Extremal, NearestFrom
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats

Ends = Literal["absolute", "pairs", "nn"]


@dataclass(frozen=True, eq=False)
class Closeness:
    """The normalised distances, and whether their ends fell together."""

    values: Floats
    degenerate: bool

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what a degenerate normalisation means."""
        said = "degenerate: all distances are equal, so the normalisation says nothing and every record counts as near"
        return (said,) if self.degenerate else ()


@dataclass(frozen=True)
class NormalisedNearest:
    """Request: u_i for every real record."""

    norm: Ends = "absolute"
    space: Space = "gower"

    def compute(self, bench: Bench[Part]) -> Closeness:
        """Divide by what the norm says."""
        near = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC, self.space))
        if self.norm == "absolute":
            columns = len(bench.table(Part.TRAIN).columns)
            return Closeness(np.minimum(1, near / diameter(self.space, columns)), degenerate=False)
        if self.norm == "pairs":
            farthest = bench.get(Extremal(Part.TRAIN, Part.SYNTHETIC, space=self.space)).farthest
        else:
            farthest = float(near.max())
        low = float(near.min())
        if farthest == low:
            return Closeness(np.zeros(len(near)), degenerate=True)
        return Closeness((near - low) / (farthest - low), degenerate=False)


def diameter(space: Space, columns: int) -> float:
    """Give the diameter of the box that the real table spans in a space."""
    return 1.0 if space == "gower-l1" else columns**0.5


def refuse_endless(norm: Ends, space: Space) -> None:
    """Refuse the absolute norm where the space has no box of known size."""
    if norm == "absolute" and space not in {"gower", "gower-l1"}:
        raise ConfigError(f"norm = absolute needs the space gower or gower-l1, not {space}; choose pairs or nn")
