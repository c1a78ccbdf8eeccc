"""Figures of studies as files: a page, SVG, PNG, and the numbers as CSV and Parquet; complete or not at all."""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from seethrough.report.figures import figure_page, figure_svg
from seethrough.report.machine.table_files import as_csv
from seethrough.results.figure import Figure
from seethrough.results.whole_files import whole_files


def write(figures: Sequence[Figure], folder: Path, title: str) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write all figures to a folder; give what was written, and what could not be and why."""
    with whole_files(folder, mode=None) as hidden:
        lacking = _write_all(figures, hidden, title)
        names = sorted(path.name for path in hidden.glob("[!.]*"))
    return tuple(folder / name for name in names), lacking


def _write_all(figures: Sequence[Figure], folder: Path, title: str) -> tuple[str, ...]:
    has_pictures = find_spec("resvg_py") is not None
    for figure in figures:
        drawn = figure_svg.render(figure)
        (folder / f"{figure.name}.svg").write_text(drawn, encoding="utf-8")
        (folder / f"{figure.name}.html").write_text(figure_page.render(figure), encoding="utf-8")
        frame = table(figure)
        (folder / f"{figure.name}.csv").write_text(as_csv(frame), encoding="utf-8", newline="")
        frame.write_parquet(folder / f"{figure.name}.parquet")
        if has_pictures:
            (folder / f"{figure.name}.png").write_bytes(picture(drawn))
    (folder / "index.html").write_text(_index(figures, title), encoding="utf-8")
    return () if has_pictures else ("no PNG: resvg-py is not installed: pip install 'seethrough[figures]'",)


def picture(svg: str) -> bytes:
    """Turn SVG into PNG, at twice the size for sharp screens."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


def table(figure: Figure) -> pl.DataFrame:
    """Give the numbers of a figure as a frame."""
    columns = zip(*figure.table.rows, strict=True)
    names = figure.table.columns
    return pl.DataFrame(
        [pl.Series(name, list(values), strict=False) for name, values in zip(names, columns, strict=True)]
    )


def _index(figures: Sequence[Figure], title: str) -> str:
    items = "".join(
        f"<h2><a href='{figure.name}.html'>{escape(figure.title)}</a></h2><p>{escape(figure.caption)}</p>"
        f"<a href='{figure.name}.html'><img src='{figure.name}.svg' alt='{escape(figure.title, quote=True)}'></a>"
        f"<p><a href='{figure.name}.csv'>CSV</a> <a href='{figure.name}.parquet'>Parquet</a></p>"
        for figure in figures
    )
    return figure_page.page(title, f"<h1>{escape(title)}</h1>{items}", "img { max-width: 100%; }")
