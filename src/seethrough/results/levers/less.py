"""What carries a leak, and how much less of it would do: the keys of an attack, rows and files of a release."""

from dataclasses import asdict, dataclass
from typing import Any

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade


@dataclass(frozen=True)
class KeyLoss:
    """What an attack on a secret loses where one key is hidden from it: members beyond people outside, as shares.

    `loss` is `leak` minus `without`, on the same people, with an interval that holds for all keys at once.
    """

    secret: str
    attack: str
    key: str
    leak: float
    without: float
    loss: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return asdict(self)


@dataclass(frozen=True)
class FewerNeeded:
    """How much less would have to be released, in `unit` (rows or files), for the grade to get below clear.

    `enough` is the largest number tried that does; None where none does. `tried` are numbers with the leak and the
    grade there, the largest number first.
    """

    unit: str
    enough: int | None
    released: int
    tried: tuple[tuple[int, float, Grade], ...]

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        tried = [{"released": count, "leak": leak, "grade": grade.value} for count, leak, grade in self.tried]
        return {**asdict(self), "tried": tried}
