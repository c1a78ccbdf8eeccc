"""What has to hold for a check to tell anything: a sentence with the deciding number, and the page that mends it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckCondition:
    """One condition of a check on the tables at hand.

    `said` states it with the number that was found; `mend` is the page of the tool that can change it ("files",
    "columns", "question", "whatif"), empty where nothing can.
    """

    holds: bool
    said: str
    mend: str = ""


@dataclass(frozen=True)
class TableTraits:
    """What the tables of a release are like, as far as it decides whether checks can tell anything.

    `outside` is None where nobody was kept out. `unique_by_numbers` is the share of real rows that no other real row
    equals in the numeric columns alone, None without such columns. `contrast` is the median distance of a real row to
    its nearest released row, over the median distance of any two; near 1 all rows are about equally far.
    """

    real: int
    released: int
    outside: int | None
    secrets: tuple[str, ...]
    keys: tuple[str, ...]
    unique_by_numbers: float | None
    contrast: float | None
