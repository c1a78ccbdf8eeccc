"""To how many digits numbers were rounded, and other numbers rounded alike."""

import numpy as np

from seethrough.kernels.arrays import Floats

COARSEST, FINEST = -6, 9
"""Digits after the point that are looked at; negative ones are tens, hundreds and so on."""
ENOUGH = 10
"""Different numbers from which their digits can be told."""
_ROUNDING = 1e-12


def digits_of(values: Floats) -> int | None:
    """Give the digits after the point that all numbers have at most; None where they cannot be told."""
    numbers = np.unique(values[np.isfinite(values)])
    if len(numbers) < ENOUGH:
        return None
    digits = digits_needed(numbers)
    return digits if digits <= FINEST else None


def digits_needed(numbers: Floats) -> int:
    """Give the digits after the point that write all numbers; of two sets together the larger, beyond `FINEST` none."""
    for digits in range(COARSEST, FINEST + 1):
        if (np.abs(np.round(numbers, digits) - numbers) <= _ROUNDING * np.maximum(np.abs(numbers), 1e-3)).all():
            return digits
    return FINEST + 1


def round_alike(values: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Round numbers to the digits that the others have, and both to the same nearest numbers; missing ones stay."""
    digits = digits_of(others)
    if digits is None:
        return values, others
    return round_to(values, digits), round_to(others, digits)


def round_to(values: Floats, digits: int) -> Floats:
    """Round numbers to so many digits, and to zero without a sign; missing ones stay."""
    return np.asarray(np.round(values, digits) + 0.0)
