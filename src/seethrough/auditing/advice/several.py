"""The rules of advice on several releases of one real table: which to take, and whether fewer would do."""

from collections.abc import Sequence
from dataclasses import replace

from seethrough.auditing.advice.commands import TableNames
from seethrough.auditing.levers.grammar import FewerFiles
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.evidence import Grade, LeakFamily, ReleaseEvidence
from seethrough.results.evidence_words import people
from seethrough.results.levers.advice import Advice, AdviceRule


def advise_on_several(
    names: TableNames,
    comparison: ReleaseComparison | None,
    evidence: Sequence[ReleaseEvidence],
    together: ReleaseEvidence | None,
) -> tuple[Advice, ...]:
    """Give the lines that follow from several releases compared, and from all of them together."""
    found = (least_leak(names, comparison), fewer_files(names, evidence, together))
    return tuple(advice for advice in found if advice is not None)


def least_leak(names: TableNames, comparison: ReleaseComparison | None) -> Advice | None:
    """Take the release that leaks least, where exactly one does."""
    placed = [each for each in comparison.ranking if each.place is not None] if comparison else []
    first = [each for each in placed if each.place == 1]
    if len(first) != 1 or len(placed) < 2:
        return None
    name = names.synthetic[first[0].number - 1]
    said = f"Release {name} rather than another: it leaks least ({first[0].grade.value})."
    command = replace(names, synthetic=(name,)).audit()
    return Advice(AdviceRule.LEAST_LEAK, said, command, number=first[0].number)


def fewer_files(
    names: TableNames, evidence: Sequence[ReleaseEvidence], together: ReleaseEvidence | None
) -> Advice | None:
    """Release one file, where all of them together leak more than any does alone."""
    if together is None:
        return None
    for family in LeakFamily:
        whole = together[family].leak
        alone = [found.leak.value for each in evidence if (found := each[family]).leak is not None]
        if whole is None or not together[family].grade.is_leak or not alone or whole.low <= max(alone):
            continue
        best = min(evidence, key=lambda each: each.verdict.grade)
        would_do = "one alone is below a clear leak" if best.verdict.grade < Grade.CLEAR else "one alone leaks less"
        said = (
            f"Release 1 file instead of {len(evidence)}: together they leak {people(whole.value)} of 100 "
            f"({family.value}), the worst alone {people(max(alone))}; {would_do}."
        )
        return Advice(AdviceRule.FEWER_FILES, said, names.whatif(FewerFiles(1)), number=1)
    return None
