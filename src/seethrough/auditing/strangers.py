"""Strangers: people of whom nobody knows whether they were in the data, rated as an adversary would.

With a reference of people who were not in the data, a part of it is set aside, as in audits: by it the ratings measure
how near people are to each other. The rest is mixed with the people and rated like them. A person who was not in the
data can be exchanged with these, so that

    p_i = (1 + #{people of the reference rated at least as high as i}) / (n0 + 1)      n0 rated people of the reference

is at most f with a chance of at most f, whatever the rating is and whoever else is rated. The list of people keeps the
expected share of those who were not in the data below a tenth (Benjamini and Hochberg). Both hold if the reference is
drawn from the same population; whoever differs from it for other reasons stands out too.

References
----------
Bates et al. 2023, doi:10.1214/22-AOS2244 (p from people who are known to be outside, and lists made of them).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.auditing.evidence.drawing import usual_reference
from seethrough.auditing.evidence.pool import MOST_RATED, without_members_scale
from seethrough.auditing.evidence.recoding import recoded_columns
from seethrough.bench.bench import Bench
from seethrough.bench.pool import FEWEST_REFERENCE, Seen
from seethrough.data.reading.attack_tables import StrangersInput
from seethrough.data.release import NamedTable
from seethrough.data.rows import by_content, row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.errors import DataError, NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.operating_points import conformal_p, false_discoveries
from seethrough.protocols.parameters import plain, stream_name
from seethrough.protocols.rating import Rating
from seethrough.results.membership.rated_people import FALSE_SHARE, FalseAlarms, PeopleRating, SkippedRating
from seethrough.seeds import stream

FEWEST_PEOPLE = 4 * FEWEST_REFERENCE
"""People of a reference below which the part set aside would be too small."""


@dataclass(frozen=True, eq=False)
class RatedRelease:
    """The ratings of all people against one released table."""

    ratings: tuple[PeopleRating, ...]
    skipped: tuple[SkippedRating, ...]
    set_aside: int
    notes: tuple[str, ...]


def rate_strangers(
    given: StrangersInput, ratings: Sequence[Rating], seed: int, budget: Budget, progress: Callable[[str], None]
) -> RatedRelease:
    """Rate people against a released table by several ratings; one that does not apply says why."""
    crowd = _mix(given, seed, budget)
    done: list[PeopleRating] = []
    skipped: list[SkippedRating] = []
    for rating in ratings:
        progress(rating.name)
        try:
            done.append(_rate(crowd, rating, given.release.name, seed))
        except NotApplicable as reason:
            skipped.append(SkippedRating(given.release.name, rating.name, str(reason)))
    return RatedRelease(tuple(done), tuple(skipped), crowd.set_aside, (*given.notes, *crowd.notes))


@dataclass(frozen=True, eq=False)
class _Crowd:
    """People and rated people of the reference, mixed; `places` tells where each stands, the people first."""

    bench: Bench[Seen]
    places: Ints
    people: int
    set_aside: int
    notes: tuple[str, ...]

    def apart(self, scores: Floats) -> tuple[Floats, Floats]:
        """Give the scores of the people, in their order, and those of the reference."""
        return scores[self.places[: self.people]], scores[self.places[self.people :]]


def _mix(given: StrangersInput, seed: int, budget: Budget) -> _Crowd:
    """Put everybody who is rated in an order that follows from content and seed alone."""
    people, release = given.people.table, given.release.table
    aside, rated, remarks = _divide(given.reference, people, seed)
    everybody = stack_tables([people, *([rated] if rated is not None else [])])
    names, notes = _comparable(everybody, given.release)
    order = by_content(everybody)[stream(seed, "pool").permutation(len(everybody))]
    tables = [everybody.take(order), release.take(by_content(release)), *([aside] if aside is not None else [])]
    shown = dict(zip(Seen, without_members_scale([table.project(names) for table in tables]), strict=False))
    places = np.argsort(order)
    return _Crowd(Bench(shown, budget), places, len(people), 0 if aside is None else len(aside), (*remarks, *notes))


def _divide(
    reference: NamedTable | None, people: Table, seed: int
) -> tuple[Table | None, Table | None, tuple[str, ...]]:
    """Draw who of the reference is set aside, and who is rated."""
    if reference is None:
        return None, None, ()
    table = reference.table
    if len(table) < FEWEST_PEOPLE:
        raise DataError(
            f"{reference.name} has {len(table)} people; at least {FEWEST_PEOPLE} are needed as a reference, "
            "or none for a ranking alone"
        )
    order = by_content(table)[stream(seed, "people outside").permutation(len(table))]
    aside = usual_reference(len(table))
    both = row_numbers(stack_tables([people, table]))
    shared = int(np.isin(both[: len(people)], both[len(people) :]).sum())
    told = f"{shared:,} of the people have a row that {reference.name} has too; equal rows cannot be told apart"
    return table.take(order[:aside]), table.take(order[aside : aside + MOST_RATED]), (told,) if shared else ()


def _comparable(people: Table, release: NamedTable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Leave out columns that the release writes in another way."""
    recoded = recoded_columns(people, release.table)
    names = tuple(column.name for column in people.schema.used if column.name not in recoded)
    if not names:
        raise DataError(f"nothing can be compared with {release.name}: {next(iter(recoded.values()))}")
    return names, tuple(f"{release.name}: {reason}; it is left out" for reason in recoded.values())


def _rate(crowd: _Crowd, rating: Rating, release: str, seed: int) -> PeopleRating:
    begun = time.perf_counter()
    scores = rating.rate(crowd.bench, stream(seed, stream_name(rating)))
    if not np.isfinite(scores).all():
        raise ArithmeticError(f"rating {rating.name} is not a number for some people")
    mine, outsiders = crowd.apart(scores)
    columns = tuple(column.name for column in crowd.bench.table(Seen.PEOPLE).schema.used)
    return PeopleRating(
        release,
        rating.name,
        rating.title,
        plain(rating),
        columns,
        mine,
        _false_alarms(mine, outsiders) if len(outsiders) else None,
        time.perf_counter() - begun,
    )


def _false_alarms(people: Floats, outsiders: Floats) -> FalseAlarms:
    p = conformal_p(people, outsiders)
    return FalseAlarms(p, false_discoveries(p, FALSE_SHARE).astype(bool), len(outsiders))
