"""Run one check of ours: CHECK FOLDER ROLES, as `running` starts it; prints JSON."""

import json
import sys
from pathlib import Path

import polars as pl
from timing import fastest

from seethrough.bench.bench import Bench
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.results.outcome import Measurement
from seethrough.seeds import stream


def main(check: str, folder: str, roles: str) -> None:
    """Measure the release alone, without controls, as other programs do; encoding counts as it does there."""
    told = json.loads(roles)
    real, synthetic, holdout = (pl.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))

    def work() -> Measurement:
        release = read_release(real, [synthetic], holdout=holdout, secrets=(told["secret"],))
        bench: Bench[Part] = Bench(release.parts(release.synthetic[0].table), Budget())
        return catalog.load()[check].measure(bench, stream(0, "peers"))

    taken, found = fastest(work)
    print(json.dumps({"seconds": taken, "scores": {"risk": found.risk.value, "raw": found.raw}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
