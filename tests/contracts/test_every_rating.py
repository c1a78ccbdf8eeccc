"""What holds for every membership rating of the catalog. A new rating is picked up by itself."""

import pytest

from seethrough.plugins import catalog
from seethrough.plugins.testing import RATING_CLAUSES

RATINGS = {name: rating for name, rating in catalog.ratings().items() if name != "edit-distance"}
"""Edit distances need columns of strings named; attacks/membership/test_optional_ratings.py holds them to theirs."""
EXEMPT: dict[tuple[str, str], str] = {}
"""Clauses that cannot hold of a rating by its definition, and why."""


@pytest.mark.parametrize("clause", RATING_CLAUSES, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("rating", RATINGS.values(), ids=RATINGS)
def test_a_rating_keeps_its_contract(rating, clause):
    if (rating.name, clause.__name__) in EXEMPT:
        pytest.skip(EXEMPT[rating.name, clause.__name__])
    clause(rating)
