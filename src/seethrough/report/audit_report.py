"""A report that can show itself, as a Python user has it in hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from seethrough.errors import ConfigError
from seethrough.report.annex import pages
from seethrough.report.annex.custodian import FactsLike, read_facts
from seethrough.report.external.others_report import make_external
from seethrough.report.gates import junit, limits, sarif
from seethrough.report.gates.limits import Broken, Limit
from seethrough.report.html import audit_page, notebook
from seethrough.report.machine import evidence_frames, files, json_form, recording, records, score_frames
from seethrough.report.machine.input_files import AuditInputs
from seethrough.report.markdown import audit_document
from seethrough.results.evidence import Finding, ReleaseEvidence, ReleaseVerdict
from seethrough.results.report import Report
from seethrough.results.whole_files import write_whole_text

if TYPE_CHECKING:
    import polars as pl


class FrameMaker(Protocol):
    """Gives frames of the kind that a user works with."""

    def frame(self, frame: "pl.DataFrame") -> Any:
        """Give a frame of this kind."""

    def by_row(self, frame: "pl.DataFrame") -> Any:
        """Give a frame of this kind, under the user's own labels of the real rows where there are any."""


class PolarsFrames:
    """Frames as they are."""

    def frame(self, frame: "pl.DataFrame") -> Any:
        """Give the frame."""
        return frame

    by_row = frame


@dataclass(frozen=True, eq=False, repr=False)
class AuditReport(Report):
    """A report that can show itself. Index it by the name of a check: `report["gcap"].risk`.

    `inputs` says where the tables lie, if they are files; it stays out of every form of the report.
    """

    frames: FrameMaker = field(default_factory=PolarsFrames)
    inputs: AuditInputs | None = None

    def __post_init__(self) -> None:
        """Refuse a report that has no verdict on one of its tables."""
        if any(table.evidence is None for table in self.tables):
            raise ValueError("a report needs evidence on every synthetic table")

    @property
    def verdict(self) -> ReleaseVerdict:
        """Give the verdict on the first synthetic table: `grade`, `sentence`, `decided_by`."""
        return self._evidence.verdict

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give the findings on the first synthetic table: membership, attribute inference, re-identification."""
        return self._evidence.findings

    @property
    def _evidence(self) -> ReleaseEvidence:
        found = self.tables[0].evidence
        assert found is not None
        return found

    def attacks(self) -> Any:
        """List all attacks with their own numbers, as a frame of the kind that `real` was given as."""
        return self.frames.frame(evidence_frames.attack_frame(self))

    def people(self) -> Any:
        """List exposed people, each with the released row that gives them away; for pandas under their own labels."""
        self._refuse_others("names no people")
        return self.frames.by_row(evidence_frames.people_frame(self))

    def scores(self) -> Any:
        """List all checks with score, interval and controls; `reason` says why one was not measured."""
        return self.frames.frame(score_frames.score_frame(self))

    def columns(self) -> Any:
        """List the columns: how each was read, how often it is guessed, how far the released values are from real."""
        return self.frames.frame(score_frames.column_frame(self))

    def to_json(self, path: str | Path | None = None) -> str:
        """Give the JSON form, and write it where a path is given."""
        return _written(json_form.render(self), path)

    def to_html(self, path: str | Path | None = None) -> str:
        """Give the standalone HTML page, and write it where a path is given."""
        return _written(audit_page.render(self), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Give the report as Markdown, and write it where a path is given."""
        return _written(audit_document.render(self), path)

    def to_annex(self, path: str | Path | None = None, *, facts: FactsLike = None) -> str:
        """Give the annex for data protection as a page, as Markdown if the path ends with .md; see docs/annex.md."""
        render = pages.render_markdown if str(path).endswith(".md") else pages.render_page
        return _written(render(self, read_facts(facts)), path)

    def to_junit(self, path: str | Path | None = None, *, fail_if: Sequence[str] = ()) -> str:
        """Give limits (`verdict >= clear`) as JUnit XML, and write it where a path is given; see docs/gates.md."""
        set_limits = [limits.parse(text, self) for text in fail_if]
        return _written(junit.render(self, set_limits, limits.judge(set_limits, self)), path)

    def to_sarif(self, path: str | Path | None = None) -> str:
        """Give findings about released rows as SARIF, and write it where a path is given; it holds no value."""
        return _written(sarif.render(self), path)

    def records(self) -> Any:
        """List the real records with their risk by each check; for pandas under their own labels."""
        self._refuse_others("has no risk of single records")
        return self.frames.by_row(records.frame(self))

    def _refuse_others(self, lacks: str) -> None:
        if self.provenance.is_external:
            raise ConfigError(f"a report for others {lacks}; the custodian's report does")

    def with_limits(self, set_limits: Sequence[Limit], broken: Sequence[Broken] | None) -> "AuditReport":
        """Give the report with the limits that were set, and which were broken, in its record."""
        return AuditReport(**vars(recording.with_limits(self, set_limits, broken)))

    def for_others(self) -> "AuditReport":
        """Give the report for others, which one person hardly moves; see docs/external-report.md."""
        return AuditReport(**vars(make_external(self)), frames=self.frames)

    def save(self, folder: str | Path) -> tuple[Path, ...]:
        """Write report.html, report.json, report.md to a folder; unless it is for others, also what is the owner's.

        That is records.parquet and, where the tables are files, inputs.json, which says where they lie.
        """
        return files.write(self, Path(folder), self.inputs)

    def __repr__(self) -> str:
        """Show the summary that the command line prints."""
        from rich.console import Console

        from seethrough.report.terminal import summary

        page = StringIO()
        summary.render(self, Console(file=page, width=100, force_terminal=False, no_color=True))
        return page.getvalue()

    def _repr_html_(self) -> str:
        return notebook.render(self)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_whole_text(Path(path), text)
    return text
