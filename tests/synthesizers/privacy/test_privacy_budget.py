"""Budgets of privacy are not overspent."""

import pytest

from seethrough.errors import ConfigError, Overspent
from seethrough.synthesizers._privacy.privacy_budget import PrivacyBudget


def test_costs_add_up_and_the_last_straw_is_refused():
    budget = PrivacyBudget(1.0)
    assert budget.spend(0.3, "choosing") == 0.3
    assert budget.spend(0.7, "measuring") == 0.7
    assert budget.total == 1.0
    with pytest.raises(Overspent, match=r"more would cost epsilon = 0.001, but 1 of 1 are spent"):
        budget.spend(0.001, "more")
    assert budget.total == 1.0


@pytest.mark.parametrize("parts", [3, 7, 15, 1000, 99_999])
def test_rounded_parts_of_the_whole_are_not_refused(parts):
    budget = PrivacyBudget(0.2)
    each = 0.2 / parts
    total = 0.0
    for _ in range(min(parts, 2000)):
        budget.spend(each, "a part")
        total += each
    assert budget.total == pytest.approx(total)


@pytest.mark.parametrize("cost", [0.0, -1.0, float("nan")])
def test_a_cost_that_is_none_is_refused(cost):
    with pytest.raises(Overspent, match="has to be above 0"):
        PrivacyBudget(1.0).spend(cost, "nothing")


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("inf"), float("nan")])
def test_a_budget_that_is_none_is_refused(epsilon):
    with pytest.raises(ConfigError, match="a finite number above 0"):
        PrivacyBudget(epsilon)
