"""What if: a change of the release that is applied, attacked again with the same seed, and added as a row.

Nothing is promised that was not measured. Levers that make a new release need its generator, which is not here: they
are offered as commands.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from seethrough.errors import SeethroughError
from seethrough.exploring.exploration import Exploration
from seethrough.report.what_if import wording
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import NAMES
from seethrough.results.levers.what_if import LeverRow
from seethrough.results.timings import ShowProgress
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.asking.addresses import AddressRefused, number_in
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.session.session import Session

SHARES = (50, 25, 10)
VALUES = (5, 2, 3, 10, 20)
_MOST_VALUES = 1000
REGENERATING = ("regenerate without 10", "epsilon 1", "generator privbayes:epsilon=1")


@dataclass(frozen=True)
class LeverLine:
    """A lever that was tried, in words; `families` are leak and change by family of attacks."""

    lever: str
    leak: str
    change: str
    grade: str
    families: tuple[str, ...]
    utility: str
    utility_change: str
    remarks: str
    helps: bool


def page(session: Session, asked: Asked) -> Answer:
    """Show what was tried, or try one more."""
    return show_tables(session, asked, "whatif", _show if asked.form is None else _try)


def _show(view: TableView) -> Answer:
    under_way = view.session.under_way
    return view.show(
        "whatif",
        "What if",
        columns=view.columns,
        chosen=number_in(view.query, "column", len(view.columns), "column") or 1,
        lines=tuple(map(_line, view.session.levers)),
        families=[NAMES[family] for family in LeakFamily],
        files=len(view.releases),
        shares=SHARES,
        values=VALUES,
        under_way=under_way,
        legend=wording.LEGEND_UNRANKED,
        commands=[_command(view, lever) for lever in REGENERATING],
        without_holdout=not view.exploration.has_outsiders,
    )


def _try(view: TableView) -> Answer:
    lever = read_lever(view)
    tried = {row.lever for row in view.session.levers}
    if lever not in tried:
        view.session.begin(f"Trying: {lever}", partial(_apply, view.session, view.exploration, lever))
    return redirect("whatif")


def _apply(session: Session, exploration: Exploration, lever: str, tell: ShowProgress) -> None:
    """Try a lever; one that cannot be applied stays in the table with the reason."""
    try:
        row = exploration.apply(lever, tell)
    except SeethroughError as error:
        row = LeverRow(lever, reason=str(error))
    session.levers.append(row)


def read_lever(view: TableView) -> str:
    """Read the lever of a form, as a person would type it."""
    asked = view.asked
    forms: dict[str, Callable[[], str]] = {
        "rows": lambda: f"fewer rows {_number(asked, 'share', 99)}%",
        "files": lambda: f"fewer files {_number(asked, 'files', len(view.releases))}",
        "coarsen": lambda: f"coarsen {_column(view)} to {_number(asked, 'values', _MOST_VALUES)}",
        "drop": lambda: f"drop column {_column(view)}",
        "copies": lambda: "drop near copies",
    }
    make = forms.get(asked.first("lever"))
    if make is None:
        raise AddressRefused("There is no such lever.")
    return make()


def _number(asked: Asked, name: str, most: int) -> int:
    found = number_in({name: asked.first(name)}, name, most, "number")
    if found is None:
        raise AddressRefused(f"A number from 1 to {most:,} is expected.")
    return found


def _column(view: TableView) -> str:
    return view.columns[_number(view.asked, "column", len(view.columns)) - 1]


def _line(row: LeverRow) -> LeverLine:
    utility = row.utility.kept if row.utility else None
    return LeverLine(
        lever=row.lever,
        leak=wording.with_interval(row.leak),
        change=wording.with_interval(row.change, signed=True),
        grade=row.grade.value if row.leak else "cannot tell",
        families=wording.by_family(row) if row.families else ("-",) * len(LeakFamily),
        utility=wording.out_of_100(utility),
        utility_change=wording.out_of_100(row.utility_change, signed=True),
        remarks="; ".join(filter(None, (row.reason, *row.notes, "" if row.helps or row.reason else wording.UNSURE))),
        helps=row.helps,
    )


def _command(view: TableView, lever: str) -> str:
    """Write the command that regenerates, with the files of this audit; its generator is the user's to name."""
    given = view.session.files
    options = [
        f"--{role} {shlex.quote(file.label)}"
        for role in ("real", "synthetic", "holdout")
        for file in given.get(role, ())
    ]
    return " ".join(["seethrough whatif AUDIT_FOLDER", *options, "--generator LABEL", f"--lever {shlex.quote(lever)}"])
