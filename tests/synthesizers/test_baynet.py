"""Bayesian networks as generators."""

import numpy as np
import polars as pl
import pytest

from seethrough.data.reading.release_tables import read_release
from seethrough.data.rows import row_numbers, stack_tables
from seethrough.errors import ConfigError
from seethrough.seeds import stream
from seethrough.synthesizers.baynet import BayesianNetwork
from seethrough.synthesizers.indhist import IndependentHistograms
from seethrough.utility.three_way import three_way


def chain(tables_of, rows=300):
    """A decides b, b decides c; d is by itself."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, rows)
    columns = {
        "a": [f"a{v}" for v in a],
        "b": [f"b{v % 2}" for v in a],
        "c": [f"c{1 - v % 2}" for v in a],
        "d": [f"d{v}" for v in rng.integers(0, 3, rows)],
    }
    return tables_of(columns, columns)[0]


def test_what_follows_from_another_column_still_does(tables_of):
    table = chain(tables_of)
    sampler = BayesianNetwork(k=1).fit(table, stream(0, "fit"))
    found = sampler.sample(2000, stream(0, "sample"))
    assert (found.column("b") == 1 + (found.column("a") - 1) % 2).all()
    assert (found.column("c") == 3 - found.column("b")).all()
    for name in "abcd":
        shares, wanted = (np.bincount(t.column(name), minlength=5) / len(t) for t in (found, table))
        np.testing.assert_allclose(shares, wanted, atol=0.045)


def test_with_all_other_columns_as_parents_only_records_come_out(tables_of):
    table = chain(tables_of, 30)
    draw = BayesianNetwork(k=3).fit(table, stream(0, "fit")).draw(500, stream(0, "sample"))
    numbers = row_numbers(stack_tables([table, draw.table]))
    assert set(numbers[30:]) <= set(numbers[:30])
    assert draw.details == {"unseen_parents": 0, "values_drawn": 2000}


def test_unseen_parents_are_counted(tables_of):
    rng = np.random.default_rng(0)
    columns = {name: [f"{v}" + "x" for v in rng.integers(0, 6, 40)] for name in "abcdefgh"}
    draw = BayesianNetwork(k=2).fit(tables_of(columns, columns)[0], stream(0, "fit")).draw(500, stream(0, "sample"))
    assert 0 < draw.details["unseen_parents"] < draw.details["values_drawn"] == 4000


def test_the_card_names_the_network(tables_of):
    card = BayesianNetwork(k=1).fit(chain(tables_of), stream(0, "fit")).card
    assert card.details["network"].count("<") == 3
    assert card.parameters == {"k": 1, "bins": 20}
    assert card.privacy is None


def test_progress_is_told_and_changes_nothing(tables_of):
    told = []
    table = chain(tables_of)
    first = BayesianNetwork(k=2).fit_with_progress(table, stream(1, "fit"), told.append)
    second = BayesianNetwork(k=2).fit(table, stream(1, "fit"))
    assert told == [0.5, 0.75, 1.0]
    assert first.card == second.card


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BayesianNetwork(k=0), "both are at least 1"),
        (lambda: BayesianNetwork(bins=0), "both are at least 1"),
    ],
)
def test_bad_parameters_are_refused(make, words):
    with pytest.raises(ConfigError, match=words):
        make()


def test_more_parents_than_columns_are_refused(tables_of):
    with pytest.raises(ConfigError, match="k = 4 parents need 5 columns; the table has 4"):
        BayesianNetwork(k=4).fit(chain(tables_of), stream(0, "fit"))


def test_quality_on_the_census(shared_folder):
    """About as the paper's Figure on utility has it: far better than independent columns, not exact."""
    frame = pl.read_csv(shared_folder / "data" / "acs_recon_ma_2018.csv.gz").with_columns(pl.all().cast(pl.String))
    some = frame[stream(0, "records").choice(len(frame), 1000, replace=False)]
    table = read_release(some, [some]).train.table
    errors = {}
    for generator in (BayesianNetwork(), IndependentHistograms()):
        made = generator.fit(table, stream(0, "fit")).sample(100_000, stream(0, "sample"))
        errors[generator.name] = three_way(table, made, stream(0, "utility"), None)[0]
    assert 0.05 < errors["baynet"] < 0.17
    assert errors["indhist"] > 0.25
