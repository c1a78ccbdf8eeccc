"""Contract tests for authors: what every check, attack, rating and synthesizer promises, as plain functions.

Each contract is a tuple of clauses, functions of the thing alone that raise AssertionError with a sentence. A test of
one's own needs no more than

    def test_near_rows_keeps_its_promises():
        check_contract(NearRows())

A clause that cannot hold by definition is left out by its name, with the reason beside it:

    check_contract(MyCheck(), exempt={"equal_rows_show_everything": "a record with a twin is not singled out"})
"""

from seethrough.plugins.testing.attacks import ATTACK_CLAUSES, attack_contract
from seethrough.plugins.testing.checks import (
    CHECK_CLAUSES,
    check_contract,
    controls_stand_where_they_should,
    numbers_do_not_depend_on_company,
)
from seethrough.plugins.testing.ratings import RATING_CLAUSES, rating_contract
from seethrough.plugins.testing.synthesizers import SYNTHESIZER_CLAUSES, shares_are_kept, synthesizer_contract

__all__ = [
    "ATTACK_CLAUSES",
    "CHECK_CLAUSES",
    "RATING_CLAUSES",
    "SYNTHESIZER_CLAUSES",
    "attack_contract",
    "check_contract",
    "controls_stand_where_they_should",
    "numbers_do_not_depend_on_company",
    "rating_contract",
    "shares_are_kept",
    "synthesizer_contract",
]
