"""Tables by hand, for all tests; and every report that a test makes is held to its JSON Schema."""

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.games.population import population
from seethrough.kernels.budget import Budget
from seethrough.report.machine.report_schema import report_schema
from seethrough.results.report import Report

# Tests are not timed: a busy machine must not make one fail.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


REPORTS = jsonschema.Draft202012Validator(report_schema())


def check_report(report):
    """Fail where a report in JSON form is not as its schema says."""
    # As a reader of the file has it: lists for tuples.
    found = sorted(REPORTS.iter_errors(json.loads(json.dumps(report))), key=lambda error: -len(error.absolute_path))
    said = [f"{'.'.join(map(str, error.absolute_path)) or 'report'}: {error.message[:500]}" for error in found]
    assert not said, "not as report/machine/report.v2.schema.json says:\n" + "\n".join(said)


@pytest.fixture(autouse=True, scope="session")
def every_report_is_as_its_schema_says():
    """Hold every report that a test makes, in whatever form it is asked for, to the schema."""
    plain = Report.to_dict

    def to_dict(self):
        found = plain(self)
        check_report(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Report, "to_dict", to_dict)
        yield


@pytest.fixture(scope="session")
def valid_report():
    return check_report


def number(values, given):
    """A column of numbers; None is missing."""
    return np.array([np.nan if value is None else value for value in values], float)


def levels_of(values):
    return tuple(sorted({str(value) for value in values if value is not None}))


def code(values, levels, extra):
    """A column of categories; levels that the real table lacks come after its own."""
    places = {level: place for place, level in enumerate((*levels, *extra), 1)}
    return np.array([0 if value is None else places[str(value)] for value in values], np.uint8)


def build_tables(real, synthetic, secret=(), keys=()):
    """Two tables from mappings of columns; text columns are categories, others numbers."""
    columns, mine, others = [], [], []
    for name, values in real.items():
        role = Role.SECRET if name in secret else Role.KEY if name in keys else Role.NONE
        both = [*values, *synthetic[name]]
        if any(isinstance(value, str) for value in both):
            levels = levels_of(values)
            extra = [level for level in levels_of(synthetic[name]) if level not in levels]
            columns.append(Column(name, Kind.CATEGORICAL, role, levels=levels))
            mine.append(code(values, levels, extra))
            others.append(code(synthetic[name], levels, extra))
        else:
            known = [value for value in values if value is not None]
            low, high, fill = (min(known), max(known), float(np.median(known))) if known else (None, None, None)
            columns.append(Column(name, Kind.NUMERIC, role, low=low, high=high, fill=fill))
            mine.append(number(values, known))
            others.append(number(synthetic[name], known))
    schema = Schema(tuple(columns))
    return Table(schema, tuple(mine)), Table(schema, tuple(others))


@pytest.fixture
def tables_of():
    return build_tables


@pytest.fixture
def bench_of():
    """A bench with a real and a synthetic table made by hand."""

    def build(real, synthetic, secret=(), keys=()):
        first, second = build_tables(real, synthetic, secret, keys)
        return Bench({Part.TRAIN: first, Part.SYNTHETIC: second}, Budget(threads=1))

    return build


@pytest.fixture(scope="session")
def shared_folder():
    """The folder of real tables and golden values; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared/ with real tables and golden values is not there")
    return SHARED


def build_people(rows, seed=0, levels=("no", "yes")):
    """Records with four known columns and a secret that follows from the first in most people."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(1, 7, rows).astype(np.uint8) for _ in range(3)]
    age = rng.integers(0, 60, rows).astype(float)
    secret = 1 + (columns[0] + (rng.random(rows) < 0.1)) % len(levels)
    schema = Schema(
        (
            *(Column(name, Kind.CATEGORICAL, levels=tuple("uvwxyz")) for name in ("job", "town", "car")),
            Column("age", Kind.NUMERIC, low=0.0, high=60.0, fill=30.0),
            Column("ill", Kind.CATEGORICAL, Role.SECRET, levels=tuple(levels)),
        )
    )
    return Table(schema, (*columns, age, secret.astype(np.uint8)))


@pytest.fixture(scope="session")
def people_of():
    return build_people


@pytest.fixture(scope="session")
def small():
    return population(build_people(300), "ill", "people")


@pytest.fixture
def certificates(tmp_path):
    """Settings of Dask with a throw-away certificate that is its own authority."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes certificates, is not installed")
    key, certificate = str(tmp_path / "own.key"), str(tmp_path / "own.pem")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=throw-away"]
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    tls = "distributed.comm.tls"
    own = {
        f"{tls}.{role}.{what}": path
        for role in ("scheduler", "worker", "client")
        for what, path in (("cert", certificate), ("key", key))
    }
    return {**own, f"{tls}.ca-file": certificate, "distributed.comm.require-encryption": True}
