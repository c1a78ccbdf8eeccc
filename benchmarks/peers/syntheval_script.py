"""Run one metric of SynthEval: METRIC FOLDER ROLES, as `running` starts it; prints JSON. Needs nothing of ours."""

import json
import sys
import time
from pathlib import Path

import pandas as pd
from syntheval import SynthEval


def main(metric: str, folder: str, roles: str) -> None:
    """Measure."""
    told = json.loads(roles)
    real, synthetic, holdout = (pd.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))
    start, used = time.perf_counter(), time.process_time()
    options = {"cat_cols": told["categorical"], "verbose": False, "enable_plots": False, "console": "off"}
    program = SynthEval(real, holdout_dataframe=holdout, **options)
    program.evaluate(synthetic, analysis_target=told["secret"], **{metric: {}})
    taken, used = time.perf_counter() - start, time.process_time() - used
    found = program._raw_results[metric]  # console="off" hides failures; this raises where there is no result
    score = {name: float(value) for name, value in found.items() if isinstance(value, int | float)}
    print(json.dumps({"seconds": taken, "cpu": used, "scores": score}))


if __name__ == "__main__":
    main(*sys.argv[1:])
