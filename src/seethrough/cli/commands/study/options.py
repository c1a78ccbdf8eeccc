"""Options that several commands of `seethrough study` have."""

from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[Path, typer.Option("--store", help="The file that keeps the results.")]
Form = Annotated[str | None, typer.Option(help="small or full, where the store has both.")]
StudyName = Annotated[str, typer.Argument(help="The name of a study in the store, or the file of its plan.")]

STORE = Path("seethrough-studies.sqlite")


def study_name(plan: str) -> str:
    """Name the study of a plan that may be given as a file."""
    from seethrough.study.plan.plan import read_plan

    return read_plan(plan).name if plan.endswith(".toml") else plan
