"""`python -m seethrough.cli.commands.docs FOLDER`, run by `make docs`: lists of checks and attacks, a page for each.

Pages of checks are made whole. Those of attacks may go on after their last line with what was written by hand, which
is kept.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from seethrough.plugins import catalog
from seethrough.report.markdown import explained as explained_markdown
from seethrough.report.markdown.measured_attack import read_measured
from seethrough.report.words.attack_explanation import explain_attack
from seethrough.report.words.explanation import explain

OVERVIEW = "README.md"
CHECKS, ATTACKS = "metrics", "attacks"


def pages() -> Mapping[str, str]:
    """Give the text of each page by the name of its file; checks that other packages offer have no page here."""
    checks = [explain(check) for check in catalog.load().values()]
    own = [check for check in checks if check.module.startswith("seethrough.")]
    return {OVERVIEW: explained_markdown.overview(own)} | {
        explained_markdown.filename(check): explained_markdown.page(check) for check in own
    }


def attack_pages(folder: Path) -> Mapping[str, str]:
    """Give what is made of the page of each attack by the name of its file; figures come from the documentation."""
    own = [(card, attack) for card, attack in catalog.described_attacks() if card.module.startswith("seethrough.")]
    attacks = [explain_attack(card, attack, catalog.presets_with(attack)) for card, attack in own]
    return {OVERVIEW: explained_markdown.attack_overview(attacks)} | {
        explained_markdown.attack_filename(attack): explained_markdown.attack_page(
            attack, read_measured(folder, attack.card.name, attack.card.families[0])
        )
        for attack in attacks
    }


def write(folder: Path) -> None:
    """Write all pages to a folder of documentation."""
    for name, made in ((CHECKS, pages()), (ATTACKS, attack_pages(folder))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, text in made.items():
            path = folder / name / file
            kept = _by_hand(path) if name == ATTACKS else ""
            path.write_text(text + kept, encoding="utf-8")


def _by_hand(path: Path) -> str:
    return explained_markdown.written_by_hand(path.read_text(encoding="utf-8")) if path.is_file() else ""


if __name__ == "__main__":
    write(Path(sys.argv[1]))
