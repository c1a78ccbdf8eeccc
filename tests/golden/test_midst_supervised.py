"""The supervised attack on four public releases of a diffusion model, pooled."""

import midst_releases
import numpy as np
import pytest

from seethrough.auditing.evidence.supervised.attack import fit_folds
from seethrough.auditing.evidence.supervised.features import membership_features
from seethrough.auditing.evidence.supervised.folds import deal_folds
from seethrough.auditing.evidence.supervised.forward import forward_p
from seethrough.kernels.statistics.operating_points import operating_point

SEEDS = 0, 1, 2
"""Folds and trees are drawn; one dealing moves the first rate by .002 either way."""


@pytest.mark.slow
def test_members_found_at_few_false_alarms_in_four_releases_pooled(shared_folder):
    scores = {seed: [] for seed in SEEDS}
    members = []
    for model in (1, 2, 3, 4):
        pool = midst_releases.pool(shared_folder, model)
        features = membership_features(pool.bench)
        assert features.shape == (29_900, 48)
        members.append(pool.members)
        for seed in SEEDS:
            found, ahead = fit_folds(pool, features, deal_folds(pool, seed), seed)
            scores[seed].append(found)
        tested = [(each, pool.members[rows]) for rows, each in ahead]
        assert forward_p(tested, np.random.default_rng(0)) < 1e-6
    is_member = np.concatenate(members)
    found = {seed: rates(np.concatenate(each), is_member) for seed, each in scores.items()}
    assert (np.mean(list(found.values()), axis=0) >= (0.23, 0.11, 0.065)).all(), found


def rates(scores, members):
    mine, others = scores[members], scores[~members]
    return [operating_point(mine, others, rate).found / len(mine) for rate in (0.1, 0.01, 0.001)]
