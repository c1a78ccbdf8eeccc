"""`seethrough study`: plans of experiments, run once each cell, looked at any time."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough import __version__
from seethrough.cli import values
from seethrough.cli.exit_codes import SOME_FAILED, STOPPED
from seethrough.errors import ConfigError

if TYPE_CHECKING:
    from seethrough.study.plan.plan import Plan
    from seethrough.study.run.running import Ended

STORE = Path("seethrough-studies.sqlite")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Plans of experiments: run them, go on where they stopped, draw what came out.",
)
StoreOption = Annotated[Path, typer.Option("--store", help="The file that keeps the results.")]
FormOption = Annotated[str | None, typer.Option(help="small or full, where the store has both.")]
PlanArgument = Annotated[str, typer.Argument(help="A shipped plan by its name, or a TOML file.")]
SmallOption = Annotated[
    bool, typer.Option("--small/--full", help="The small form, of about a minute, or the full one.")
]


def list_plans() -> None:
    """List the plans that come with the program."""
    from seethrough.study.cells.results import FULL, SMALL
    from seethrough.study.plan.plan import read_plan, shipped_plans

    for name in shipped_plans():
        plan = read_plan(name, FULL)
        typer.echo(f"{name}\n    {plan.title}\n    {plan.source}")
        for form in (SMALL, FULL):
            parts = "; ".join(part.described for part in read_plan(name, form).parts)
            typer.echo(f"    {form}: {parts}")


def run(  # noqa: PLR0913, PLR0917  one parameter for each option
    plan: PlanArgument,
    small: SmallOption = False,
    store: StoreOption = STORE,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")] = 0,
    cluster: Annotated[
        str, typer.Option(help="Run on Dask: 'local', or the address of a scheduler; needs the extra cluster.")
    ] = "",
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Run failed cells again.")] = False,
    data: Annotated[
        list[str] | None, typer.Option(help="The file of a table of the plan, NAME=FILE; may be repeated.")
    ] = None,
    memory: Annotated[str, typer.Option(help="Memory for temporary arrays, of all processes.")] = "4GiB",
) -> None:
    """Compute the cells of a plan that the store lacks. Stop it at any time and run it again to go on."""
    from seethrough.api.study import chosen_workers
    from seethrough.cli.study_progress import show_progress
    from seethrough.study.plan.expansion import expand
    from seethrough.study.run import running

    size = values.memory(memory)
    chosen = _plan(plan, small, data or [])
    study = expand(chosen)
    for note in study.notes:
        typer.echo(note, err=True)
    with show_progress(chosen.name) as tell:
        who = chosen_workers(workers, cluster, size)
        ended = running.run(study, store, who, version=__version__, retry_failed=retry_failed, tell=tell)
    _say(ended, store)


def _say(ended: "Ended", store: Path) -> None:
    now = ended.progress
    there = now.before + now.computed
    for reason in ended.reasons.values():
        typer.echo(f"left out: {reason}", err=True)
    if now.failed:
        said = "`seethrough study status` says why, --retry-failed runs them again"
        typer.echo(f"{now.failed} cells failed; {said}", err=True)
    if ended.stopped:
        typer.echo(f"stopped: {there} of {now.cells} cells are kept in {store}; run again to go on", err=True)
        raise typer.Exit(STOPPED)
    told = f"{now.computed} computed now, {now.before} before"
    typer.echo(f"{there} of {now.cells} cells are in {store}: {told}", err=True)
    if now.failed:
        raise typer.Exit(SOME_FAILED)


def status(store: StoreOption = STORE) -> None:
    """Show how far the studies in a store are, also while one runs."""
    from seethrough.study.run.status import failures, standings
    from seethrough.study.store.store import Store

    with Store.read(store) as opened:
        for each in standings(opened):
            parts = [f"{each.done} done", f"{each.missing} missing"]
            parts += [f"{count} {name}" for name, count in _rest(each).items() if count]
            typer.echo(f"{each.name} ({each.form}): {each.cells} cells, {', '.join(parts)}; {each.run}")
            if each.rate and each.seconds_left is not None:
                from seethrough.cli.study_progress import lasting

                typer.echo(f"    {each.rate:.2f} cells a second, {lasting(each.seconds_left)} left")
            for error, times in failures(opened, each.name, each.form):
                typer.echo(f"    failed {times} times: {error}")


def _rest(each: object) -> dict[str, int]:
    return {name: getattr(each, name) for name in ("skipped", "unavailable", "failed")}


def merge(
    other: Annotated[Path, typer.Argument(help="A store whose results are to be taken over.")],
    store: StoreOption = STORE,
) -> None:
    """Take over results that were computed elsewhere, say on another machine; what is here already stays."""
    from seethrough.study.store.store import Store

    with Store.read(other) as theirs, Store.write(store, __version__) as mine:
        found = mine.adopt(theirs)
    typer.echo(f"took {found.taken} cells of {other} into {store}; {found.known} were there already", err=True)
    typer.echo("`seethrough study run` of their plan with this store makes them part of its study", err=True)
    if found.different:
        typer.echo(f"{found.different} of those have another result there; the ones in {store} stay", err=True)


def export(
    plan: Annotated[str, typer.Argument(help="The name of a study in the store, or the file of its plan.")],
    out: Annotated[Path | None, typer.Option(help="The file to write; NAME.csv or NAME.parquet if not given.")] = None,
    kind: Annotated[str, typer.Option("--format", help="csv or parquet.")] = "csv",
    store: StoreOption = STORE,
    form: FormOption = None,
) -> None:
    """Write every cell of a study as a table."""
    from seethrough.report.machine.table_files import write
    from seethrough.study.store.frame import load

    results = load(store, _name(plan), form)
    typer.echo(f"wrote {write(results.cells, out or Path(f'{plan}.{kind}'), kind)}", err=True)


def figures(
    plan: Annotated[str, typer.Argument(help="The name of a study in the store, or the file of its plan.")],
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
    store: StoreOption = STORE,
    form: FormOption = None,
) -> None:
    """Draw the figures and tables of a study from what the store has: HTML, SVG, PNG, CSV and Parquet."""
    from seethrough.report.figures.figure_files import write
    from seethrough.study.kinds.figures import make_figures
    from seethrough.study.store.frame import load

    results = load(store, _name(plan), form)
    found = make_figures(results)
    if not found:
        raise ConfigError(f"{store} has nothing of {plan} to draw yet")
    written, lacking = write(found, out, results.title or plan)
    for reason in lacking:
        typer.echo(reason, err=True)
    missing = results.cells.filter(status="missing").height
    if missing:
        typer.echo(f"{missing} of {results.cells.height} cells are missing; the figures show what is there", err=True)
    typer.echo(f"wrote {len(written)} files to {out}; begin with {out / 'index.html'}", err=True)


def compare(
    plan: Annotated[str, typer.Argument(help="The name of a study in the store, or the file of its plan.")],
    store: StoreOption = STORE,
    form: FormOption = None,
) -> None:
    """Show the numbers of a study beside the published ones, and whether they agree by a stated rule."""
    from seethrough.study.kinds.comparison import compare_with_published, comparison_rule
    from seethrough.study.store.frame import load

    found = compare_with_published(load(store, _name(plan), form))
    typer.echo(comparison_rule())
    if not found:
        typer.echo("nothing that was published speaks of what this study has")
    for each in found:
        typer.echo(
            f"{each.verdict}: {each.what}: here {each.ours or 'nothing'}, published {each.published} ({each.source})"
        )


def _name(plan: str) -> str:
    """Name the study of a plan that is given as a file."""
    from seethrough.study.plan.plan import read_plan

    return read_plan(plan).name if plan.endswith(".toml") else plan


def _plan(name: str, small: bool, data: list[str]) -> "Plan":
    from seethrough.study.cells.results import FULL, SMALL
    from seethrough.study.plan.plan import read_plan

    return read_plan(name, SMALL if small else FULL).with_files(values.files(data, "--data"))
