"""Run one check of ours: CHECK FOLDER ROLES, as `running` starts it; prints JSON."""

import json
import sys
import time
from pathlib import Path

import polars as pl

from seethrough import catalog
from seethrough.data.reading import read_release
from seethrough.data.release import Part
from seethrough.kernels.budget import Budget
from seethrough.seeds import stream
from seethrough.shared.bench import Bench


def main(name: str, folder: str, roles: str) -> None:
    """Measure the release alone, without controls, as other programs do; encoding counts as it does there."""
    told = json.loads(roles)
    real, synthetic, holdout = (pl.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))
    check = catalog.load()[name]
    start, used = time.perf_counter(), time.process_time()
    release = read_release(real, [synthetic], holdout=holdout, secrets=(told["secret"],))
    bench: Bench[Part] = Bench(release.parts(release.synthetic[0].table), Budget())
    found = check.measure(bench, stream(0, "peers"))
    taken, used = time.perf_counter() - start, time.process_time() - used
    scores = {"risk": found.risk.value, "raw": found.raw}
    print(json.dumps({"seconds": taken, "cpu": used, "scores": scores}))


if __name__ == "__main__":
    main(*sys.argv[1:])
