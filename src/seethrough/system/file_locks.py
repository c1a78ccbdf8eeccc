"""Locks on open files that end with the process that holds them, however it ends."""

import os
import sys
from errno import EACCES, EAGAIN, EDEADLK


class LockUnsupported(OSError):
    """The file system has no locks."""


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file without waiting; False where another holds it."""
    try:
        _lock(descriptor)
    except OSError as error:
        if error.errno in {EACCES, EAGAIN, EDEADLK}:
            return False
        raise LockUnsupported(error.errno, error.strerror) from error
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
