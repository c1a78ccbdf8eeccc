"""Attacking a release as an adversary: what is known about people in, a guess about each of them out."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from seethrough import __version__
from seethrough.api.arguments import MEMORY, NO_PARAMS, SchemaLike, TableLike, TablesLike, budget_of, list_tables
from seethrough.data.files.sources import CsvOptions
from seethrough.data.reading import attack_tables
from seethrough.games import attack_release
from seethrough.plugins import catalog
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.parameters import plain
from seethrough.results.game import AttackReport


def attack(  # noqa: PLR0913  what a caller may say about an attack
    attack: str | AttributeAttack,
    people: TableLike,
    synthetic: TablesLike,
    *,
    secret: str,
    truth: TableLike = None,
    params: Mapping[str, Any] = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> AttackReport:
    """Attack a release as an adversary: guess the secret of every one of some people.

    `attack` is the name of an attack, or one; `params` sets its parameters. `people` has what is known about them, one
    row each, `synthetic` is a released table or a list of them, `truth` a table with the secret, rows in the order of
    `people`: the attack does not see it, its guesses are compared with it. All else is as for `audit`.
    """
    begun = perf_counter()
    chosen = _named_attack(attack, params) if isinstance(attack, str) else attack
    options = CsvOptions(separator, encoding)
    given = attack_tables.read_attack(people, list_tables(synthetic), secret, truth, schema=schema, options=options)
    found = attack_release.attack_release(given, chosen, seed, budget_of(memory, threads))
    return AttackReport(
        version=__version__,
        attack=chosen.name,
        parameters=plain(chosen),
        people=given.people.name,
        synthetic=tuple(table.name for table in given.released),
        secret=secret,
        levels=given.levels,
        seed=seed,
        guesses=found.guesses,
        details=found.details,
        truth=found.truth,
        notes=found.notes,
        seconds=perf_counter() - begun,
    )


def _named_attack(name: str, params: Mapping[str, Any]) -> AttributeAttack:
    return catalog.named_attacks([name], {name.partition(":")[0]: params})[name]
