"""`seethrough audit`: from tables to an answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.exit_codes import LIMIT_BROKEN, SOME_FAILED
from seethrough.cli.output import name_written, remark
from seethrough.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seethrough.errors import SeethroughError
    from seethrough.report.audit_report import AuditReport
    from seethrough.report.gates.limits import Broken, Limit


def audit(  # noqa: PLR0913, PLR0917  one parameter for each option
    real: options.Real,
    synthetic: options.Synthetic,
    holdout: options.Holdout = None,
    secret: options.Secrets = None,
    keys: options.Keys = "",
    entity: options.Entity = None,
    card: options.Card = None,
    checks: Annotated[str, typer.Option(help="Checks to run, A,B,C; see `seethrough list`.")] = "",
    preset: Annotated[
        str, typer.Option(help="Checks to run: full, attacks, or fast (without d-mlp and recon).")
    ] = "full",
    grades: Annotated[
        str, typer.Option(help="Lower ends of a leak that is clear, and severe, as shares. Default: 0.01,0.1.")
    ] = "",
    param: Annotated[
        list[str] | None,
        typer.Option(help="Set a parameter, CHECK.NAME=VALUE; see `seethrough explain`; may be repeated."),
    ] = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    threads: options.Threads = 0,
    device: Annotated[str, typer.Option(help="Where neighbours are searched: cpu, or cuda with torch.")] = "cpu",
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.html, report.json, report.md, records.parquet.")
    ] = None,
    external: Annotated[
        bool, typer.Option("--external", help="Make a report for others, which one person hardly moves.")
    ] = False,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show the values of the most exposed real rows.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all scores too.")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Print where the time went, on standard error.")] = False,
    fail_if: Annotated[
        list[str] | None, typer.Option(help="Exit with 1 if true, as 'verdict >= clear'; may be repeated.")
    ] = None,
) -> None:
    """Audit a release: how much of the real table do its synthetic tables show?"""
    from seethrough.api import audit as api
    from seethrough.plugins import catalog
    from seethrough.report.gates import limits

    chosen = catalog.choose(values.names(checks), preset)
    values.refuse_both(external, show_values)
    set_limits = [limits.parse(text, (check.card.name for check in chosen)) for text in fail_if or []]
    with progress_bar() as progress:
        report = api.audit(
            real,
            synthetic,
            holdout,
            secret=secret or (),
            keys=values.names(keys),
            entity=entity,
            card=card,
            grades=values.shares(grades, "--grades"),
            checks=chosen,
            preset=preset,
            show_values=show_values,
            params=values.parameters(param or ()),
            schema=schema,
            seed=seed,
            memory=values.memory(memory),
            threads=threads or None,
            device=device,
            separator=separator,
            encoding=encoding,
            progress=progress,
        )
    finish(report, out, as_json=json, verbose=verbose, timings=timings, set_limits=set_limits, external=external)


def finish(  # noqa: PLR0913  what an audit was asked to show
    report: "AuditReport",
    out: Path | None,
    *,
    as_json: bool,
    verbose: bool = False,
    timings: bool = False,
    set_limits: "Sequence[Limit]" = (),
    external: bool = False,
) -> None:
    """Write and show a report, then end with the exit code that it deserves."""
    from seethrough.results.outcome import Failed

    broken, obstacle = judge(report, set_limits)
    kept = report.with_limits(set_limits, None if obstacle else broken)
    _deliver(kept.for_others() if external else kept, out, as_json=as_json, verbose=verbose)
    if timings:
        show_timings(kept)
    if obstacle:
        raise obstacle
    for limit in broken:
        remark(f"seethrough: {limit.for_others if external else limit}")
    if broken:
        raise typer.Exit(LIMIT_BROKEN)
    if any(isinstance(outcome, Failed) for table in report.tables for outcome in table):
        raise typer.Exit(SOME_FAILED)
    if any(table.evidence and table.evidence.failed for table in report.tables):
        raise typer.Exit(SOME_FAILED)


def judge(
    report: "AuditReport", set_limits: "Sequence[Limit]"
) -> "tuple[Sequence[Broken], typer.Exit | SeethroughError | None]":
    """Judge the limits; where one cannot be judged, give what is to be raised once the report is written."""
    from seethrough.errors import SeethroughError
    from seethrough.report.gates import limits

    try:
        return limits.judge(set_limits, report), None
    except limits.CheckFailed as error:
        remark(f"seethrough: {error}")
        return (), typer.Exit(SOME_FAILED)
    except SeethroughError as error:
        return (), error


def _deliver(report: "AuditReport", out: Path | None, *, as_json: bool, verbose: bool) -> None:
    written = report.save(out) if out else ()
    show(report, as_json=as_json, verbose=verbose)
    name_written(written)
    if out and report.provenance.is_external and (out / "records.parquet").exists():
        remark(f"seethrough: {out / 'records.parquet'} is from another run and not for others")


def show(report: "AuditReport", *, as_json: bool, verbose: bool = False) -> None:
    """Print a report on standard output."""
    if as_json:
        typer.echo(report.to_json())
        return
    from seethrough.report.terminal import summary
    from seethrough.report.terminal.printing import open_console

    summary.render(report, open_console(), verbose=verbose)


def show_timings(report: "AuditReport") -> None:
    """Print where the time went on standard error, so that standard output stays the report."""
    from seethrough.report.terminal import timing_tables
    from seethrough.report.terminal.printing import open_console

    timing_tables.render(report.timings, open_console(is_error=True))
