"""Rated people for the terminal: how many stand out, and who comes first."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text
from seethrough.report.words.wording import count, count_of
from seethrough.results.membership.rated_people import FALSE_SHARE, PeopleRating, RatedPeople, StandingOut

FIRST = 10
"""People shown."""
RANKING = (
    "This is a ranking and no probability: without a reference (--reference) it cannot be told how many people who "
    "were not in the data would be rated as high."
)
SAME_POPULATION = (
    "Rates and lists hold if the reference is drawn from the same population as the people; whoever differs from it "
    "for other reasons stands out too."
)
SEVERAL = "The list of each rating holds by itself; choosing the rating with the longest list afterwards does not."


def render(report: RatedPeople, console: Console) -> None:
    """Print how many of the people stand out, and the first of them."""
    show(lambda on: _print(report, on), console)


def _print(report: RatedPeople, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: who was in the data", "bold"))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for name, said in _facts(report):
        lines.add_row(Text(name, "dim"), text(console, said))
    console.print(lines)
    for name, group in groupby(report.ratings, key=lambda rating: rating.synthetic):
        ratings = tuple(group)
        console.print()
        if len(report.synthetic) > 1:
            console.print(text(console, untrusted.name(name), "bold"))
        _print_release(ratings, report, console)
    console.print()
    for told in _cautions(report):
        console.print(text(console, told))
    for skipped in report.skipped:
        told = f"{skipped.rating} was skipped for {untrusted.name(skipped.synthetic)}: {skipped.reason}"
        console.print(text(console, told))
    for note in report.notes:
        console.print(text(console, f"note: {note}", "dim"))


def _facts(report: RatedPeople) -> Iterator[tuple[str, str]]:
    rating = report.ratings[0]
    yield "people", f"{untrusted.name(report.people)}, {_people(len(rating.scores))}"
    yield "synthetic", ", ".join(map(untrusted.name, report.synthetic))
    if report.reference is None or rating.alarms is None:
        yield "reference", "none"
    else:
        rated = f"{report.set_aside:,} set the scale, {rating.alarms.outsiders:,} are rated"
        yield "reference", f"{untrusted.name(report.reference)}, people who were not in the data: {rated}"
    yield "compared", f"{count_of(len(rating.columns), 'column')}"
    names = dict.fromkeys(each.rating for each in report.ratings)
    yield "rating", f"{rating.rating}: {rating.title}" if len(names) == 1 else ", ".join(names)
    yield "seed", str(report.seed)


def _print_release(ratings: Sequence[PeopleRating], report: RatedPeople, console: Console) -> None:
    if len(ratings) > 1:
        console.print(_compared(ratings, console))
        console.print()
    elif ratings[0].alarms:
        for told in _sentences(ratings[0]):
            console.print(text(console, told))
        console.print()
    several = f" by {ratings[0].rating}" if len(ratings) > 1 else ""
    console.print(text(console, f"The first of the people{several}:"))
    console.print(_first(ratings[0], report.names, console))


def _sentences(rating: PeopleRating) -> Iterator[str]:
    """Say how many stand out at each rate, and how long the list is."""
    people = _people(len(rating.scores))
    unresolved = [each for each in rating.standing_out if each.people is None]
    for each in rating.standing_out:
        if each.people is not None:
            chance = f"{each.by_chance:,.3g}" if each.by_chance < 1000 else f"{each.by_chance:,.0f}"
            verb = "stands" if each.people == 1 else "stand"
            yield (
                f"At {_percent(each)} false alarms {each.people:,} of {people} {verb} out; "
                f"at most {chance} are expected to if nobody was in the data."
            )
    alarms = rating.alarms
    if unresolved and alarms is not None:
        rates = " and ".join(_percent(each) for each in unresolved)
        yield (
            f"{rates} cannot be told with {_people(alarms.outsiders)} of the reference; "
            f"the lowest rate is 1 in {alarms.outsiders + 1:,}."
        )
    if alarms is not None:
        yield _listed(int(alarms.listed.sum()))


def _listed(people: int) -> str:
    if not people:
        return f"Nobody can be listed such that at most {100 * FALSE_SHARE:g} % of the names are expected to be wrong."
    who = "1 person is" if people == 1 else f"{people:,} people are"
    told = f"at most {100 * FALSE_SHARE:g} % of the names on such a list are expected to be wrong"
    return f"{who} listed as having been in the data; {told}."


def _people(number: int) -> str:
    return f"{count(number)} {'person' if number == 1 else 'people'}"


def _percent(each: StandingOut) -> str:
    return f"{100 * each.rate:g} %"


def _compared(ratings: Sequence[PeopleRating], console: Console) -> Table:
    """List how many stand out by each rating."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("rating")
    rates = ratings[0].standing_out
    for head in (*(f"at {_percent(each)}" for each in rates), *(["listed"] if rates else ["highest score"])):
        table.add_column(head, justify="right")
    for rating in ratings:
        counts = ["-" if each.people is None else f"{each.people:,}" for each in rating.standing_out]
        last = f"{int(rating.alarms.listed.sum()):,}" if rating.alarms else f"{rating.scores.max():.4g}"
        table.add_row(*(text(console, cell) for cell in (rating.rating, *counts, last)))
    if rates:
        chance = (f"{each.by_chance:,.3g}" for each in rates)
        table.add_row(*(text(console, cell, "dim") for cell in ("if nobody was in, at most", *chance, "")))
    return table


def _first(rating: PeopleRating, names: tuple[str | None, ...] | None, console: Console) -> Table:
    """List the people rated highest."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    heads = [
        "rank",
        "row",
        *(["id"] if names else []),
        "score",
        *(["false alarm rate", "listed"] if rating.alarms else []),
    ]
    for head in heads:
        table.add_column(head, justify="left" if head in {"id", "listed"} else "right", no_wrap=True)
    ranks = rating.ranks
    for place in np.argsort(ranks, kind="stable")[:FIRST].tolist():
        cells = [f"{ranks[place]:,}", f"{place + 1:,}"]
        cells += [untrusted.visible(names[place] or "", 24)] if names else []
        cells += [f"{rating.scores[place]:.4f}"]
        if rating.alarms:
            cells += [f"{rating.alarms.p[place]:.4g}", "yes" if rating.alarms.listed[place] else "no"]
        table.add_row(*(text(console, cell) for cell in cells))
    return table


def _cautions(report: RatedPeople) -> Iterator[str]:
    if any(rating.alarms is None for rating in report.ratings):
        yield RANKING
        return
    yield SAME_POPULATION
    if len({rating.rating for rating in report.ratings}) > 1:
        yield SEVERAL
