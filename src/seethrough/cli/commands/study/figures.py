"""`seethrough study figures`: the figures and tables of a study."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough.cli.commands.study.options import STORE, Form, Store, StudyName, study_name
from seethrough.cli.output import remark
from seethrough.errors import ConfigError


def figures(
    plan: StudyName,
    out: Annotated[Path, typer.Option(help="The folder to write to.")],
    store: Store = STORE,
    form: Form = None,
) -> None:
    """Draw the figures and tables of a study from what the store has: HTML, SVG, PNG, CSV and Parquet."""
    from seethrough.report.figures.figure_files import write
    from seethrough.study.kinds.figures import make_figures
    from seethrough.study.store.frame import load

    results = load(store, study_name(plan), form)
    drawn = make_figures(results)
    if not drawn:
        raise ConfigError(f"{store} has nothing of {plan} to draw yet")
    written, lacking = write(drawn, out, results.title or plan)
    for reason in lacking:
        remark(reason)
    missing = results.cells.filter(status="missing").height
    if missing:
        remark(f"{missing} of {results.cells.height} cells are missing; the figures show what is there")
    remark(f"wrote {len(written)} files to {out}; begin with {out / 'index.html'}")
