"""A deal: the target is unique, its secret uniform, and nothing in what is shown tells it."""

from dataclasses import fields

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from seethrough.data.rows import row_numbers
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, DataError
from seethrough.games.baselines import baselines
from seethrough.games.dealing import deal
from seethrough.games.population import population
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.protocols.attack import AttributeView


def test_the_target_is_unique_and_everything_else_stays(small):
    rng = np.random.default_rng(0)
    for _ in range(50):
        dealt = deal(small, 40, 3, rng)
        numbers = row_numbers(dealt.known)
        assert all((numbers == numbers[row]).sum() == 1 for row in dealt.targets)
        assert len(dealt.others) == len(small.table) - 40
        # The targets' rows in the training table, found by what is known of them.
        names = [column.name for column in dealt.known.schema.used]
        both = Table(
            dealt.known.schema,
            tuple(
                np.concatenate(pair)
                for pair in zip(dealt.known.columns, dealt.training.project(names).columns, strict=True)
            ),
        )
        together = row_numbers(both)
        for row, truth in zip(dealt.targets, dealt.truth, strict=True):
            [place] = np.flatnonzero(together[40:] == together[row])
            assert dealt.training.column("ill")[place] == small.classes[truth]
        assert sorted(together[:40]) == sorted(together[40:])


def test_only_the_targets_secrets_change(small):
    everyone = set(row_numbers(small.table).tolist())
    dealt = deal(small, 200, 1, np.random.default_rng(1))
    both = Table(
        small.table.schema,
        tuple(np.concatenate(pair) for pair in zip(small.table.columns, dealt.training.columns, strict=True)),
    )
    numbers = row_numbers(both)
    assert len(everyone) <= 300
    assert np.isin(numbers[300:], numbers[:300]).sum() >= 199


def test_secret_and_place_of_the_target_are_uniform_and_independent(small):
    rng = np.random.default_rng(0)
    dealt = [deal(small, 10, 1, rng) for _ in range(3000)]
    truth = np.array([each.truth[0] for each in dealt])
    place = np.array([each.targets[0] for each in dealt])
    assert chisquare(np.bincount(truth, minlength=2)).pvalue > 1e-3
    assert chisquare(np.bincount(place, minlength=10)).pvalue > 1e-3
    table = np.zeros((2, 10))
    np.add.at(table, (truth, place), 1)
    assert chi2_contingency(table).pvalue > 1e-3


def test_the_secret_of_many_values_is_uniform_too(people_of):
    people = population(people_of(300, levels=("a", "b", "c", "d", "e")), "ill", "people")
    rng = np.random.default_rng(0)
    truth = np.concatenate([deal(people, 30, 5, rng).truth for _ in range(400)])
    assert chisquare(np.bincount(truth, minlength=5)).pvalue > 1e-3


def test_baselines_are_right_by_chance(small):
    rng = np.random.default_rng(0)
    hits = {"random": [], "majority": [], "imputation": []}
    for _ in range(30):
        dealt = deal(small, 60, 25, rng)
        for name, scores in baselines(small, dealt, rng, Budget(threads=1)):
            assert scores.sum(axis=1) == pytest.approx(1)
            hits[name].append(expected_hits(scores, dealt.truth).mean())
    for name, shares in hits.items():
        assert abs(np.mean(shares) - 0.5) < 4 * 0.5 / np.sqrt(30 * 25), name


def test_imputation_tells_what_is_not_replaced(small):
    """The same baseline is right about real secrets, so that chance in the game is due to the game."""
    rng = np.random.default_rng(0)
    dealt = deal(small, 60, 25, rng)
    order = [
        np.flatnonzero(small.numbers == number)[0] for number in row_numbers_of(small, dealt.known.take(dealt.targets))
    ]
    real = small.secrets[order] - 1
    scores = dict(baselines(small, dealt, rng, Budget(threads=1)))["imputation"]
    assert expected_hits(scores, real.astype(np.int64)).mean() > 0.75


def row_numbers_of(people, table):
    both = Table(
        table.schema, tuple(np.concatenate(pair) for pair in zip(people.known.columns, table.columns, strict=True))
    )
    numbers = row_numbers(both)
    first = {number: place for place, number in reversed(list(enumerate(numbers[: len(people.table)])))}
    return [people.numbers[first[number]] for number in numbers[len(people.table) :]]


def test_a_view_has_no_place_for_the_truth(small):
    assert [field.name for field in fields(AttributeView)] == [
        "known",
        "released",
        "secret",
        "classes",
        "targets",
        "budget",
        "drawn",  # rows of the release
        "_worked",  # what attacks worked out on this view
    ]
    assert "ill" not in [column.name for column in small.known.schema.used]


def test_no_unique_record_is_said(people_of):
    twins = people_of(20)
    doubled = population(
        Table(
            twins.schema,
            (*(np.tile(c[:1], 40) for c in twins.columns[:-1]), np.tile(np.array([1, 2], np.uint8), 20)),
        ),
        "ill",
        "people",
    )
    with pytest.raises(DataError, match="at most 0 were unique"):
        deal(doubled, 30, 1, np.random.default_rng(0))


def test_a_secret_of_one_value_or_a_number_is_refused(small):
    table = small.table
    constant = Table(table.schema, (*table.columns[:-1], np.ones(len(table), np.uint8)))
    with pytest.raises(DataError, match="one value only"):
        population(constant, "ill", "people")
    with pytest.raises(ConfigError, match="a numeric column; a category is expected"):
        population(table, "age", "people")
    with pytest.raises(ConfigError, match="no column is left"):
        population(table.project(["ill"]), "ill", "people")


def test_records_without_a_secret_are_left_out_with_a_note(small):
    secret = small.table.columns[-1].copy()
    secret[:7] = 0
    found = population(Table(small.table.schema, (*small.table.columns[:-1], secret)), "ill", "people")
    assert len(found.table) == 293
    assert "7 records" in found.notes[0]


def test_keys_are_what_is_known(small):
    schema = Schema(tuple(small.table.schema.columns)).with_roles(("ill",), ("job", "age"))
    found = population(Table(schema, small.table.columns), "ill", "people")
    assert [column.name for column in found.known.schema.used] == ["job", "age"]


def test_isolated_targets_are_drawn_from_the_most_isolated_of_the_unique_records(tables_of):
    # Ages of many people, and 25 hermits far from all: with 1 % of 425 and at least 20, targets are hermits.
    age = [*np.repeat(np.arange(20.0, 60.0), 10).tolist(), *(200.0 + 100 * np.arange(25)).tolist()]
    table, _ = tables_of({"age": age, "s": ["a", "b", "a", "b", "b"] * 85}, {"age": [1.0], "s": ["a"]}, secret=("s",))
    rng = np.random.default_rng(9)
    found = deal(population(table, "s", "people"), 425, 20, rng, "isolated")
    assert (found.known.column("age")[found.targets] >= 200).all()
    assert len(set(found.targets.tolist())) == 20


def test_without_an_aim_the_deal_is_what_it_was(small):
    first, second = (deal(small, 30, 5, np.random.default_rng(2), *aim) for aim in ((), ("random",)))
    assert np.array_equal(first.targets, second.targets)
    assert np.array_equal(first.truth, second.truth)
