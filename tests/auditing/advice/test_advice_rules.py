"""Every rule of docs/advice.md, on values made by hand: when it speaks, what it says, and when it is silent."""

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from seethrough.auditing.advice import rules
from seethrough.auditing.advice.commands import TableNames
from seethrough.auditing.advice.fewer_rows import difference
from seethrough.auditing.advice.rules import Basis, advise
from seethrough.auditing.advice.several import advise_on_several
from seethrough.auditing.levers.grammar import parse_lever
from seethrough.data.schema import Column, Kind
from seethrough.results.comparison import RankedRelease, ReleaseComparison, ReleaseDifference
from seethrough.results.diagnostics import Artefact, ArtefactSign, Diagnostics, GroupedLeaks, LeakGroup, Rate
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import (
    ExposedPerson,
    Finding,
    Grade,
    LeakFamily,
    PoolSizes,
    ReleaseEvidence,
    ReleaseVerdict,
)
from seethrough.results.levers.advice import Advice, AdviceRule, RowsLeak
from seethrough.results.levers.less import FewerNeeded, KeyLoss

NAMES = TableNames("real.csv", ("my release.csv",), "holdout.csv")
WHATIF = "seethrough whatif . --real real.csv --synthetic 'my release.csv' --holdout holdout.csv --lever "


def finding(family: LeakFamily, grade: Grade, leak: float = 0.0, detectable: float | None = None) -> Finding:
    return Finding(family, grade, leak=Estimate(leak, leak - 0.01, leak + 0.01), detectable=detectable)


def evidence(grade: Grade = Grade.NO_LEAK_FOUND, **changes: object) -> ReleaseEvidence:
    found = tuple(finding(family, grade) for family in LeakFamily)
    made = ReleaseEvidence(ReleaseVerdict(grade, "", ""), found, sizes=PoolSizes(1000, 900, 100))
    return replace(made, **changes)  # type: ignore[arg-type]


def basis(**changes: object) -> Basis:
    made = Basis(
        NAMES, evidence(), Diagnostics(), (Column("age", Kind.NUMERIC), *map(levels, ((2, "sex"), (9, "race"))))
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def levels(given: tuple[int, str]) -> Column:
    count, name = given
    return Column(name, Kind.CATEGORICAL, levels=tuple(map(str, range(count))))


def sign(name: str, **changes: object) -> Diagnostics:
    made = Artefact(name, ArtefactSign.SHOWS, "real people", 120, 1000, Rate(0.05, 0.04, 0.06, 900))
    return Diagnostics(artefacts=(replace(made, **changes),))  # type: ignore[arg-type]


def single(found: Basis) -> Advice:
    [advice] = advise(found)
    return advice


def test_nothing_follows_from_nothing() -> None:
    assert advise(basis()) == ()


@pytest.mark.parametrize("grade", [Grade.SLIGHT, Grade.CLEAR, Grade.SEVERE])
def test_where_a_release_leaks_and_nothing_carries_it_all_changes_are_measured(grade: Grade) -> None:
    advice = single(basis(evidence=evidence(grade)))
    assert advice.rule is AdviceRule.MEASURE_CHANGES
    assert advice.command == WHATIF.removesuffix(" --lever ")
    assert advice.action.endswith("before anything is released.")


def test_where_another_rule_names_a_change_not_all_are_measured() -> None:
    assert single(basis(evidence=evidence(Grade.CLEAR), shown=sign("row-order"))).rule is AdviceRule.ROW_ORDER


def test_more_people_outside_alone_are_no_change_of_a_release_that_leaks() -> None:
    missed = finding(LeakFamily.IDENTITY, Grade.NO_LEAK_FOUND, detectable=0.2)
    leaks = finding(LeakFamily.MEMBERSHIP, Grade.CLEAR, 0.05)
    quiet = finding(LeakFamily.ATTRIBUTE, Grade.NO_LEAK_FOUND)
    found = replace(evidence(Grade.CLEAR), findings=(leaks, quiet, missed))
    lines = advise(basis(evidence=found))
    assert [each.rule for each in lines] == [AdviceRule.MEASURE_CHANGES, AdviceRule.MORE_OUTSIDERS]


def test_without_people_outside_the_real_table_is_split() -> None:
    advice = single(basis(names=replace(NAMES, holdout=None)))
    assert (advice.rule, advice.command) == (AdviceRule.NO_OUTSIDERS, "seethrough split real.csv --out split")
    assert advice.action == "Set people aside before the release is made, and audit it against them."


def test_copied_rows_are_named_by_their_number_in_the_released_file() -> None:
    advice = single(basis(shown=sign("exact-copies", rows=(3, 17, 1204))))
    assert advice.rows == (3, 17, 1204)
    assert advice.action == (
        "Look at released rows 3, 17, 1,204: each repeats the row of one real person and of nobody outside. Deleting "
        "them is not enough."
    )
    # 120 of 1,000 is 12 of 100.
    assert advice.reason.startswith("12 of 100 real people have their exact row in the release; chance would give 5.")
    assert "Deleting them does not make the generator private: it learnt these people all the same" in advice.reason
    assert advice.command == f"{WHATIF}'drop near copies'"


@pytest.mark.parametrize("what", [ArtefactSign.CHANCE, ArtefactSign.NONE, ArtefactSign.UNTOLD])
def test_signs_that_chance_explains_advise_nothing(what: ArtefactSign) -> None:
    assert advise(basis(shown=sign("exact-copies", sign=what, rows=(3,)))) == ()


def test_a_column_with_identifiers_is_removed() -> None:
    advice = single(basis(shown=sign("identifiers", columns=("race",))))
    assert advice.action == "Remove 'race': 120 of 1,000 real identifiers stand there."
    assert advice.command == f"{WHATIF}'drop column race'"


def test_an_identifier_that_is_no_column_of_the_audit_is_audited_again() -> None:
    advice = single(basis(shown=sign("identifiers", columns=("ssn",))))
    assert advice.command == NAMES.audit()


def test_rows_in_the_order_of_the_real_table_are_shuffled() -> None:
    assert single(basis(shown=sign("row-order"))).action.startswith("Shuffle the released rows")


def loss(key: str, value: float, low: float) -> KeyLoss:
    return KeyLoss("ill", "zcap (ill)", key, 0.4, 0.4 - value, Estimate(value, low, 2 * value - low))


def test_the_key_that_carries_an_attribute_leak_is_named() -> None:
    found = basis(
        evidence=evidence(Grade.CLEAR), losses=(loss("age", 0.3, 0.2), loss("sex", 0.1, 0.05), loss("race", 0.02, -0.1))
    )
    advice = single(found)
    assert advice.rule is AdviceRule.ATTRIBUTE_KEYS
    assert advice.action == "Make 'age' coarser or drop it: it carries 30 of the 40 in 100 by which 'ill' leaks."
    assert advice.reason == "Measured by zcap (ill) with one key hidden at a time; 'sex' carries 10."
    assert advice.columns == ("age", "sex")
    assert advice.command == f"{WHATIF}'coarsen age to 5'"


def test_a_key_of_few_values_is_dropped_instead_of_made_coarser() -> None:
    found = basis(evidence=evidence(Grade.CLEAR), losses=(loss("sex", 0.3, 0.2),))
    assert single(found).command == f"{WHATIF}'drop column sex'"


def test_where_no_key_carries_the_leak_alone_the_secret_is_named() -> None:
    advice = single(basis(evidence=evidence(Grade.CLEAR), losses=(loss("age", 0.02, -0.01),)))
    assert advice.columns == ("ill",)
    assert advice.action.startswith("Make 'ill' coarser or drop it: several keys give it away")
    assert advise(basis(losses=(loss("age", 0.3, 0.2),))) == ()  # no leak, no advice


def by_rows(*leaks: tuple[int, float, float]) -> tuple[RowsLeak, ...]:
    return tuple(RowsLeak(rows, Estimate(value, low, 2 * value - low)) for rows, value, low in leaks)


def test_the_number_of_rows_that_would_do_is_the_first_below_a_clear_leak() -> None:
    advice = single(basis(by_rows=by_rows((1000, 0.2, 0.15), (500, 0.1, 0.05), (250, 0.02, 0.005))))
    assert (advice.rule, advice.number) == (AdviceRule.FEWER_ROWS, 250)
    assert advice.action == (
        "Release 250 of the 1,000 rows, drawn at random: the leak by near-match falls from 20 to 2 of 100."
    )
    assert advice.command == f"{WHATIF}'fewer rows 250'"


def test_rows_are_not_advised_where_no_number_would_do_or_nothing_leaks() -> None:
    assert advise(basis(by_rows=by_rows((1000, 0.2, 0.15), (500, 0.1, 0.05)))) == ()
    assert (
        advise(
            basis(
                by_rows=by_rows(
                    (1000, 0.005, 0.0),
                )
            )
        )
        == ()
    )
    assert advise(basis(by_rows=())) == ()


def group(
    label: str, members: int, value: float, low: float, *, column: str = "race", exposed: bool = True
) -> LeakGroup:
    leak = Estimate(value, low, 2 * value - low)
    return LeakGroup(
        column, label, 1, LeakFamily.IDENTITY, "match", "", 0.5, 0.5, leak, 0.01, exposed, members, members
    )


def test_small_groups_that_leak_more_than_their_column_are_named() -> None:
    # The mean of the column is (800 * 0.1 + 100 * 0.6 + 100 * 0.2) / 1000 = 0.16; only the first small group is above.
    groups = (group("most", 800, 0.1, 0.08), group("few", 100, 0.6, 0.5), group("some", 100, 0.2, 0.1))
    advice = single(basis(shown=Diagnostics(groups=GroupedLeaks(groups))))
    assert advice.action == (
        "Merge small groups of 'race': 1 of them leaks more than others, the worst 60 of 100 where its whole column "
        "leaks 16."
    )
    assert advice.labels == ("race: few",)
    assert advice.command == f"{WHATIF}'coarsen race to 5'"
    assert "labels" not in advice.to_dict()
    assert advice.to_dict(shows_values=True)["labels"] == ["race: few"]


def test_the_lever_for_small_groups_merges_levels_where_a_column_has_more_than_two() -> None:
    sex = group("man", 900, 0.1, 0.08, column="sex"), group("woman", 100, 0.9, 0.8, column="sex")
    race = group("most", 900, 0.1, 0.08), group("few", 100, 0.6, 0.5)
    both = single(basis(shown=Diagnostics(groups=GroupedLeaks((*sex, *race)))))
    assert both.columns == ("sex", "race")
    assert both.command == f"{WHATIF}'coarsen race to 5'"
    assert single(basis(shown=Diagnostics(groups=GroupedLeaks(sex)))).command == f"{WHATIF}'drop column sex'"


def test_large_groups_and_groups_within_chance_are_not_named() -> None:
    large = (group("a", 500, 0.6, 0.5), group("b", 500, 0.1, 0.0))
    chance = (group("a", 900, 0.1, 0.05), group("b", 100, 0.6, 0.5, exposed=False))
    for groups in (large, chance):
        assert advise(basis(shown=Diagnostics(groups=GroupedLeaks(groups)))) == ()


def test_a_release_without_the_most_exposed_people_is_advised() -> None:
    people = tuple(ExposedPerson(row, LeakFamily.MEMBERSHIP, "x", 0.01, 1) for row in (4, 4, 9, 12))
    advice = single(basis(evidence=evidence(Grade.CLEAR, people=people)))
    assert advice.action == "Make the release again without the 3 most exposed of 3 listed people."
    assert advice.command == f"{WHATIF}'regenerate without 3'"


def test_people_outside_that_it_takes_follow_from_the_standard_error() -> None:
    # sqrt(1/1000 + 1/h) has to shrink from sqrt(1/1000 + 1/100) by 0.1 / 0.25: 1/h = 0.16 * 0.011 - 0.001 = 0.00076.
    assert rules.outsiders_needed(0.25, 0.1, 1000, 100) == 1316
    assert rules.outsiders_needed(0.25, 0.05, 1000, 100) is None
    for members, outsiders, now, goal in ((5000, 300, 0.2, 0.1), (800, 200, 0.3, 0.2)):
        needed = rules.outsiders_needed(now, goal, members, outsiders)
        assert needed is not None
        reached = now * sqrt((1 / members + 1 / needed) / (1 / members + 1 / outsiders))
        assert reached == pytest.approx(goal, rel=1e-3)


def test_where_a_severe_leak_could_have_been_missed_more_people_outside_are_advised() -> None:
    quiet = (finding(LeakFamily.MEMBERSHIP, Grade.NO_LEAK_FOUND, detectable=0.25), *evidence().findings[1:])
    advice = single(basis(evidence=evidence(findings=quiet, sizes=PoolSizes(1000, 100, 10))))
    assert (advice.rule, advice.number) == (AdviceRule.MORE_OUTSIDERS, 1316)
    assert advice.action == (
        "Keep about 1,400 people outside instead of 100: a leak below 25 in 100 may have been missed, then one of 10 "
        "would be found."
    )
    assert advise(basis(evidence=evidence(findings=(replace(quiet[0], detectable=0.008), *quiet[1:])))) == ()


def test_every_line_ends_with_a_command_whose_lever_is_understood() -> None:
    people = (ExposedPerson(4, LeakFamily.MEMBERSHIP, "x", 0.01, 1),)
    found = basis(
        shown=replace(
            sign("exact-copies", rows=(1,)),
            groups=GroupedLeaks((group("a", 900, 0.1, 0.05), group("b", 100, 0.6, 0.5))),
        ),
        evidence=evidence(Grade.SEVERE, people=people),
        losses=(loss("age", 0.3, 0.2),),
        by_rows=by_rows((1000, 0.2, 0.15), (500, 0.005, 0.0)),
    )
    lines = advise(found)
    assert [advice.rule for advice in lines] == [
        AdviceRule.COPIED_ROWS,
        AdviceRule.ATTRIBUTE_KEYS,
        AdviceRule.FEWER_ROWS,
        AdviceRule.SMALL_GROUPS,
        AdviceRule.EXPOSED_PEOPLE,
    ]
    for advice in lines:
        parse_lever(advice.command.removeprefix(WHATIF).strip("'"))


def test_the_release_that_leaks_least_is_taken() -> None:
    names = replace(NAMES, synthetic=("a.csv", "b.csv"))
    ranking = (RankedRelease(2, 1, Grade.SLIGHT, 0.01), RankedRelease(1, 2, Grade.SEVERE, 0.4))
    compared = ReleaseComparison(("a.csv", "b.csv"), ranking)
    [advice] = advise_on_several(names, compared, (), None)
    assert advice.action == "Release b.csv rather than another: it leaks least (slight)."
    assert advice.command == "seethrough audit --real real.csv --synthetic b.csv --holdout holdout.csv"
    tied = ReleaseComparison(("a.csv", "b.csv"), (ranking[0], replace(ranking[1], place=1)))
    assert advise_on_several(names, tied, (), None) == ()
    tested = ReleaseDifference(
        1, 2, "log-ratio", LeakFamily.MEMBERSHIP, "", 0.4, 0.01, Estimate(0.39, -0.1, 0.9), 0.3, told_apart=False
    )
    alike = replace(compared, differences=(tested,))
    assert advise_on_several(names, alike, (), None) == ()
    apart = replace(compared, differences=(tested, replace(tested, p=0.01, told_apart=True)))
    assert advise_on_several(names, apart, (), None) == (advice,)


def test_one_file_is_advised_where_all_together_leak_more_than_any_alone() -> None:
    names = replace(NAMES, synthetic=("a.csv", "b.csv"))
    alone = [evidence(Grade.SLIGHT), evidence(Grade.CLEAR)]
    whole = evidence(Grade.SEVERE)
    whole = replace(whole, findings=tuple(finding(family, Grade.SEVERE, 0.3) for family in LeakFamily))
    [advice] = advise_on_several(names, None, alone, whole)
    assert (advice.rule, advice.number) == (AdviceRule.FEWER_FILES, 1)
    assert advice.action.startswith(
        "Release 1 file instead of 2: together they leak 30 of 100 (membership), the worst alone 0;"
    )
    assert advice.command.endswith("--lever 'fewer files 1'")
    assert advise_on_several(names, None, alone, evidence(Grade.SLIGHT)) == ()


def test_as_many_files_are_advised_as_would_do() -> None:
    names = replace(NAMES, synthetic=tuple(f"{name}.csv" for name in "abcde"))
    alone = [evidence(Grade.SLIGHT)] * 5
    whole = replace(evidence(Grade.SEVERE), findings=tuple(finding(family, Grade.SEVERE, 0.3) for family in LeakFamily))
    tried = FewerNeeded("files", 2, 5, ((2, 0.004, Grade.SLIGHT),))
    [advice] = advise_on_several(names, None, alone, whole, lambda: tried)
    assert advice.number == 2
    assert advice.action.startswith("Release 2 files instead of 5: together they leak 30 of 100 (membership)")
    assert advice.action.endswith("the first 2 leak 0.4, below a clear leak.")
    assert advice.command.endswith("--lever 'fewer files 2'")
    none_does = replace(tried, enough=None, tried=((2, 0.2, Grade.SEVERE), (1, 0.1, Grade.CLEAR)))
    assert [each.number for each in advise_on_several(names, None, alone, whole, lambda: none_does)] == [1]


def test_a_difference_of_means_has_the_interval_of_welch() -> None:
    # Means 0.75 and 0.5, variances 0.1875 and 0.25 over four people each: standard error sqrt(0.4375 / 4).
    success = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    found = difference(success, np.arange(8) < 4)
    assert found.value == 0.25
    assert found.high - found.value == pytest.approx(1.959964 * sqrt(0.4375 / 4), rel=1e-6)


def test_the_page_of_the_rules_has_every_rule() -> None:
    page = (Path(__file__).parents[3] / "docs" / "advice.md").read_text()
    assert [rule.value for rule in AdviceRule if f"| `{rule.value}` |" not in page] == []
