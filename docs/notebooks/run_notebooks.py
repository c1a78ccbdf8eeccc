"""Run notebooks and store what they show: `make notebooks`, or `python docs/notebooks/run_notebooks.py [FILE ...]`.

Cells run in order in one namespace, in a folder of their own that is removed afterwards. What a cell prints and what
its last line gives are stored, in the forms that Jupyter would store; nothing about the machine or the time is.
"""

import ast
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
Json = dict[str, Any]


def main(paths: list[Path]) -> None:
    """Run notebooks and write them back with what they show."""
    # Frames are as wide as these say, wherever the command is run.
    os.environ.update(POLARS_TABLE_WIDTH="120", POLARS_FMT_MAX_COLS="10", POLARS_FMT_MAX_ROWS="12")
    for path in paths or sorted(FOLDER.glob("*.ipynb")):
        notebook = read(path)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            shown = list(run(notebook))
        for cell, (number, outputs) in zip(code_cells(notebook), shown, strict=True):
            cell |= {"execution_count": number, "outputs": outputs, "metadata": {}}
        notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        sys.stdout.write(f"ran {path.name}\n")


def read(path: Path) -> Json:
    """Read a notebook."""
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def code_cells(notebook: Json) -> list[Json]:
    """Give the cells that are run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(notebook: Json) -> Iterator[tuple[int, list[Json]]]:
    """Run the cells in order; give the number and the outputs of each."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code_cells(notebook), start=1):
        yield number, list(_run_cell("".join(cell["source"]), namespace, number))


def _run_cell(source: str, namespace: dict[str, Any], number: int) -> Iterator[Json]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
        elif isinstance(last, ast.Expr):
            exec(compile(ast.Module([last], []), f"cell {number}", "exec"), namespace)
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if value is not None:
        yield {"data": _forms(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def _forms(value: object) -> Json:
    """Show a value in every form that it has; the one with most to see is what a notebook shows."""
    forms: Json = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        forms["text/html"] = _lines(value._repr_html_())
    return dict(sorted(forms.items()))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    main([Path(word).resolve() for word in sys.argv[1:]])
