"""First line of a module that explains a check.

A formula that has to keep its lines:

    a = b
      + c

Some words, then a list:
- one item that
  goes on, with `a_b` and *stars*
- another

References
----------
Somebody 2020, <b>doi:1</b>.

Nothing
-------
"""

import io
from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console

from seethrough.plugins import catalog
from seethrough.protocols.module_text import ExplainedParagraph
from seethrough.report.markdown import explained as explained_markdown
from seethrough.report.terminal import explained as explained_terminal
from seethrough.report.words.explanation import Explanation, compact, default, explain, kind
from seethrough.results.card import Card, Category, Evidence, Need, Verdict


@dataclass(frozen=True)
class Sample:
    card: ClassVar[Card] = Card(
        name="sample",
        title="A [red]sample[/red]",
        question="What is asked?",
        cannot_tell="Anything | much.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="share",
        formula="#{i : a_i < b} / n",
        cites=("doi:1", "doi:2"),
        ordering=Verdict.SOMETIMES,
        needs=(Need.HOLDOUT,),
    )
    norm: Literal["absolute", "pairs"] = "absolute"
    reach: float | None = 1 / 3
    strict: bool = False
    secret: tuple[str, ...] = ()


@pytest.fixture
def explained() -> Explanation:
    return explain(Sample())


def printed(explained: Explanation, width: int, **options: object) -> str:
    out = io.StringIO()
    explained_terminal.render(explained, Console(file=out, width=width, **options))  # type: ignore[arg-type]
    return out.getvalue()


def test_the_text_is_split_at_its_titles_and_paragraphs(explained: Explanation) -> None:
    definition, references = explained.sections
    assert definition.title == "Definition"
    assert definition.paragraphs == (
        ExplainedParagraph("prose", "First line of a module that explains a check."),
        ExplainedParagraph("prose", "A formula that has to keep its lines:"),
        ExplainedParagraph("block", "a = b\n  + c"),
        ExplainedParagraph("prose", "Some words, then a list:"),
        ExplainedParagraph("item", "one item that goes on, with `a_b` and *stars*"),
        ExplainedParagraph("item", "another"),
    )
    assert (references.title, references.text) == ("References", "Somebody 2020, <b>doi:1</b>.")


def test_facts_are_words(explained: Explanation) -> None:
    facts = dict(explained.facts)
    assert facts["needs"] == "a holdout, real records that were kept out of the synthesis (--holdout)"
    assert [verdict for _, verdict in explained.verdicts] == ["sometimes", "not compared"]


def test_parameters_are_words(explained: Explanation) -> None:
    assert [(kind(parameter), default(parameter)) for parameter in explained.parameters] == [
        ("absolute | pairs", "absolute"),
        ("number | none", "0.333333"),
        ("true or false", "false"),
        ("list, A+B+C", "(empty)"),
    ]
    assert [*map(compact, explained.parameters)][:2] == ["norm=absolute (or pairs)", "reach=0.333333 (or none)"]


def test_plain_values_hold_everything(explained: Explanation) -> None:
    found = explained.to_dict()
    assert found["params"]["norm"] == {
        "kind": "choice",
        "choices": ["absolute", "pairs"],
        "optional": False,
        "default": "absolute",
    }
    assert found["verdicts"] == {"ordering": "sometimes", "monotone": None}
    assert set(found["text"]) == {"definition", "references"}


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("check", [Sample(), *catalog.load().values()], ids=lambda check: check.card.name)
def test_the_terminal_shows_all_within_its_width(check: Sample, width: int) -> None:
    explained = explain(check)
    lines = printed(explained, width).split("\n")
    assert max(map(cell_len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    shown = "".join("".join(lines).split())
    for section in explained.sections:
        assert all("".join(paragraph.text.split()) in shown for paragraph in section.paragraphs)
    for said in (explained.card.formula, explained.card.question, *(said for _, said in explained.facts)):
        assert "".join(said.split()) in shown


def test_a_terminal_gets_styles_and_no_markup(explained: Explanation) -> None:
    shown = printed(explained, 80, force_terminal=True, color_system="truecolor")
    assert "\x1b[1m" in shown
    assert "[red]sample[/red]" in shown
    assert "    a = b" in shown
    assert "      + c" in shown


def test_markdown_shows_text_as_it_is(explained: Explanation) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(explained_markdown.page(explained))
    kinds = {child.type for token in tokens for child in token.children or ()} | {token.type for token in tokens}
    assert not kinds & {"html_inline", "html_block"}
    assert [token.content for token in tokens if token.type == "fence"] == ["#{i : a_i < b} / n\n", "a = b\n  + c\n"]
    shown = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    assert "one item that goes on, with a_b and *stars*" in shown
    assert "Anything | much." in shown
    assert "Somebody 2020, <b>doi:1</b>." in shown


def test_a_line_that_is_broken_anew_begins_no_list() -> None:
    for word, shown in (("-", "\\-"), ("+", "\\+"), ("##", "\\##"), ("1.", "1\\."), ("#{i", "#{i"), ("-1", "-1")):
        assert explained_markdown._wrapped(f"{'x' * 130} {word} two") == ["x" * 130, f"{shown} two"]
