"""What holds for every check of the catalog. A new check is picked up by itself."""

import pytest

from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.plugins import catalog
from seethrough.plugins.testing import (
    CHECK_CLAUSES,
    controls_stand_where_they_should,
    numbers_do_not_depend_on_company,
)

ALIGNED = HiddenRate(assume_aligned=True)
"""Rests on which synthetic row was made from which record: without being told so, it is skipped."""
CHECKS = [ALIGNED if check.card.name == "hidden-rate" else check for check in catalog.load().values()]
NAMES = [check.card.name for check in CHECKS]

TWINS_ARE_HIDDEN = ("id-score", "nndr", "mdcr")
"""By definition a record that has a twin in the real table is not singled out."""
EXEMPT = {
    *((name, "equal_rows_show_everything") for name in TWINS_ARE_HIDDEN),
    *((name, "a_copy_of_categories_shows") for name in ("air", *TWINS_ARE_HIDDEN)),  # most rows have twins there
}
KEPT = [
    pytest.param(check, clause, id=f"{clause.__name__}-{name}")
    for clause in CHECK_CLAUSES
    for check, name in zip(CHECKS, NAMES, strict=True)
    if (name, clause.__name__) not in EXEMPT
]


@pytest.mark.parametrize(("check", "clause"), KEPT)
def test_a_check_keeps_its_contract(check, clause):
    clause(check)


def test_adding_a_check_or_another_order_changes_no_other_number():
    numbers_do_not_depend_on_company(CHECKS)


def test_both_controls_stand_where_they_should():
    controls_stand_where_they_should(CHECKS)
