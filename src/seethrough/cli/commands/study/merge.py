"""`seethrough study merge`: results that were computed elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from seethrough import __version__
from seethrough.cli.commands.study.options import STORE, Store
from seethrough.cli.output import remark


def merge(
    other: Annotated[Path, typer.Argument(help="A store whose results are to be taken over.")],
    store: Store = STORE,
) -> None:
    """Take over results that were computed elsewhere, say on another machine; what is here already stays."""
    from seethrough.study.store.store import Store as ResultStore

    with ResultStore.read(other) as theirs, ResultStore.write(store, __version__) as ours:
        found = ours.adopt(theirs)
    remark(f"took {found.taken} cells of {other} into {store}; {found.known} were there already")
    remark("`seethrough study run` of their plan with this store makes them part of its study")
    if found.different:
        remark(f"{found.different} of those have another result there; the ones in {store} stay")
