"""What the source looks like from outside: its folders, classes, functions, and the imports between siblings.

`python tests/architecture/source_tree.py src` prints the figures that docs/architecture.md records.
"""

import ast
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from token import COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL, STRING

LAYOUT = frozenset({COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NL})
PARTICIPLES = frozenset(
    [
        "told",
        "drawn",
        "made",
        "kept",
        "shown",
        "chosen",
        "dealt",
        "spent",
        "taken",
        "given",
        "found",
        "understood",
        "built",
        "known",
        "sent",
        "met",
        "hidden",
        "torn",
    ]
)
NO_PARTICIPLES = frozenset({"seed", "need", "speed", "feed", "embed", "exceed", "proceed"})


@dataclass(frozen=True)
class Module:
    """One source file, by its dotted name; an `__init__.py` counts as a child of its folder like any other."""

    path: Path
    name: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    def classes(self) -> Iterator[ast.ClassDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))

    def public_functions(self) -> Iterator[str]:
        """Functions of the module and methods of its classes that are not properties; names with `_` first left out."""
        for node in self.tree.body:
            for inner in node.body if isinstance(node, ast.ClassDef) else (node,):
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_") and not _is_property(inner):
                    yield inner.name


def _is_property(function: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


class SourceTree:
    """All modules below a folder that holds packages."""

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = sorted(path for path in root.rglob("*.py") if "__pycache__" not in path.parts)
        self.modules = [Module(path, ".".join(path.relative_to(root).with_suffix("").parts)) for path in paths]
        self._by_name = {module.name.removesuffix(".__init__"): module for module in self.modules}

    def folders(self) -> dict[str, list[str]]:
        """The names of the source files of each folder, `__init__` among them."""
        files = defaultdict(list)
        for module in self.modules:
            folder, _, name = module.name.rpartition(".")
            files[folder].append(name)
        return dict(files)

    def imports(self, module: Module) -> Iterator[str]:
        """Modules of the tree that a module imports anywhere: in functions, and for types alone, too."""
        for node in ast.walk(module.tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                whole = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [name if name in self._by_name else node.module for name in whole]
            yield from (self._by_name[name].name for name in names if name in self._by_name)

    def sibling_imports(self) -> dict[str, dict[str, set[str]]]:
        """For each folder, which of its children (files and folders) import which others."""
        graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for module in self.modules:
            here = module.name.split(".")
            for name in self.imports(module):
                there = name.split(".")
                same = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
                if same is not None:
                    graphs[".".join(here[:same])][here[same]].add(there[same])
        return graphs

    def cycles(self) -> list[tuple[str, ...]]:
        """Groups of siblings that import each other in a circle, as (folder, child, child, ...).

        The `__init__` of the root is left out: it names what is public, and the version that everything may read.
        """
        found = []
        for folder, graph in self.sibling_imports().items():
            if "." not in folder:
                graph = {child: others - {"__init__"} for child, others in graph.items() if child != "__init__"}
            found += [(folder, *sorted(group)) for group in components(graph) if len(group) > 1]
        return sorted(found)

    def repeated_classes(self) -> dict[str, list[str]]:
        """Names of classes that stand more than once, private ones too."""
        places = defaultdict(list)
        for module in self.modules:
            for node in module.classes():
                places[node.name].append(module.name)
        return {name: where for name, where in places.items() if len(where) > 1}

    def bare_participles(self) -> list[str]:
        """Public functions whose whole name is a participle, so that it does not say what they do."""
        return [
            f"{module.name}.{name}"
            for module in self.modules
            for name in module.public_functions()
            if name in PARTICIPLES or ("_" not in name and name.endswith("ed") and name not in NO_PARTICIPLES)
        ]

    def lines(self) -> int:
        return sum(len(module.path.read_text(encoding="utf-8").splitlines()) for module in self.modules)

    def lines_of_code(self) -> int:
        """Lines that are neither blank nor a comment nor a docstring."""
        return sum(len(code_lines(module.path)) for module in self.modules)


def code_lines(path: Path) -> set[int]:
    """Numbers of the lines of a file that hold code."""
    lines: set[int] = set()
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in LAYOUT]
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        alone = (before is None or before.type == NEWLINE) and (after is None or after.type == NEWLINE)
        if token.type != NEWLINE and not (token.type == STRING and alone):
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def components(graph: dict[str, set[str]]) -> list[set[str]]:
    """Strongly connected components, by Tarjan's algorithm (SIAM J. Comput. 1(2), 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        path.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in path:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            place = path.index(node)
            found.append(set(path[place:]))
            del path[place:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def main(root: Path) -> None:
    """Print the figures of a tree."""
    tree = SourceTree(root)
    sizes = {folder: len(files) for folder, files in tree.folders().items()}
    largest = max(sizes, key=lambda folder: sizes[folder])
    cycles = tree.cycles()
    figures = {
        "source files": len(tree.modules),
        "lines": tree.lines(),
        "lines of code": tree.lines_of_code(),
        "modules at the root": sizes["seethrough"],
        "largest folder": f"{largest}: {sizes[largest]}",
        "folders of more than 15 files": sum(size > 15 for size in sizes.values()),
        "sibling cycles": f"{len(cycles)}, of {sum(len(cycle) - 1 for cycle in cycles)} modules or folders",
        "class names used more than once": len(tree.repeated_classes()),
        "bare participles": len(tree.bare_participles()),
    }
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in figures.items())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
