"""What a benchmark found: a value, its unit, its goal if it has one, and in words how it came about."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One measured value; `at_least` or `at_most` is its goal, `detail` what it was made from, or why there is none."""

    what: str
    value: float | None
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    detail: str = ""

    @property
    def goal(self) -> str:
        """Say the goal in words."""
        if self.at_least is not None:
            return f"at least {shown(self.at_least)} {self.unit}".strip()
        return "" if self.at_most is None else f"at most {shown(self.at_most)} {self.unit}".strip()

    @property
    def met(self) -> bool | None:
        """Tell whether the goal was met; None where there is no goal or no value."""
        if self.value is None:
            return None
        if self.at_least is not None:
            return bool(self.value >= self.at_least)
        return None if self.at_most is None else bool(self.value <= self.at_most)

    @property
    def measured(self) -> str:
        """Give value and unit."""
        if self.value is None:
            return "not measured"
        return f"{shown(self.value)} {self.unit}".strip()

    @property
    def verdict(self) -> str:
        """Say whether the goal was met."""
        return {True: "met", False: "not met", None: ""}[self.met]

    def line(self) -> str:
        """Say everything in one line."""
        goal = f" (goal {self.goal}{self.verdict and f': {self.verdict}'})" if self.goal else ""
        return f"{self.what}: {self.measured}{goal}" + (f"; {self.detail}" if self.detail else "")

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form; `met` is there for readers and is worked out again when read."""
        value = None if self.value is None else float(self.value)  # JSON does not know NumPy's numbers
        plain = asdict(self) | {"value": value}
        given = {name: value for name, value in plain.items() if name == "value" or value not in (None, "")}
        return given | ({} if self.met is None else {"met": self.met})

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "Finding":
        """Read the JSON form."""
        return cls(**{name: value for name, value in given.items() if name != "met"})


def shown(value: float) -> str:
    """Write a number with three digits that count, large ones in full."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-3 else f"{value:.1e}"
