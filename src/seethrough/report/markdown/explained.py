"""Explanations of checks as Markdown: one page for each, and an overview."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from seethrough.protocols.module_text import ExplainedParagraph
from seethrough.report import untrusted
from seethrough.report.words import explanation
from seethrough.report.words.explanation import Explanation

WIDTH = 130
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
        *_parameters(explained),
    ]
    for section in explained.sections:
        lines += _section(section.title)
        lines += list(_paragraphs(section.paragraphs))
    lines += ["", f"Made by `make docs` from [its source]({_source(explained)})."]
    return "\n".join(lines) + "\n"


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


def _parameters(explained: Explanation) -> list[str]:
    rows = [
        (f"`{parameter.name}`", prose(explanation.kind(parameter)), prose(explanation.default(parameter)))
        for parameter in explained.parameters
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


def _source(explained: Explanation) -> str:
    return f"../../src/{explained.module.replace('.', '/')}.py"


def _section(title: str) -> tuple[str, str, str]:
    return "", f"## {title}", ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
