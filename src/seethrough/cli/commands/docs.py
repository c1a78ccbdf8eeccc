"""`python -m seethrough.cli.commands.docs FOLDER`, run by `make docs`: an overview of the checks, a page for each."""

import sys
from collections.abc import Mapping
from pathlib import Path

from seethrough.plugins import catalog
from seethrough.report.markdown import explained as explained_markdown
from seethrough.report.words.explanation import explain

OVERVIEW = "README.md"


def pages() -> Mapping[str, str]:
    """Give the text of each page by the name of its file; checks that other packages offer have no page here."""
    checks = [explain(check) for check in catalog.load().values()]
    own = [check for check in checks if check.module.startswith("seethrough.")]
    return {OVERVIEW: explained_markdown.overview(own)} | {
        explained_markdown.filename(check): explained_markdown.page(check) for check in own
    }


def write(folder: Path) -> None:
    """Write all pages to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
