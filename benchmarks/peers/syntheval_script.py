"""Run one metric of SynthEval: METRIC FOLDER ROLES, as `running` starts it; prints JSON. Needs nothing of ours."""

import json
import sys
from pathlib import Path

import pandas as pd
from syntheval import SynthEval
from timing import fastest


def main(metric: str, folder: str, roles: str) -> None:
    """Measure."""
    told = json.loads(roles)
    real, synthetic, holdout = (pd.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))
    options = {"cat_cols": told["categorical"], "verbose": False, "enable_plots": False, "console": "off"}

    def work() -> dict[str, object]:
        program = SynthEval(real.copy(), holdout_dataframe=holdout.copy(), **options)
        program.evaluate(synthetic.copy(), analysis_target=told["secret"], **{metric: {}})
        return program._raw_results[metric]  # failures are hidden there; this raises where there is no result

    taken, found = fastest(work)
    scores = {name: float(value) for name, value in found.items() if isinstance(value, int | float)}
    print(json.dumps({"seconds": taken, "scores": scores}))


if __name__ == "__main__":
    main(*sys.argv[1:])
