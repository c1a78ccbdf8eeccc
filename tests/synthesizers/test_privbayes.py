"""PrivBayes: the noise is what the formulas say, the budget holds, and two neighbouring tables cannot be told apart."""

from dataclasses import replace
from math import exp, log, log2

import numpy as np
import pytest
from scipy.stats import beta, laplace

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, Overspent
from seethrough.kernels.learning.networks import Entropies, Family
from seethrough.seeds import stream
from seethrough.synthesizers import privbayes
from seethrough.synthesizers.privbayes import PrivBayes, largest, marginal, noisy_joint, sensitivity


def declared(*sizes):
    columns = (
        Column(f"c{place}", Kind.CATEGORICAL, levels=tuple(f"v{v}" for v in range(size)), declared=True)
        for place, size in enumerate(sizes)
    )
    return Schema(tuple(columns))


def table(cells, sizes):
    return Table(declared(*sizes), tuple(np.asarray(column, np.uint8) + 1 for column in np.transpose(cells)))


def some(rows=200, sizes=(2, 3, 4, 5, 2), seed=0):
    rng = np.random.default_rng(seed)
    cells = np.column_stack([rng.integers(0, size, rows) for size in sizes])
    cells[:, 1] = np.where(rng.random(rows) < 0.8, cells[:, 0], cells[:, 1])
    return table(cells, sizes)


def test_sensitivities_by_hand():
    general = 2 / 100 * log2(101 / 2) + 99 / 100 * log2(101 / 99)
    binary = log2(100) / 100 + 99 / 100 * log2(100 / 99)
    sizes = (3, 4, 2, 5)
    assert sensitivity(Family(0, (1,)), sizes, 100) == pytest.approx(general)
    assert sensitivity(Family(0, (1, 2)), sizes, 100) == pytest.approx(general)
    assert sensitivity(Family(0, (2,)), sizes, 100) == pytest.approx(binary)
    assert sensitivity(Family(2, (0, 1)), sizes, 100) == pytest.approx(binary)


@pytest.mark.parametrize("sizes", [(2, 2), (2, 4), (3, 4)])
def test_no_replaced_record_moves_the_information_by_more(sizes):
    rng = np.random.default_rng(0)
    most, family = 0.0, Family(1, (0,))
    for _ in range(300):
        rows = int(rng.integers(2, 12))
        cells = np.column_stack([rng.integers(0, size, rows) for size in sizes])
        other = cells.copy()
        other[0] = [rng.integers(0, size) for size in sizes]
        pair = [Entropies(each, sizes).informations((0,), [1])[0] for each in (cells, other)]
        change = abs(pair[0] - pair[1]) / sensitivity(family, sizes, rows)
        most = max(most, change)
    assert 0.5 < most <= 1 + 1e-9


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_noise_has_the_scale_of_the_formula(epsilon):
    """2 / (n epsilon) for one table; with all of d - k tables the share of each makes it 2 (d - k) / (n epsilon_2)."""
    columns = [np.zeros(50, np.int64), np.zeros(50, np.int64)]
    sizes = (100, 100)
    joint = noisy_joint(Family(1, (0,)), columns, sizes, epsilon, np.random.default_rng(1))
    again = np.random.default_rng(1).laplace(0.0, 2 / (50 * epsilon), 10_000)
    expected = np.maximum(again + np.eye(1, 10_000)[0], 0)
    np.testing.assert_allclose(joint.ravel(), expected / expected.sum())


def test_the_budget_is_split_as_stated_and_spent_to_the_last(monkeypatch):
    spent = []
    plain = privbayes.PrivacyLedger.spend

    def watched(self, cost, purpose):
        spent.append((purpose, cost))
        return plain(self, cost, purpose)

    monkeypatch.setattr(privbayes.PrivacyLedger, "spend", watched)
    card = PrivBayes(epsilon=2.0, k=2).fit(some(), stream(0, "fit")).card
    choices = [cost for purpose, cost in spent if purpose == "a choice"]
    tables = [cost for purpose, cost in spent if purpose == "a joint table"]
    assert choices == pytest.approx([0.3 * 2.0 / 4] * 4)
    assert tables == pytest.approx([0.7 * 2.0 / 3] * 3)
    assert card.privacy.epsilon == 2.0
    assert card.privacy.delta == 0.0
    assert "4 choices by the exponential mechanism, 3 joint tables with Laplace noise" in card.privacy.accountant
    assert card.details["spent"] == pytest.approx(2.0)


def test_a_generator_that_asks_for_more_is_stopped():
    """Five columns with k = 1 need four tables; a budget that somebody has drawn on does not hold them."""
    ledger = privbayes.PrivacyLedger(1.0)
    ledger.spend(0.5, "somebody else")
    families = (Family(0, ()), *(Family(place, (0,)) for place in range(1, 5)))
    with pytest.raises(Overspent, match=r"a joint table would cost epsilon = 0.175, but 0.85 of 1 are spent already"):
        PrivBayes()._measured(ledger, np.zeros((5, 5), np.int32), (2,) * 5, families, stream(0, "x"))


def shares(sampler, name, rows=20_000):
    return np.bincount(sampler.sample(rows, stream(0, "sample")).column(name), minlength=3)[1:] / rows


def test_the_noise_moves_with_epsilon():
    real = some(1000)
    wanted = np.bincount(real.column("c1"), minlength=4)[1:] / 1000
    errors = [
        np.mean(
            [
                np.abs(shares(PrivBayes(epsilon=epsilon, k=1).fit(real, stream(seed, "fit")), "c1") - wanted).sum()
                for seed in range(8)
            ]
        )
        for epsilon in (0.02, 0.2, 2.0, 200.0)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 10 * errors[-1]


def test_with_a_huge_budget_it_is_a_bayesian_network():
    real = some(2000)
    sampler = PrivBayes(epsilon=1e6, k=1).fit(real, stream(0, "fit"))
    found = sampler.sample(50_000, stream(0, "sample"))
    for name in ("c0", "c1", "c2", "c3", "c4"):
        got, wanted = (np.bincount(t.column(name), minlength=7) / len(t) for t in (found, real))
        np.testing.assert_allclose(got, wanted, atol=0.01)
    same = ((found.column("c0") == found.column("c1")).mean(), (real.column("c0") == real.column("c1")).mean())
    assert same[0] == pytest.approx(same[1], abs=0.01)


def test_families_inside_others_are_not_measured():
    families = (Family(0, ()), Family(1, (0,)), Family(2, (0, 1)), Family(3, (1, 2)), Family(4, ()))
    assert largest(families) == (Family(2, (0, 1)), Family(3, (1, 2)), Family(4, ()))


def test_a_marginal_by_hand():
    joint = np.arange(24.0).reshape(2, 3, 4)
    found = marginal(joint, Family(9, (5, 7)), Family(5, (9,)))
    np.testing.assert_array_equal(found, joint.sum(axis=1).T)
    np.testing.assert_array_equal(marginal(joint, Family(9, (5, 7)), Family(7, ())), joint.sum(axis=(0, 2))[None])


def test_what_the_domain_rests_on_is_on_the_card():
    real = some()
    assert PrivBayes(k=1).fit(real, stream(0, "fit")).card.privacy.read_columns == ()
    columns = tuple(replace(column, declared=column.name != "c3") for column in real.schema.columns)
    card = PrivBayes(k=1, epsilon=100).fit(Table(Schema(columns), real.columns), stream(0, "fit")).card
    assert card.privacy.read_columns == ("c3",)
    assert "the domain of c3 was read from the data" in card.warnings[0]


def test_a_level_that_no_record_has_can_come_out():
    real = table(np.zeros((50, 2), int), (2, 3))
    found = PrivBayes(epsilon=0.1, k=1).fit(real, stream(0, "fit")).sample(2000, stream(0, "sample"))
    assert set(found.column("c1").tolist()) == {1, 2, 3}


def test_large_joint_tables_are_not_made():
    card = PrivBayes(k=3, cells=30, epsilon=1e4).fit(some(), stream(0, "fit")).card
    assert card.details["fewer_parents"]
    assert "more than 30 cells" in card.warnings[0]
    with pytest.raises(ConfigError, match="column 'c3' has 5 values; 1 to cells = 4"):
        PrivBayes(k=1, cells=4).fit(some(), stream(0, "fit"))
    assert "the noise outweighs the records" in PrivBayes(k=3, epsilon=0.1).fit(some(), stream(0, "f")).card.warnings[0]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"epsilon": 0.0}, "epsilon is 0.0; a finite number above 0"),
        ({"epsilon": -1.0}, "epsilon is -1.0"),
        ({"k": 0}, "at least 1"),
        ({"structure": 1.0}, "between 0 and 1"),
    ],
)
def test_bad_parameters_are_refused(values, words):
    with pytest.raises(ConfigError, match=words):
        PrivBayes(**values)


def test_more_parents_than_columns_are_refused():
    with pytest.raises(ConfigError, match="k = 5 parents need 6 columns"):
        PrivBayes(k=5).fit(some(), stream(0, "fit"))


def bounded_epsilon(first, second, confidence=0.999):
    """Lower bound for the epsilon of a mechanism from how often an event happens on two neighbouring tables."""
    trials = len(first)
    best = 0.0
    for one, two in ((first, second), (second, first), (~first, ~second), (~second, ~first)):
        hits, misses = int(one.sum()), int(two.sum())
        low = beta.ppf((1 - confidence) / 2, hits, trials - hits + 1) if hits else 0.0
        high = beta.ppf((1 + confidence) / 2, misses + 1, trials - misses) if misses < trials else 1.0
        best = max(best, log(low / high) if low > 0 else 0.0)
    return best


def test_two_records_noisy_tables_stay_within_the_bound():
    """One cell of a table of two records: the event that tells most has a likelihood ratio of e^eps at most.

    One record replaced moves two cells by 1/2. The noise has scale 2 / (2 eps), so a cell alone tells e^(eps / 2) and
    both together, which add up, e^eps.
    """
    epsilon, trials, family = 1.0, 20_000, Family(0, ())
    worlds = []
    for records in ([0, 0], [0, 1]):
        rng = stream(0, str(records))
        joints = [noisy_joint(family, [np.array(records)], (2,), epsilon, rng) for _ in range(trials)]
        worlds.append(np.array(joints))
    found = [
        bounded_epsilon(*(world[:, 0] - world[:, 1] > cut for world in worlds)) for cut in np.linspace(-0.99, 0.99, 12)
    ]
    assert max(found) <= epsilon
    assert max(found) > 0.3 * epsilon
    assert exp(epsilon / 2) == pytest.approx(laplace.pdf(1.0, 1.0, 1.0) / laplace.pdf(1.0, 0.5, 1.0))


def found_epsilon(epsilon, trials=4000):
    """Three attributes, two neighbouring tables, thousands of fits: the largest epsilon that any event shows."""
    sizes = (2, 2, 2)
    cells = np.array([[0, 0, 0]] * 3 + [[1, 1, 1]] * 2)
    other = cells.copy()
    other[0] = [1, 1, 1]
    generator, events = PrivBayes(epsilon=epsilon, k=1), []
    for name, records in (("one", cells), ("other", other)):
        rng, real = stream(0, f"{name} {epsilon}"), table(records, sizes)
        events.append(np.array([audited(generator.fit(real, rng), sizes) for _ in range(trials)]))
    found = []
    for place in range(events[0].shape[1]):
        cuts = np.quantile(np.concatenate([each[:, place] for each in events]), np.linspace(0.02, 0.98, 9))
        found += [bounded_epsilon(*(each[:, place] > cut for each in events), 1 - 1e-5) for cut in np.unique(cuts)]
    return max(found)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_an_audit_of_the_guarantee_finds_no_larger_epsilon(epsilon):
    assert found_epsilon(epsilon) <= epsilon


@pytest.mark.slow
def test_the_audit_would_find_a_generator_that_spends_more_than_it_says():
    assert found_epsilon(20.0) > 2.0


def audited(sampler, sizes):
    """What an adversary may look at: the structure, and the shares of each attribute given its parents."""
    order = [each.family.child for each in sampler.tables]
    parents = [each.family.parents[0] if each.family.parents else -1 for each in sampler.tables]
    first = [each.cumulative[0, 0] if np.isfinite(each.cumulative[0, 0]) else 1.0 for each in sampler.tables]
    by_child = [first[order.index(place)] for place in range(len(sizes))]
    together = by_child[0] * by_child[1] * by_child[2]
    return [
        *by_child,
        together,
        sum(by_child),
        float(parents[order.index(1)] == 0),
        float(parents[order.index(2)] == 1),
    ]
