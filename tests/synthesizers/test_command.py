"""Programs as generators: run without a shell, within limits, their failures told."""

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, SchemaMismatch, SeethroughError
from seethrough.seeds import stream
from seethrough.synthesizers.command import Command

RESAMPLE = """
import csv, random, sys
given, made, rows, seed = sys.argv[1:5]
random.seed(int(seed))
with open(given, newline="") as file:
    head, *records = csv.reader(file)
with open(made, "w", newline="") as file:
    csv.writer(file).writerows([head, *random.choices(records, k=int(rows))])
"""


@pytest.fixture
def real(tables_of):
    columns = {"a": ["x", "y, z", None, '"x"'], "b": [1.0, None, 3.5, 4.0], "c": ["p", "q", "q", "r"]}
    return tables_of(columns, columns)[0]


@pytest.fixture
def program(tmp_path):
    def write(text, **values):
        path = tmp_path / "my generator.py"
        path.write_text(text)
        return Command(run=f"'{sys.executable}' '{path}' {{input}} {{output}} {{rows}} {{seed}}", **values)

    return write


def rows_of(table):
    return {tuple(np.nan_to_num(value, nan=-1.0) for value in row) for row in zip(*table.columns, strict=True)}


@pytest.fixture
def private(tmp_path_factory, monkeypatch):
    """A folder for temporary files of this test alone."""
    folder = tmp_path_factory.mktemp("private")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_program_is_given_the_table_and_its_own_is_read(real, program, private):
    sampler = program(RESAMPLE).fit(real, stream(0, "fit"))
    found = sampler.sample(200, stream(0, "sample"))
    assert len(found) == 200
    assert found.schema == real.schema
    assert rows_of(found) == rows_of(real)
    again, other = (sampler.sample(200, stream(seed, "sample")) for seed in (0, 1))
    assert again.digest == found.digest != other.digest
    assert not list(private.iterdir())


def test_codes_beyond_the_schema_come_back_as_they_were(real, program):
    """A population may hold values that its schema does not declare."""
    declared = Schema(tuple(replace(c, levels=c.levels[:1]) if c.name == "c" else c for c in real.schema.columns))
    table = Table(declared, real.columns)
    found = program(RESAMPLE).fit(table, stream(0, "fit")).sample(100, stream(0, "sample"))
    assert set(found.column("c").tolist()) == {1, 2, 3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import sys; sys.exit('no licence found')", "ended with exit code 1; it said last: no licence found"),
        ("import sys; sys.stderr.write('x' * 9000 + 'the end'); sys.exit(3)", "exit code 3; .*xthe end$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9; it said nothing"),
        ("print('did nothing')", "ended well but wrote nothing to {output}; it said last: did nothing"),
        ("import sys; open(sys.argv[2], 'w').write('a,b\\nx,1\\n')", "has no column 'c', which the real table has"),
        (
            "import sys; open(sys.argv[2], 'w').write('a,b,c\\nx,one,p\\n')",
            "numbers .* row 1 holds another value",
        ),
        ("import sys; open(sys.argv[2], 'w').write('a,b,c\\nx,1,p\\n')", "wrote 1 rows where 5 were asked for"),
        ("import sys; open(sys.argv[2], 'w').write('a,b,c\\n')", "has no rows"),
        ("import sys; open(sys.argv[2], 'wb').write(bytes(range(256)))", "not a text file"),
    ],
)
def test_failures_are_told(real, program, private, text, words):
    with pytest.raises(SeethroughError, match=words):
        program(text).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))
    assert not list(private.iterdir())


def test_time_is_limited_and_nobody_is_left(real, program, tmp_path):
    text = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
print("waiting", flush=True)
time.sleep(600)
"""
    begun = time.monotonic()
    with pytest.raises(SeethroughError, match="was ended after 2 seconds, its limit; it said last: waiting"):
        program(text, seconds=2.0).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))
    assert time.monotonic() - begun < 60
    assert is_gone(int((tmp_path / "pid").read_text()))


DAEMON = """
import os, sys, time
if os.fork():
    time.sleep({seconds})
    sys.exit(0)
os.setsid()
if os.fork():
    os._exit(0)
open({pid!r}, "w").write(str(os.getpid()))
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets orphans be adopted")
@pytest.mark.parametrize(
    ("seconds", "words"), [(600, "was ended after 3 seconds, its limit"), (1.5, "wrote nothing to {output}")]
)
def test_a_process_with_a_session_of_its_own_ends_as_well(real, program, tmp_path, seconds, words):
    text = DAEMON.format(seconds=seconds, pid=str(tmp_path / "pid"))
    with pytest.raises(SeethroughError, match=words):
        program(text, seconds=3.0).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_files_of_a_program_are_its_owners_alone(real, program):
    text = "import os, sys; open(sys.argv[2], 'w').close(); sys.exit(oct(os.stat(sys.argv[2]).st_mode & 0o777))"
    with pytest.raises(SeethroughError, match="it said last: 0o600"):
        program(text).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))


def is_gone(pid):
    for _ in range(100):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_memory_is_limited(real, program):
    text = "held = bytearray(3 << 30); print(len(held))"
    with pytest.raises(SeethroughError, match="MemoryError"):
        program(text, gib=1.0).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))


def test_the_environment_is_its_own(real, program, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.setenv("WANTED", "this")
    text = "import os, sys; sys.exit(' '.join(sorted(os.environ)) + ' ' + os.environ.get('WANTED', ''))"
    with pytest.raises(SeethroughError, match=r"HOME LC_ALL (LC_CTYPE )?PATH TMPDIR WANTED this$"):
        program(text, keep=("WANTED",)).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))
    with pytest.raises(ConfigError, match="'NOWHERE' is to be kept, but it is not set"):
        program(text, keep=("NOWHERE",)).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))


def test_no_shell_is_involved(real, tmp_path):
    line = f"echo {{input}} {{output}} ; touch {tmp_path / 'made'} $(touch {tmp_path / 'made'})"
    with pytest.raises(SeethroughError, match="wrote nothing"):
        Command(run=line).fit(real, stream(0, "fit")).sample(5, stream(0, "sample"))
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "command needs a program: run="),
        ({"run": "prog {input}"}, "{output} is not in 'prog {input}'"),
        ({"run": "prog {input} {output} {row}"}, "{row} means nothing; there are {input}, {output}, {rows}, {seed}"),
        ({"run": "prog '{input} {output}"}, "cannot be split into words"),
    ],
)
def test_bad_lines_are_refused_before_anything_runs(real, values, words):
    with pytest.raises(ConfigError, match=words):
        Command(**values).fit(real, stream(0, "fit"))


def test_a_program_that_is_not_there(real):
    with pytest.raises(ConfigError, match="there is no program 'no-such-program'"):
        Command(run="no-such-program {input} {output}").fit(real, None).sample(5, stream(0, "sample"))


@pytest.mark.parametrize("values", [{"seconds": 0.0}, {"gib": -1.0}, {"seconds": float("nan")}])
def test_limits_that_are_none_are_refused(values):
    with pytest.raises(ConfigError, match="has to be above 0"):
        Command(**values)


def test_another_type_is_a_mismatch(real, program):
    text = "import sys; open(sys.argv[2], 'w').write('a,b,c\\n1,1,p\\n2,1,p\\n')"
    with pytest.raises(SchemaMismatch, match="column 'a' is of another type"):
        program(text).fit(real, stream(0, "fit")).sample(2, stream(0, "sample"))
