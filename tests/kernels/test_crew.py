"""A crew of threads: as many compute as it has, jobs inside jobs included; none waits for ever, and errors end all."""

import threading
import time
from contextlib import contextmanager
from functools import partial

import pytest

from seethrough.kernels.budget import Budget
from seethrough.kernels.crew import check_stopped, limit_threads, wait_away


class Gauge:
    """Counts how many threads are inside, and the most there ever were."""

    def __init__(self):
        self.lock, self.now, self.most = threading.Lock(), 0, 0

    @contextmanager
    def inside(self):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        yield
        with self.lock:
            self.now -= 1


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_jobs_inside_jobs_are_all_done_and_never_by_more_threads_than_there_are(threads):
    budget, gauge, done = Budget(threads=threads), Gauge(), []

    def leaf(*path):
        with gauge.inside():
            time.sleep(0.0005)
            done.append(path)

    def middle(*path):
        budget.run([partial(leaf, *path, at) for at in range(4)])

    def outer(*path):
        budget.run([partial(middle, *path, at) for at in range(3)])

    budget.run([partial(outer, at) for at in range(5)])
    assert sorted(done) == [(a, b, c) for a in range(5) for b in range(3) for c in range(4)]
    assert 1 <= gauge.most <= threads
    assert threading.active_count() == len([each for each in threading.enumerate() if each.name != "helper"])


def test_two_jobs_really_run_at_once():
    both = threading.Barrier(2, timeout=20)
    Budget(threads=2).run([both.wait, both.wait])


def test_who_waits_for_another_gives_the_place_to_a_third():
    changed, there, both = threading.Condition(), [], threading.Barrier(2, timeout=20)

    def brings():
        Budget(threads=2).run([both.wait, both.wait])  # which takes two threads at once, while one waits for this
        with changed:
            there.append(1)
            changed.notify_all()

    Budget(threads=2).run([lambda: wait_away(changed, lambda: bool(there)), brings])
    assert there == [1]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_error_of_the_first_job_by_order_is_raised_and_others_end(threads):
    begun, ended = [], []

    def breaks(at):
        begun.append(at)
        raise ValueError(at)

    def long(at):
        begun.append(at)
        try:
            while threads > 1:
                check_stopped()
                time.sleep(0.001)
        finally:
            ended.append(at)

    with pytest.raises(ValueError, match="1"):
        Budget(threads=threads).run([partial(long, 0), partial(breaks, 1), *(partial(long, at) for at in range(2, 40))])
    assert sorted(ended) == sorted(set(begun) - {1})
    assert len(begun) < 40


def test_an_error_outside_ends_runs_inside_at_their_next_job():
    done, begun = [], threading.Event()

    def slow(at):
        begun.set()
        time.sleep(0.002)
        done.append(at)

    def breaks():
        assert begun.wait(20)
        raise ZeroDivisionError

    budget = Budget(threads=2)
    with pytest.raises(ZeroDivisionError):
        budget.run([breaks, lambda: budget.run([partial(slow, at) for at in range(5000)])])
    assert 0 < len(done) < 5000


def test_ctrl_c_in_one_of_two_ends_the_other():
    ended, begun = [], threading.Event()

    def other():
        begun.set()
        try:
            while True:
                check_stopped()
                time.sleep(0.001)
        finally:
            ended.append(True)

    def interrupted():
        assert begun.wait(20)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Budget(threads=2).run([interrupted, other])
    assert ended == [True]


def test_an_error_of_who_is_told_how_far_it_is_ends_the_run():
    def tell(share):
        raise RuntimeError("nobody listens")

    with pytest.raises(RuntimeError, match="nobody listens"):
        Budget(threads=2, tick=tell).run([lambda: time.sleep(0.001)] * 50)


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_never_goes_back_ends_at_one_and_is_told_by_the_thread_that_began(threads):
    told = []
    Budget(threads=threads, tick=lambda share: told.append((share, threading.get_ident()))).run([lambda: None] * 20)
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert {who for _, who in told} == {threading.get_ident()}


def test_a_helper_takes_a_whole_step_before_a_block_inside_of_another():
    budget, taken = Budget(threads=2), []
    began, go_on = threading.Event(), threading.Event()

    def block(place):
        taken.append(("block", place))

    def first():
        began.wait(20)  # until the helper has its step
        budget.run([partial(block, place) for place in range(3)])
        go_on.set()

    def second():
        taken.append(("step", threading.current_thread().name))
        began.set()
        go_on.wait(20)

    budget.run([first, second])
    assert taken[0] == ("step", "helper")
    assert sorted(taken[1:]) == [("block", 0), ("block", 1), ("block", 2)]


@pytest.fixture
def no_limit_is_left():
    yield
    limit_threads(None)


@pytest.mark.usefixtures("no_limit_is_left")
def test_a_limit_holds_jobs_to_fewer_threads_and_lets_others_in_when_it_is_lifted():
    budget, gauge, both = Budget(threads=2), Gauge(), threading.Barrier(2, timeout=20)

    def alone():
        with gauge.inside():
            time.sleep(0.001)

    def lift():
        limit_threads(None)

    def outer():
        budget.run([alone] * 10)
        assert gauge.most == 1
        lift()
        both.wait()  # which takes another thread, in a run that began under the limit

    limit_threads(1)
    budget.run([outer, both.wait])
