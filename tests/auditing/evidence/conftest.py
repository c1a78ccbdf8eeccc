"""People of one population, and releases of all kinds made of them."""

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.match import Match
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.near_match import NearMatch
from seethrough.attacks.membership.nearness import Nearness
from seethrough.attacks.membership.self_ratio import SelfRatio
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, assess
from seethrough.data.release import ONE_ROW_EACH
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget

RATINGS = (Nearness(), LogRatio(), SelfRatio(), Match(), MatchRare(), NearMatch())
SCHEMA = Schema(
    (
        *(Column(name, Kind.CATEGORICAL, levels=tuple("abcdef")) for name in ("job", "town")),
        Column("age", Kind.NUMERIC, low=0.0, high=100.0, fill=40.0),
        Column("income", Kind.NUMERIC, low=0.0, high=9.0, fill=1.0),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def build_sample(rows, seed, coin=False):
    """People whose illness follows from age and job, or from a coin."""
    rng = np.random.default_rng(seed)
    job, town = rng.integers(1, 7, rows), rng.integers(1, 7, rows)
    age = rng.normal(40, 12, rows).round()
    income = rng.lognormal(1, 0.5, rows).round(2)
    chance = np.full(rows, 0.5) if coin else np.clip((age - 20) / 60 + job / 20, 0.05, 0.95)
    ill = 1 + (rng.random(rows) < chance)
    return Table(SCHEMA, (job.astype(np.uint8), town.astype(np.uint8), age, income, ill.astype(np.uint8)))


def run(real, outside, release, seed=0, design=ONE_ROW_EACH, figures=False, **options):
    """Assess a release; without the figures beside the leak, which decide nothing and take most of the time."""
    rules = EvidenceRules(seed, permutations=999, figures=figures, **options)
    found = assess((real, outside, release), Arsenal(RATINGS, (Dcr(),)), rules, Budget(threads=1), design=design)
    return found.evidence


@pytest.fixture(scope="session")
def sample():
    return build_sample


@pytest.fixture(scope="session")
def evidence_on():
    return run
