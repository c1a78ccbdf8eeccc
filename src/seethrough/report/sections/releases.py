"""A section about each release: its own where there is one, parts of one section where there are several."""

from collections.abc import Callable, Iterable, Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import Block, Section
from seethrough.results.report import Report, TableAudit


def release_sections(
    report: Report, title: str, link: str, blocks_of: Callable[[TableAudit], Iterable[Block]], gist: str = ""
) -> Iterator[Section]:
    """Give the section about the releases that have blocks, if any has.

    `link` names it in the navigation, `gist` says what is in it while it is folded away.
    """
    anchor = link.lower()
    named = [(untrusted.name(table.synthetic.name), tuple(blocks_of(table))) for table in report.tables]
    told = [(name, blocks) for name, blocks in named if blocks]
    if len(named) == 1:
        yield from (Section(title, blocks, (), anchor, link, gist) for _, blocks in told)
    elif told:
        yield Section(title, (), tuple(Section(name, blocks) for name, blocks in told), anchor, link, gist)
