"""Studies: run a plan of experiments, load its results as a frame; see docs/studies.md."""

from collections.abc import Mapping
from pathlib import Path

from seethrough import __version__
from seethrough.api.arguments import MEMORY, count_workers
from seethrough.results.timings import Progress, ShowProgress
from seethrough.study.cells.results import FULL, SMALL, Results
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import read_plan
from seethrough.study.plan.trust import refuse_untrusted
from seethrough.study.run.cluster import Cluster
from seethrough.study.run.running import Ended, StudyProgress, run
from seethrough.study.run.workers import Here, Processes, Workers
from seethrough.study.store.frame import load


def run_study(  # noqa: PLR0913  what a caller may say about a run
    plan: str | Path,
    store: str | Path,
    *,
    small: bool = False,
    data: Mapping[str, str | Path] | None = None,
    cluster: str = "",
    retry_failed: bool = False,
    memory: int = MEMORY,
    workers: int = 1,
    trust: bool = False,
    progress: ShowProgress | None = None,
) -> Ended:
    """Compute the cells of a plan that the store lacks; see docs/studies.md.

    `plan` is the name of a shipped one or a TOML file, `data` gives files to tables of the plan. `workers` above 1
    starts processes, which a script has to do under `if __name__ == "__main__"`; 0 is one for each core. `cluster` is
    "local" or the address of a Dask scheduler. A plan that runs programs or imports modules needs `trust`.
    """
    files = {name: Path(path) for name, path in (data or {}).items()}
    chosen_plan = read_plan(plan, SMALL if small else FULL).with_files(files)
    refuse_untrusted(chosen_plan, trust=trust)
    study = expand(chosen_plan)

    def show(now: StudyProgress) -> None:
        if progress:
            progress(Progress(now.before + now.computed, now.cells - now.unavailable, "cells"))

    chosen = choose_workers(workers, cluster, memory)
    return run(study, Path(store), chosen, version=__version__, retry_failed=retry_failed, tell=show)


def load_study(store: str | Path, name: str, form: str | None = None) -> Results:
    """Load what a store has of a study: `.cells` is a Polars frame with one row for each cell."""
    return load(store, name, form)


def choose_workers(workers: int, cluster: str, memory: int) -> Workers:
    """Choose who computes: a cluster, several processes, or this one."""
    count = count_workers(workers)
    if cluster:
        return Cluster(cluster, count, memory, __version__)
    return Processes(count, memory) if count > 1 else Here(memory)
