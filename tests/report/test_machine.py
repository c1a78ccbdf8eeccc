import json
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from seethrough.report.machine import json_form, records
from seethrough.results.evidence import LeakFamily, PeopleAtRisk
from seethrough.results.outcome import Measured
from seethrough.results.report import Report, TableSummary


def with_outcome(report: Report, outcome: Measured) -> Report:
    return replace(report, tables=(replace(report.tables[0], outcomes=(outcome,)),))


def test_gives_the_json_form(two_tables: Report) -> None:
    assert json.loads(json_form.render(two_tables)) == json.loads(json.dumps(two_tables.to_dict()))


def test_hostile_text_can_be_written_as_utf8_and_read_back(hostile: Report) -> None:
    read = json.loads(json_form.render(hostile).encode("utf-8"))
    assert [column["name"] for column in read["schema"]["columns"]] == [column.name for column in hostile.column_notes]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_a_bug(report: Report, make: Callable[..., Measured], number: float) -> None:
    broken = with_outcome(report, make((0.5, 0.4, 0.6), details={"ratio": number}))
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_form.render(broken)


def test_key_order_does_not_depend_on_the_check(report: Report, make: Callable[..., Measured]) -> None:
    one = make((0.5, 0.4, 0.6), details={"a": 1, "b": 2})
    other = make((0.5, 0.4, 0.6), details={"b": 2, "a": 1})
    assert json_form.render(with_outcome(report, one)) == json_form.render(with_outcome(report, other))


def test_records_have_the_p_of_each_person_by_family_and_who_is_listed(two_tables: Report) -> None:
    first, second = two_tables.tables
    assert first.evidence
    rated = PeopleAtRisk(
        LeakFamily.MEMBERSHIP, "log-ratio", np.array([0.5, 0.01, np.nan]), np.array([False, True, False])
    )
    tables = (
        replace(first, outcomes=(), evidence=replace(first.evidence, at_risk=(rated,))),
        replace(second, outcomes=()),
    )
    frame = records.frame(replace(two_tables, real=TableSummary("real", 3, ""), tables=tables))
    assert frame.columns == [
        *("row", "synthetic", "membership_p", "membership_listed"),
        *("attribute_p", "attribute_listed", "identity_p", "identity_listed"),
    ]
    assert frame["row"].to_list() == [1, 2, 3, 1, 2, 3]
    assert frame["synthetic"].unique(maintain_order=True).to_list() == ["synthetic.csv", "synthetic-private.csv"]
    assert frame["membership_p"].to_list() == [0.5, 0.01, None, None, None, None]
    assert frame["membership_listed"].to_list() == [False, True, None, None, None, None]
    assert frame["identity_p"].null_count() == frame["identity_listed"].null_count() == 6
