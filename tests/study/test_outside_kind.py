"""A kind of experiment of another package: one module and an entry point, and plans may ask for it."""

import sys
from importlib.metadata import EntryPoint

import pytest

from seethrough.errors import ConfigError
from seethrough.study.kinds import registry
from seethrough.study.kinds.comparison import compare_with_published, comparison_rule
from seethrough.study.kinds.figures import figure_makers, make_figures
from seethrough.study.kinds.protocol import StudyKind
from seethrough.study.plan.plan import parts_of
from seethrough.study.run.running import run
from seethrough.study.store.frame import cell_columns, load

MODULE = """
from dataclasses import dataclass

import polars as pl

from seethrough.results.figure import Figure, FigureTable, Listing
from seethrough.seeds import stream
from seethrough.study.cells.capture import capture
from seethrough.study.cells.cell import Cell, CellGroup, canonical, keys_of
from seethrough.study.kinds.protocol import StudyKind
from seethrough.study.kinds.published import REPRODUCED, PublishedComparison


@dataclass(frozen=True)
class Dice:
    where: str
    throws: int
    data: tuple[str, ...] = ()

    @property
    def described(self):
        return f"{self.throws} throws"

    def groups(self, name, digest, table, seed):
        for number in range(self.throws):
            own = {"seed": seed, "number": number}
            (key,) = keys_of({"kind": "dice", **own}, [canonical({})])
            cell = Cell(key, "", None, number, "throw", "die", {})
            yield CellGroup("dice", "", self.where, own, (cell,))


def read(fields):
    return Dice(fields.only("throws").where, fields.count("throws"))


def compute(task, cache, memory):
    eyes = int(stream(task["seed"], f"throw {task['number']}").integers(1, 7))
    for cell in task["cells"]:
        yield capture(cell["key"], lambda: (eyes / 6, {"eyes": eyes}))


def eyes_by_throw(results):
    rows = tuple(results.done("dice").select("number", "eyes").iter_rows())
    shown = tuple((str(number), str(eyes)) for number, eyes in rows)
    columns = ("number", "eyes")
    return Figure("eyes", "Eyes", "", (Listing("", columns, shown),), FigureTable(columns, rows))


def compare(results):
    if results.parts["dice"]:
        yield PublishedComparison("faces of a die", "6", "6", REPRODUCED, "everybody")


KIND = StudyKind(
    "dice",
    read,
    compute,
    columns={"eyes": pl.Int64},
    figures={"eyes": eyes_by_throw},
    usual_figures=("eyes",),
    compare=compare,
    rule="reproduced if a die has six faces",
)
"""
PLAN = """
format = 1
name = "thrown"
seed = 3
[[dice]]
throws = 5
[[small.dice]]
throws = 2
"""


@pytest.fixture
def install(monkeypatch):
    """Offer kinds as installed packages would."""

    def offer(**values):
        points = [EntryPoint(name, value, registry.GROUP) for name, value in values.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
        registry.study_kinds.cache_clear()

    yield offer
    monkeypatch.undo()
    registry.study_kinds.cache_clear()


@pytest.fixture
def dice(install, tmp_path, monkeypatch):
    (tmp_path / "dice_package.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dice_package", raising=False)
    install(dice="dice_package:KIND")


@pytest.mark.usefixtures("dice")
def test_a_kind_of_another_package_is_read_computed_drawn_and_compared(study_of, here, tmp_path):
    study = study_of(text=PLAN)
    assert (study.size, study.plan.parts[0].described) == (5, "5 throws")
    assert study_of(text=PLAN, form="small").size == 2
    assert run(study, tmp_path / "s.sqlite", here).progress.computed == 5
    results = load(tmp_path / "s.sqlite", "thrown")
    assert results.cells["status"].to_list() == ["done"] * 5
    assert all(1 <= eyes <= 6 for eyes in results.cells["eyes"])
    (figure,) = make_figures(results)
    assert figure.table.rows == tuple(enumerate(results.cells["eyes"].to_list()))
    assert [each.what for each in compare_with_published(results)] == ["faces of a die"]
    assert "dice: reproduced if a die has six faces." in comparison_rule()
    assert "eyes" in figure_makers()


@pytest.mark.usefixtures("dice")
def test_its_plan_is_read_as_strictly_as_any(study_of):
    with pytest.raises(ConfigError, match=r"dice\[1\].throws is 0; a whole number from 1 on is expected"):
        study_of(("throws = 5", "throws = 0"), text=PLAN)
    with pytest.raises(ConfigError, match=r"dice\[1\] has an unknown key 'eyes'; throws are known"):
        study_of(("throws = 5", "throws = 5\neyes = 6"), text=PLAN)


def test_without_the_package_the_plan_is_refused(study_of):
    with pytest.raises(ConfigError, match="has an unknown key 'dice'"):
        study_of(text=PLAN)


def test_kinds_that_cannot_be_used_are_refused(install, study_of):
    install(dice="no_such_package:KIND")
    with pytest.raises(ConfigError, match="the study kind 'dice' of no_such_package:KIND cannot be loaded: No module"):
        study_of()
    install(dice="json:dumps")
    with pytest.raises(ConfigError, match="the study kind 'dice' of json:dumps is no StudyKind"):
        study_of()
    install(again="seethrough.study.kinds.games.kind:KIND")
    assert list(registry.study_kinds()) == ["battery", "calibration", "games", "linkage", "metrics"], (
        "the same kind twice is one"
    )


@pytest.mark.parametrize(
    ("kind", "ask", "said"),
    [
        (StudyKind("games", None, None), registry.study_kinds, "two kinds of experiments are named 'games'"),
        (StudyKind("x", None, None, figures={"roc": print}), figure_makers, "two figures are named 'roc'"),
        (StudyKind("x", None, None, columns={"n": "text"}), cell_columns, "column 'n' of another type"),
        (StudyKind("x", None, None, columns={"seconds": "text"}), cell_columns, "column 'seconds' of another type"),
    ],
)
def test_what_two_kinds_call_alike_is_refused(install, monkeypatch, kind, ask, said):
    monkeypatch.setattr(sys.modules[__name__], "OTHER", kind, raising=False)
    install(other=f"{__name__}:OTHER")
    with pytest.raises(ConfigError, match=said):
        ask()


def test_every_kind_of_this_package_is_a_folder(study_of):
    kinds = registry.study_kinds()
    assert {"games", "linkage", "metrics"} <= kinds.keys()
    for name, kind in kinds.items():
        assert (kind.name, set(kind.usual_figures) - kind.figures.keys()) == (name, set())
    assert parts_of("[[games]]\nrows = 1", "full")["games"] == ({"rows": 1},)
