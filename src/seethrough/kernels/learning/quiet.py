"""Warnings of other packages that say nothing here, kept quiet while they learn.

What Python does with warnings is a setting of the whole process: threads that each changed it and changed it back would
leave it changed. So the first to come sets it and the last to go puts it back, and nothing else is kept quiet: a
warning of a step that runs beside is shown as ever.
"""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock

_HERE = r"lightgbm|sklearn|seethrough\.kernels\.learning"
_lock, _before, _holding = Lock(), ExitStack(), [0]


@contextmanager
def quiet_learners() -> Iterator[None]:
    """Show no warnings of the packages that learn."""
    with _lock:
        if not _holding[0]:
            _before.enter_context(warnings.catch_warnings())
            warnings.filterwarnings("ignore", module=_HERE)
        _holding[0] += 1
    try:
        yield
    finally:
        with _lock:
            _holding[0] -= 1
            if not _holding[0]:
                _before.close()
