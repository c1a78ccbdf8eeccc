"""Processes answer tasks, and one that dies takes nothing along."""

import os
import subprocess
import sys
from contextlib import closing

import pytest

from seethrough.kernels.process_pool import Answered, GivenUp, compute_on_processes

UNGUARDED = """
from operator import neg
from seethrough.kernels.process_pool import compute_on_processes
def prepare():
    return neg
print(list(compute_on_processes(2, range(9), prepare)))
"""


def add(number):
    return lambda task: (task + number, os.getpid())


def die_at(number):
    def answer(task):
        if task == number:
            os._exit(7)
        return task

    return answer


def die_once(path):
    def answer(task):
        if task == 3 and not path.exists():
            path.touch()
            os._exit(7)
        return task

    return answer


class Untransportable(Exception):
    def __init__(self, text):
        super().__init__(text)
        self.held = lambda: None


def raise_at(number, error):
    def answer(task):
        if task == number:
            raise Untransportable("held") if error is None else error
        return task

    return answer


def test_every_task_is_answered_once_by_all_processes():
    found = list(compute_on_processes(2, range(20), add, 100))
    assert sorted(each.answer[0] for each in found) == list(range(100, 120))
    assert all(each.answer[0] == each.task + 100 and each.attempts == 1 for each in found)
    assert len({each.answer[1] for each in found}) == 2
    assert os.getpid() not in {each.answer[1] for each in found}


def test_nothing_to_do_starts_nothing():
    assert list(compute_on_processes(2, [], add, 1)) == []


def test_a_process_that_dies_costs_only_its_task(tmp_path):
    found = list(compute_on_processes(2, range(9), die_once, tmp_path / "died"))
    assert sorted(each.answer for each in found) == list(range(9))
    assert {each.task for each in found if each.attempts == 2} == {3}


def test_a_task_that_kills_every_process_is_given_up():
    found = list(compute_on_processes(2, range(5), die_at, 2))
    assert GivenUp(2, 3, 7) in found
    assert sorted(each.task for each in found if isinstance(each, Answered)) == [0, 1, 3, 4]


@pytest.mark.parametrize(("error", "kind"), [(ValueError("no luck"), ValueError), (None, RuntimeError)])
def test_what_a_task_raises_is_raised_here(error, kind):
    with pytest.raises(kind, match=r"no luck|Untransportable: held"):
        list(compute_on_processes(2, range(5), raise_at, 2, error))


def test_closing_ends_the_processes():
    with closing(compute_on_processes(2, range(100), add, 0)) as answers:
        workers = {next(answers).answer[1] for _ in range(4)}
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_a_script_without_a_guard_is_told_so(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    found = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert 'a script has to start them under if __name__ == "__main__", or ask for one worker' in found.stderr
