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
