"""Studies from Python: run a plan, load its results as a frame."""

from collections.abc import Callable, Mapping
from os import cpu_count
from pathlib import Path

from seethrough import __version__
from seethrough.kernels.budget import GIB
from seethrough.study.cells.results import FULL, SMALL, Results
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import read_plan
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
    workers: int = 1,
    cluster: str = "",
    retry_failed: bool = False,
    memory: int = 4 * GIB,
    tell: Callable[[StudyProgress], None] | None = None,
) -> Ended:
    """Compute the cells of a plan that the store lacks; see docs/studies.md.

    `plan` is the name of a shipped one or a TOML file, `data` gives files to tables of the plan. `workers` above 1
    starts processes, which a script has to do under `if __name__ == "__main__"`; 0 is one for each core. `cluster` is
    "local" or the address of a Dask scheduler.
    """
    files = {name: Path(path) for name, path in (data or {}).items()}
    study = expand(read_plan(plan, SMALL if small else FULL).with_files(files))
    return run(
        study,
        Path(store),
        chosen_workers(workers, cluster, memory),
        version=__version__,
        retry_failed=retry_failed,
        **({"tell": tell} if tell else {}),
    )


def load_study(store: str | Path, name: str, form: str | None = None) -> Results:
    """Load what a store has of a study: `.cells` is a Polars frame with one row for each cell."""
    return load(store, name, form)


def chosen_workers(count: int, cluster: str, memory: int) -> Workers:
    """Choose who computes: a cluster, several processes, or this one; no count is one for each core."""
    count = count or cpu_count() or 1
    if cluster:
        return Cluster(cluster, count, memory, __version__)
    return Processes(count, memory) if count > 1 else Here(memory)
