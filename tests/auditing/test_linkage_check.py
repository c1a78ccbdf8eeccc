"""Linkage as a check: by hand, against its baselines, and over several tables."""

from dataclasses import dataclass

import numpy as np
import pytest

from seethrough.attacks.linkage.maximum_knowledge import MaximumKnowledge
from seethrough.auditing.checks.linkage_check import LinkageCheck
from seethrough.auditing.checks.rank_turns import RankLinkage, choose_turns
from seethrough.auditing.run import run_audit
from seethrough.bench.bench import Bench
from seethrough.data.release import NamedTable, Part, Release
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.games.linkage.subject import sample_holdout
from seethrough.kernels.budget import Budget
from seethrough.results.estimate import Growth
from seethrough.results.outcome import Skipped
from seethrough.results.report import growth_dict

CHECK = LinkageCheck(MaximumKnowledge())


def schema(*secrets, keys=()):
    role = {**dict.fromkeys(secrets, Role.SECRET), **dict.fromkeys(keys, Role.KEY)}
    return Schema(tuple(Column(name, Kind.NUMERIC, role.get(name, Role.NONE)) for name in ("a", "b", "c")))


def table(values, *secrets, keys=()):
    return Table(schema(*secrets, keys=keys), tuple(np.array(values, float).T))


def people(rows, seed, *secrets, keys=()):
    rng = np.random.default_rng(seed)
    return table(rng.normal(size=(rows, 3)) + rng.normal(size=(rows, 1)), *secrets, keys=keys)


def bench(real, synthetic, holdout=None):
    tables = {Part.TRAIN: real, Part.SYNTHETIC: synthetic} | ({Part.HOLDOUT: holdout} if holdout else {})
    return Bench(tables, Budget(threads=1))


def measured(real, synthetic, holdout=None, check=CHECK):
    return check.measure(bench(real, synthetic, holdout), np.random.default_rng(0))


def test_by_hand():
    # c is hidden. a and b are the same in both tables but for the first record, which ties with rows 1 and 2: its
    # ranks are (1, 2), theirs (1, 1) and (2, 2). Row 2 shows its c by rank; of the others all but the last do.
    places = np.arange(1.0, 11)
    real = np.column_stack([places, places, places * 10])
    real[[0, 1], 1] = [2, 1]
    synthetic = np.column_stack([places, places, places * 10])
    synthetic[[0, 1], 2] = [20, 10]
    synthetic[[8, 9], 2] = [100, 90]
    found = measured(table(real, "c"), table(synthetic, "c"))
    # Record 2, of ranks (2, 1), ties with both rows as well.
    assert found.per_record.tolist() == [0.5, 0.5, 1, 1, 1, 1, 1, 1, 0, 0]
    assert found.risk.value == pytest.approx(0.7)
    assert found.n == 10
    assert found.details["hidden"] == "c"
    assert found.details["known"] == "a, b"
    assert found.details["disclosed by all linked rows"] == 0.6


def test_secrets_keys_and_neither_decide_what_is_hidden():
    fresh = people(50, 2)
    assert measured(people(50, 1, "b"), people(50, 2, "b")).details["hidden"] == "b"
    keyed = measured(people(50, 1, keys=("a",)), people(50, 2, keys=("a",))).details
    assert (keyed["known"], keyed["hidden"]) == ("a", "b, c")
    assert measured(people(50, 1), fresh).details["hidden"] == "a, b, c, each in turn"


def test_the_holdout_is_the_base_rate_where_there_is_one():
    real, holdout = people(300, 1, "c"), people(300, 3, "c")
    copy = measured(real, real, holdout)
    assert copy.risk.value == 1
    assert copy.base_rate == pytest.approx(copy.details["linkage to the holdout"], abs=1e-4)
    assert copy.base_rate < 0.1
    assert copy.raw == 1 - copy.base_rate
    assert "linkage to the holdout" not in measured(real, real).details
    assert measured(real, real).base_rate == pytest.approx(copy.details["linkage to permuted columns"], abs=1e-4)


def test_a_part_of_large_tables_is_looked_for():
    real, synthetic = people(400, 1, "c"), people(900, 2, "c")
    found = measured(real, synthetic, check=LinkageCheck(MaximumKnowledge(), most_records=100))
    assert found.n == 100
    assert found.per_record.shape == (400,)
    assert found.warnings[0].startswith("100 of 400 real records were attacked")
    assert found.warnings[1] == "400 of 900 released rows were drawn at random, as many as there are records"
    few = measured(real, people(50, 2, "c")).warnings
    assert few == ("350 of 50 released rows were drawn again, to have as many as there are records",)


@dataclass(frozen=True)
class OneByOne:
    """The same attack, which can link by one set of columns at a time only."""

    criterion: str
    name = "linkage"
    criterion_name = "sum"

    def link(self, view):
        return MaximumKnowledge(self.criterion).link(view)


@pytest.mark.parametrize("criterion", ["sum", "max"])
def test_columns_hidden_in_turn_at_once_say_what_each_says_alone(criterion):
    rng = np.random.default_rng(5)
    columns = tuple(Column(name, Kind.NUMERIC) for name in "abcdefgh")
    # Few values a column, so that rows tie and fold, and some are missing.
    real, fresh = (rng.integers(0, [2, 3, 5, 90, 90, 4, 1, 7], (150, 8)).astype(float) for _ in range(2))
    real[::7, 3] = fresh[::5, 4] = np.nan
    real, fresh = (Table(Schema(columns), tuple(side.T)) for side in (real, fresh))
    given = bench(real, fresh)
    turns = choose_turns(real, 3)
    assert len(turns) == 6
    together = given.get(RankLinkage(MaximumKnowledge(criterion), turns, 60, 3))
    alone = given.get(RankLinkage(OneByOne(criterion), turns, 60, 3))
    for mine, other in zip(together, alone, strict=True):
        assert all(np.array_equal(value, vars(other)[name]) for name, value in vars(mine).items())


def test_what_cannot_be_measured_has_a_reason():
    with pytest.raises(NotApplicable, match="at least 10 are needed"):
        measured(people(9, 1), people(9, 2))
    same = table(np.column_stack([np.arange(20), np.arange(20), np.ones(20)]), "c")
    with pytest.raises(NotApplicable, match="nothing to disclose"):
        measured(same, same)
    alone = people(20, 1, "a", "b", "c")
    with pytest.raises(NotApplicable, match="no column is left to link by"):
        measured(alone, alone)
    with pytest.raises(ConfigError, match=r"linkage\.narrow is 2"):
        LinkageCheck(MaximumKnowledge(), narrow=2.0)
    with pytest.raises(ConfigError, match=r"linkage\.most_records is 1"):
        LinkageCheck(MaximumKnowledge(), most_records=1)


def release(*tables, holdout=None):
    named = tuple(NamedTable(f"t{number}", each) for number, each in enumerate(tables, 1))
    kept = NamedTable("holdout", holdout) if holdout else None
    return Release(NamedTable("real", people(120, 1, "c")), named, kept)


def test_growth_follows_the_tables_and_links_each_once():
    given = release(people(120, 2, "c"), people(120, 3, "c"), people(120, 1, "c"), holdout=people(120, 4, "c"))
    report = run_audit(given, [CHECK], seed=0, version="").report
    (growth,) = report.growth
    values = {curve.name: curve.values for curve in growth.curves}
    assert growth.n == 120
    assert values["any"].keys() == {"release", "permuted", "holdout"}
    assert all(len(side) == 3 for curve in growth.curves for side in curve.values.values())
    # The third table is the real one: it discloses everybody, the others hardly anybody.
    assert values["any"]["release"][1].value < 0.2
    assert values["any"]["release"][2].value == 1
    assert values["right"]["release"][2].value == 1
    assert values["all"]["release"][2].value < 0.1
    assert values["any"]["holdout"][2].high < 0.3
    # With one table, what is exact is what the check itself says in its details.
    assert values["any"]["release"][0].value == pytest.approx(
        report["linkage"].measurement.details["disclosed by all linked rows"], abs=1e-4
    )
    shared = [cost for cost in report.timings.shared if cost.request == RankLinkage.__name__]
    assert all(cost.computed == cost.different for cost in shared)
    assert growth_dict(growth)["curves"][0]["values"]["release"][2]["value"] == 1


def test_growth_needs_several_tables_and_is_skipped_with_a_reason():
    assert run_audit(release(people(120, 2, "c")), [CHECK], seed=0, version="").report.growth == ()
    small = Release(NamedTable("real", people(5, 1)), (NamedTable("a", people(5, 2)), NamedTable("b", people(5, 3))))
    (skipped,) = run_audit(small, [CHECK], seed=0, version="").report.growth
    assert isinstance(skipped, Skipped)
    assert not isinstance(skipped, Growth)


def test_samples_of_a_holdout_share_no_record_where_it_is_large_enough():
    large, rows = people(100, 5), [np.random.default_rng(0) for _ in range(3)]
    parts = [sample_holdout(large, 40, number, rng).column("a") for number, rng in enumerate(rows)]
    assert not set(parts[0]) & set(parts[1])
    small = [
        sample_holdout(people(30, 6), 40, number, np.random.default_rng(number)).column("a") for number in range(3)
    ]
    assert set(small[0]) == set(people(30, 6).column("a"))
    assert sorted(small[1]) != sorted(small[2])
