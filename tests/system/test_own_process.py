"""Settings of the program's own process, and that a library call leaves the caller's alone."""

import subprocess
import sys

import pytest

TELL = "import gc; {}; print(gc.get_threshold()[0])"


def told(program):
    found = subprocess.run([sys.executable, "-c", TELL.format(program)], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def test_the_own_process_looks_for_circles_seldom():
    settled = told("from seethrough.system.own_process import settle_own_process as s; s()")
    assert settled == "20000"


def test_a_library_leaves_the_settings_of_its_caller_alone():
    assert told("import seethrough") == told("pass")


@pytest.mark.skipif(sys.platform != "linux", reason="the allocator of glibc is that of Linux")
def test_freed_memory_is_kept_for_the_next_arrays():
    # Memory that was given back would be faulted in again, page by page, every time.
    program = (
        "import resource\n"
        "from seethrough.system.own_process import settle_own_process\n"
        "settle_own_process()\n"
        "arrays = lambda: [bytearray(b'1') * (8 << 20) for _ in range(5)]\n"
        "faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "arrays()\n"
        "before = faults()\n"
        "for _ in range(5): arrays()\n"
        "print((faults() - before) * resource.getpagesize())\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 5 * (8 << 20)
