"""Rating: a way to tell who was in the data, and all that it may see.

A membership attack gets a bench with people, a release and perhaps a reference of other people, and gives each person a
number: the larger, the likelier the person was in the data. It is not told who was; no table on the bench says so. It
may use the people as a whole, for that does not change with who is a member. Equal people get equal numbers, and the
order of rows does not matter.
"""

from typing import ClassVar, Protocol

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


class Rating(Protocol):
    """A frozen dataclass whose fields are its parameters.

    `families` says what a high rating of members amounts to, the first being the one it is listed under.
    `is_share` says that a rating is the success of an attack, from 0 to 1, so that its mean is a share of people;
    `measure` is then what the share counts, as in "of 100 members 34 ...".
    A rating that sets `is_optional` is run where it is named, and not by every audit: docs/attacks/generators.md has
    what was measured.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    families: ClassVar[tuple[LeakFamily, ...]]
    is_share: ClassVar[bool]
    measure: ClassVar[str]

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Rate every person, or raise `NotApplicable`."""
        ...
