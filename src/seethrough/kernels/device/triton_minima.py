"""The smallest total of every row in every group of points, by one kernel of Triton.

A block of `TALL` rows and one group is measured in registers and only the minimum of each row leaves them: the count of
equal codes is a product of indicators on the matrix units, and the numbers are added in double precision.
"""

from typing import Any

import torch
import triton
import triton.language as tl

TALL, WARPS, STAGES = 64, 4, 3
"""Rows of a block, and how it is worked on: the fastest of twelve ways on one NVIDIA H200."""
RUN = 16
"""Groups that one program goes through."""


def group_minima(pairs: Any, mine: Any, rows: Any) -> Any:
    """Find the smallest total of some rows of `DevicePairs`, which are `mine`, in every group (groups x rows)."""
    theirs, kind = pairs.theirs, torch.float32 if pairs.is_whole else torch.double
    found = torch.empty((pairs.groups, len(rows)), dtype=kind, device=pairs.device)
    grid = triton.cdiv(len(rows), TALL), triton.cdiv(pairs.groups, RUN)
    _smallest_in_groups[grid](
        *(mine.indicators, theirs.indicators, mine.compared, theirs.compared, mine.numbers, theirs.numbers),
        *(pairs.weights, rows, found),
        *(len(rows), pairs.size, pairs.groups, len(pairs.narrow)),
        depth=pairs.depth if pairs.narrow else 0,
        compared=len(theirs.compared),
        numbers=len(theirs.numbers),
        unit=pairs.unit,
        squared=pairs.squared,
        own=pairs.own,
        tall=TALL,
        group=pairs.group,
        step=pairs.step,
        run=RUN,
        num_warps=WARPS,
        num_stages=STAGES,
        enable_fp_fusion=False,  # a product and a sum are two roundings, as on the processor
    )
    return found


def try_out(pairs: Any) -> None:
    """Measure some points; a RuntimeError says that the kernel cannot be made here."""
    try:
        group_minima(pairs, pairs.mine, torch.arange(len(pairs.mine.indicators), device=pairs.device)).cpu()
    except triton.runtime.errors.TritonError as error:
        raise RuntimeError(str(error)) from error


@triton.jit
def _smallest_in_groups(  # noqa: PLR0913, PLR0917  a kernel has no other way to be told
    left, right, left_codes, right_codes, left_numbers, right_numbers, weights, places, found,
    rows, size, groups, narrow,
    depth: tl.constexpr, compared: tl.constexpr, numbers: tl.constexpr, unit: tl.constexpr, squared: tl.constexpr,
    own: tl.constexpr, tall: tl.constexpr, group: tl.constexpr, step: tl.constexpr, run: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * tall + tl.arange(0, tall)
    there = row < rows
    place = tl.load(places + row, there, other=0)
    first = _indicators(left, row, there, 0, depth, step)
    for ahead in range(run):
        number = tl.minimum(tl.program_id(1) * run + ahead, groups - 1)  # the last group again, rather than none
        column = number * group + tl.arange(0, group)
        total = tl.zeros((tall, group), tl.float32)
        if depth > 0:
            total = narrow - _agreements(first, left, right, row, there, column, depth, step, total)
        far = tl.zeros((group,), tl.int64) + groups * group
        total = _with_codes(
            total if unit else total.to(tl.float64),
            left_codes, right_codes, weights, row, rows, there, column, far, compared, unit,
        )  # fmt: skip
        if numbers > 0:
            total = total.to(tl.float64)
            total = _with_numbers(
                total, left_numbers, right_numbers, row, rows, there, column, far, numbers, squared
            )  # fmt: skip
        no_pair = (column >= size)[None, :]
        if own:
            no_pair = no_pair | (column[None, :] == place[:, None])
        smallest = tl.min(tl.where(no_pair, float("inf"), total), 1)
        tl.store(found + (tl.zeros((tall,), tl.int64) + number) * rows + row, smallest, there)


@triton.jit
def _agreements(  # noqa: PLR0913, PLR0917
    first, left, right, row, there, column, depth: tl.constexpr, step: tl.constexpr, total
):  # fmt: skip
    every = column >= 0
    total = tl.dot(first, tl.trans(_indicators(right, column, every, 0, depth, step)), total)
    for begin in range(step, depth, step):
        mine = _indicators(left, row, there, begin, depth, step)
        total = tl.dot(mine, tl.trans(_indicators(right, column, every, begin, depth, step)), total)
    return total


@triton.jit
def _with_codes(  # noqa: PLR0913, PLR0917
    total, left, right, weights, row, rows, there, column, far, compared: tl.constexpr, unit: tl.constexpr
):  # fmt: skip
    for each in range(compared):
        mine = tl.load(left + each * rows + row, there, other=0)
        differ = mine[:, None] != tl.load(right + each * far + column)[None, :]
        total += differ.to(tl.float32) if unit else differ.to(tl.float64) * tl.load(weights + each)
    return total


@triton.jit
def _with_numbers(  # noqa: PLR0913, PLR0917
    total, left, right, row, rows, there, column, far, numbers: tl.constexpr, squared: tl.constexpr
):  # fmt: skip
    for each in range(numbers):
        mine = tl.load(left + each * rows + row, there, other=0.0)
        difference = mine[:, None] - tl.load(right + each * far + column)[None, :]
        total += difference * difference if squared else tl.abs(difference)
    return total


@triton.jit
def _indicators(points, which, there, begin, depth: tl.constexpr, step: tl.constexpr):
    deep = begin + tl.arange(0, step)
    return tl.load(points + which.to(tl.int64)[:, None] * depth + deep[None, :], there[:, None], other=0.0)
