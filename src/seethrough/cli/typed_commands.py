"""Commands of the advice as they can be typed where the audit was run.

A report names tables and never says where they lie, because it is handed on; who sits at the terminal knows.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seethrough.report.audit_report import AuditReport
    from seethrough.results.levers.advice import Advice

FOLDER = "audit"
"""What the folder of an audit is called that was not written; the summary says that this takes --out."""
SAME = "…"
"""What stands for the beginning of the command of the line before."""
_LEVER = " --lever "


@dataclass(frozen=True)
class Places:
    """Where the tables of an audit lie, and where it was written."""

    real: Path
    synthetic: tuple[Path, ...]
    holdout: Path | None = None
    out: Path | None = None

    def write_into(self, report: "AuditReport") -> "AuditReport":
        """Give the report with commands that name files and the folder of the audit."""
        by_name = self._by_name(report)
        tables = tuple(replace(table, advice=self._advice(table.advice, by_name)) for table in report.tables)
        return replace(report, tables=tables, advice_on_all_files=self._advice(report.advice_on_all_files, by_name))

    def _by_name(self, report: "AuditReport") -> dict[str, str]:
        names = [report.real.name, *(table.synthetic.name for table in report.tables)]
        paths = [self.real, *self.synthetic]
        if report.holdout is not None and self.holdout is not None:
            names, paths = [*names, report.holdout.name], [*paths, self.holdout]
        return dict(zip(names, map(str, paths), strict=True))

    def _advice(self, advice: "Sequence[Advice]", by_name: dict[str, str]) -> "tuple[Advice, ...]":
        """Write commands in full, and those that only try another lever than the one before from there on."""
        written, before = [], ""
        for each in advice:
            command = shlex.join(self._words(shlex.split(each.command), by_name))
            start, lever, rest = command.partition(_LEVER)
            is_same = bool(lever) and start == before
            written.append(replace(each, command=f"{SAME}{lever}{rest}" if is_same else command))
            before = start
        return tuple(written)

    def _words(self, words: Sequence[str], by_name: dict[str, str]) -> Iterator[str]:
        for before, word in zip(("", *words), words, strict=False):
            is_table = before in {"--real", "--synthetic", "--holdout", "split"}
            folder = str(self.out or FOLDER) if before == "whatif" and word == "." else word
            yield by_name.get(word, word) if is_table else folder
