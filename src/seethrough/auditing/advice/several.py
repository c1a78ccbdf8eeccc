"""The rules of advice on several releases of one real table: which to take, and whether fewer would do."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from seethrough.auditing.advice.commands import TableNames
from seethrough.auditing.levers.grammar import FewerFiles
from seethrough.results.comparison import ReleaseComparison
from seethrough.results.evidence import Grade, LeakFamily, ReleaseEvidence
from seethrough.results.evidence_words import people
from seethrough.results.levers.advice import Advice, AdviceRule
from seethrough.results.levers.less import FewerNeeded


def advise_on_several(
    names: TableNames,
    comparison: ReleaseComparison | None,
    evidence: Sequence[ReleaseEvidence],
    together: ReleaseEvidence | None,
    try_fewer: Callable[[], FewerNeeded | None] = lambda: None,
) -> tuple[Advice, ...]:
    """Give the lines that follow from several releases compared, and from all of them together.

    `try_fewer` attacks ever fewer files; it is called only where that is asked.
    """
    found = (least_leak(names, comparison), fewer_files(names, evidence, together, try_fewer))
    return tuple(advice for advice in found if advice is not None)


def least_leak(names: TableNames, comparison: ReleaseComparison | None) -> Advice | None:
    """Take the release that leaks least, where exactly one does and attacks tell it from the next."""
    placed = [each for each in comparison.ranking if each.place is not None] if comparison else []
    first = [each for each in placed if each.place == 1]
    if comparison is None or len(first) != 1 or len(placed) < 2:
        return None
    compared = comparison.between(placed[0].number, placed[1].number)
    if compared and not any(each.told_apart for each in compared):
        return None
    name = names.synthetic[first[0].number - 1]
    said = f"Release {name} rather than another: it leaks least ({first[0].grade.value})."
    command = replace(names, synthetic=(name,)).audit()
    return Advice(AdviceRule.LEAST_LEAK, said, command, number=first[0].number)


def fewer_files(
    names: TableNames,
    evidence: Sequence[ReleaseEvidence],
    together: ReleaseEvidence | None,
    try_fewer: Callable[[], FewerNeeded | None],
) -> Advice | None:
    """Release fewer files, where all of them together leak more than any does alone."""
    for family in LeakFamily if together else ():
        assert together is not None
        whole = together[family].leak
        alone = [found.leak.value for each in evidence if (found := each[family]).leak is not None]
        if whole is None or not together[family].grade.is_leak or not alone or whole.low <= max(alone):
            continue
        count, would_do = _enough(evidence, try_fewer if len(evidence) > 2 else lambda: None)
        said = (
            f"Release {count} {'file' if count == 1 else 'files'} instead of {len(evidence)}: together they leak "
            f"{people(whole.value)} of 100 ({family.value}), the worst alone {people(max(alone))}; {would_do}."
        )
        return Advice(AdviceRule.FEWER_FILES, said, names.whatif(FewerFiles(count)), number=count)
    return None


def _enough(evidence: Sequence[ReleaseEvidence], try_fewer: Callable[[], FewerNeeded | None]) -> tuple[int, str]:
    """Tell how many files would do, and why."""
    needed = try_fewer()
    if needed is not None and needed.enough is not None and needed.enough > 1:
        leak = next(leak for count, leak, _ in needed.tried if count == needed.enough)
        return needed.enough, f"the first {needed.enough} leak {people(leak)}, below a clear leak"
    best = min(evidence, key=lambda each: each.verdict.grade)
    return 1, "one alone is below a clear leak" if best.verdict.grade < Grade.CLEAR else "one alone leaks less"
