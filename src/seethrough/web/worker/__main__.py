"""The start of a worker: `python -P -m seethrough.web.worker PARENT BYTES`, between pipes of the server."""

import os
import sys

from seethrough.web.worker.own_limits import set_own_limits


def main(words: list[str]) -> None:
    """Serve the process that started this one."""
    set_own_limits(int(words[0]), int(words[1]))
    telling = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand between messages
    from seethrough.web.worker.loop import WorkerLoop

    WorkerLoop(sys.stdin.buffer, telling).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
