"""The game on one release: real records against people who were not in it."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from seethrough.attacks.attribute.dcr import Dcr
from seethrough.attacks.attribute.recon import Recon
from seethrough.auditing.checks.reconstruction_check import ReconstructionCheck
from seethrough.auditing.run import run_audit
from seethrough.bench.bench import Bench
from seethrough.data import samples
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.rows import row_numbers
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.games.population import known_columns
from seethrough.kernels.budget import Budget
from seethrough.protocols.attack import Guesses
from seethrough.protocols.in_audits import as_in_audits
from seethrough.protocols.parameters import plain, with_values
from seethrough.results.outcome import Measured

AS_IN_AUDITS = as_in_audits(Recon())


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
    found = ReconstructionCheck(attack).measure(bench_of(real, real, holdout), np.random.default_rng(0))
    assert found.risk.value == 0.6
    assert found.base_rate == 0.4
    assert found.raw == pytest.approx(0.2)
    assert found.n == 20
    assert found.per_record.tolist() == [0.75] * 12 + [0.25] * 8
    assert found.details["accuracy on holdout"] == 0.4
    assert found.details["area under the ROC curve"] == 0.5
    assert found.details["queries"] == 7
    [seen] = attack.seen  # everybody at once, mixed
    assert len(seen.known) == len(seen.targets) == 30
    assert "ill" not in [column.name for column in seen.known.schema.used]


def test_without_a_holdout_imputation_is_the_base_rate(people_of):
    real = people_of(300)
    found = ReconstructionCheck(Dcr()).measure(bench_of(real, people_of(300, seed=1)), np.random.default_rng(0))
    assert found.details["accuracy on holdout"] is None
    assert found.base_rate == pytest.approx(found.details["imputation accuracy"], abs=1e-4)
    assert found.base_rate > 0.75  # the secret follows from a known column in nine of ten
    copy = ReconstructionCheck(Dcr()).measure(bench_of(real, real), np.random.default_rng(0))
    assert copy.risk.value > 0.98
    assert copy.raw > found.raw


def test_people_outside_show_what_is_no_leak(people_of):
    real, holdout, independent = people_of(300), people_of(300, seed=1), people_of(300, seed=2)
    leaking = ReconstructionCheck(Dcr()).measure(bench_of(real, real, holdout), np.random.default_rng(0))
    harmless = ReconstructionCheck(Dcr()).measure(bench_of(real, independent, holdout), np.random.default_rng(0))
    assert leaking.raw > 0.2
    assert abs(harmless.raw) < 0.1


def test_of_large_tables_a_part_is_attacked_and_said(people_of):
    columns = ("job", "town", "car", "ill")
    real, holdout, others = (people_of(rows, seed=rows).project(columns) for rows in (60, 40, 500))
    attack = FirstLevel([])
    game = ReconstructionCheck(attack, most_records=25)
    found = game.measure(bench_of(real, others, holdout), np.random.default_rng(0))
    [seen] = attack.seen
    assert 12 <= found.n <= 25
    assert found.n < len(seen.known) <= 2 * found.n
    [told] = found.warnings
    assert told.startswith(f"{found.n} of 60 real records were attacked, those with ")
    assert told.endswith("; the risk of the others is not known")
    # Nobody and nothing of that part is left out, and nobody else is in: people, others and released rows alike.
    name = re.search("values of '(job|town|car)'", told)[1]
    mine = np.unique(seen.known.column(name))
    assert np.isin(real.column(name), mine).sum() == found.n == np.count_nonzero(~np.isnan(found.per_record))
    [released] = seen.released
    assert np.isin(released.column(name), mine).all()
    assert 0 < len(released) < 500
    assert found.per_record.shape == (60,)


def test_a_copy_of_part_of_a_large_table_is_still_reconstructed(people_of):
    real = people_of(2000)
    found = ReconstructionCheck(AS_IN_AUDITS, most_records=400).measure(bench_of(real, real), np.random.default_rng(0))
    assert found.n <= 400
    assert found.risk.value > 0.98


def extract(secret, rows):
    """The shipped records: so many real ones, as many kept out, as many others."""
    frame = samples.acs()
    release = read_release(frame[:rows], [frame[2 * rows : 3 * rows]], frame[rows : 2 * rows], secrets=[secret])
    return release.train.table, release.holdout.table, release.synthetic[0].table


@pytest.mark.parametrize(("secret", "rows"), [("sex", 2000), ("disability", 800)])
def test_a_copy_of_real_records_gives_all_secrets_away_and_other_people_none(secret, rows):
    real, holdout, others = extract(secret, rows)
    copy = ReconstructionCheck(AS_IN_AUDITS).measure(bench_of(real, real, holdout), np.random.default_rng(0))
    _, group = np.unique(row_numbers(real.project(known_columns(real.schema, secret))), return_inverse=True)
    classes = np.zeros((group.max() + 1, 2))
    np.add.at(classes, (group, real.column(secret) - 1), 1)
    best = classes.max(axis=1).sum() / len(real)  # twins with different secrets cannot be told apart
    assert copy.risk.value == pytest.approx(best, abs=0.005)
    independent = ReconstructionCheck(AS_IN_AUDITS).measure(bench_of(real, others, holdout), np.random.default_rng(0))
    assert abs(independent.raw) < 0.03
    assert independent.risk.value == pytest.approx(independent.details["imputation accuracy"], abs=0.04)
    assert copy.risk.low > independent.risk.high


def test_twins_share_their_score(people_of):
    real = people_of(40)
    twice = Table(real.schema, tuple(np.concatenate([column, column[:5]]) for column in real.columns))
    found = ReconstructionCheck(Dcr()).measure(bench_of(twice, real), np.random.default_rng(0))
    assert np.array_equal(found.per_record[:5], found.per_record[40:])


def test_what_cannot_be_asked_is_skipped_with_a_reason(people_of):
    real = people_of(40)

    def reason(table):
        with pytest.raises(NotApplicable) as found:
            ReconstructionCheck(Dcr()).measure(bench_of(table, table), np.random.default_rng(0))
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
    found = ReconstructionCheck(Dcr()).measure(bench_of(both, both), np.random.default_rng(0))
    assert found.details["secret"] == "job"
    assert "of 2 secrets only the first, 'job', is asked for" in found.warnings


def test_parameters_of_the_attack_are_those_of_the_check():
    check = ReconstructionCheck(Dcr())
    assert plain(check) == {"distance": "mixed", "most_records": 100_000, "confidence": 0.95}
    changed = with_values(check, "recon", {"distance": "codes", "most_records": "50"})
    assert changed == ReconstructionCheck(Dcr("codes"), most_records=50)
    with pytest.raises(ConfigError, match=r"parameter recon\.distance is 'far'; mixed or codes is expected"):
        with_values(check, "recon", {"distance": "far"})
    with pytest.raises(ConfigError, match="recon has no parameter 'hat'"):
        with_values(check, "recon", {"hat": "1"})


def test_in_an_audit_it_has_controls(people_of):
    real = NamedTable("real", people_of(200))
    release = Release(
        real, (NamedTable("synthetic", people_of(200, seed=1)),), NamedTable("holdout", people_of(200, seed=2))
    )
    [outcome] = run_audit(release, [ReconstructionCheck(Dcr())], seed=0, version="").report.tables[0]
    assert isinstance(outcome, Measured)
    assert outcome.controls.copy.value > 0.95 > outcome.controls.independent.value
