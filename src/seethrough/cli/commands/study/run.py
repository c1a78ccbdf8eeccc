"""`seethrough study run`: compute what is missing, go on where it stopped."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seethrough import __version__
from seethrough.cli import options, values
from seethrough.cli.commands.study.options import STORE, Store
from seethrough.cli.exit_codes import SOME_FAILED, STOPPED_BY
from seethrough.cli.output import remark

if TYPE_CHECKING:
    from seethrough.study.run.running import Ended


def run(  # noqa: PLR0913, PLR0917  one parameter for each option
    plan: Annotated[str, typer.Argument(help="A shipped plan by its name, or a TOML file.")],
    small: Annotated[
        bool, typer.Option("--small/--full", help="The small form, of about a minute, or the full one.")
    ] = False,
    store: Store = STORE,
    data: Annotated[
        list[str] | None, typer.Option(help="The file of a table of the plan, NAME=FILE; may be repeated.")
    ] = None,
    cluster: Annotated[
        str, typer.Option(help="Run on Dask: 'local', or the address of a scheduler; needs the extra cluster.")
    ] = "",
    trust: Annotated[
        bool, typer.Option("--trust", help="Run a plan also if it runs programs or imports modules; it is said which.")
    ] = False,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Run failed cells again.")] = False,
    memory: options.Memory = options.MEMORY,
    workers: options.Workers = 0,
) -> None:
    """Compute the cells of a plan that the store lacks. Stop it at any time and run it again to go on."""
    from seethrough.api.study import choose_workers
    from seethrough.cli.study_progress import show_progress
    from seethrough.study.cells.results import FULL, SMALL
    from seethrough.study.plan.expansion import expand
    from seethrough.study.plan.plan import read_plan
    from seethrough.study.plan.trust import foreign_code, refuse_untrusted
    from seethrough.study.run import running

    size = values.memory(memory)
    chosen = read_plan(plan, SMALL if small else FULL).with_files(values.files(data or (), "--data"))
    refuse_untrusted(chosen, trust=trust)
    for code in foreign_code(chosen):
        remark(f"this plan {code}")
    study = expand(chosen)
    for note in study.notes:
        remark(note)
    with show_progress(chosen.name) as progress:
        who = choose_workers(workers, cluster, size)
        ended = running.run(study, store, who, version=__version__, retry_failed=retry_failed, tell=progress)
    _finish(ended, store)


def _finish(ended: "Ended", store: Path) -> None:
    now = ended.progress
    there = now.before + now.computed
    for reason in ended.reasons.values():
        remark(f"left out: {reason}")
    if now.failed:
        hint = "`seethrough study status` says why, --retry-failed runs them again"
        remark(f"{now.failed} cells failed; {hint}")
    if ended.stopped:
        remark(f"stopped: {there} of {now.cells} cells are kept in {store}; run again to go on")
        raise typer.Exit(STOPPED_BY + ended.stopped_by)
    remark(f"{there} of {now.cells} cells are in {store}: {now.computed} computed now, {now.before} before")
    if now.failed:
        raise typer.Exit(SOME_FAILED)
