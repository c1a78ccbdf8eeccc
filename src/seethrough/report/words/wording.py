"""Numbers as words: the one place that decides how many digits a reader sees."""

import re

from seethrough.report import untrusted
from seethrough.results.diagnostics import Rate
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Control, Unavailable, Value

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)


def format_fixed(value: float) -> str:
    """Write a risk or a rate with three digits."""
    return f"{value:.3f}"


def compact(value: float) -> str:
    """Write a number of any size with four significant digits."""
    return f"{value:.4g}"


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


def short_count(number: int) -> str:
    """Write a count in at most six characters, a large one rounded."""
    if number < 100_000:
        return count(number)
    return f"{number / 1000:.0f}k" if number < 9_999_500 else f"{number / 1e6:.0f}M"


def count_of(number: int, thing: str) -> str:
    """Write a count with its noun; all nouns used here take a plain s."""
    return f"{count(number)} {thing}" if number == 1 else f"{count(number)} {thing}s"


def percent(share: float) -> str:
    """Write a share as a whole percentage."""
    return f"{100 * share:.0f}%"


def span(estimate: Estimate) -> str:
    """Write the interval as a range."""
    return f"{format_fixed(estimate.low)} to {format_fixed(estimate.high)}"


def format_signed(difference: float) -> str:
    """Write a difference with its sign; a rounded zero is never negative."""
    return f"{difference + 0.0:+.3f}"


def signed_interval(estimate: Estimate) -> str:
    """Write a difference with its interval."""
    return f"{format_signed(estimate.value)} ({format_signed(estimate.low)} to {format_signed(estimate.high)})"


def two_digits(value: float) -> str:
    """Write a rate with two digits, for long lists."""
    return f"{value:.2f}"


def two_digit_span(rate: Rate) -> str:
    """Write the interval of a rate as a range."""
    return f"{two_digits(rate.low)} to {two_digits(rate.high)}"


def with_interval(estimate: Estimate) -> str:
    """Write an estimate with its interval and the confidence it is given with."""
    return f"{format_fixed(estimate.value)} ({percent(estimate.confidence)} interval {span(estimate)})"


def control(found: Control) -> str:
    """Write a control, or why there is none."""
    match found:
        case Estimate():
            return f"{format_fixed(found.value)} ({span(found)})"
        case Unavailable(reason=reason):
            return f"not measured: {untrusted.visible(reason, 300)}"


def leading(shown: str) -> str:
    """Give the number that a text begins with as it would be typed, to sort by; empty where there is none."""
    found = _NUMBER.match(shown)
    return found[0].replace(",", "") if found else ""


def value(found: Value) -> str:
    """Write a parameter or a detail of a check."""
    match found:
        case None:
            return "none"
        case bool():
            return "yes" if found else "no"
        case int():
            return count(found)
        case float():
            return compact(found)
        case str():
            return found


def duration(seconds: float) -> str:
    """Write how long something took."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
