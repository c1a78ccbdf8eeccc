"""Plans of studies, edited: they are expanded, and run where they are small, or one sentence."""

import tomllib
from pathlib import Path
from typing import Any

import seethrough as st
from fuzz.case import Broken, Case, Ending
from fuzz.judging import expect_sentence
from fuzz.material.edits import as_toml, edit, places
from fuzz.targets.damaged_files import people
from seethrough.data.toml_text import toml_key
from seethrough.errors import SeethroughError
from seethrough.study.plan.expansion import expand
from seethrough.study.plan.plan import read_plan, shipped_plans

PLAN = """
format = 1
name = "tiny"
title = "A plan"
seed = 5

[data.people]
file = "people.csv"
secret = "ill"
keys = ["age", "job"]

[[games]]
data = "people"
synthesizers = ["indhist", "nonprivate"]
attacks = ["dcr", "gcap"]
rows = 10
sizes = [5, 10]
games = 2
utility_games = 1

[[metrics]]
data = "people"
rows = 20
runs = 2
synthesizers = ["real", "indhist"]
checks = ["crp", "zcap"]

[small]
seed = 6
"""
RUN = 0.15
MOST_CELLS, MOST_ROWS = 40, 1000


def prepare(session: Path) -> None:
    """Write the table that plans name."""
    people().write_csv(session / "people.csv")


def play(case: Case) -> Ending:
    """Edit a plan, expand it, and run it where it is small."""
    form = tomllib.loads(PLAN)
    for _ in range(case.pick((0, 1, 1, 2, 4))):
        holder, key, _path = case.pick(list(places(form)))
        edit(case, holder, key)
    text = "\n".join(_lines(form, ()))
    path = case.folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    (case.folder / "people.csv").write_bytes((case.session / "people.csv").read_bytes())
    small = case.chance(0.2)
    try:
        plan = read_plan(path if case.chance(0.95) else case.pick(shipped_plans()), "small" if small else "full")
        cells = len(expand(plan).group_of) if plan.text == text else 0
        if 0 < cells <= MOST_CELLS and _largest(form) <= MOST_ROWS and case.chance(RUN):
            _run(case, path, small, plan.name)
            return Ending("run", "a plan", 1)
    except SeethroughError as error:
        expect_sentence(error)
        return Ending(type(error).__name__, "a plan", 1)
    return Ending("expanded", "a plan", 1)


def _run(case: Case, path: Path, small: bool, name: str) -> None:
    store = case.folder / "store.sqlite"
    st.run_study(path, store, small=small, workers=1)
    again = st.run_study(path, store, small=small, workers=1)
    if again.progress.computed:
        raise Broken("a study that has all its cells computes some again")
    st.load_study(store, name)


def _largest(value: Any) -> float:
    numbers = [each[0][each[1]] for each in places(value)]
    return max((abs(each) for each in numbers if isinstance(each, int | float)), default=0)


def _lines(form: Any, path: tuple[str, ...]) -> list[str]:
    """Write tables as TOML, plain values first."""
    plain = {key: value for key, value in form.items() if not _is_table(value)}
    lines = [f"{toml_key(key)} = {as_toml(value)}" for key, value in plain.items()]
    for key, value in form.items():
        if not _is_table(value):
            continue
        below = (*path, toml_key(key))
        for each in value if isinstance(value, list) else [value]:
            mark = "[[{}]]" if isinstance(value, list) else "[{}]"
            lines += [mark.format(".".join(below)), *_lines(each, below)]
    return lines


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    )
