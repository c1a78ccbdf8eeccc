"""A partner: it sends what it finds, shares the threads, and neither outlives the original nor is missed when it dies.

Each test runs a program of its own, because only a process that runs nothing but this program has a partner.
"""

import subprocess
import sys
import time

import pytest

from seethrough.kernels.partner_process import partner_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="partners are made by fork on Linux alone")

PROLOGUE = """
import os, signal, sys, threading, time
import numpy as np
from seethrough.kernels.budget import Budget
from seethrough.kernels.partner_process import partner_process
from seethrough.system.own_process import settle_own_process
settle_own_process()
"""


def printed(program):
    found = subprocess.run([sys.executable, "-c", PROLOGUE + program], capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout.split()


def test_a_process_of_somebody_else_has_no_partner():
    with partner_process(lambda send: send(1), print, threads=2) as partner:
        assert partner is None


def test_one_thread_is_not_shared():
    assert printed("with partner_process(lambda send: send(1), print, threads=1) as partner: print(partner)") == [
        "None"
    ]


def test_what_a_partner_sends_arrives_in_order_also_where_it_is_more_than_a_pipe_holds():
    program = """
def work(send):
    for number in range(3):
        send((number, os.getpid(), np.full(100_000, number)))

def hear(message):
    number, process, array = message
    print(number, process != os.getpid(), int(array.sum()))

with partner_process(work, hear, threads=2) as partner:
    partner.wait()
"""
    assert printed(program) == ["0", "True", "0", "1", "True", "100000", "2", "True", "200000"]


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), signal.SIGKILL)", "raise ValueError", "os._exit(3)"])
def test_a_partner_that_dies_sends_no_more_and_says_nothing(ending):
    program = f"""
def work(send):
    send("first")
    {ending}

with partner_process(work, print, threads=2) as partner:
    partner.wait()
"""
    assert printed(program) == ["first"]


def test_each_has_half_of_the_threads_and_all_of_them_once_the_other_ended():
    program = """
def most_at_once(budget):
    lock, counts = threading.Lock(), [0, 0]
    def job():
        with lock:
            counts[0] += 1
            counts[1] = max(counts)
        time.sleep(0.02)
        with lock:
            counts[0] -= 1
    budget.run([job] * 8)
    return counts[1]

budget = Budget(threads=2)

def work(send):
    send(most_at_once(budget))
    time.sleep(0.5)
    send(most_at_once(budget))

heard = []
with partner_process(work, heard.append, threads=2) as partner:
    mine = most_at_once(budget)
    partner.wait()
    print(mine, *heard, most_at_once(budget))
print(most_at_once(budget))
"""
    assert printed(program) == ["1", "1", "2", "2", "2"]


def test_a_partner_ends_with_the_block_and_with_a_killed_original():
    program = """
def work(send):
    send(os.getpid())
    time.sleep(600)

said = threading.Event()

def hear(process):
    print(process, flush=True)
    said.set()

with partner_process(work, hear, threads=2) as partner:
    said.wait()
    {}
"""
    (ended,) = printed(program.format(""))
    assert not is_alive(int(ended))
    original = subprocess.Popen(
        [sys.executable, "-c", PROLOGUE + program.format("time.sleep(600)")], stdout=subprocess.PIPE, text=True
    )
    assert original.stdout is not None
    orphan = int(original.stdout.readline())
    assert is_alive(orphan)
    original.kill()
    original.wait()
    original.stdout.close()
    deadline = time.monotonic() + 20
    while is_alive(orphan) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(orphan)


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as told:
            return told.read().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_partner_has_no_partner():
    program = """
def work(send):
    with partner_process(lambda send: None, print, threads=2) as second:
        send(second is None)

with partner_process(work, print, threads=2) as partner:
    partner.wait()
"""
    assert printed(program) == ["True"]
