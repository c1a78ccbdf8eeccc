"""rap-softmax: what it promises, what it records, and an audit of the promise."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, DataError, SchemaMismatch
from seethrough.synthesizers._privacy.noisy_marginals import BudgetSplit
from seethrough.synthesizers._privacy.zcdp import delta_of
from seethrough.synthesizers.rap_softmax import RapSoftmax

QUICK = RapSoftmax(rounds=20, relaxed_rows=50, batch=128)


def people(cells, declared=True):
    levels = [tuple("uvwxyz"[: int(column.max())]) for column in cells.T]
    columns = (
        Column(name, Kind.CATEGORICAL, levels=own, declared=declared)
        for name, own in zip("abcdef", levels, strict=False)
    )
    return Table(Schema(tuple(columns)), tuple(cells.T.astype(np.uint8)))


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return people(np.column_stack([rng.integers(1, size + 1, 200) for size in (2, 3, 2, 4)]))


def test_the_card_records_what_is_promised(table):
    card = QUICK.fit(table, np.random.default_rng(1)).card
    assert (card.privacy.epsilon, card.privacy.delta, card.privacy.read_columns) == (1.0, 1e-6, ())
    assert "zCDP" in card.privacy.accountant
    assert card.warnings == ()
    assert card.details["rho spent"] <= card.details["rho"]
    assert card.details["rho spent"] == pytest.approx(card.details["rho"])
    assert delta_of(card.details["rho spent"], 1.0) <= 1e-6
    assert card.details["noise"] == pytest.approx(BudgetSplit(card.details["rho"], 40).noise(200))


def test_domains_read_from_the_table_are_warned_of(table):
    open_ones = Schema(tuple(replace(c, declared=c.name in "ac") for c in table.schema.columns))
    card = QUICK.fit(Table(open_ones, table.columns), np.random.default_rng(1)).card
    assert card.privacy.read_columns == ("b", "d")
    assert card.warnings[0].startswith("the domain of b, d was read from the data")


def test_values_outside_the_declared_domain_are_refused_not_learnt(table):
    strange = table.columns[0].copy()
    strange[0] = 3
    with pytest.raises(SchemaMismatch, match="not among its 2 declared"):
        QUICK.fit(Table(table.schema, (strange, *table.columns[1:])), np.random.default_rng(0))


def test_noise_falls_with_epsilon_and_the_fit_improves():
    rng = np.random.default_rng(2)
    a = rng.integers(1, 3, 2000)
    related = people(np.column_stack([a, a, a, rng.integers(1, 3, 2000)]))
    noises, agreement = [], []
    for epsilon in (0.01, 1.0, 100.0):
        fitted = replace(QUICK, epsilon=epsilon, steps=20).fit(related, np.random.default_rng(3))
        found = fitted.sample(20_000, np.random.default_rng(4))
        noises.append(fitted.card.details["noise"])
        agreement.append((found.columns[0] == found.columns[1]).mean())
    assert noises[0] > 10 * noises[1] > 50 * noises[2]
    assert agreement[0] < 0.75 < agreement[1] <= agreement[2] + 0.05
    assert agreement[2] > 0.95


def test_one_seed_one_table(table):
    first, again, other = (
        QUICK.fit(table, np.random.default_rng(s)).sample(50, np.random.default_rng(s)).digest for s in (3, 3, 4)
    )
    assert first == again != other


def test_three_columns_have_one_marginal_a_round_and_two_are_padded(table):
    for width in (2, 3):
        card = QUICK.fit(table.project("abcd"[:width]), np.random.default_rng(5)).card
        assert card.details["marginals measured"] == 1
        assert card.details["noise"] == pytest.approx(BudgetSplit(card.details["rho"], 20).noise(200))


def test_what_is_no_privacy_is_refused(table):
    for epsilon in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError, match="epsilon"):
            RapSoftmax(epsilon=epsilon)
    with pytest.raises(ConfigError, match="delta"):
        RapSoftmax(delta=0.0)
    for values in ({"rounds": 0}, {"marginals": 0}, {"steps": 0}, {"alpha": 1.0}, {"rate": 0.0}, {"relaxed_rows": 0}):
        with pytest.raises(ConfigError, match=f"rap-softmax.{next(iter(values))}"):
            RapSoftmax(**values)
    with pytest.raises(DataError, match="without rows"):
        QUICK.fit(table.take(np.array([], int)), np.random.default_rng(0))


def audited(synthesizer, fits):
    """Bound epsilon from below, by how often an event occurs on two neighbouring tables of four people.

    The event is that the relaxed rows have more of the value combination of the record that was replaced than of its
    replacement; where to cut was chosen on the first half of the fits, and the bounds rest on the second.
    """
    cells = np.array([[1, 1, 1], [1, 2, 1], [2, 1, 2], [2, 2, 2]])
    other = cells.copy()
    other[3] = [1, 1, 2]
    domain = Schema(tuple(Column(name, Kind.BINARY, levels=("u", "v"), declared=True) for name in "abc"))
    scores = []
    for seed, each in enumerate((cells, other)):
        table = Table(domain, tuple(each.T.astype(np.uint8)))
        rng = np.random.default_rng(seed)
        fitted = (synthesizer.fit(table, rng).relaxed.probabilities for _ in range(fits))
        scores.append([float((p[1] * p[3] * p[5] - p[0] * p[2] * p[5]).mean()) for p in fitted])
    tried, kept = np.split(np.array(scores), 2, axis=1)
    cuts = np.quantile(tried, np.linspace(0.02, 0.98, 49))
    rates = (tried[:, :, None] > cuts).mean(axis=1)
    cut = cuts[np.argmax(rates[0] / np.maximum(rates[1], 0.02))]
    hits, size = (kept > cut).sum(axis=1), kept.shape[1]
    low = beta.ppf(0.005, hits[0], size - hits[0] + 1) if hits[0] else 0.0
    high = beta.ppf(0.995, hits[1] + 1, size - hits[1])
    return float(np.log(max(low - synthesizer.delta, 1e-12) / high))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_an_audit_finds_no_more_than_is_claimed(epsilon, monkeypatch):
    """And finds more where the noise is a tenth of what it has to be, or the test could not fail."""
    tiny = RapSoftmax(epsilon=epsilon, delta=1e-3, rounds=1, marginals=1, steps=10, relaxed_rows=8, batch=16, rate=0.5)
    assert audited(tiny, 2000) <= epsilon
    right = BudgetSplit.noise
    monkeypatch.setattr(BudgetSplit, "noise", lambda split, records: right(split, records) / 10)
    assert audited(tiny, 800) > epsilon
