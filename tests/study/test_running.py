"""Runs: every cell once, from where the last one stopped, each generator fitted once."""

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest

from seethrough.errors import NotApplicable, StoreError
from seethrough.plugins import catalog
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard
from seethrough.study.cells.cell import Status
from seethrough.study.cells.packed_tables import pack, unpack
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.plan.tables import identity
from seethrough.study.run import running, workers
from seethrough.study.run.running import run
from seethrough.study.run.status import failures, study_statuses
from seethrough.study.run.work import answer, compute, parse_answers
from seethrough.study.store.frame import load
from seethrough.study.store.store import Store


@dataclass(frozen=True)
class Counting:
    """Resamples, and notes every fit and every draw."""

    fits: list
    draws: list
    name: ClassVar[str] = "counting"
    card: ClassVar[SynthesizerCard] = SynthesizerCard("counting", "Counting", "Counts.")

    def fit(self, table, rng):
        self.fits.append(len(table))
        return Drawing(table, self.draws)


@dataclass(frozen=True)
class Drawing:
    table: object
    draws: list
    card: ClassVar[SamplerCard] = SamplerCard("counting", 1)

    def sample(self, rows, rng):
        self.draws.append(rows)
        return self.table.take(rng.integers(0, len(self.table), rows))


@pytest.fixture
def counting(monkeypatch):
    made = Counting([], [])
    known = catalog.build_synthesizer
    build = lambda name, params=None: made if name == "counting" else known(name, params or {})  # noqa: E731
    monkeypatch.setattr(catalog, "build_synthesizer", build)
    return made


def test_a_generator_is_fitted_once_and_the_largest_release_drawn_once(study_of, here, counting, tmp_path):
    study = study_of(('["nonprivate", "indhist"]', '["counting"]'), ('["real", "indhist"]', '["counting"]'))
    run(study, tmp_path / "s.sqlite", here)
    assert counting.fits == [12] * 4 + [20] * 2
    assert counting.draws == [20] * 4 + [20] * 2


def test_the_second_run_computes_nothing(study_of, here, tmp_path, kept):
    first = run(study_of(), tmp_path / "s.sqlite", here)
    before = kept(tmp_path / "s.sqlite")
    assert (first.progress.computed, first.progress.before, len(before)) == (48, 0, 48)
    second = run(study_of(), tmp_path / "s.sqlite", here)
    assert (second.progress.computed, second.progress.before) == (0, 48)
    assert kept(tmp_path / "s.sqlite") == before


def test_only_what_is_missing_in_a_group_is_computed_and_is_the_same(study_of, here, tmp_path, kept, undisturbed):
    path = tmp_path / "s.sqlite"
    run(study_of(), path, here)
    gone = sorted(undisturbed)[::3]
    with Store.write(path) as store, store._connection as writing:
        writing.executemany("DELETE FROM cell WHERE key = ?", [(key,) for key in gone])
    assert run(study_of(), path, here).progress.computed == len(gone)
    assert kept(path) == undisturbed


def test_a_longer_plan_adds_to_the_shorter_one(study_of, here, tmp_path, kept):
    path = tmp_path / "s.sqlite"
    run(study_of(), path, here)
    first = kept(path)
    ended = run(study_of(("games = 4", "games = 5")), path, here)
    assert ended.progress.computed == 8
    assert first.items() < kept(path).items()
    # A plan that asks for less again shows less, and loses nothing.
    run(study_of(), path, here)
    assert len(load(path, "tiny").cells) == 48
    assert len(kept(path)) == 56


def test_two_plans_share_cells(study_of, here, tmp_path):
    run(study_of(), tmp_path / "s.sqlite", here)
    assert run(study_of(('"tiny"', '"other"')), tmp_path / "s.sqlite", here).progress.computed == 0
    with Store.read(tmp_path / "s.sqlite") as store:
        assert [(each.name, each.done) for each in study_statuses(store)] == [("other", 48), ("tiny", 48)]


def test_a_broken_cell_stops_no_other_and_is_run_again_on_request(study_of, here, tmp_path, monkeypatch):
    path = tmp_path / "s.sqlite"
    known = catalog.build_check

    def breaking(name, params=None):
        if name == "zcap" and not allowed:
            raise ZeroDivisionError("no luck")
        return known(name, params or {})

    allowed = ["while the plan is read"]
    study = study_of()
    monkeypatch.setattr(catalog, "build_check", breaking)
    allowed.clear()
    ended = run(study, path, here)
    assert (ended.progress.computed, ended.progress.failed) == (48, 4)
    with Store.read(path) as store:
        assert failures(store, "tiny", "full") == [("ZeroDivisionError: no luck", 4)]
        assert study_statuses(store)[0].failed == 4
    assert run(study, path, here).progress.computed == 0
    allowed.append("from now on")
    ended = run(study, path, here, retry_failed=True)
    assert (ended.progress.computed, ended.progress.failed) == (4, 0)
    with Store.read(path) as store:
        assert (study_statuses(store)[0].done, study_statuses(store)[0].failed) == (48, 0)


def test_a_generator_that_cannot_be_fitted_fails_its_own_cells(study_of, here, tmp_path):
    # Real records cannot be had more often than they are there.
    study = study_of(('["nonprivate", "indhist"]', '["real", "indhist"]'))
    assert run(study, tmp_path / "s.sqlite", here).progress.failed == 4 * 4 + 2 * 2
    cells = load(tmp_path / "s.sqlite", "tiny").cells
    failed = cells.filter(status="failed")
    assert set(failed["synthesizer"]) == {"real"}
    assert "20 rows are more than its 12 records" in failed["error"][0]


def test_what_does_not_apply_is_skipped_for_good(study_of, here, tmp_path):
    study = study_of(('"crp", "zcap"', '"hidden-rate"'))
    ended = run(study, tmp_path / "s.sqlite", here)
    assert ended.progress.failed == 0
    assert run(study, tmp_path / "s.sqlite", here, retry_failed=True).progress.computed == 0
    skipped = load(tmp_path / "s.sqlite", "tiny").cells.filter(what="check")
    assert set(skipped["status"]) == {"skipped"}
    assert "not known which" in skipped["error"][0]


def test_cells_that_need_an_extra_wait_for_it(study_of, here, tmp_path, counting, monkeypatch):
    card = SynthesizerCard("counting", "Counting", "Counts.", extra="torch")
    monkeypatch.setattr(Counting, "card", card)
    monkeypatch.setattr(running, "lacking", lambda extra: "torch")
    study = study_of(('["nonprivate", "indhist"]', '["counting", "indhist"]'))
    ended = run(study, tmp_path / "s.sqlite", here)
    assert (ended.progress.computed, ended.progress.unavailable) == (28, 20)
    assert counting.fits == []
    assert "pip install 'seethrough[torch]'" in ended.reasons["torch"]
    waiting = load(tmp_path / "s.sqlite", "tiny").cells.filter(synthesizer="counting")
    assert set(waiting["status"]) == {"unavailable"}
    monkeypatch.setattr(running, "lacking", lambda extra: "")
    ended = run(study, tmp_path / "s.sqlite", here)
    assert (ended.progress.computed, ended.progress.unavailable) == (20, 0)


def test_what_is_installed_is_seen():
    assert running.lacking("no such extra") == ""
    assert running.lacking("test") == ""


def test_data_that_changed_under_a_study_are_refused(folder, study_of, here, write_people, kept):
    path = folder / "s.sqlite"
    run(study_of(), path, here)
    before = kept(path)
    write_people(folder / "people.csv", seed=1)
    with pytest.raises(StoreError, match=r"plan tiny: data.people is not what the study .* was begun with: digest"):
        run(study_of(), path, here)
    assert kept(path) == before


def test_interrupting_keeps_what_was_answered(study_of, tmp_path, here, kept, undisturbed):
    path = tmp_path / "s.sqlite"

    @dataclass(frozen=True)
    class Interrupted:
        described: str = "somebody"

        def answers(self, tasks, tables):
            for number, each in enumerate(here.answers(tasks, tables)):
                if number == 3:
                    raise KeyboardInterrupt
                yield each

    ended = run(study_of(), path, Interrupted())
    assert ended.stopped
    found = kept(path)
    assert 0 < len(found) == ended.progress.computed < 48
    assert found.items() <= undisturbed.items()
    with Store.read(path) as store:
        assert study_statuses(store)[0].run == "stopped"
    assert run(study_of(), path, here).progress.before == len(found)
    assert kept(path) == undisturbed


def test_tasks_and_answers_travel_as_json(study_of, here):
    study = study_of()
    tables = {loaded.digest: loaded.table for loaded in study.data.values()}
    desk = WorkerCache(tables.__getitem__)
    for group in study.groups[:3]:
        found = parse_answers(answer(json.dumps(group.task()).encode(), desk, 1 << 28))
        for mine, other in zip(found, compute(group.task(), desk, 1 << 28), strict=True):
            assert (mine.key, mine.value, mine.status) == (other.key, other.value, other.status)


def test_a_table_survives_packing(study_of):
    table = study_of().data["people"].table
    other = unpack(pack(table))
    assert identity(other) == identity(table)
    assert [column.dtype for column in other.columns] == [column.dtype for column in table.columns]
    assert other.schema.secrets == ("ill",)


def test_without_a_record_left_the_imputation_baseline_is_skipped(study_of, here, tmp_path):
    study = study_of(("rows = 12", "rows = 40"), ("baselines = false", "baselines = true"), ("games = 4", "games = 1"))
    run(study, tmp_path / "s.sqlite", here)
    found = load(tmp_path / "s.sqlite", "tiny").cells.filter(what="baseline")
    assert dict(zip(found["name"], found["status"], strict=True)) == {
        "random": "done",
        "majority": "done",
        "imputation": "skipped",
    }


def test_errors_in_the_middle_of_a_group_keep_what_came_before(monkeypatch):
    from seethrough.study.cells.cell import Result
    from seethrough.study.kinds.protocol import StudyKind
    from seethrough.study.run import work

    def computed(task, desk, memory):
        yield Result("a", Status.DONE, 1.0)
        raise NotApplicable("enough")

    monkeypatch.setattr(work, "study_kinds", lambda: {"any": StudyKind("any", None, computed)})
    found = compute({"kind": "any", "cells": [{"key": "a"}, {"key": "b"}]}, WorkerCache(None), 0)
    assert [(each.key, each.status) for each in found] == [("a", Status.DONE), ("b", Status.FAILED)]


def test_one_worker_more_changes_nothing(study_of, tmp_path, kept, undisturbed):
    run(study_of(), tmp_path / "s.sqlite", workers.Processes(2, 1 << 28))
    assert kept(tmp_path / "s.sqlite") == undisturbed
