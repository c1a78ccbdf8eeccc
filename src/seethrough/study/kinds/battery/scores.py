"""Attacks summed up: means and standard errors over releases, which attack leads where, and what each costs.

An attack on membership is measured by the share of members it finds at 1 % false alarms (chance: 1 %), one on a secret
or on identity by its leak: how much more often it succeeds for members than for people outside (chance: 0).
The leader is the attack whose mean is largest, of those whose mean is more than four standard errors above chance:
dozens are compared. Where there is none, nobody leads. Because the supervised attack needs many people outside, the
best attack without labels is looked for too, by every measure that ratings have.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from seethrough.results.evidence import FALSE_ALARM_RATES, LeakFamily
from seethrough.study.cells.results import Results

MEASURES = ("leak", "members", "outsiders", "auc", *(f"tpr_{rate}" for rate in FALSE_ALARM_RATES))
CHANCE = {"leak": 0.0, "auc": 0.5, **{f"tpr_{rate}": float(rate) for rate in FALSE_ALARM_RATES}}
"""What each measure is without any leak."""
LEARNT = "supervised"
"""The attack that is told who is a member."""
ERRORS = 4
"""Standard errors above chance from which on an attack may lead."""
RATE = "0.01"
"""Rate of false alarms at which attacks are compared."""
WHERE = "data", "synthesizer", "attack", "family"
_FOUND: dict[str, Any] = {
    "attack": pl.String,
    "family": pl.String,
    "secret": pl.String,
    **dict.fromkeys(MEASURES, pl.Float64),
    "p": pl.Float64,
    "p_adjusted": pl.Float64,
    "seconds": pl.Float64,
}


def measure_of(family: str) -> str:
    """Name the number that attacks of a family are compared by."""
    return f"tpr_{RATE}" if family == LeakFamily.MEMBERSHIP.value else "leak"


def attack_rows(results: Results) -> pl.DataFrame:
    """Give one row for each attack on each release; an attack on a secret bears its name."""
    cells = results.done("battery")
    places = "data", "synthesizer", "number"
    rows = [
        {**dict(zip(places, place, strict=True)), **found, "attack": _label(found)}
        for *place, attacks in cells.select(*places, "attacks").iter_rows()
        for found in json.loads(attacks)
    ]
    head = {"data": pl.String, "synthesizer": pl.String, "number": pl.Int64}
    return pl.DataFrame(rows, schema={**head, **_FOUND}, orient="row")


def _label(found: dict[str, Any]) -> str:
    return f"{found['attack']} ({found['secret']})" if found["secret"] else str(found["attack"])


def summary(results: Results) -> pl.DataFrame:
    """Average over releases: `leak`, `leak_error` and so on, `p_small` (share of p at most 5 %), seconds, releases."""
    rows = attack_rows(results)
    error = [(pl.col(name).std() / pl.col(name).count().sqrt()).alias(f"{name}_error") for name in MEASURES]
    small = (pl.col("p") <= 0.05).mean().alias("p_small")
    means = [pl.col(name).mean() for name in MEASURES]
    both = [small, pl.col("seconds").mean(), pl.len().alias("releases")]
    return rows.group_by(*WHERE, maintain_order=True).agg(*means, *error, *both)


@dataclass(frozen=True)
class Scores:
    """One family on one table: attacks by generators; numbers are means over releases with their standard errors."""

    data: str
    family: str
    attacks: tuple[str, ...]
    synthesizers: tuple[str, ...]
    releases: int
    found: dict[tuple[str, str], dict[str, Any]]

    def value(self, attack: str, synthesizer: str) -> float | None:
        """Give the number that attacks are compared by."""
        found = self.found.get((attack, synthesizer))
        return None if found is None else found[measure_of(self.family)]

    def error(self, attack: str, synthesizer: str) -> float | None:
        """Give its standard error; None of a single release."""
        found = self.found.get((attack, synthesizer))
        return None if found is None else found[f"{measure_of(self.family)}_error"]

    def leader(self, synthesizer: str, measure: str = "", *, without: str = "") -> str | None:
        """Name the attack that finds most by a measure, of all but one; None where none finds more than chance."""
        measure = measure or measure_of(self.family)
        above: dict[str, float] = {}
        for attack in self.attacks:
            found = self.found.get((attack, synthesizer), {})
            value, error = found.get(measure), found.get(f"{measure}_error")
            if value is not None and error is not None and value - ERRORS * error > CHANCE[measure]:
                above[attack] = value
        above.pop(without, None)
        return max(above, key=above.__getitem__, default=None)

    def share_of_best(self, attack: str, synthesizer: str) -> float | None:
        """Give what an attack finds beyond chance as a share of what the leader finds; None where nobody leads."""
        leader, mine = self.leader(synthesizer), self.value(attack, synthesizer)
        if leader is None or mine is None:
            return None
        chance = CHANCE[measure_of(self.family)]
        best = (self.value(leader, synthesizer) or 0.0) - chance
        return min(1.0, max(0.0, mine - chance) / best)

    @property
    def measures(self) -> tuple[str, ...]:
        """Name the measures that attacks of the family may lead by."""
        is_rated = self.family == LeakFamily.MEMBERSHIP.value
        return ("auc", *(f"tpr_{rate}" for rate in FALSE_ALARM_RATES)) if is_rated else ("leak",)


def battery_scores(results: Results) -> Iterator[Scores]:
    """Give the scores of each table and family, in the order of the plan."""
    whole = summary(results)
    for data in whole["data"].unique(maintain_order=True):
        for family in LeakFamily:
            some = whole.filter(pl.col("data") == data, pl.col("family") == family.value)
            if len(some):
                found = {(row["attack"], row["synthesizer"]): row for row in some.iter_rows(named=True)}
                attacks, synthesizers = (tuple(dict.fromkeys(key)) for key in zip(*found, strict=True))
                yield Scores(data, family.value, attacks, synthesizers, int(some["releases"].max() or 0), found)  # type: ignore[arg-type]


@dataclass(frozen=True)
class AttackCost:
    """An attack over all tables and generators of a study.

    `leads` counts where it leads of `led`, where anybody does; `without_labels` the places where it is the best attack
    without labels by any measure. `share` is what it finds beyond chance as a share of what the leader finds, averaged
    over the places led; `seconds` is the mean time on one release.
    """

    attack: str
    family: str
    leads: int
    without_labels: int
    led: int
    share: float | None
    seconds: float


def attack_costs(results: Results) -> tuple[AttackCost, ...]:
    """Sum up every attack, under its name without the secret; those that lead most come first."""
    places = [_Place(scores, synthesizer) for scores in battery_scores(results) for synthesizer in scores.synthesizers]
    rows = attack_rows(results).with_columns(pl.col("attack").map_elements(plain_name, pl.String))
    grouped = rows.group_by("attack", "family", maintain_order=True).agg(pl.col("seconds").mean())
    costs = [_cost(attack, family, seconds, places) for attack, family, seconds in grouped.iter_rows()]
    return tuple(
        sorted(
            costs, key=lambda cost: (cost.family, -cost.leads, -cost.without_labels, -(cost.share or 0), cost.attack)
        )
    )


class _Place:
    """One table, family and generator: who leads there."""

    def __init__(self, scores: Scores, synthesizer: str) -> None:
        self.scores, self.synthesizer = scores, synthesizer
        self.leader = scores.leader(synthesizer)
        found = {scores.leader(synthesizer, measure, without=LEARNT) for measure in scores.measures}
        self.without_labels = {plain_name(attack) for attack in found if attack}

    def share(self, attack: str) -> float | None:
        """Give the share of the best that an attack has, on whatever secret it does best."""
        mine = [name for name in self.scores.attacks if plain_name(name) == attack]
        shares = [self.scores.share_of_best(name, self.synthesizer) for name in mine]
        return max((share for share in shares if share is not None), default=None)


def _cost(attack: str, family: str, seconds: float, places: list[_Place]) -> AttackCost:
    own = [place for place in places if place.scores.family == family]
    shares = [share for place in own if (share := place.share(attack)) is not None]
    return AttackCost(
        attack,
        family,
        sum(plain_name(place.leader or "") == attack for place in own),
        sum(attack in place.without_labels for place in own),
        len(shares),
        sum(shares) / len(shares) if shares else None,
        seconds,
    )


def plain_name(label: str) -> str:
    """Give the name of an attack without the secret."""
    return label.partition(" (")[0]
