"""The site of these pages: `make docs` builds it into site/, from the root of the repository, so that links lead on."""

import re
from pathlib import Path

from sphinx.application import Sphinx

import seethrough

ROOT = Path(__file__).parents[1]
FOLDER = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)\)")
"""A link; those to folders get a link for each file, because a site has no folders."""
LISTS = {"docs/metrics/README", "docs/attacks/README", "docs/synthesizers/README"}
"""Pages that lead to all others beside them."""

project = "Seethrough"
author = "the authors of Seethrough"
project_copyright = f"{author}, Apache-2.0"
version = release = seethrough.__version__

root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "src/seethrough/data/samples/README.md"]
exclude_patterns = [".*", "site", "demo"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # parts of a JSON file are no JSON file
autodoc_typehints = "none"  # docs/api.md has them
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
default_role = "code"  # of docstrings, where names stand between backticks
napoleon_google_docstring = False

html_theme = "furo"
html_title = f"Seethrough {version}"
html_extra_path = ["site_root"]
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}


def link_files(_app: Sphinx, name: str, source: list[str]) -> None:
    """Replace each link to a folder by links to its files."""
    page = (ROOT / name).parent

    def listed(found: re.Match[str]) -> str:
        folder = page / found[2]
        if not folder.is_dir():
            return found[0]
        files = sorted(path.name for path in folder.iterdir() if path.suffix in (".csv", ".toml"))
        return f"{found[1]} ({', '.join(f'[{file}]({found[2]}/{file})' for file in files)})" if files else found[1]

    source[0] = FOLDER.sub(listed, source[0])
    if name in LISTS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def setup(app: Sphinx) -> None:
    """Ask Sphinx to pass each page through."""
    app.connect("source-read", link_files)
