"""The leak test of attribute attacks keeps its level on releases made of other people."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.attribute.air import Air
from seethrough.attacks.attribute.cobp import Cobp
from seethrough.attacks.attribute.gcap import Gcap
from seethrough.attacks.attribute.zcap import Zcap
from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.pool import make_pool
from seethrough.data.schema import Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.permutation import permutation_test

REPETITIONS = 200
QUICK = (Gcap(), Zcap(numeric_keys="bin"), Air())


FEW = ("job", "age", "ill")
"""With more known columns zcap finds nobody, and then nothing is tested."""


def hidden(table, names):
    columns = tuple(
        replace(column, role=Role.SECRET if column.name in names else Role.NONE) for column in table.schema.columns
    )
    return Table(Schema(columns), table.columns)


def false_alarms(sample, people, attacks, secrets, used):
    """Share of p below .05 for each attack; the hit of a person is the mean over the secrets."""
    alarms = np.zeros(len(attacks))
    for seed in range(REPETITIONS):
        tables = tuple(hidden(sample(people, 3 * seed + part).project(used), secrets) for part in range(3))
        pool = make_pool(tables, seed, Budget(threads=1))
        answers = run_battery(pool, (), attacks, seed).answers
        labels = [attack.name for attack in attacks]
        hits = np.zeros((len(pool.members), len(attacks)))
        for answer in answers:
            hits[:, labels.index(answer.name)] += answer.scores / len(secrets)
        test = permutation_test(hits, pool.members, np.random.default_rng(seed), 199)
        alarms += [test.p_of_maximum(np.array([place])) <= 0.05 for place in range(len(attacks))]
    return dict(zip(labels, alarms / REPETITIONS, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("people", [100, 300])
def test_attacks_by_nearest_rows_keep_their_level(sample, people):
    for name, share in false_alarms(sample, people, QUICK, ("ill",), FEW).items():
        assert 0.01 <= share <= 0.09, (name, share)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [Cobp(), Cobp("forest")], ids=["both", "published"])
def test_cobp_keeps_its_level(sample, attack):
    [share] = false_alarms(sample, 100, (attack,), ("ill", "town"), ("job", "town", "age", "income", "ill")).values()
    assert 0.01 <= share <= 0.09, share
