"""`seethrough audit`: from tables to an answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough.cli import options, values
from seethrough.cli.exit_codes import LIMIT_BROKEN, SOME_FAILED
from seethrough.cli.output import name_written, remark
from seethrough.cli.progress import progress_bar
from seethrough.cli.typed_commands import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seethrough.errors import SeethroughError
    from seethrough.protocols.check import Check
    from seethrough.report.annex.custodian import CustodianFacts
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
    targets: Annotated[
        str,
        typer.Option(
            help="Members, and people outside, to draw and attack, or all. Default: all up to 200,000 people, else "
            "10,000 of each."
        ),
    ] = "",
    param: Annotated[
        list[str] | None,
        typer.Option(help="Set a parameter, CHECK.NAME=VALUE; see `seethrough explain`; may be repeated."),
    ] = None,
    schema: options.Schema = None,
    seed: options.Seed = 0,
    memory: options.Memory = options.MEMORY,
    threads: options.AuditThreads = 0,
    device: Annotated[
        str, typer.Option(help="Where neighbours are searched and labels permuted: cpu, or cuda with torch.")
    ] = "cpu",
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    cluster: Annotated[
        str,
        typer.Option(help="Go through releases on Dask: 'local', or the tls:// address of a scheduler."),
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.html, report.json, report.md, records.parquet, inputs.json.")
    ] = None,
    external: Annotated[
        bool, typer.Option("--external", help="Make a report for others, which one person hardly moves.")
    ] = False,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show the values of the most exposed real rows.")
    ] = False,
    annex: Annotated[
        bool, typer.Option("--annex", help="Add annex.html and annex.md, which answer data protection officers.")
    ] = False,
    annex_facts: Annotated[
        Path | None, typer.Option(help="TOML with what only you can say in the annex: recipients, purpose, contracts.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="File for the limits of --fail-if as JUnit XML, for continuous integration.")
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option(help="File for findings about released rows as SARIF; names rows, shows no value.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all scores too.")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Print where the time went, on standard error.")] = False,
    fail_if: Annotated[
        list[str] | None, typer.Option(help="Exit with 1 if true, as 'verdict >= clear'; may be repeated.")
    ] = None,
) -> None:
    """Audit a release: how much of the real table do its synthetic tables show?"""
    from seethrough.api import audit as api

    chosen, set_limits = _choose(values.names(checks), preset, fail_if or ())
    _refuse_for_others(external, show_values, sarif)
    asked = _read_annex_facts(annex, annex_facts, out)
    tables = real, synthetic, holdout
    with progress_bar() as progress:
        report = api.audit(
            *tables,
            secret=secret or (),
            keys=values.names(keys),
            entity=entity,
            card=card,
            grades=values.shares(grades, "--grades"),
            targets=values.targets(targets),
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
            cluster=cluster,
            progress=progress,
        )
    kept = asked, Places(real, tuple(synthetic), holdout, out), junit, sarif
    finish(report, Delivery(out, json, verbose, timings, external, *kept), set_limits)


def _choose(checks: "Sequence[str]", preset: str, fail_if: "Sequence[str]") -> "tuple[tuple[Check, ...], list[Limit]]":
    from seethrough.plugins import catalog
    from seethrough.report.gates import limits

    chosen = catalog.choose(tuple(checks), preset)
    return chosen, [limits.parse(text, (check.card.name for check in chosen)) for text in fail_if]


def _read_annex_facts(annex: bool, facts: Path | None, out: Path | None) -> "CustodianFacts | None":
    """Read what the custodian says in the annex before anything is computed; None where no annex was asked for."""
    from seethrough.errors import ConfigError
    from seethrough.report.annex.custodian import read_facts

    if not annex and facts is None:
        return None
    if out is None:
        raise ConfigError("the annex is written to a folder; name one with --out")
    return read_facts(facts)


def _refuse_for_others(external: bool, show_values: bool, sarif: Path | None) -> None:
    """Refuse to show others what is the custodian's."""
    from seethrough.errors import ConfigError
    from seethrough.report.gates.sarif import REFUSED

    values.refuse_both(external, show_values)
    if external and sarif:
        raise ConfigError(f"--sarif and --external: {REFUSED}")


@dataclass(frozen=True)
class Delivery:
    """How a report is shown: the folder for its files, and what is printed.

    `annex` are the answers for the annex, `places` where the tables lie that commands on the terminal name, `junit` and
    `sarif` the files for continuous integration.
    """

    out: Path | None
    as_json: bool = False
    verbose: bool = False
    timings: bool = False
    external: bool = False
    annex: "CustodianFacts | None" = None
    places: "Places | None" = None
    junit: Path | None = None
    sarif: Path | None = None


def finish(report: "AuditReport", delivery: Delivery, set_limits: "Sequence[Limit]" = ()) -> None:
    """Write and show a report, then end with the exit code that it deserves."""
    from seethrough.results.outcome import Failed

    broken, obstacle = judge(report, set_limits)
    kept = report.with_limits(set_limits, None if obstacle else broken)
    shown = kept.for_others() if delivery.external else kept
    _deliver(shown, delivery, _write_for_integration(shown, delivery, set_limits, None if obstacle else broken))
    if delivery.timings:
        show_timings(kept)
    if obstacle:
        raise obstacle
    for limit in broken:
        remark(f"seethrough: {limit.for_others if delivery.external else limit}")
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


def _write_for_integration(
    report: "AuditReport", delivery: Delivery, set_limits: "Sequence[Limit]", broken: "Sequence[Broken] | None"
) -> tuple[Path, ...]:
    """Write what continuous integration reads, where it was asked for."""
    from seethrough.report.gates import junit, sarif
    from seethrough.results.whole_files import write_whole_text

    texts = {}
    if delivery.junit:
        texts[delivery.junit] = junit.render(report, set_limits, broken)
    if delivery.sarif:
        files = delivery.places.synthetic if delivery.places else ()
        texts[delivery.sarif] = sarif.render(report, [sarif.address_of(Path(file)) for file in files])
    return tuple(write_whole_text(path, text) for path, text in texts.items())


def _deliver(report: "AuditReport", delivery: Delivery, also: tuple[Path, ...] = ()) -> None:
    from seethrough.report.annex import pages

    out = delivery.out
    written = (*(report.save(out) if out else ()), *also)
    if out and delivery.annex is not None:
        written = (*written, *pages.write(report, out, delivery.annex))
    typed = delivery.places.write_into(report) if delivery.places and not delivery.as_json else report
    show(typed, as_json=delivery.as_json, verbose=delivery.verbose)
    name_written(written)
    if out and report.provenance.is_external:
        for name in ("records.parquet", "inputs.json"):
            if (out / name).exists():
                remark(f"seethrough: {out / name} is from another run and not for others")


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
    from os import cpu_count

    from seethrough.plugins import catalog
    from seethrough.report.terminal import timing_tables
    from seethrough.report.terminal.faster_runs import PresetNames, faster_ways
    from seethrough.report.terminal.printing import open_console

    presets = [PresetNames(preset, *catalog.preset_names(preset)) for preset in catalog.PRESETS]
    ways = faster_ways(report, presets, cpu_count() or 1)
    timing_tables.render(report.timings, open_console(is_error=True), ways)
