"""Groups of people, by the levels of a column: is the leak larger among some than among others?

Members of a group are compared with people outside of the same group, so that what makes the whole group easy or hard
to guess cancels. Each family of attacks enters with one attack, chosen before anything is seen: the rating that single
people are listed by, and for secrets the first attack, averaged over all secrets that were asked for. A success enters
with its mean, a rating with the ranks within the group (members minus people outside is then 2 AUC - 1 of the group).

All groups of all columns and families are tested by one permutation of labels over everybody, with the maximum over
them; the intervals hold at once. Groups of fewer than 30 members or 30 people outside are put together, and left out
where they are too few even so. Who is put together follows from counts of members, with which the statistics, centred
within the group, are uncorrelated under permuted labels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seethrough.auditing.diagnostics.exposure import level_name
from seethrough.auditing.evidence.assess import Assessment, EvidenceRules
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.contrasts import (
    Contrast,
    ContrastFound,
    compare_contrasts,
    people_drawn,
    permutations_for,
)
from seethrough.auditing.evidence.grading import LEVEL
from seethrough.auditing.evidence.headlines import HEADLINES
from seethrough.auditing.evidence.pool import Pool
from seethrough.data.schema import Column
from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.results.diagnostics import GroupedLeaks, LeakGroup
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import IN_PAIRS
from seethrough.seeds import stream

FEWEST = 30
"""Members, and people outside, of a group that stands alone."""
MOST_GROUPS, MOST_COLUMNS = 12, 40
"""Groups of a column, the largest first, and columns, the first of the table, that are looked at."""
PERMUTATIONS = 1_999
"""Enough for a p of 5 % over a few hundred groups."""
NO_OUTSIDERS = "groups are compared with people outside of the same group, and none were given (--holdout)"
NOT_TESTED = "members and people outside could not be compared, and so their groups could not be"
NO_GROUPS = f"no column has two groups of at least {FEWEST} members and {FEWEST} people outside each"


@dataclass(frozen=True, eq=False)
class PeopleGroup:
    """Some people by what they share, and the attack by which they are looked at."""

    column: str
    label: str
    merged: int
    family: LeakFamily
    answer: AttackAnswers
    who: Ints

    @property
    def contrast(self) -> Contrast:
        """Give what is compared: a success as it is, a rating by its ranks within the group."""
        scores = self.answer.scores[self.who]
        return Contrast(self.who, scores if self.answer.is_share else 2 * mid_ranks(scores) / len(scores))


def leak_groups(found: Assessment, rules: EvidenceRules, *, has_outsiders: bool) -> GroupedLeaks:
    """Compare members with people outside, group by group."""
    if found.pool is None:
        return GroupedLeaks(reason=NOT_TESTED if has_outsiders else NO_OUTSIDERS)
    members = found.pool.member_people
    rng = stream(rules.seed, "groups")
    columns, chosen = _columns(found.pool), list(headlines(found.answers))
    most = len(chosen) * sum(min(MOST_GROUPS, len(column.levels) + 2) for column, _ in columns)
    drawn = np.zeros(len(members), bool)
    drawn[people_drawn(members, most, rng)] = True
    parted = [
        _groups(column, codes, (family, replace(answer, asked=answer.asked & drawn)), members)
        for family, answer in chosen
        for column, codes in columns
    ]
    groups = [group for some, _ in parted for group in some]
    if not groups:
        return GroupedLeaks(reason=NO_GROUPS)
    permutations = permutations_for(len(groups), min(PERMUTATIONS, rules.permutations))
    contrasts = [group.contrast for group in groups]
    device = found.pool.bench.budget.device
    tested = compare_contrasts(contrasts, members, rng, permutations, rules.confidence, device)
    leaks = tuple(leak_of_group(*each, members) for each in zip(groups, contrasts, tested, strict=True))
    return GroupedLeaks(leaks, permutations, max(left for _, left in parted))


def headlines(answers: Sequence[AttackAnswers]) -> Iterator[tuple[LeakFamily, AttackAnswers]]:
    """Choose the attack of each family, whatever the attacks found."""
    for family in LeakFamily:
        mine = [answer for answer in answers if family in answer.families]
        if family is LeakFamily.ATTRIBUTE and mine:
            yield family, _over_secrets(mine)
        elif mine:
            yield family, next((answer for answer in mine if answer.name == HEADLINES.get(family)), mine[0])


def _over_secrets(answers: Sequence[AttackAnswers]) -> AttackAnswers:
    """Average the first attack on each secret over the secrets that each person was asked for."""
    single = [answer for answer in answers if answer.secrets_at_once == 1]
    first = list({answer.secret: answer for answer in reversed(single)}.values())[::-1]
    if len(first) == 1:
        return first[0]
    times = np.sum([answer.asked for answer in first], axis=0)
    total = np.sum([np.where(answer.asked, answer.scores, 0.0) for answer in first], axis=0)
    return replace(
        first[0],
        scores=total / np.maximum(times, 1),
        asked=times > 0,
        secret=f"{len(first)} columns in turn",
        measure=f"guesses are right, over {len(first)} columns as the secret",
        exposure=None,
    )


def _columns(pool: Pool) -> list[tuple[Column, Ints]]:
    """Give the columns that have levels, with the code of each person; of several rows that of the first."""
    first = np.unique(pool.persons, return_index=True)[1]
    with_levels = [column for column in pool.people.schema.used if column.kind.has_levels][:MOST_COLUMNS]
    return [(column, pool.people.column(column.name)[first].astype(np.int64)) for column in with_levels]


def _groups(
    column: Column, codes: Ints, by: tuple[LeakFamily, AttackAnswers], members: Bools
) -> tuple[list[PeopleGroup], int]:
    """Part people by a column; gives the groups, and how many people are in none of them."""
    family, answer = by
    counts = [np.bincount(codes[answer.asked & kind], minlength=int(codes.max()) + 1) for kind in (members, ~members)]
    fewer, all_together = np.minimum(*counts), counts[0] + counts[1]
    largest = np.argsort(-all_together, kind="stable")[: MOST_GROUPS - 1]
    alone = sorted(int(code) for code in largest if fewer[code] >= FEWEST)
    found = [
        PeopleGroup(
            column.name, level_name(column, code), 1, family, answer, np.flatnonzero(answer.asked & (codes == code))
        )
        for code in alone
    ]
    rest = answer.asked & ~np.isin(codes, alone)
    merged = int(np.count_nonzero(all_together)) - len(alone)
    if min(int((rest & members).sum()), int((rest & ~members).sum())) >= FEWEST:
        found.append(PeopleGroup(column.name, "all others", merged, family, answer, np.flatnonzero(rest)))
        rest = np.zeros(0, bool)
    return (found, int(rest.sum())) if len(found) > 1 else ([], 0)


def leak_of_group(group: PeopleGroup, contrast: Contrast, tested: ContrastFound, members: Bools) -> LeakGroup:
    """State the leak of a group that was tested."""
    mine, others = contrast.means(members)
    if not group.answer.is_share:
        mine, others = (1 + tested.estimate.value) / 2, (1 - tested.estimate.value) / 2
    inside = int(members[group.who].sum())
    return LeakGroup(
        column=group.column,
        label=group.label,
        merged=group.merged,
        family=group.family,
        attack=group.answer.label,
        measure=group.answer.measure if group.answer.is_share else IN_PAIRS,
        members=mine,
        outsiders=others,
        leak=tested.estimate,
        p=tested.p,
        is_exposed=tested.p <= LEVEL and tested.estimate.value > 0,
        n_members=inside,
        n_outsiders=len(group.who) - inside,
    )
