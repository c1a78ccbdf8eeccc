"""Sample: an attack that is explained.

    score = ln(a + b) - ln(c + d)      a, b: what stands on the left, which is rather long
                                       c, d: the others

Terms are explained one by one:

first
    What is said
    about it.
second
    The same.

What it sees
------------
Little.

What it misses
--------------
Much.

References
----------
Nobody.

Deviations
----------
None.
"""

import io
import json
from dataclasses import dataclass
from typing import ClassVar

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.plugins import catalog
from seethrough.protocols.attack_card import AttackKind
from seethrough.protocols.attack_description import describe_attack
from seethrough.protocols.module_text import ExplainedParagraph
from seethrough.report.terminal import explained as explained_terminal
from seethrough.report.words.attack_explanation import explain_attack
from seethrough.results.evidence import LeakFamily

EVERY = catalog.described_attacks()


@dataclass(frozen=True)
class Sample:
    name: ClassVar[str] = "sample"
    title: ClassVar[str] = "A sample"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.IDENTITY, LeakFamily.MEMBERSHIP)
    reach: float = 0.5

    def rate(self, bench, rng):
        raise NotImplementedError


def printed(explained, width):
    out = io.StringIO()
    explained_terminal.render_attack(explained, Console(file=out, width=width))
    return out.getvalue()


def call(*words):
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "80"})


def test_a_list_of_terms_is_read():
    definition = describe_attack(Sample()).sections[0]
    assert definition.paragraphs[-2:] == (
        ExplainedParagraph("item", "first: What is said about it."),
        ExplainedParagraph("item", "second: The same."),
    )


def test_remarks_at_the_ends_of_wide_lines_stand_below():
    shown = printed(explain_attack(describe_attack(Sample()), Sample(), ()), 80)
    assert (
        "    score = ln(a + b) - ln(c + d)\n"
        "        a, b: what stands on the left, which is rather long\n"
        "        c, d: the others\n"
    ) in shown


def test_a_card_says_what_the_attack_does_and_how_it_is_run():
    explained = explain_attack(describe_attack(Sample()), Sample(), ("full", "attacks"))
    facts = dict(explained.facts)
    assert explained.card.kind is AttackKind.RATING
    assert facts["command"] == "`seethrough attack membership --rating sample`"
    assert facts["after"] == "identity: which row is whom; membership: who was in the data"
    assert facts["runs"] == "in audits, but not with the preset fast"
    assert explained.to_dict()["sees"] == "Little."
    assert explained.to_dict()["params"]["reach"]["default"] == 0.5


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(("card", "attack"), EVERY, ids=[card.name for card, _ in EVERY])
def test_the_terminal_shows_all_within_its_width(card, attack, width):
    explained = explain_attack(card, attack, catalog.presets_with(attack))
    lines = printed(explained, width).split("\n")
    assert max(map(cell_len, lines)) <= width
    shown = "".join("".join(lines).split())
    for section in card.sections:
        assert all("".join(paragraph.text.split()) in shown for paragraph in section.paragraphs)


def test_presets_are_those_that_run_the_attack():
    ratings = catalog.ratings()
    assert catalog.presets_with(ratings["log-ratio"]) == catalog.PRESETS
    assert catalog.presets_with(catalog.attacks()["recon"]) == ("full", "attacks")
    assert catalog.presets_with(catalog.linkage_attacks()["linkage"]) == ()


@pytest.mark.parametrize("name", [card.name for card, _ in EVERY])
def test_explain_knows_every_attack(name):
    shown, told = call("explain", name), json.loads(call("explain", name, "--json").stdout)
    assert shown.exit_code == 0, shown.output
    assert f"({name}, an attack)" in " ".join(shown.stdout.split())
    is_check = name in catalog.load()
    assert ("is a check of audits and an attack" in shown.stdout) == is_check
    [attack] = told["attacks"] if is_check else [told]
    assert attack["attack"] == name
    assert attack["misses"]


def test_explain_knows_neither_check_nor_attack():
    found = call("explain", "log-ration")
    assert found.exit_code == 2
    assert found.stderr.startswith("seethrough: there is no check or attack 'log-ration'; did you mean log-ratio")


def test_attacks_are_listed_by_what_they_are_after():
    shown, told = call("list", "--attacks").stdout, json.loads(call("list", "--attacks", "--json").stdout)
    assert max(map(len, shown.splitlines())) <= 80
    assert [each["attack"] for each in told] == [card.name for card, _ in EVERY]
    for card, _ in EVERY:
        assert f"\n{card.name} " in shown
    titles = ("Membership inference", "Attribute inference", "Re-identification")
    assert [shown.index(title) for title in titles] == sorted(shown.index(title) for title in titles)
