"""How long a process and those below it have worked, whatever else the machine does; where `/proc` tells it."""

import os
import time
from pathlib import Path

from seethrough.system.program_keeper import descendants

LOOKS = 20
"""Looks at processes that all have to find them waiting."""


def own_seconds(process: int) -> float:
    """Say what a process, and those that it waited for, took of the processor."""
    return _seconds([process])


def all_seconds(process: int) -> float:
    """Say what a process, those that it waited for, and all that live below it took of the processor."""
    return _seconds([process, *descendants(process)])


def _seconds(processes: list[int]) -> float:
    return sum(sum(map(int, fields[11:15])) for fields in _told(processes)) / os.sysconf("SC_CLK_TCK")


def is_waiting(process: int, pause: float) -> bool:
    """Say whether nothing of it wants the processor, at many looks in a row; so it is where nothing can be told."""
    for _ in range(LOOKS):
        if any(fields[0] == "R" for fields in _told([process, *descendants(process)])):
            return False
        time.sleep(pause / LOOKS)
    return True


def _told(processes: list[int]) -> list[list[str]]:
    """Read what the system says of processes, from their states on."""
    found = []
    for each in processes:
        try:
            found.append(Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split())
        except OSError:
            continue
    return found
