"""A worker that knows no audit: it does what the name of a page says, so that the server's side can be tried alone."""

import os
import signal
import sys
import time

from seethrough.web.messages import pack_message, read_message
from seethrough.web.worker.own_limits import set_own_limits

TELLING = os.fdopen(os.dup(1), "wb")
HELD = []


def tell(message):
    TELLING.write(pack_message(message))
    TELLING.flush()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def leave():
    os._exit(3)


def sleep():
    time.sleep(3600)


def become_deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def fill():
    HELD.append(os.urandom(1 << 20) * 300)


def speak_nonsense():
    TELLING.write(b"\xff\xff\xff\xff")
    TELLING.flush()
    sleep()


def have_child():
    child = os.fork()
    if not child:
        become_deaf()
        sleep()
    return str(child)


def name_environment():
    return " ".join(sorted(os.environ))


def run():
    tell({"event": "begun", "data": {}})


def finish():
    tell({"event": "done", "data": {"state": "done"}})


DONE = {
    "die": die,
    "exit": leave,
    "sleep": sleep,
    "deaf": become_deaf,
    "fill": fill,
    "nonsense": speak_nonsense,
    "child": have_child,
    "environment": name_environment,
    "run": run,
    "finish": finish,
    "who": lambda: str(os.getpid()),
}


def main():
    set_own_limits(int(sys.argv[1]), int(sys.argv[2]))
    while (message := read_message(sys.stdin.buffer)) is not None:
        what = DONE.get(message.get("page") or message.get("do"), lambda: "")
        tell({"n": message["n"], "status": 200, "html": what() or ""})


if __name__ == "__main__":
    main()
