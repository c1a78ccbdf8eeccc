"""PATE-GAN: one record, one teacher; votes that are paid for; a record of the guarantee; an audit that may not win."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, SchemaMismatch
from seethrough.synthesizers._models.domains import declared_domain
from seethrough.synthesizers._models.modes import declared_encoding
from seethrough.synthesizers._privacy.vote_noise import NoisyVotes
from seethrough.synthesizers.pate_gan import PateGan

torch = pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it and runs these tests")
from seethrough.synthesizers._deep import ensemble, layers  # noqa: E402

SMALL = PateGan(teachers=5, rounds=3, teacher_steps=2, student_steps=2, batch=8, device="cpu")
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def declared():
    """A coin, a category with a level that does not occur, and a number beyond its declared range."""
    rng = np.random.default_rng(2)
    schema = Schema(
        (
            Column("c", Kind.BINARY, levels=("v", "w"), declared=True),
            Column("a", Kind.CATEGORICAL, levels=("p", "q", "r"), declared=True, optional=True),
            Column("x", Kind.NUMERIC, low=0.0, high=10.0, declared=True),
        )
    )
    number = rng.uniform(7, 9, 100)
    number[0] = 11.0
    return Table(schema, (rng.integers(1, 3, 100).astype(np.uint8), rng.integers(0, 3, 100).astype(np.uint8), number))


def taught(table, steps=4):
    """Train the teachers alone, from one seed, and give their weights."""
    encoding = declared_encoding(declared_domain(table))
    rng = np.random.default_rng(7)
    networks = ensemble.start_training(layers.layout_of(encoding), 5, layers.torch_generator(rng, CPU))
    parts = ensemble.split_rows(encoding.encode(table, rng), 5, rng)
    optimizer = networks.teachers.optimizer(ensemble.RATE)
    for _ in range(steps):
        layers.take_step(optimizer, networks.teachers_loss(parts, 32, rng))
    return networks, parts, [weights.detach().numpy() for weights in layers.parameters_of(networks.teachers.layers)]


def test_every_record_is_in_one_part(declared):
    parts = taught(declared, 0)[1]
    assert sorted(parts.order) == list(range(100))
    assert np.diff(parts.bounds).tolist() == [20] * 5
    uneven = ensemble.split_rows(parts.rows, 7, np.random.default_rng(0))
    assert set(np.diff(uneven.bounds)) == {14, 15}


def test_a_replaced_record_changes_one_teacher_and_no_other(declared):
    other = declared.columns[2].copy()
    other[40] = 0.5
    _, parts, mine = taught(declared)
    theirs = taught(Table(declared.schema, (*declared.columns[:2], other)))[2]
    owner = int(np.searchsorted(parts.bounds, np.flatnonzero(parts.order == 40)[0], side="right")) - 1
    for before, after in zip(mine, theirs, strict=True):
        changed = [number for number in range(5) if not np.array_equal(before[number], after[number])]
        assert changed == [owner]


def test_the_generator_and_the_student_have_no_gradient_from_a_teacher(declared):
    networks, parts, _ = taught(declared)
    rng = np.random.default_rng(0)
    networks.teachers_loss(parts, 8, rng).backward()
    networks.student_loss(8, NoisyVotes(1.0, 1e9, 1e-5), rng).backward()
    assert all(weights.grad is None for weights in layers.parameters_of(networks.generator.layers))
    before = [weights.grad.clone() for weights in layers.parameters_of(networks.teachers.layers)]
    networks.student(networks.generate(8)).sum().backward()
    assert all(weights.grad is not None for weights in layers.parameters_of(networks.generator.layers))
    for weights, gradient in zip(layers.parameters_of(networks.teachers.layers), before, strict=True):
        assert torch.equal(weights.grad, gradient)


def test_votes_are_counted_and_made_rows_look_like_rows(declared):
    networks = taught(declared)[0]
    made = networks.generate(50)
    for block in networks.layout.blocks(made):
        assert ((block - block.round()).abs() < 1e-6).all()
        assert torch.allclose(block.sum(1), torch.ones(50))
    says = torch.stack(
        [
            ensemble.Network(tuple(layers.Dense(x.weights[k], x.offsets[k]) for x in networks.teachers.layers))(made)
            for k in range(5)
        ]
    )
    np.testing.assert_array_equal(networks.votes(made), (says[..., 0] > 0).sum(0).numpy())


def test_the_card_has_the_guarantee(declared):
    sampler = replace(SMALL, epsilon=2.0).fit(declared, np.random.default_rng(0))
    card = sampler.card
    assert (card.privacy.epsilon, card.privacy.delta) == (2.0, pytest.approx(100**-1.5))
    assert "Renyi" in card.privacy.accountant
    assert card.privacy.read_columns == ()
    assert card.warnings == ()
    assert card.details["answers"] == 3 * 2 * 8
    assert 1.999 < card.details["epsilon_spent"] <= 2.0
    found = sampler.sample(500, np.random.default_rng(0))
    assert found.schema == declared.schema
    assert set(found.column("a")) <= {0, 1, 2, 3}
    assert set(found.column("c")) <= {1, 2}
    assert ((found.column("x") >= 0) & (found.column("x") <= 10)).all()
    assert len(sampler.sample(0, np.random.default_rng(0))) == 0


def test_a_domain_that_was_read_is_named(declared):
    columns = tuple(replace(column, declared=column.name == "a") for column in declared.schema.columns)
    card = SMALL.fit(Table(Schema(columns), declared.columns), np.random.default_rng(0)).card
    assert card.privacy.read_columns == ("c", "x")
    assert "domain of c, x was read from the data" in card.warnings[0]


def test_a_value_outside_the_declared_domain_is_refused(declared):
    strange = declared.columns[0].copy()
    strange[3] = 3
    with pytest.raises(SchemaMismatch, match="not among its 2 declared"):
        SMALL.fit(Table(declared.schema, (strange, *declared.columns[1:])), np.random.default_rng(0))


def test_more_teachers_than_records_are_refused(declared):
    with pytest.raises(ConfigError, match="5 teachers need as many records, and at least 2; there are 4"):
        SMALL.fit(declared.take(np.arange(4)), np.random.default_rng(0))


def test_one_seed_decides_everything_and_epsilon_matters(declared):
    state = torch.random.get_rng_state()

    def digest(epsilon, seed):
        rng = np.random.default_rng(seed)
        return replace(SMALL, epsilon=epsilon).fit(declared, rng).sample(200, rng).digest

    assert digest(1.0, 0) == digest(1.0, 0) != digest(1.0, 1)
    assert digest(1.0, 0) != digest(1e9, 0)
    assert torch.equal(torch.random.get_rng_state(), state)


def test_without_noise_to_speak_of_it_learns(declared):
    """`x` lies between 7 and 9 in a range from 0 to 10."""
    generator = replace(SMALL, epsilon=1e9, rounds=400, teacher_steps=3, batch=32)
    far = [
        np.abs(some.fit(declared, np.random.default_rng(0)).sample(2000, np.random.default_rng(1)).column("x") - 8)
        for some in (replace(generator, rounds=1), generator)
    ]
    assert far[0].mean() > 2
    assert far[1].mean() < 0.6 * far[0].mean()


WORLD = Schema(tuple(Column(name, Kind.BINARY, levels=("n", "y"), declared=True) for name in "abc"))


def fitted_weights(values, noise, seed):
    """Train one teacher on two records, everything fixed but the noise on its votes; give the generator's weights."""
    table = Table(WORLD, tuple(np.array(values, np.uint8) for _ in range(3)))
    rng, theirs = np.random.default_rng(3), np.random.default_rng(seed)

    class Seeded(NoisyVotes):
        def majority(self, votes, voters, _):
            return super().majority(votes, voters, theirs)

    encoding = declared_encoding(declared_domain(table))
    networks = ensemble.start_training(layers.layout_of(encoding), 1, layers.torch_generator(rng, CPU))
    parts = ensemble.split_rows(encoding.encode(table, rng), 1, rng)
    noisy_votes = Seeded(noise, AUDITED.epsilon if noise > 1 else 1e9, AUDITED.delta)
    networks.learn(parts, ensemble.Schedule(AUDITED.rounds, AUDITED.teacher_steps, 1, AUDITED.batch), noisy_votes, rng)
    assert noisy_votes.answers == AUDITED.queries
    return np.concatenate([w.detach().numpy().ravel() for w in layers.parameters_of(networks.generator.layers)])


AUDITED = PateGan(epsilon=1.0, delta=0.01, teachers=1, rounds=2, teacher_steps=5, student_steps=1, batch=4)


def found_epsilon(noise, fits, confidence=0.99):
    """Bound epsilon from below: learn a direction and a threshold from half of the fits, count with the other half."""
    worlds = [
        np.array([fitted_weights(values, noise, [world, seed]) for seed in range(fits)])
        for world, values in enumerate(([1, 1], [1, 2]))
    ]
    half = fits // 2
    direction = worlds[1][:half].mean(0) - worlds[0][:half].mean(0)
    scores = [weights @ direction for weights in worlds]
    cuts = np.unique(np.concatenate([some[:half] for some in scores]))
    gains = [(scores[1][:half] > cut).mean() - (scores[0][:half] > cut).mean() for cut in cuts]
    cut = cuts[int(np.argmax(gains))]
    hits, alarms = int((scores[1][half:] > cut).sum()), int((scores[0][half:] > cut).sum())
    tail = (1 - confidence) / 2
    at_least = beta.ppf(tail, hits, half - hits + 1) if hits else 0.0
    at_most = beta.ppf(1 - tail, alarms + 1, half - alarms) if alarms < half else 1.0
    return np.log(max(at_least - AUDITED.delta, 1e-12) / at_most)


@pytest.mark.slow
def test_an_audit_finds_no_more_than_was_claimed(monkeypatch):
    # Quick teachers, so that their votes differ between the two worlds within a few steps.
    monkeypatch.setattr(ensemble, "RATE", 0.05)
    with layers.one_thread():
        assert found_epsilon(AUDITED.noisy_votes(2).noise, 1000) <= AUDITED.epsilon
        # The same audit does find what too little noise gives away, so it could have failed.
        assert found_epsilon(0.2, 200) > AUDITED.epsilon
