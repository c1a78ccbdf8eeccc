"""What a Python user calls: frames or paths in, a report out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from seethrough import __version__
from seethrough.api.synthesize import Synthesis, name_synthesizers, order_synthesis
from seethrough.auditing import run as auditing
from seethrough.data.files.sources import CsvOptions
from seethrough.data.reading import attack_tables, release_tables, single_table
from seethrough.data.schema import Schema
from seethrough.games import attack_release, running
from seethrough.games.attribute import AttributeGame, GameRules
from seethrough.games.population import population
from seethrough.games.scoring import scores_of
from seethrough.kernels.budget import GIB, Budget
from seethrough.plugins import catalog
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import recording
from seethrough.results.game import AttackReport, GameReport
from seethrough.results.provenance import Provenance
from seethrough.utility.three_way import three_way

Names = str | Sequence[str]
__all__ = ["AuditReport", "Synthesis", "attack", "audit", "infer_schema", "play_game", "synthesize"]


def audit(  # noqa: PLR0913  what a caller may say about an audit
    real: Any,
    synthetic: Any,
    holdout: Any = None,
    *,
    secret: Names = (),
    keys: Names = (),
    schema: Schema | str | Path | None = None,
    checks: Names | Sequence[Check] = (),
    preset: str = "full",
    params: catalog.Params = MappingProxyType({}),
    seed: int = 0,
    memory: int = 4 * GIB,
    threads: int | None = None,
    device: str = "cpu",
    separator: str | None = None,
    encoding: str | None = None,
    tell: Callable[[auditing.Progress], None] | None = None,
    show_values: bool = False,
) -> AuditReport:
    """Audit one or several synthetic tables.

    Parameters
    ----------
    real, synthetic, holdout
        A path to CSV, Parquet or Arrow, or a frame of pandas, Polars, Arrow or DuckDB. `synthetic` may be a list of
        them, or a mapping from names to them. `holdout` are real records that were kept out of the synthesis.
    secret, keys
        Columns to be guessed, and columns an attacker knows; without keys, all others.
    schema
        A schema, or a TOML or SDV metadata file; what it leaves out is inferred from the real table.
    checks, preset
        Names of checks, or check objects; otherwise those of the preset: "full", "attacks", or "fast", which leaves out
        the dearest two, d-mlp and recon.
    params
        Parameters of checks, as `{"dcr": {"dimensions": 3}}`; values of their type, or texts.
    seed
        Decides every random number.
    memory, threads
        Bytes for temporary arrays, and threads; they change no result.
    device
        "cpu", or an accelerator that torch has, as "cuda", for the search of neighbours; distances may then differ
        within a stated tolerance (docs/benchmarks.md).
    separator, encoding
        Of CSV files, where they are not to be found out.
    tell
        Called with the progress.
    show_values
        Show the values of the most exposed real rows in the report; otherwise their numbers alone.
    """
    begun = perf_counter()
    chosen = catalog.configure(_chosen(checks, preset), params)
    release = release_tables.read_release(
        real,
        _several(synthetic),
        holdout,
        schema=schema,
        secrets=_names(secret),
        keys=_names(keys),
        separator=separator,
        encoding=encoding,
    )
    read = perf_counter() - begun
    report = auditing.audit(
        release,
        chosen,
        seed=seed,
        version=__version__,
        budget=replace(Budget(memory, threads) if threads else Budget(memory), device=device),
        tell=tell or (lambda _: None),
        show_values=show_values,
    )
    record = _recorded(chosen, release.train.table.schema, schema, CsvOptions(separator, encoding))
    timings = replace(report.timings, reading=read, total=report.timings.total + read)
    return AuditReport(**(vars(report) | {"timings": timings, "provenance": record}))


def _recorded(
    chosen: Sequence[Check], complete: Schema, given: Schema | str | Path | None, csv: CsvOptions
) -> Provenance:
    return recording.provenance(
        {check.card.name: plain(check) for check in chosen},
        (complete.secrets, complete.keys),
        complete.digest,
        release_tables.declared_columns(given),
        {"separator": csv.separator, "encoding": csv.encoding},
    )


def infer_schema(real: Any, schema: Schema | str | Path | None = None) -> Schema:
    """Infer the schema of a table; `schema` gives what is known already."""
    return release_tables.infer_schema(real, schema=schema)


def play_game(  # noqa: PLR0913  what a caller may say about a game
    data: Any,
    secret: str,
    *,
    synthesizers: Names | Sequence[Synthesizer] | Mapping[str, Synthesizer] = ("nonprivate",),
    rows: int = 1000,
    sizes: Sequence[int] = (1000,),
    games: int = 100,
    attacks: Names | Mapping[str, AttributeAttack] = ("recon", "dcr", "infer"),
    params: catalog.Params = MappingProxyType({}),
    targets: int = 1,
    utility_games: int = 10,
    schema: Schema | str | Path | None = None,
    seed: int = 0,
    memory: int = 4 * GIB,
    threads: int = 1,
    device: str = "cpu",
    separator: str | None = None,
    encoding: str | None = None,
    tell: Callable[[auditing.Progress], None] | None = None,
) -> GameReport:
    """Play the attribute inference game on a population; see docs/game.md.

    `data` and `schema` are as for `audit`. `synthesizers` are names ("privbayes:epsilon=1"), objects, or objects by
    the names to show, `attacks` names ("recon:robust" is a variant) or objects by the names to show; `params` sets
    parameters of named attacks. `rows` is the size of the table that releases are made from, `sizes` are those of the
    releases, `targets` is how many people are attacked at once. More than one of `threads` starts processes, which a
    script has to do under `if __name__ == "__main__"`. A `device` such as "cuda" plays games together, by torch.
    """
    chosen = attacks if isinstance(attacks, Mapping) else catalog.named_attacks(_names(attacks), params)
    rules = GameRules(rows, tuple(sizes), games, targets, utility_games)
    makers = name_synthesizers([synthesizers] if isinstance(synthesizers, str) else synthesizers)
    table = single_table.read_table(data, secret, schema=schema, options=CsvOptions(separator, encoding))
    people = population(table.table, secret, table.name)
    budget = Budget(memory, threads, _ticking(tell, games), device)
    played = running.run(AttributeGame(people, rules, makers, chosen, three_way, seed), budget)
    scores = scores_of(played.plays)
    return GameReport(
        version=__version__,
        population=table.name,
        population_rows=len(people.table),
        secret=secret,
        levels=people.levels,
        rows=rows,
        games=games,
        targets=targets,
        seed=seed,
        scores=tuple(score for score in scores if score.synthesizer is not None),
        baselines=tuple(score for score in scores if score.synthesizer is None),
        utility=played.utility,
        plays=played.plays,
        notes=(*table.notes, *people.notes, *played.warnings),
    )


def attack(  # noqa: PLR0913  what a caller may say about an attack
    how: str | AttributeAttack,
    known: Any,
    synthetic: Any,
    secret: str,
    *,
    truth: Any = None,
    params: Mapping[str, Any] = MappingProxyType({}),
    schema: Schema | str | Path | None = None,
    seed: int = 0,
    memory: int = 4 * GIB,
    threads: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> AttackReport:
    """Attack a release as an adversary: guess the secret of every known person.

    `how` is the name of an attack, or one; `params` sets its parameters. `known` has the people without the secret,
    `synthetic` is a released table or a list of them, `truth` a table with the secret, rows in the order of `known`.
    """
    begun = perf_counter()
    chosen = catalog.named_attacks([how], {how.partition(":")[0]: params})[how] if isinstance(how, str) else how
    options = CsvOptions(separator, encoding)
    given = attack_tables.read_attack(known, _several(synthetic), secret, truth, schema=schema, options=options)
    found = attack_release.attack_release(given, chosen, seed, Budget(memory, threads) if threads else Budget(memory))
    return AttackReport(
        version=__version__,
        attack=chosen.name,
        parameters=plain(chosen),
        known=given.known.name,
        synthetic=tuple(each.name for each in given.released),
        secret=secret,
        levels=given.levels,
        seed=seed,
        people=found.people,
        details=found.details,
        truth=found.truth,
        notes=found.notes,
        seconds=perf_counter() - begun,
    )


def synthesize(  # noqa: PLR0913  what a caller may say about a synthesis
    how: str | Synthesizer,
    data: Any,
    rows: int,
    *,
    params: Mapping[str, Any] = MappingProxyType({}),
    schema: Schema | str | Path | None = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    tell: Callable[[auditing.Progress], None] | None = None,
) -> Synthesis:
    """Make a synthetic table; see docs/synthesizers.md.

    `how` is a name ("baynet", "privbayes:epsilon=1"), a synthesizer, or any object with `fit` and `sample`; `params`
    sets its parameters. `data` and `schema` are as for `audit`. Without a seed a generator with a privacy guarantee
    takes its randomness from the operating system, any other one uses seed 0.
    """
    options = CsvOptions(separator, encoding)
    order = order_synthesis(how, data, rows, params=params, schema=schema, seed=seed, options=options)
    return order.carry_out(__version__, tell or (lambda _: None))


def _ticking(tell: Callable[[auditing.Progress], None] | None, games: int) -> Callable[[float], None]:
    def tick(fraction: float) -> None:
        if tell:
            tell(auditing.Progress(fraction * games, games, "games"))

    return tick


def _names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _several(synthetic: Any) -> Any:
    return synthetic if isinstance(synthetic, list | tuple | dict) else [synthetic]


def _chosen(checks: Names | Sequence[Check], preset: str) -> tuple[Check, ...]:
    if isinstance(checks, str):
        return catalog.choose((checks,))
    named = tuple(check for check in checks if isinstance(check, str))
    given = tuple(check for check in checks if not isinstance(check, str))
    if given:
        return (*(catalog.choose(named) if named else ()), *given)
    return catalog.choose(named, preset)
