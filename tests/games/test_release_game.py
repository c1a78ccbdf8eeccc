"""The game on one release: real records against people who were not in it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.auditing import audit
from seethrough.contracts.attack import Guesses
from seethrough.contracts.parameters import plain, with_texts
from seethrough.data.release import Named, Part, Release
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.games.release_game import ReleaseGame
from seethrough.kernels.budget import Budget
from seethrough.results import Measured
from seethrough.shared.bench import Bench


@dataclass(frozen=True)
class FirstLevel:
    """Gives three quarters to the first level and a quarter to the second; notes what it saw."""

    seen: list
    name: ClassVar[str] = "first-level"

    def guess(self, view, rng):
        self.seen.append(view)
        return Guesses(np.tile([0.75, 0.25], (len(view.targets), 1)), np.full(len(view.targets), 0.5), {"queries": 7})


def bench_of(real, synthetic, holdout=None):
    tables = {Part.TRAIN: real, Part.SYNTHETIC: synthetic}
    return Bench(tables | ({Part.HOLDOUT: holdout} if holdout else {}), Budget(threads=1))


def with_secret(table, secret):
    return Table(table.schema, (*table.columns[:-1], np.array(secret, np.uint8)))


def test_by_hand(people_of):
    real = with_secret(people_of(20), [1] * 12 + [2] * 8)
    holdout = with_secret(people_of(10, seed=1), [1] * 4 + [2] * 6)
    attack = FirstLevel([])
    found = ReleaseGame(attack).measure(bench_of(real, real, holdout), np.random.default_rng(0))
    assert found.risk.value == 0.6
    assert found.base_rate == 0.4
    assert found.raw == pytest.approx(0.2)
    assert found.n == 20
    assert found.per_record.tolist() == [0.75] * 12 + [0.25] * 8
    assert found.details["accuracy on holdout"] == 0.4
    assert found.details["area under the ROC curve"] == 0.5
    assert found.details["queries"] == 7
    [view] = attack.seen
    assert len(view.known) == len(view.targets) == 30
    assert "ill" not in [column.name for column in view.known.schema.used]


def test_without_a_holdout_imputation_is_the_base_rate(people_of):
    real = people_of(300)
    found = ReleaseGame(Dcr()).measure(bench_of(real, people_of(300, seed=1)), np.random.default_rng(0))
    assert found.details["accuracy on holdout"] is None
    assert found.base_rate == pytest.approx(found.details["imputation accuracy"], abs=1e-4)
    assert found.base_rate > 0.75  # the secret follows from a known column in nine of ten
    copy = ReleaseGame(Dcr()).measure(bench_of(real, real), np.random.default_rng(0))
    assert copy.risk.value > 0.98
    assert copy.raw > found.raw


def test_people_outside_show_what_is_no_leak(people_of):
    real, holdout, independent = people_of(300), people_of(300, seed=1), people_of(300, seed=2)
    leaking = ReleaseGame(Dcr()).measure(bench_of(real, real, holdout), np.random.default_rng(0))
    harmless = ReleaseGame(Dcr()).measure(bench_of(real, independent, holdout), np.random.default_rng(0))
    assert leaking.raw > 0.2
    assert abs(harmless.raw) < 0.1


def test_large_tables_are_sampled_and_said(people_of):
    real = people_of(60)
    found = ReleaseGame(Dcr(), most_records=25).measure(bench_of(real, real), np.random.default_rng(0))
    assert found.n == 25
    assert found.warnings == ("25 of 60 real records were attacked; the risk of the others is shown as 0",)
    assert found.per_record.shape == (60,)
    assert np.count_nonzero(found.per_record) <= 25
    assert np.isfinite(found.per_record).all()


def test_twins_share_their_score(people_of):
    real = people_of(40)
    twice = Table(real.schema, tuple(np.concatenate([column, column[:5]]) for column in real.columns))
    found = ReleaseGame(Dcr()).measure(bench_of(twice, real), np.random.default_rng(0))
    assert np.array_equal(found.per_record[:5], found.per_record[40:])


def test_what_cannot_be_asked_is_skipped_with_a_reason(people_of):
    real = people_of(40)

    def reason(table):
        with pytest.raises(NotApplicable) as found:
            ReleaseGame(Dcr()).measure(bench_of(table, table), np.random.default_rng(0))
        return str(found.value)

    unnamed = Schema(tuple(real.schema.columns[:-1]) + tuple(real.schema.project(["age"]).columns))
    assert "no secret was named" in reason(Table(unnamed, (*real.columns[:-1], real.columns[3])))
    numeric = Table(real.schema.with_roles(("age",), ()), real.columns)
    assert "a category is expected" in reason(numeric)
    assert "at least 10" in reason(real.take(np.arange(6)))
    assert "with two values" in reason(with_secret(real, [1] * 40))


def test_of_several_secrets_the_first_is_asked_for(people_of):
    real = people_of(60)
    both = Table(real.schema.with_roles(("job", "ill"), ()), real.columns)
    found = ReleaseGame(Dcr()).measure(bench_of(both, both), np.random.default_rng(0))
    assert found.details["secret"] == "job"
    assert "of 2 secrets only the first, 'job', is asked for" in found.warnings


def test_parameters_of_the_attack_are_those_of_the_check():
    check = ReleaseGame(Dcr())
    assert plain(check) == {"distance": "mixed", "most_records": 2000, "confidence": 0.95}
    changed = with_texts(check, "recon", {"distance": "codes", "most_records": "50"})
    assert changed == ReleaseGame(Dcr("codes"), most_records=50)
    with pytest.raises(ConfigError, match=r"parameter recon\.distance is 'far'; mixed or codes is expected"):
        with_texts(check, "recon", {"distance": "far"})
    with pytest.raises(ConfigError, match="recon has no parameter 'hat'"):
        with_texts(check, "recon", {"hat": "1"})


def test_in_an_audit_it_has_controls(people_of):
    real = Named("real", people_of(200))
    release = Release(real, (Named("synthetic", people_of(200, seed=1)),), Named("holdout", people_of(200, seed=2)))
    [outcome] = audit(release, [ReleaseGame(Dcr())], seed=0, version="").tables[0]
    assert isinstance(outcome, Measured)
    assert outcome.controls.copy.value > 0.95 > outcome.controls.independent.value
