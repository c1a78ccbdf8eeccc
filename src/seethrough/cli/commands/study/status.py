"""`seethrough study status`: how far the studies in a store are."""

from dataclasses import asdict

from seethrough.cli.commands.study.options import STORE, Store
from seethrough.cli.output import say


def status(store: Store = STORE) -> None:
    """Show how far the studies in a store are, also while one runs."""
    from seethrough.cli.study_progress import format_duration
    from seethrough.study.run.status import failures, study_statuses
    from seethrough.study.store.store import Store as ResultStore

    with ResultStore.read(store) as opened:
        for study in study_statuses(opened):
            others = {name: asdict(study)[name] for name in ("skipped", "unavailable", "failed")}
            parts = [f"{study.done} done", f"{study.missing} missing"]
            parts += [f"{count} {name}" for name, count in others.items() if count]
            say(f"{study.name} ({study.form}): {study.cells} cells, {', '.join(parts)}; {study.run}")
            if study.rate and study.seconds_left is not None:
                say(f"    {study.rate:.2f} cells a second, {format_duration(study.seconds_left)} left")
            for error, times in failures(opened, study.name, study.form):
                say(f"    failed {times} times: {error}")
