"""Membership inference as an adversary runs it: who of some people was in the data, as far as a release tells."""

from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from time import perf_counter

import polars as pl

from seethrough import __version__
from seethrough.api.arguments import (
    MEMORY,
    NO_PARAMS,
    Names,
    SchemaLike,
    TableLike,
    TablesLike,
    budget_of,
    list_names,
    list_tables,
)
from seethrough.auditing.strangers import RatedRelease, rate_strangers
from seethrough.data.files.sources import CsvOptions
from seethrough.data.reading.attack_tables import StrangersInput, read_strangers
from seethrough.errors import NotApplicable
from seethrough.plugins import catalog
from seethrough.protocols.rating import Rating
from seethrough.results.membership.rated_people import COLUMNS, RatedPeople
from seethrough.results.timings import Progress, ShowProgress

WITH_REFERENCE, WITHOUT_REFERENCE = "log-ratio", "self-ratio"
"""Named in advance, before anybody has seen which rating finds most."""
ALL = "all"
_TYPES = {
    **{"synthetic": pl.String(), "rating": pl.String(), "row": pl.Int64(), "id": pl.String()},
    **{"score": pl.Float64(), "rank": pl.Int64(), "p": pl.Float64(), "listed": pl.Boolean()},
}


@dataclass(frozen=True, eq=False, repr=False)
class Membership(RatedPeople):
    """Rated people who can show themselves: `membership.frame()`, `membership.ratings[0].scores`."""

    def frame(self) -> pl.DataFrame:
        """List every rating of every person: score, rank, false alarm rate p, and whether the person is listed."""
        return pl.DataFrame(list(self.rows()), schema={name: _TYPES[name] for name in COLUMNS}, orient="row")

    def __repr__(self) -> str:
        """Show what the command line prints."""
        from rich.console import Console

        from seethrough.report.terminal import rated_people

        page = StringIO()
        rated_people.render(self, Console(file=page, width=100, force_terminal=False, no_color=True))
        return page.getvalue()


def rate_people(  # noqa: PLR0913  what a caller may say about an attack
    people: TableLike,
    synthetic: TablesLike,
    reference: TableLike = None,
    *,
    rating: Names = (),
    identifier: str | None = None,
    params: catalog.Params = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    progress: ShowProgress | None = None,
) -> Membership:
    """Rate how likely each of some people was in the data that a synthetic table was made from.

    Parameters
    ----------
    reference
        People of the same population who are known not to be in the data. With them each person has a false alarm
        rate; without them the ratings are a ranking, and no probability.
    rating
        One or several ratings, or "all"; without one, "log-ratio" with a reference and "self-ratio" without.
    identifier
        The column of `people` that names them: it is shown, and compared with nothing. Without one, the identifier
        that the schema declares.

    Several synthetic tables are attacked each by itself. All else is as for `attack`.
    """
    begun = perf_counter()
    chosen = _ratings(list_names(rating), params, has_reference=reference is not None)
    budget = budget_of(memory, threads)
    tables = list_tables(synthetic)
    inputs: list[StrangersInput] = []
    found: list[RatedRelease] = []
    steps = len(tables) * len(chosen)
    options = CsvOptions(separator, encoding)
    for given in read_strangers(people, tables, reference, identifier=identifier, schema=schema, options=options):
        inputs.append(given)
        tell = _telling(progress, (len(inputs) - 1) * len(chosen), steps)
        found.append(rate_strangers(given, chosen, seed, budget, tell))
    return _report(inputs, found, seed, begun)


def _ratings(names: tuple[str, ...], params: catalog.Params, *, has_reference: bool) -> tuple[Rating, ...]:
    headline = WITH_REFERENCE if has_reference else WITHOUT_REFERENCE
    if names == (ALL,):
        names = (headline, *catalog.ratings())
    return catalog.named_ratings(names or (headline,), params)


def _telling(progress: ShowProgress | None, done: int, steps: int) -> Callable[[str], None]:
    """Tell of each rating as it begins."""
    begun = iter(range(done, steps))
    return lambda name: progress(Progress(next(begun), steps, name)) if progress else None


def _report(inputs: list[StrangersInput], found: list[RatedRelease], seed: int, begun: float) -> Membership:
    ratings = tuple(each for release in found for each in release.ratings)
    skipped = tuple(each for release in found for each in release.skipped)
    if not ratings:
        raise NotApplicable(f"{skipped[0].rating} cannot be computed: {skipped[0].reason}")
    first = inputs[0]
    return Membership(
        version=__version__,
        people=first.people.name,
        synthetic=tuple(given.release.name for given in inputs),
        reference=first.reference.name if first.reference else None,
        set_aside=found[0].set_aside,
        names=first.names,
        seed=seed,
        ratings=ratings,
        skipped=skipped,
        notes=tuple(dict.fromkeys(note for release in found for note in release.notes)),
        seconds=perf_counter() - begun,
    )
