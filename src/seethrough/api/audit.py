"""Auditing a release: tables in, a report out; and how a table is understood."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from time import perf_counter
from typing import Any

from seethrough import __version__
from seethrough.api.arguments import (
    MEMORY,
    NO_PARAMS,
    CardLike,
    Names,
    SchemaLike,
    TableLike,
    TablesLike,
    budget_of,
    grade_limits,
    list_names,
    list_tables,
)
from seethrough.auditing.attacked_people import Targets, decide_targets
from seethrough.cluster.chunk_workers import open_cluster
from seethrough.data.reading import release_tables
from seethrough.data.release import Release
from seethrough.data.schema import Schema
from seethrough.data.split.card_at_hand import find_card
from seethrough.data.writing import kind_of
from seethrough.errors import showing_cells
from seethrough.exploring.plan import AuditPlan
from seethrough.kernels.budget import useful_threads
from seethrough.kernels.passes import Executor
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import plain
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine import recording
from seethrough.report.machine.input_files import AuditInputs, describe_inputs
from seethrough.results.evidence import GradeLimits
from seethrough.results.provenance import Provenance
from seethrough.results.timings import ShowProgress, ignore_progress


def audit(  # noqa: PLR0913  what a caller may say about an audit
    real: TableLike,
    synthetic: TablesLike,
    holdout: TableLike = None,
    *,
    secret: Names = (),
    keys: Names = (),
    entity: str | None = None,
    card: CardLike = None,
    checks: Names | Sequence[Check] = (),
    preset: str = "full",
    grades: Sequence[float] | None = None,
    targets: Targets = None,
    show_values: bool = False,
    params: catalog.Params = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    threads: int | None = None,
    device: str = "cpu",
    separator: str | None = None,
    encoding: str | None = None,
    cluster: str = "",
    progress: ShowProgress | None = None,
) -> AuditReport:
    """Audit one or several synthetic tables.

    Parameters
    ----------
    real, synthetic, holdout
        A path to CSV, Parquet or Arrow, or a frame of pandas, Polars, Arrow or DuckDB. `synthetic` may be a list of
        them, or a mapping from names to them. `holdout` are real records that were kept out of the synthesis.
    secret, keys
        Columns to be guessed, and columns an attacker knows; without keys, all others.
    entity
        The column that names people, where they have several rows; it is no attribute of theirs.
    card
        The card of the split that the real table and the holdout are from, or its path; None takes the one that lies
        beside the holdout, where that is a file.
    checks, preset
        Names of checks, or check objects; otherwise those of the preset: "full", "attacks", or "fast", which leaves out
        the slowest two, d-mlp and recon.
    grades
        Lower ends of a leak from which on it is clear, and severe, as shares of people; otherwise 0.01 and 0.1.
    targets
        How many members, and as many people outside, are drawn and attacked against the whole release, or "all". None
        is everybody up to 200,000 people, and 10,000 of either kind where there are more.
    show_values
        Show the values of the most exposed real rows in the report; otherwise their numbers alone.
    params
        Parameters of checks, as `{"dcr": {"dimensions": 3}}`; values of their type, or texts. `isolation` is set in the
        same way, as `{"isolation": {"distance": "cosine"}}` for the published distance.
    schema
        A schema, or a TOML or SDV metadata file; what it leaves out is inferred from the real table.
    seed
        Decides every random number.
    memory, threads
        Bytes for temporary arrays, and threads; they change no result. None is a thread for each core, but 4 at most
        where no table has more than 50,000 rows, and 8 up to 200,000; more do not make small audits faster.
    device
        "cpu", or an accelerator that torch has, as "cuda", for neighbours, densities and permutation tests; distances
        are the same, densities and statistics differ in their last digits at most (docs/accelerator.md).
    separator, encoding
        Of CSV files; None detects them.
    cluster
        "local", or the tls:// address of a Dask scheduler, whose workers go through the synthetic tables; it changes no
        result (docs/cluster.md).
    progress
        Called with a `Progress` as the work goes on.
    """
    said: dict[str, Any] = {name: value for name, value in locals().items() if name not in {"progress", "cluster"}}
    with _executor(cluster, memory, threads) as executor:
        plan = plan_audit(**said, executor=executor)
        # A client of a cluster computes on threads that no second process would have: all stays in this one then.
        return plan.finish(plan.run(progress or ignore_progress, keep_trials=executor is not None).report)


def _executor(cluster: str, memory: int, threads: int | None) -> AbstractContextManager[Executor | None]:
    """Come to a cluster, where one is named."""
    if not cluster:
        return nullcontext()
    return open_cluster(cluster, budget_of(memory, threads, "cpu").threads, memory, __version__)


def plan_audit(  # noqa: PLR0913  what a caller may say about an audit
    real: TableLike,
    synthetic: TablesLike,
    holdout: TableLike,
    *,
    secret: Names,
    keys: Names,
    entity: str | None,
    card: CardLike,
    checks: Names | Sequence[Check],
    preset: str,
    grades: Sequence[float] | None,
    targets: Targets,
    show_values: bool,
    params: catalog.Params,
    schema: SchemaLike,
    seed: int,
    memory: int,
    threads: int | None,
    device: str,
    separator: str | None,
    encoding: str | None,
    executor: Executor | None = None,
) -> AuditPlan:
    """Understand what is asked for and read the tables; the parameters are those of `audit`.

    An `executor` goes through the synthetic tables.
    """
    begun, limits = perf_counter(), grade_limits(grades)
    chosen = catalog.configure(_choose_checks(checks, preset), params)
    arsenal, budget = catalog.arsenal(preset, params), budget_of(memory, threads, device)
    with showing_cells(show_values):
        release = release_tables.read_release(
            real,
            list_tables(synthetic),
            holdout,
            schema=schema,
            secrets=list_names(secret),
            keys=list_names(keys),
            entity=entity,
            card=find_card(card, holdout),
            separator=separator,
            encoding=encoding,
            executor=executor,
        )
    if not threads:
        largest = max(len(named.table) for named in release.all)
        budget = replace(budget, threads=useful_threads(largest, budget.threads))
    read = perf_counter() - begun
    decide_targets(targets, release)  # what has no meaning is refused before anything is run
    record = _record(chosen, release, release_tables.declared_columns(schema), (separator, encoding), limits)
    more = {**record.params, **catalog.isolation_params(params)}
    record = replace(record, preset=preset, targets=targets, params=more)
    inputs = _inputs(release, (real, list_tables(synthetic), holdout), record.csv, schema, card)
    how = __version__, seed, budget, limits, show_values, read
    return AuditPlan(release, chosen, arsenal, record, *how, kind_of(real), inputs, targets)


def _inputs(
    release: Release,
    given: tuple[TableLike, TablesLike, TableLike],
    csv: Mapping[str, str | None],
    schema: SchemaLike,
    card: CardLike,
) -> AuditInputs | None:
    """Say where the tables lie, if they are files."""
    real, synthetic, holdout = given
    several = synthetic.values() if isinstance(synthetic, Mapping) else synthetic
    tables = [(real, release.train.table.digest)]
    tables += [(each, named.table.digest) for each, named in zip(several, release.synthetic, strict=True)]
    outside = None if release.holdout is None else (holdout, release.holdout.table.digest)
    return describe_inputs(tables, outside, csv, schema, card)


def infer_schema(
    real: TableLike, *, schema: SchemaLike = None, separator: str | None = None, encoding: str | None = None
) -> Schema:
    """Infer the schema of a table; `schema` gives what is known already."""
    return release_tables.infer_schema(real, schema=schema, separator=separator, encoding=encoding)


def _choose_checks(checks: Names | Sequence[Check], preset: str) -> tuple[Check, ...]:
    if isinstance(checks, str):
        return catalog.choose((checks,))
    named = tuple(check for check in checks if isinstance(check, str))
    given = tuple(check for check in checks if not isinstance(check, str))
    if given:
        return (*(catalog.choose(named) if named else ()), *given)
    return catalog.choose(named, preset)


def _record(
    checks: Sequence[Check],
    release: Release,
    declared: tuple[str, ...],
    csv: tuple[str | None, str | None],
    limits: GradeLimits,
) -> Provenance:
    """Record what was asked for, so that the audit can be repeated."""
    schema, design = release.train.table.schema, release.design
    record = recording.provenance(
        {check.card.name: plain(check) for check in checks},
        (schema.secrets, schema.keys),
        schema.digest,
        declared,
        dict(zip(("separator", "encoding"), csv, strict=True)),
        limits,
    )
    return replace(record, entity=design.entity, has_card=design.audited is not None)
