"""Attacks and exposed people as frames; with several synthetic tables the first column names the table."""

from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from seethrough.results.evidence import FALSE_ALARM_RATES, AttackEvidence, ExposedPerson
from seethrough.results.report import Report, TableAudit

_NUMBERS = (
    *("members", "outsiders", "leak", "leak_low", "leak_high", "lower", "p", "p_adjusted", "detectable"),
    *("auc", "auc_low", "auc_high", *(f"tpr_{rate}" for rate in FALSE_ALARM_RATES)),
)
ATTACKS: dict[str, Any] = {
    **{"synthetic": pl.String, "name": pl.String, "family": pl.String, "families": pl.List(pl.String)},
    **{"secret": pl.String, "measure": pl.String},
    **dict.fromkeys(_NUMBERS, pl.Float64),
    **{"n_members": pl.Int64, "n_outsiders": pl.Int64, "seconds": pl.Float64},
}
PEOPLE: dict[str, Any] = {
    **{"synthetic": pl.String, "row": pl.Int64, "family": pl.String, "attack": pl.String},
    **{"p": pl.Float64, "released_row": pl.Int64},
}


def attack_frame(report: Report) -> pl.DataFrame:
    """List every attack with its own numbers; null where one is not resolvable, withheld or does not apply."""
    return _frame(report, ATTACKS, (_attack(table, attack) for table in report.tables for attack in _attacks(table)))


def people_frame(report: Report) -> pl.DataFrame:
    """List exposed people, one row for each family that lists them, the surest first."""
    return _frame(report, PEOPLE, (_person(table, person) for table in report.tables for person in _people(table)))


def _frame(report: Report, columns: dict[str, Any], rows: Iterable[tuple[Any, ...]]) -> pl.DataFrame:
    frame = pl.DataFrame(list(rows), schema=columns, orient="row")
    return frame if len(report.tables) > 1 else frame.drop("synthetic")


def _attacks(table: TableAudit) -> tuple[AttackEvidence, ...]:
    return table.evidence.attacks if table.evidence else ()


def _people(table: TableAudit) -> tuple[ExposedPerson, ...]:
    return table.evidence.people if table.evidence else ()


def _attack(table: TableAudit, attack: AttackEvidence) -> tuple[Any, ...]:
    families = [family.value for family in attack.families]
    return (
        *(table.synthetic.name, attack.name, families[0], families, attack.secret, attack.measure),
        *(attack.members, attack.outsiders, attack.leak.value, attack.leak.low, attack.leak.high, attack.lower),
        *(attack.p, attack.p_adjusted, attack.detectable),
        *((None, None, None) if attack.auc is None else (attack.auc.value, attack.auc.low, attack.auc.high)),
        *_true_positive_rates(attack),
        *(attack.n_members, attack.n_outsiders, attack.seconds),
    )


def _true_positive_rates(attack: AttackEvidence) -> Iterator[float | None]:
    for rate in FALSE_ALARM_RATES:
        found = attack.tpr.get(rate)
        yield None if found is None else found.value


def _person(table: TableAudit, person: ExposedPerson) -> tuple[Any, ...]:
    return table.synthetic.name, person.row, person.family.value, person.attack, person.p, person.released_row
