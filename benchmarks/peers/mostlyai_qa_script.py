"""Run the distances of mostlyai-qa: METRIC FOLDER ROLES, as `running` starts it; prints JSON. Needs nothing of ours."""

import json
import sys
import time
from pathlib import Path

import pandas as pd
from mostlyai.qa import _distances
from mostlyai.qa._sampling import prepare_data_for_embeddings


def main(folder: str) -> None:
    """Embed and measure, the calls that the report of the program makes for its section on distances."""
    real, synthetic, holdout = (pd.read_csv(Path(folder) / f"{name}.csv") for name in ("real", "synthetic", "holdout"))
    start, used = time.perf_counter(), time.process_time()
    embedded = prepare_data_for_embeddings(syn_tgt_data=synthetic, trn_tgt_data=real, hol_tgt_data=holdout)
    found = _distances.calculate_distances(
        **dict(zip(("syn_embeds", "trn_embeds", "hol_embeds"), embedded, strict=True))
    )
    taken, used = time.perf_counter() - start, time.process_time() - used
    scores = {
        "mean distance": float(found["dcr_syn_trn"].mean()),
        "share of zeros": float((found["dcr_syn_trn"] == 0).mean()),
    }
    print(json.dumps({"seconds": taken, "cpu": used, "scores": scores}))


if __name__ == "__main__":
    main(sys.argv[2])
