"""Every metric on a few rows, with values worked out by hand."""

import numpy as np
import pytest

from seethrough.errors import NotApplicable
from seethrough.metrics.auth import Authenticity
from seethrough.metrics.crp import CommonRows
from seethrough.metrics.dcr import DistanceToClosestRecord, closeness
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.metrics.hitting_rate import HittingRate
from seethrough.metrics.nnaa import AdversarialAccuracy
from seethrough.metrics.zcap import ZeroCap

CAP_REAL = {"k1": ["a", "a", "b", "c"], "k2": ["1", "1", "2", "3"], "s": ["x", "y", "x", "y"]}
CAP_SYNTHETIC = {"k1": ["a", "a", "b", "d", "c"], "k2": ["1", "1", "2", "3", "4"], "s": ["x", "x", "y", "y", "x"]}


def test_crp_counts_every_copy_of_a_real_row(measure):
    found = measure(CommonRows(), {"v": ["A", "A", "B", "C"]}, {"v": ["A", "B", "D"]})
    assert found.risk.value == 0.75
    assert found.per_record.tolist() == [1, 1, 1, 0]


def test_crp_takes_missing_values_as_equal_and_levels_apart(measure):
    real = {"c": ["x|x", None, "x"], "v": [1.0, None, 2.0]}
    synthetic = {"c": ["x|x", None, "x"], "v": [1.0, None, None]}
    assert measure(CommonRows(), real, synthetic).per_record.tolist() == [1, 1, 0]


def test_zcap_scores_unmatched_records_zero(measure):
    found = measure(ZeroCap(), CAP_REAL, CAP_SYNTHETIC, secret=("s",))
    assert found.per_record.tolist() == [1, 0, 0, 0]
    assert found.risk.value == 0.25
    assert found.base_rate == pytest.approx(0.5 * 3 / 5 + 0.5 * 2 / 5)
    assert found.details["share of records matched"] == 0.75


def test_zcap_of_a_copy_is_one_only_where_keys_determine_the_secret(measure):
    assert measure(ZeroCap(), CAP_REAL, CAP_REAL, secret=("s",)).risk.value == 0.75
    determined = {"k": ["a", "b", "c"], "s": ["x", "y", "x"]}
    assert measure(ZeroCap(), determined, determined, secret=("s",)).risk.value == 1


def test_zcap_says_when_hardly_anything_matches(measure):
    real = {"k": [float(i) for i in range(40)], "s": ["x", "y"] * 20}
    synthetic = {"k": [0.5 + i for i in range(40)], "s": ["x", "y"] * 20}
    found = measure(ZeroCap(), real, synthetic, secret=("s",))
    assert found.risk.value == 0
    assert found.risk.high > 0
    assert "only 0.0% of the real records" in found.warnings[0]


def test_gcap_keeps_all_ties(measure):
    found = measure(GeneralizedCap(), CAP_REAL, CAP_SYNTHETIC, secret=("s",))
    assert found.per_record.tolist() == [1, 0, 0, 0.5]
    assert found.risk.value == 0.375


def test_gcap_with_one_key_and_no_match_falls_back_to_the_whole_table(measure):
    real, synthetic = {"k": ["a", "b"], "s": ["x", "y"]}, {"k": ["c", "d", "e"], "s": ["x", "x", "y"]}
    assert measure(GeneralizedCap(), real, synthetic, secret=("s",)).per_record.tolist() == pytest.approx(
        [2 / 3, 1 / 3]
    )


def test_cap_guesses_several_secrets_together(measure):
    real = {"k": ["a", "b"], "s": ["x", "y"], "t": ["u", "v"]}
    synthetic = {"k": ["a", "b"], "s": ["x", "y"], "t": ["u", "u"]}
    assert measure(ZeroCap(), real, synthetic, secret=("s", "t")).per_record.tolist() == [1, 0]


def test_cap_uses_the_keys_named_and_no_others(measure):
    real = {"k": ["a", "b"], "other": ["p", "q"], "s": ["x", "y"]}
    synthetic = {"k": ["a", "b"], "other": ["q", "p"], "s": ["x", "y"]}
    assert measure(ZeroCap(), real, synthetic, secret=("s",)).risk.value == 0
    assert measure(ZeroCap(), real, synthetic, secret=("s",), keys=("k",)).risk.value == 1


def test_cap_without_a_secret_lets_every_category_take_its_turn(measure):
    real = {"k": ["a", "b", "c", "d"], "s": ["x", "x", "y", "y"]}
    found = measure(GeneralizedCap(), real, real)
    assert found.details["risk of k"] == 0.5
    assert found.details["risk of s"] == 1
    assert found.details["secret"] == "s"
    assert "2 columns took their turn" in found.warnings[0]
    assert found.settled == GeneralizedCap(secret=("s",))


def test_cap_without_anything_to_guess_is_not_applicable(measure):
    with pytest.raises(NotApplicable, match="name a secret"):
        measure(ZeroCap(), {"v": [1.0, 2.0]}, {"v": [1.0, 2.0]})


def test_hitting_rate_counts_real_records_with_a_neighbour_in_the_box(measure):
    real = {"c": ["a", "a", "b"], "v": [0, 30, 10]}
    synthetic = {"c": ["a", "a", "a", "b"], "v": [0.5, 1, 29, 12]}
    found = measure(HittingRate(), real, synthetic)
    assert found.per_record.tolist() == [1, 1, 0]
    doubled = {name: values * 2 for name, values in synthetic.items()}
    assert measure(HittingRate(), real, doubled).risk.value == pytest.approx(2 / 3)


def test_hitting_rate_asks_a_constant_number_to_be_equal(measure):
    real, synthetic = {"c": ["a", "b"], "v": [5, 5]}, {"c": ["a", "b"], "v": [5, 5.001]}
    assert measure(HittingRate(), real, synthetic).per_record.tolist() == [1, 0]


def test_hitting_rate_takes_a_missing_number_as_a_value_of_its_own(measure):
    real, synthetic = {"v": [0, None, 30, 15]}, {"v": [None, 15, 15, 15]}
    assert measure(HittingRate(), real, synthetic).per_record.tolist() == [0, 1, 0, 1]


def test_auth_counts_ties_as_risk(measure):
    real, synthetic = {"v": [0, 0.5, 5, 9]}, {"v": [20, 21, 9.5, 0.6]}
    assert measure(Authenticity(), real, synthetic).per_record.tolist() == [0, 1, 0, 1]
    assert measure(Authenticity(), {"v": [0, 1]}, {"v": [-1, 2]}).risk.value == 1


def test_auth_needs_two_real_records(measure):
    with pytest.raises(NotApplicable, match="two real records"):
        measure(Authenticity(), {"v": [1]}, {"v": [1]})


def test_nnaa_averages_over_both_tables(measure):
    found = measure(AdversarialAccuracy(), {"v": [0, 1, 4, 10]}, {"v": [5, 20, 21]})
    assert found.raw == pytest.approx(0.5 * (2 / 4 + 2 / 3))
    assert found.risk.value == pytest.approx(5 / 12)


def test_nnaa_is_moved_by_an_extreme_row_only_through_its_neighbours(measure):
    real, synthetic = {"v": [0, 1, 4, 10]}, {"v": [5, 20, 21]}
    before = measure(AdversarialAccuracy(), real, synthetic)
    after = measure(AdversarialAccuracy(), real, {"v": [5, 20, 21, 1e6]})
    assert after.per_record.tolist() == before.per_record.tolist()


def test_dcr_maps_a_mean_distance_to_a_risk():
    assert closeness(1.25) == pytest.approx(4 / 9)
    assert closeness(0) == 1


def test_dcr_of_one_number_is_its_distance_in_standard_deviations(measure):
    found = measure(DistanceToClosestRecord(), {"v": [0, 1, 4, 10]}, {"v": [0, 2, 12]})
    spread = np.std([0, 1, 4, 10])
    assert found.raw == pytest.approx(1.25 / spread)
    assert found.risk.value == pytest.approx(1 / (1 + 1.25 / spread))


def test_dcr_of_a_copy_is_one_exactly(measure):
    real = {"v": [0.1, 0.7, 0.3], "c": ["a", "b", "a"], "w": [3.0, None, 1e9]}
    assert measure(DistanceToClosestRecord(), real, real).risk.value == 1


def test_dcr_has_nothing_to_project_when_all_rows_are_equal(measure):
    with pytest.raises(NotApplicable, match="nothing to project"):
        measure(DistanceToClosestRecord(), {"v": [1, 1], "c": ["a", "a"]}, {"v": [1, 2], "c": ["a", "b"]})


@pytest.mark.parametrize("check", [ZeroCap(secret=("x",)), GeneralizedCap(secret=("s", "x"))])
def test_a_secret_that_is_no_column_is_a_reason(measure, check):
    with pytest.raises(NotApplicable, match="the secret 'x' is not among the columns that take part"):
        measure(check, CAP_REAL, CAP_SYNTHETIC)
