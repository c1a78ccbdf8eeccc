"""Reverse mapping: a synthetic table as a permutation of the real columns, and a small noise.

For every column: k = the rank of a synthetic value among the synthetic ones, from 1 to n, ties broken at random; the
mapped value is the real value of rank k. So every mapped column is a permutation of the real one and has the ranks
of the synthetic one, Y = Z + E with the noise E of numbers, and the real table is mapped onto itself.

References
----------
Ruiz, Muralidhar, Domingo-Ferrer 2018, On the Privacy Guarantees of Synthetic Data: A Reassessment from the
Maximum-Knowledge Attacker Perspective, section 3.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from seethrough.data.ordering import orders
from seethrough.data.rows import aligned_rows
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.ranks.scale import full_ranks, reverse_mapping


@dataclass(frozen=True, eq=False)
class Mapped:
    """One synthetic table, mapped.

    `rows` are the rows of the synthetic table that took part, `ranks` their ranks by column, `places` the real row
    whose value each of them gets, and `noise` what is left of numbers and, in days, of dates; it is NaN where either
    value is missing.
    """

    rows: Ints
    ranks: Mapping[str, Ints]
    places: Mapping[str, Ints]
    noise: Mapping[str, Floats]


def reverse_map(real: Table, synthetic: Table, rng: np.random.Generator) -> Mapped:
    """Express a synthetic table by real values; one of another size is brought to that of the real one first."""
    rows = aligned_rows(synthetic, len(real), rng)
    taken = synthetic.take(rows)
    ranks, places, noise = {}, {}, {}
    for name, order in orders(real).items():
        ranks[name] = full_ranks(order.keys(taken.column(name)), rng)
        places[name] = reverse_mapping(order.keys(real.column(name)), ranks[name], rng)
        if not order.column.kind.has_levels:
            values = taken.column(name).astype(np.float64)
            noise[name] = values - real.column(name).astype(np.float64)[places[name]]
    return Mapped(rows, ranks, places, noise)
