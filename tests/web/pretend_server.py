"""A real server over audits that are made up: python pretend_server.py FOLDER [JSON of options]."""

import json
import sys
from pathlib import Path

from pretend_rooms import PretendRooms

from seethrough.web.listening import connections
from seethrough.web.listening.addresses import choose_place
from seethrough.web.rooms import Wishes
from seethrough.web.serving import Manner, serve


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def log(line):
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    asked = {"listen": "", "port": 0, "behind": "", "host_names": [], "without_tls": False, "idle": 3600.0}
    asked |= {"limit": 1 << 20, "silence": 15.0, "browser": False, **json.loads((*sys.argv, "{}")[2])}
    connections.ToolProtocol.patience = asked["silence"]
    names = tuple(asked["host_names"])
    place = choose_place(asked["listen"], asked["port"], asked["behind"], names, without_tls=asked["without_tls"])
    manner = Manner(say, log, opens_browser=asked["browser"], idle=asked["idle"])
    wishes = Wishes(limit=asked["limit"])
    ending = serve(lambda wishes: PretendRooms(Path(sys.argv[1]), wishes), wishes, place, manner)
    say(f"ending {ending.number} {ending.reason}")
    say("loaded " + " ".join(sorted({"numpy", "polars", "scipy", "pandas", "rich"} & set(sys.modules))))
