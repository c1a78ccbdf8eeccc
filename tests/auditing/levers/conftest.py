"""People of one population whose badge gives them away, and a release of them."""

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.match_rare import MatchRare
from seethrough.attacks.membership.near_match import NearMatch
from seethrough.attacks.membership.nearness import Nearness
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules
from seethrough.data.release import NamedTable, Release
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table

SCHEMA = Schema(
    (
        Column("badge", Kind.NUMERIC, low=0.0, high=1000.0, fill=500.0),
        Column("job", Kind.CATEGORICAL, levels=tuple("abcd")),
        Column("town", Kind.CATEGORICAL, levels=tuple("abcdefgh")),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)
ARSENAL = Arsenal((Nearness(), LogRatio(), MatchRare(), NearMatch()), (Dcr(),))


def build_people_with_badges(rows, seed):
    """A badge that is nearly nobody else's, and an illness by coin."""
    rng = np.random.default_rng(seed)
    return Table(
        SCHEMA,
        (
            rng.integers(0, 1000, rows).astype(float),
            rng.integers(1, 5, rows).astype(np.uint8),
            rng.integers(1, 9, rows).astype(np.uint8),
            rng.integers(1, 3, rows).astype(np.uint8),
        ),
    )


def blurred(table, seed):
    """The same people as they are, but for the town, which is drawn anew for one in four."""
    other = build_people_with_badges(len(table), seed)
    town = np.where(np.arange(len(table)) % 4 == 0, other.columns[2], table.columns[2])
    return Table(SCHEMA, (*table.columns[:2], town, table.columns[3]))


@pytest.fixture(scope="session")
def badges():
    return build_people_with_badges


@pytest.fixture(scope="session")
def blurred_copy():
    return blurred


@pytest.fixture(scope="session")
def arsenal():
    return ARSENAL


@pytest.fixture(scope="session")
def rules():
    return EvidenceRules(0, permutations=499, figures=False)


@pytest.fixture(scope="session")
def leaking_release():
    """A release of blurred copies: the badge leads to the illness."""
    real = build_people_with_badges(300, 1)
    return Release(
        NamedTable("real", real),
        (NamedTable("synthetic", blurred(real, 3)),),
        NamedTable("holdout", build_people_with_badges(300, 2)),
    )
