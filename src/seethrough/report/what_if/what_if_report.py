"""What-if as a Python user has it in hand: it can show itself, and write itself to a folder."""

from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from seethrough.report.figures import figure_svg
from seethrough.report.what_if import document, page
from seethrough.report.what_if.picture import trade_off
from seethrough.results.levers.what_if import WhatIf
from seethrough.results.whole_files import whole_files
from seethrough.text.printable import json_text

if TYPE_CHECKING:
    import polars as pl

FILES = ("whatif.html", "whatif.json", "whatif.md", "whatif.svg")


@dataclass(frozen=True, repr=False)
class WhatIfReport(WhatIf):
    """Levers in the order of their ranks: `report.recommended`, `report["drop column zip"].change`, `list(report)`."""

    def levers(self) -> "pl.DataFrame":
        """List the levers as a frame, one row each."""
        import polars as pl

        plain = [row.to_dict() for row in (self.baseline, *self.rows)]
        kept = ("lever", "place", "grade", "per_utility", "helps", "is_dominated", "is_remedy", "rows", "near_copies")
        return pl.DataFrame(
            [
                {
                    **{name: row[name] for name in kept},
                    **{f"leak_{end}": (row["leak"] or {}).get(end) for end in ("value", "low", "high")},
                    **{f"change_{end}": (row["change"] or {}).get(end) for end in ("value", "low", "high")},
                    **{name: (row["utility"] or {}).get(name) for name in ("mre", "tvd", "models", "kept")},
                    "utility_change": row["utility_change"],
                    "reason": row["reason"],
                }
                for row in plain
            ],
            infer_schema_length=None,
        )

    def to_json(self) -> str:
        """Give the JSON form."""
        return json_text(self.to_dict(), allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Give the standalone page."""
        return page.render(self)

    def to_markdown(self) -> str:
        """Give the document in Markdown; its picture is whatif.svg."""
        return document.render(self)

    def to_svg(self) -> str:
        """Give the picture of the trade-off."""
        return figure_svg.render(trade_off(self))

    def save(self, folder: str | Path) -> tuple[Path, ...]:
        """Write whatif.html, whatif.json, whatif.md and whatif.svg to a folder, complete or not at all."""
        texts = self.to_html(), self.to_json(), self.to_markdown(), self.to_svg()
        with whole_files(Path(folder)) as hidden:
            for name, text in zip(FILES, texts, strict=True):
                (hidden / name).write_text(text, encoding="utf-8")
        return tuple(Path(folder) / name for name in FILES)

    def __repr__(self) -> str:
        """Show what the command line prints."""
        from rich.console import Console

        from seethrough.report.what_if import terminal

        shown = StringIO()
        terminal.render(self, Console(file=shown, width=120, force_terminal=False, no_color=True))
        return shown.getvalue()

    def _repr_html_(self) -> str:
        return page.render(self)
