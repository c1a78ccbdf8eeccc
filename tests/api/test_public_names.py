"""What a Python user calls."""

import polars as pl
import pytest

import seethrough as st
from seethrough.errors import ConfigError

REAL = pl.DataFrame({"v": [0.0, 1.5, 4.0, 10.0, 2.0, 7.5], "w": [3.0, 1.0, 4.5, 1.0, 5.0, 9.5]})


def test_parameters_of_checks_are_set():
    report = st.audit(REAL, REAL[:4], checks=["dcr", "crp"], params={"dcr": {"dimensions": 1, "confidence": "0.9"}})
    assert report["dcr"].params.items() >= {"dimensions": 1, "confidence": 0.9}.items()
    assert report["crp"].params["confidence"] == 0.95
    assert report.timings.total > report.timings.reading > 0


def test_a_parameter_at_fault_is_said_before_tables_are_read():
    with pytest.raises(ConfigError, match=r"dcr\.dimensions is 1\.5"):
        st.audit("none.csv", "none.csv", checks="dcr", params={"dcr": {"dimensions": 1.5}})
