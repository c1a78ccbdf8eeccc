"""Run one attack of Anonymeter: METRIC FOLDER ROLES, as `running` starts it; prints JSON. Needs nothing of ours."""

import json
import sys
from pathlib import Path

import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator
from timing import fastest


def main(metric: str, folder: str, roles: str) -> None:
    """Attack every record that there is a control for."""
    told = json.loads(roles)
    real, synthetic, control = (pd.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))
    given = {"ori": real, "syn": synthetic, "control": control, "n_attacks": min(len(real), len(control))}
    known = [name for name in real if name != told["secret"]]

    def work() -> InferenceEvaluator | LinkabilityEvaluator:
        if metric == "inference":
            attack = InferenceEvaluator(aux_cols=known, secret=told["secret"], **given)
        else:
            attack = LinkabilityEvaluator(aux_cols=(known[::2], known[1::2]), **given)
        return attack.evaluate(n_jobs=-1)

    taken, attack = fastest(work)
    scores = {"risk": float(attack.risk().value), "attack rate": float(attack.results().attack_rate.value)}
    print(json.dumps({"seconds": taken, "scores": scores}))


if __name__ == "__main__":
    main(*sys.argv[1:])
