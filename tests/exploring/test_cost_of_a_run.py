"""What a run costs: by hand from small coefficients, and coefficients that were fitted for every check there is."""

import pytest

import seethrough as st
from seethrough.exploring.pricing import cost_model, machine_speed
from seethrough.exploring.pricing.cost_model import RunSize, estimate_cost, read_costs
from seethrough.plugins import catalog

KIND = "people outside, a secret"
BY_HAND = {
    "speed": 0.01,
    "threads": 1,
    "parallel": 0.5,
    "columns": 10,
    "dense": 2500,
    "base_bytes": 1000,
    "kinds": {
        KIND: {
            "checks": {
                "one": [1.0, 0.01, 0.0],
                "two": [2.0, 0.0, 0.001],
                "recon": [0.25, 0.0, 0.0],
                "recon beyond": [0.125, 0.0, 0.0],
                "other": [0.5, 0.0, 0.0],
            },
            "shared": {"search": [0.0, 0.0, 0.0001], "fit": [3.0, 0.0, 0.0]},
            "uses": {"one": ["search"], "two": ["search", "fit"]},
            "steps": {
                "full": {
                    "evidence": [4.0, 0.0, 0.0],
                    "attacks on secrets": [0.0, 0.02, 0.0],
                    "attacks by least squares": [0.0, 0.05, 0.0],
                    "attacks by least squares beyond": [0.0, 0.001, 0.0],
                    "groups": [1.0, 0.0, 0.0],
                }
            },
            "bytes": {"all": [0.0, 10.0, 0.0], "one": [0.0, 1.0, 0.0], "two": [0.0, 0.0, 2.0]},
        }
    },
}


@pytest.fixture
def by_hand(monkeypatch):
    monkeypatch.setattr(cost_model, "read_costs", lambda: BY_HAND)
    monkeypatch.setattr(cost_model, "measure_speed", lambda: 0.02)  # twice as slow as where it was measured


def size(**other):
    usual = {"real": 100, "released": [100], "columns": 10, "classes": [2], "has_outsiders": True, "threads": 1}
    return RunSize(**(usual | other))


def test_the_cost_is_the_sum_of_what_is_needed_once(by_hand):
    one = estimate_cost(["one"], "full", size())
    assert one.attacks == pytest.approx(2 * (4 + 2 + 5))
    assert one.seconds == pytest.approx(2 * (4 + 2 + 5 + 1 + (1 + 1) + 1))
    assert one.by_check == {"one": pytest.approx(2 * (1 + 1 + 1))}
    both = estimate_cost(["one", "two"], "full", size())
    assert both.seconds == pytest.approx(2 * (4 + 2 + 5 + 1 + (1 + 1) + (2 + 10) + 1 + 3))
    assert (one.bytes, both.bytes) == (1000 + 1000, 1000 + 20_000)


def test_it_follows_rows_columns_secrets_files_threads_and_checks_that_nobody_measured(by_hand):
    usual = estimate_cost(["one"], "full", size()).seconds
    assert estimate_cost(["one"], "full", size(released=[100, 100])).seconds == pytest.approx(2 * usual)
    assert estimate_cost(["one"], "full", size(classes=[2, 2, 2])).seconds == pytest.approx(usual + 2 * 2 * (2 + 5))
    assert estimate_cost(["one"], "full", size(columns=20)).seconds == pytest.approx(usual + 2 * (2 + 5 + 1 + 1))
    assert estimate_cost(["one"], "full", size(real=400)).seconds == pytest.approx(usual + 2 * (2 + 5 + 1 + 3))
    assert estimate_cost(["one"], "full", size(threads=2)).seconds == pytest.approx(usual * 0.75)
    assert estimate_cost(["mine"], "full", size()).seconds == pytest.approx(2 * (4 + 2 + 5 + 1 + 0.5))


def test_least_squares_are_solved_for_each_class_of_more_than_two(by_hand):
    two, seven = (estimate_cost(["recon"], "full", size(classes=[classes])) for classes in (2, 7))
    assert two.by_check == {"recon": pytest.approx(2 * 0.25)}
    assert seven.by_check == {"recon": pytest.approx(2 * 7 * 0.25)}
    assert seven.attacks - two.attacks == pytest.approx(2 * 6 * 5)
    several = estimate_cost(["recon"], "full", size(classes=[2, 7]))
    assert several.by_check == two.by_check  # the check asks about the first secret
    assert several.attacks - two.attacks == pytest.approx(2 * (2 + 7 * 5))


def test_many_records_are_solved_by_steps_which_have_coefficients_of_their_own(by_hand):
    few, many = (estimate_cost(["recon"], "full", size(real=rows, released=[rows])) for rows in (2500, 2600))
    assert few.by_check == {"recon": pytest.approx(2 * 0.25)}
    assert many.by_check == {"recon": pytest.approx(2 * 0.125)}
    assert few.attacks == pytest.approx(2 * (4 + 2500 * (0.02 + 0.05)))
    assert many.attacks == pytest.approx(2 * (4 + 2600 * (0.02 + 0.001)))


def test_there_are_coefficients_for_every_check_kind_and_preset():
    costs = read_costs()
    for outside in (True, False):
        for classes in ([], [2]):
            found = costs["kinds"][size(has_outsiders=outside, classes=classes).kind]
            assert set(catalog.load()) <= set(found["checks"])
            assert set(found["steps"]) == set(catalog.PRESETS)
            assert {each for uses in found["uses"].values() for each in uses} == set(found["shared"])
            for group in (found["checks"], found["shared"], found["bytes"], *found["steps"].values()):
                assert all(number >= 0 for coefficients in group.values() for number in coefficients)


def test_an_exploration_states_its_cost_before_it_is_run():
    release = st.samples.acs_release()
    small, large = (
        st.explore(release.real[:rows], release.synthetic[:rows], release.holdout[:rows], secret="employed")
        for rows in (200, 4000)
    )
    few, all_of_them = small.cost(["gcap"], "attacks"), small.cost()
    assert 0 < few.attacks < few.seconds < all_of_them.seconds < large.cost().seconds
    assert 0 < few.bytes <= all_of_them.bytes <= large.cost().bytes
    assert set(all_of_them.by_check) == set(small.check_names)


def test_the_speed_of_the_machine_is_measured_once_and_quickly():
    machine_speed.measure_speed.cache_clear()
    found = machine_speed.measure_speed()
    assert 0 < found < 1
    assert machine_speed.measure_speed() == found
