"""Who was attacked, where not everybody was."""

from dataclasses import asdict, dataclass
from typing import Any

MOST_ATTACKED = 200_000
"""People, members or outside, up to whom everybody is attacked unless it is said otherwise."""


@dataclass(frozen=True)
class TargetSizes:
    """How many people were drawn and attacked, of how many; `asked` is what was asked for, or the default.

    Nobody was kept out where `of_outside` is 0. The whole release was attacked for them.
    """

    asked: int
    is_default: bool
    members: int
    of_members: int
    outside: int = 0
    of_outside: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values."""
        return asdict(self)
