"""Figures of studies as files: a page, SVG, PNG, and the numbers as CSV and Parquet; complete or not at all."""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from seethrough.report.figures import plot_html, plot_svg
from seethrough.report.machine.table_files import as_csv
from seethrough.results.figure import Figure
from seethrough.results.whole_files import whole_files


def write(figures: Sequence[Figure], folder: Path, title: str) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write all figures to a folder; give what was written, and what could not be and why."""
    with whole_files(folder, mode=None) as hidden:
        lacking = _written(figures, hidden, title)
        names = sorted(path.name for path in hidden.iterdir())
    return tuple(folder / name for name in names), lacking


def _written(figures: Sequence[Figure], folder: Path, title: str) -> tuple[str, ...]:
    pages, pictures = find_spec("plotly") is not None, find_spec("resvg_py") is not None
    for figure in figures:
        drawn = plot_svg.render(figure)
        (folder / f"{figure.name}.svg").write_text(drawn, encoding="utf-8")
        frame = table(figure)
        (folder / f"{figure.name}.csv").write_text(as_csv(frame), encoding="utf-8", newline="")
        frame.write_parquet(folder / f"{figure.name}.parquet")
        if pages:
            (folder / f"{figure.name}.html").write_text(plot_html.render(figure), encoding="utf-8")
        if pictures:
            (folder / f"{figure.name}.png").write_bytes(picture(drawn))
    if pages:
        (folder / plot_html.SCRIPT).write_text(plot_html.script(), encoding="utf-8")
    (folder / "index.html").write_text(_index(figures, title, "html" if pages else "svg"), encoding="utf-8")
    extra = "is not installed: pip install 'seethrough[figures]'"
    lacking = () if pages else (f"no interactive pages: Plotly {extra}",)
    return lacking if pictures else (*lacking, f"no PNG: resvg-py {extra}")


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


def _index(figures: Sequence[Figure], title: str, kind: str) -> str:
    items = "".join(
        f"<h2><a href='{figure.name}.{kind}'>{escape(figure.title)}</a></h2><p>{escape(figure.caption)}</p>"
        f"<a href='{figure.name}.{kind}'><img src='{figure.name}.svg' alt='{escape(figure.title, quote=True)}'></a>"
        f"<p><a href='{figure.name}.csv'>CSV</a> <a href='{figure.name}.parquet'>Parquet</a></p>"
        for figure in figures
    )
    style = "body{font-family:system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem}img{max-width:100%}"
    head = f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
    return f"{head}<style>{style}</style></head><body><h1>{escape(title)}</h1>{items}</body></html>"
