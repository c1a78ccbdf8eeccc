"""Several files released from one real table: what they show together, by the tests that each of them stands.

An adversary has all files. Two things are asked of them together, in one test with the maximum over both:

- the rows of all files under each other, attacked by every rating of re-identification as if they were one file;
- the mean over files of what each rating gave a person on each of them (a success as it is, a rating by its ranks):
  chance differs from file to file and averages out, a leak does not.

Nothing of it sees who is a member, so that permuted labels test it exactly. It stands beside the verdicts of the files
and does not change them; all verdicts of an audit together may err more often than each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, judge, untestable
from seethrough.auditing.evidence.battery import AttackAnswers, run_battery
from seethrough.auditing.evidence.people.persons import by_person
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.recoding import recoded_columns, untestable_columns
from seethrough.auditing.evidence.several.release_comparison import AssessedRelease
from seethrough.data.chunked.stacked import stack_released
from seethrough.data.release import PeopleDesign
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.results.evidence import LeakFamily, ReleaseEvidence

BY_FILE = "secrets are attacked on each file by itself"


def assess_together(
    tables: tuple[Table, Table, Sequence[Table]],
    answered: Sequence[AssessedRelease],
    arsenal: Arsenal,
    rules: EvidenceRules,
    budget: Budget,
    design: PeopleDesign,
) -> ReleaseEvidence:
    """Judge all files together; `tables` are real, outside and released rows, `answered` what each file gave."""
    real, outside, files = tables
    release, people = stack_released(files), stack_tables([real, outside])
    recoded = recoded_columns(people, release)
    kept = [column.name for column in real.schema.used if column.name not in recoded]
    tested = [each for each in answered if each.answers and each.evidence.population_p is not None]
    if not kept or not tested:
        return untestable(tuple(recoded.values()) or ("no file could be tested by itself",))
    pool = make_pool((real, outside, release), rules.seed, budget, design, rules.most_rated, rules.targets).project(
        kept
    )
    ratings = [rating for rating in arsenal.ratings if LeakFamily.IDENTITY in rating.families]
    battery = by_person(run_battery(pool, ratings, (), rules.seed), pool)
    battery = replace(
        battery,
        answers=(*battery.answers, *mean_answers(answered)),
        missing=(*(each for each in battery.missing if each[0] is not LeakFamily.ATTRIBUTE), _attribute()),
        untestable=untestable_columns(people, recoded),
    )
    # Single people are listed by file, by attacks that are named in advance.
    found = judge(pool, battery, float(tested[0].evidence.population_p or 0.0), rules, len(real))
    return replace(found, people=(), at_risk=())


def mean_answers(answered: Sequence[AssessedRelease]) -> Iterator[AttackAnswers]:
    """Average over files what every rating that all of them have gave each person."""
    if len(answered) < 2:
        return
    others = [{answer.label: answer for answer in each.answers} for each in answered[1:]]
    for first in answered[0].answers:
        if first.secret is not None or not all(first.label in each for each in others):
            continue
        same = [first, *(each[first.label] for each in others)]
        scores = np.mean([_without_units(answer) for answer in same], axis=0)
        yield replace(
            first,
            name=f"{first.name}, mean over files",
            scores=scores,
            measure=f"{first.measure} (mean over files)" if first.is_share else first.measure,
            asked=np.all([answer.asked for answer in same], axis=0),
            exposure=None,
            seconds=0.0,
        )


def _without_units(answer: AttackAnswers) -> Floats:
    return answer.scores if answer.is_share else mid_ranks(answer.scores) / len(answer.scores)


def _attribute() -> tuple[LeakFamily, str]:
    return LeakFamily.ATTRIBUTE, BY_FILE
