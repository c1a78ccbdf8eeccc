"""Edited reports: none is verified.

A value anywhere in the JSON form is changed, removed, added, exchanged or put in another type. In half of the cases the
editor writes a new digest as well; then the edit is in a place that the tables decide, since times, versions and names
of tables are nothing that anybody else could check.
"""

import copy
import json
from pathlib import Path
from typing import Any

import seethrough as st
from fuzz.case import Broken, Case, Ending
from fuzz.judging import expect_sentence
from fuzz.material.edits import edit, places
from fuzz.targets.damaged_files import people
from seethrough.errors import SeethroughError
from seethrough.results.provenance import report_digest

NOT_DECIDED = frozenset(
    {"seconds", "timings", "versions", "seethrough", "digest", "name", "synthetic", "names", "date"}
)
"""Keys below which only the digest tells an edit."""
REPORTS = ("plain", "outside", "several")


def prepare(session: Path) -> None:
    """Audit three releases: without people outside, with them, and several tables at once."""
    frame = people()
    half, rest = frame[:20], frame[20:]
    frame.write_csv(session / "real.csv")
    half.write_csv(session / "half.csv")
    rest.write_csv(session / "rest.csv")
    for name in REPORTS:
        real, released, holdout = _tables(session, name)
        checks = ["gcap", "ks", "hitting-rate"]
        report = st.audit(real, released, holdout, checks=checks, secret="ill", keys=["age", "job"], threads=1)
        report.to_json(session / f"{name}.json")


def _tables(session: Path, name: str) -> tuple[Path, list[Path], Path | None]:
    real, half, rest = (session / f"{each}.csv" for each in ("real", "half", "rest"))
    return {"plain": (real, [real], None), "outside": (half, [half], rest), "several": (real, [half, real], None)}[name]


def play(case: Case) -> Ending:
    """Edit a report and verify it."""
    name = case.random.choices(REPORTS, (6, 1, 2))[0]
    form = json.loads((case.session / f"{name}.json").read_text("utf-8"))
    with_digest = case.chance(0.5)
    edited, how = _edit(case, form, with_digest)
    if with_digest:
        edited["digest"] = report_digest(edited)
    path = case.folder / "report.json"
    path.write_text(json.dumps(edited), encoding="utf-8")
    did = f"{how}{', new digest' if with_digest else ''}"
    try:
        found = st.verify(path, *_tables(case.session, name), threads=1)
    except SeethroughError as error:
        expect_sentence(error)
        return Ending(type(error).__name__, did, 1)
    if found.holds:
        raise Broken(f"an edited report was verified: {did}")
    return Ending("not verified", did, 1)


def _edit(case: Case, form: Any, is_decided: bool) -> tuple[Any, str]:
    """Edit one place until the report is another."""
    while True:
        edited = copy.deepcopy(form)
        holder, key, path = case.pick(list(places(edited, NOT_DECIDED if is_decided else ())))
        how = edit(case, holder, key)
        if _content(edited) != _content(form):
            return edited, f"{how} {'.'.join(each for each in path if not each.isdigit())}"


def _content(value: Any) -> Any:
    """Give what a report says, so that 0, 0.0 and -0.0 are one, and true is not 1."""
    if isinstance(value, dict):
        return {key: _content(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_content(each) for each in value]
    return value if not isinstance(value, bool) else str(value)
