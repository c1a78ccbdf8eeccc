"""`seethrough study list`: the plans that come with the program."""

import typer


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
