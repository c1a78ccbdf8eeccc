"""What a summary leaves out, and where it is."""

from collections.abc import Iterator

from seethrough.report.sections.blocks import SUMMARY, Paragraph, Section
from seethrough.report.sections.scores import count_scores
from seethrough.report.words import wording
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """Say what `--verbose` and the page show besides."""
    attacks = sum(len(table.evidence.attacks) for table in report.tables if table.evidence)
    parts = [wording.count_of(attacks, "attack")] if attacks else []
    parts += [wording.count_of(count_scores(report), "score"), "signs of real rows"]
    said = f"{', '.join(parts)}: --verbose. Pictures, whatif: --out."
    yield Section("More", (Paragraph(said),), anchor="more", media=SUMMARY)
