"""Run the distances of mostlyai-qa: METRIC FOLDER ROLES, as `running` starts it; prints JSON. Needs nothing of ours."""

import json
import sys
from pathlib import Path

import pandas as pd
from mostlyai.qa import _distances
from mostlyai.qa._sampling import prepare_data_for_embeddings
from timing import fastest


def main(folder: str) -> None:
    """Embed and measure, the calls that the report of the program makes for its section on distances."""
    real, synthetic, holdout = (pd.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))

    def work() -> dict[str, object]:
        embedded = prepare_data_for_embeddings(syn_tgt_data=synthetic, trn_tgt_data=real, hol_tgt_data=holdout)
        names = ("syn_embeds", "trn_embeds", "hol_embeds")
        return _distances.calculate_distances(**dict(zip(names, embedded, strict=True)))

    taken, found = fastest(work)
    distances = found["dcr_syn_trn"]
    scores = {"mean distance": float(distances.mean()), "share of zeros": float((distances == 0).mean())}
    print(json.dumps({"seconds": taken, "scores": scores}))


if __name__ == "__main__":
    main(sys.argv[2])
