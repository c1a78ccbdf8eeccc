"""Explanations of checks and attacks as Markdown: one page for each, and an overview of either."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from seethrough.protocols.attack_card import MISSES, SEES
from seethrough.protocols.module_text import ExplainedParagraph, ExplainedSection
from seethrough.protocols.parameters import Parameter
from seethrough.report import untrusted
from seethrough.report.markdown.measured_attack import MeasuredAttack, measured_section
from seethrough.report.words import explanation
from seethrough.report.words.attack_explanation import FAMILY_TITLES, AttackExplanation
from seethrough.report.words.explanation import Explanation

WIDTH = 130
ATTACK_HEAD = ("attack", "what it is", "what it sees", "what it misses", "run")
MADE = "Made by `make docs` from [its source]("
"""Begins the line that ends what is made of a page; for attacks more may follow that was written by hand."""
_LONGEST = 20_000
_MARKUP = re.compile(r"(?<!\w)_|_(?!\w)|[\\*~|]|<(?=[A-Za-z/!?])|&(?=[#\w]+;)|\[(?=[^\]]*\][(\[:])")
_BEGINS_A_BLOCK = re.compile(r"^(?:([-+>]|#{1,6}|=+)|(\d+)([.)]))(?=\s|$)")


def filename(explained: Explanation) -> str:
    """Name the page of a check."""
    return explained.card.name.replace("/", "-") + ".md"


def page(explained: Explanation) -> str:
    """Write the page of one check."""
    card = explained.card
    lines = [
        f"# {prose(card.title)} (`{card.name}`)",
        *("", f"*{prose(card.question)}*", ""),
        *_table(("", ""), [(label, prose(said)) for label, said in explained.facts]),
        *("", "```text", card.formula, "```"),
        *_section(explanation.COMPARISON),
        *(f"- {said}: **{verdict}**" for said, verdict in explained.verdicts),
        *_section("Parameters"),
        *_parameters(explained.parameters),
        *_sections(explained.sections),
        *("", f"{MADE}{_source(explained.module)})."),
    ]
    return "\n".join(lines) + "\n"


def attack_page(explained: AttackExplanation, measured: Sequence[MeasuredAttack] = ()) -> str:
    """Write the page of one attack; more may follow it that was written by hand."""
    card = explained.card
    lines = [
        f"# {prose(card.title)} (`{card.name}`)",
        "",
        *_table(("", ""), [(label, prose(said)) for label, said in explained.facts]),
        *_section("Parameters"),
        *_parameters(explained.parameters),
        *_sections(card.sections),
        *measured_section(measured, card.families[0]),
        *("", f"{MADE}{_source(card.module)})."),
    ]
    return "\n".join(lines) + "\n"


def attack_overview(all_explained: Sequence[AttackExplanation]) -> str:
    """Write the page that lists all attacks, by what they are after; more may follow it that was written by hand."""
    lines = [
        "# The attacks",
        "",
        "`seethrough explain NAME` shows the same in the terminal, `seethrough list --attacks` all of them.",
        "An audit runs them on members and on people outside, with the same release; what follows from that is in",
        "[evidence](../evidence.md).",
    ]
    for family, title in FAMILY_TITLES.items():
        rows = [_attack_row(each) for each in all_explained if each.card.families[0] is family]
        lines += [*_section(title), *_table(ATTACK_HEAD, rows)]
    lines += ["", f"{MADE}../../src/seethrough/attacks)."]
    return "\n".join(lines) + "\n"


def written_by_hand(page: str) -> str:
    """Give what follows the part of a page that is made; the whole where nothing of it is."""
    made = re.search(rf"^{re.escape(MADE)}.*\n", page, re.MULTILINE)
    return page[made.end() :] if made else page


def _attack_row(explained: AttackExplanation) -> tuple[str, ...]:
    card = explained.card
    said = (card.title, card.said(SEES), card.said(MISSES), explained.in_audits)
    return f"[{card.name}]({attack_filename(explained)})", *(prose(" ".join(each.split())) for each in said)


def attack_filename(explained: AttackExplanation) -> str:
    """Name the page of an attack."""
    return explained.card.name.replace("/", "-") + ".md"


def overview(all_explained: Sequence[Explanation]) -> str:
    """Write the page that lists all checks."""
    head = ("check", "category", "evidence", "needs", "ordering", "monotone", "question")
    lines = [
        "# The checks",
        "",
        "`seethrough explain NAME` shows the same in the terminal.",
        f"{explanation.COMPARISON} two things were judged of each:",
        f"*ordering*, that it {explanation.ORDERING}; *monotone*, that it {explanation.MONOTONE}.",
        "",
        *_table(head, map(_row, all_explained)),
        "",
        "Made by `make docs` from the sources of the checks.",
    ]
    return "\n".join(lines) + "\n"


def prose(text: str) -> str:
    """Make text that Markdown shows as it is, apart from `code`."""
    pieces = re.split(r"(`[^`]+`)", untrusted.visible(text, _LONGEST))
    return "".join(piece if place % 2 else _MARKUP.sub(_escape, piece) for place, piece in enumerate(pieces))


def _escape(found: re.Match[str]) -> str:
    return {"<": "&lt;", "&": "&amp;"}.get(found[0], f"\\{found[0]}")


def _row(explained: Explanation) -> tuple[str, ...]:
    card = explained.card
    return (
        f"[{card.name}]({filename(explained)})",
        card.category.value,
        card.evidence.value,
        ", ".join(need.value for need in card.needs) or "-",
        explanation.verdict(card.ordering),
        explanation.verdict(card.monotone),
        prose(card.question),
    )


def _sections(sections: Iterable[ExplainedSection]) -> Iterator[str]:
    for section in sections:
        yield from _section(section.title)
        yield from _paragraphs(section.paragraphs)


def _parameters(parameters: Iterable[Parameter]) -> list[str]:
    rows = [
        (f"`{parameter.name}`", prose(explanation.kind(parameter)), prose(explanation.default(parameter)))
        for parameter in parameters
    ]
    return _table(("name", "may be", "default"), rows) if rows else ["None."]


def _paragraphs(paragraphs: Iterable[ExplainedParagraph]) -> Iterator[str]:
    for number, paragraph in enumerate(paragraphs):
        if number and paragraph.kind != "item":
            yield ""
        match paragraph.kind:
            case "prose":
                yield from _wrapped(prose(paragraph.text))
            case "item":
                first, *more = _wrapped(prose(paragraph.text))
                yield f"- {first}"
                yield from (f"  {line}" for line in more)
            case "block":
                yield from ("```text", *paragraph.text.splitlines(), "```")


def _wrapped(text: str) -> list[str]:
    # A word that a new line begins with must not begin a list or a heading.
    return [
        _BEGINS_A_BLOCK.sub(_unblock, line)
        for line in wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    ]


def _unblock(found: re.Match[str]) -> str:
    return f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}"


def _source(module: str) -> str:
    return f"../../src/{module.replace('.', '/')}.py"


def _section(title: str) -> tuple[str, str, str]:
    return "", f"## {title}", ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
