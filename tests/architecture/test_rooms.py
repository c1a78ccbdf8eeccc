"""The plan of the rooms: few files to a folder, no circles among siblings, one name for one thing."""

from pathlib import Path

import pytest
from source_tree import SourceTree, code_lines, components

ROOT = Path(__file__).resolve().parents[2]
TREE = SourceTree(ROOT / "src")
MOST = 15
# Lists of like things, which nobody reads from end to end: a file for each metric, generator, command, rating and page.
LISTS = {
    "seethrough.metrics": 40,
    "seethrough.synthesizers": 25,
    "seethrough.cli.commands": 25,
    "seethrough.attacks.membership": 25,
    "seethrough.web.pages": 25,
}


def test_the_root_holds_at_most_four_modules():
    assert set(TREE.folders()["seethrough"]) == {"__init__", "__main__", "errors", "seeds"}


@pytest.mark.parametrize(("folder", "files"), TREE.folders().items(), ids=TREE.folders())
def test_a_folder_holds_few_files(folder, files):
    assert len(files) <= LISTS.get(folder, MOST), "a folder is a subject; part it by a second one"


def test_siblings_do_not_import_each_other_in_a_circle():
    assert TREE.cycles() == []


def test_a_class_name_means_one_thing():
    assert TREE.repeated_classes() == {}


def test_public_functions_are_verbs_or_nouns():
    assert TREE.bare_participles() == []


@pytest.fixture
def tree_of(tmp_path):
    """A tree of files by hand."""

    def build(files):
        for name, text in files.items():
            path = tmp_path / "p" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return SourceTree(tmp_path)

    return build


@pytest.mark.parametrize(
    ("files", "cycles"),
    [
        ({"q/a.py": "import p.q.b", "q/b.py": ""}, []),
        ({"q/a.py": "import p.q.b", "q/b.py": "def f():\n    from p.q import a"}, [("p.q", "a", "b")]),
        ({"q/a.py": "from p.q.b import x", "q/b.py": "if 0:\n    from p.q.a import y"}, [("p.q", "a", "b")]),
        ({"q/a.py": "import p.r.c", "r/c.py": "", "r/d.py": "import p.q.a"}, [("p", "q", "r")]),
        ({"q/__init__.py": "import p.q.a", "q/a.py": "from p.q import x"}, [("p.q", "__init__", "a")]),
        ({"__init__.py": "import p.q.a", "q/a.py": "from p import x"}, []),
        ({"q/a.py": "import p.q.b", "q/b.py": "import p.q.c", "q/c.py": "import p.q.a"}, [("p.q", "a", "b", "c")]),
    ],
)
def test_a_circle_is_seen_wherever_the_import_stands(tree_of, files, cycles):
    assert tree_of(files).cycles() == cycles


def test_components_are_those_that_reach_each_other():
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a", "d"}}
    assert sorted(map(sorted, components(graph))) == [["a", "b", "c"], ["d", "e"], ["f"]]


def test_names_that_mean_two_things_and_participles_are_seen(tree_of):
    source = (
        "class A:\n    def drawn(self): ...\n    @property\n    def kept(self): ...\ndef _told(): ...\ndef seed(): ..."
    )
    tree = tree_of({"a.py": source, "b.py": "def f():\n    class A: ...\ndef framed(): ..."})
    assert tree.repeated_classes() == {"A": ["p.a", "p.b"]}
    assert tree.bare_participles() == ["p.a.drawn", "p.b.framed"]


def test_lines_of_code_are_those_without_blanks_comments_and_docstrings(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        '"""Doc\nstring."""\n\n# why\nX = """a\nb"""\n"""About X."""\n\n\ndef f():\n    """Doc."""\n    return X\n'
    )
    assert code_lines(path) == {5, 6, 10, 12}
