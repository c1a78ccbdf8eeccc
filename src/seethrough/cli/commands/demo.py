"""`seethrough demo`: an audit of a release made from the shipped records."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from seethrough.cli import options
from seethrough.cli.commands.audit import Delivery, finish
from seethrough.cli.output import open_in_browser, remark
from seethrough.cli.progress import progress_bar
from seethrough.cli.typed_commands import Places

SECRET = "disability"
KEYS = ("age", "sex", "race", "marital_status", "education", "relationship")


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the tables and the report.")] = Path("seethrough-demo"),
    seed: options.Seed = 0,
    json: options.Json = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
) -> None:
    """Audit a synthetic release of real survey records that looks random and is not."""
    from seethrough.api import audit as api
    from seethrough.data import samples
    from seethrough.results.whole_files import whole_files

    tables = samples.acs_release(seed)
    paths = {name: out / f"{name}.csv" for name in ("real", "synthetic", "holdout")}
    with whole_files(out) as hidden:
        for name, path in paths.items():
            getattr(tables, name).write_csv(hidden / path.name)
    options = f"--secret {SECRET} --keys {','.join(KEYS)} --seed {seed} --out {quote(str(out))}"
    remark(
        "seethrough audit " + " ".join(f"--{name} {quote(str(path))}" for name, path in paths.items()) + f" {options}"
    )
    with progress_bar() as progress:
        report = api.audit(*paths.values(), secret=SECRET, keys=KEYS, seed=seed, progress=progress)
    finish(report, Delivery(out, json, places=Places(paths["real"], (paths["synthetic"],), paths["holdout"], out)))
    if open_page:
        open_in_browser(out / "report.html")
    else:
        remark(f"Open {out / 'report.html'} in a browser to read the report; `seethrough demo --open` does it for you.")
    remark(f"`seethrough open {quote(str(out))}/` shows single people, attackers and columns in the browser.")
