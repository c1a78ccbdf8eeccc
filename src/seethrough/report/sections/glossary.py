"""The glossary and the references."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import DOCUMENTS, Bullets, Fact, Facts, Section, Span
from seethrough.report.words import glossary
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """Explain the words, and list what the checks rest on."""
    words = Facts(tuple(Fact(word, said) for word, said in glossary.WORDS))
    cited = tuple(
        (text, " ", Span(f"({', '.join(map(untrusted.name, checks))})", "quiet"))
        for text, checks in glossary.references(report)
    )
    references = Section("References", (Bullets(cited),))
    yield Section("Glossary and references", (words,), (references,), "glossary", "Glossary", media=DOCUMENTS)
