"""Games played together on a device, against the same games one by one."""

import numpy as np
import pytest

import seethrough as st


def people(rows):
    rng = np.random.default_rng(0)
    secret = rng.integers(0, 2, rows)
    columns = {f"q{i}": np.where(rng.random(rows) < 0.2, secret, rng.integers(0, 4, rows)) for i in range(5)}
    return {name: [f"v{value}" for value in values] for name, values in (columns | {"secret": secret}).items()}


@pytest.mark.parametrize("synthesizer", ["nonprivate", "rap:steps=30"])
def test_the_same_answers_as_one_by_one(synthesizer):
    pytest.importorskip("torch", reason="the extra deep is not installed")
    import polars as pl

    def played(device):
        return st.play_game(
            pl.DataFrame(people(600)),
            secret="secret",
            synthesizers=synthesizer,
            rows=60,
            sizes=(50, 300),
            games=4,
            attacks=("recon", "recon:gls", "dcr"),
            targets=10,
            device=device,
        )

    alone, together = played("cpu"), played("cpu:0")
    assert [(p.game, p.synthesizer, p.size, p.truth) for p in alone.plays if p.attack == "recon"] == [
        (p.game, p.synthesizer, p.size, p.truth) for p in together.plays if p.attack == "recon"
    ]
    sums = {
        (report, attack): sum(p.guess == p.truth for p in plays if p.attack == attack)
        for report, plays in (("alone", alone.plays), ("together", together.plays))
        for attack in ("recon", "recon:gls", "dcr")
    }
    for attack in ("recon", "recon:gls", "dcr"):
        assert abs(sums["alone", attack] - sums["together", attack]) <= 8
    if synthesizer == "nonprivate":
        assert sums["alone", "recon:gls"] == sums["together", "recon:gls"]
        assert sums["alone", "dcr"] == sums["together", "dcr"]
    assert alone.utility == together.utility or synthesizer != "nonprivate"
