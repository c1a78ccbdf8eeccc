"""Records of several releases: a check that is skipped for one of them has no risks there, and nothing else changes."""

from dataclasses import replace

import numpy as np
import polars as pl

from seethrough.report.machine import records
from seethrough.results.outcome import Measured, Skipped


def test_a_check_that_one_release_skips_leaves_gaps_there(report):
    table, rows = report.tables[0], report.real.rows
    measured = next(each for each in table if isinstance(each, Measured))

    def rated(risks):
        outcome = replace(measured, measurement=replace(measured.measurement, per_record=risks))
        return replace(table, outcomes=(outcome,))

    skipping = replace(table, outcomes=(Skipped(measured.card, "too few rows"),))
    some, whole = rated(np.linspace(0, 1, rows)), rated(np.ones(rows, dtype=np.int64))
    for order in ((skipping, some, whole), (whole, skipping, some)):
        found = records.frame(replace(report, tables=order))
        assert found.height == 3 * rows
        assert found[measured.check].null_count() == rows
        assert found[measured.check].dtype == pl.Float64
