import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from seethrough.report.terminal import timing_tables
from seethrough.report.words import costs
from seethrough.results.timings import CheckCost, SharedCost, StepCost, Timings

STEPS = (StepCost("artefacts", "one.csv", 0.25004),)

TIMINGS = Timings(
    total=12.0,
    reading=1.0,
    checks=(CheckCost("gcap", "one.csv", 1.0, 2.0, 3.0), CheckCost("crp", "two\x1b[31m.csv", 0.001, 0.0, 0.0)),
    shared=(SharedCost("NearestBetween", ("real", "independent for one.csv"), 1, 1, 4, 4.0),),
    steps=STEPS,
)


def printed(width: int) -> str:
    out = io.StringIO()
    timing_tables.render(TIMINGS, Console(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_costs_are_shown_within_the_width(width: int) -> None:
    text = printed(width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "12.0 s in all, 1.0 s to read, 749 ms for the rest" in text
    assert ["gcap", "one.csv", "1.0", "s", "2.0", "s", "3.0", "s", "6.0", "s"] in [
        line.split() for line in text.splitlines()
    ]
    assert "NearestBetween" in text
    assert ["artefacts", "one.csv", "250", "ms"] in [line.split() for line in text.splitlines()]
    assert "\x1b" not in text


def test_what_would_have_been_faster_comes_last() -> None:
    out = io.StringIO()
    timing_tables.render(TIMINGS, Console(file=out, width=60), ["Say `--preset fast` \x1b[1m" + "and so on " * 8])
    last = out.getvalue().split("What would have made it faster")[1]
    assert last.lstrip().startswith("- Say `--preset fast`")
    assert "\x1b" not in out.getvalue()
    assert max(map(cell_len, out.getvalue().splitlines())) <= 60
    assert "faster" not in printed(80)


def test_documents_list_every_item_from_a_millisecond_on_and_count_the_others() -> None:
    timings = replace(TIMINGS, steps=(*STEPS, StepCost("exhibits", "one.csv", 0.0009)))
    found = costs.list_costs(timings)
    assert [(cost.what, cost.kind, round(cost.seconds, 3)) for cost in found] == [
        ("gcap", "check", 6.0),
        ("NearestBetween", "shared", 4.0),
        ("reading", "step", 1.0),
        ("rest", "step", 0.748),
        ("artefacts", "step", 0.25),
        ("crp", "check", 0.001),
    ]
    assert "Not listed: 1 item below a millisecond." in costs.summary(timings)
    assert "Not listed" not in costs.summary(TIMINGS)
    assert costs.list_costs(Timings()) == ()


def test_the_json_form_is_in_milliseconds() -> None:
    found = Timings(1.23456, 0.5, (CheckCost("crp", "one.csv", 0.00049, 0.0011, 0.1),), (), STEPS).to_dict()
    assert found == {
        "total": 1.235,
        "reading": 0.5,
        "checks": [
            {
                "check": "crp",
                "synthetic": "one.csv",
                "release": 0.0,
                "copy": 0.001,
                "independent": 0.1,
                "seconds": 0.102,
            }
        ],
        "shared": [],
        "steps": [{"step": "artefacts", "synthetic": "one.csv", "seconds": 0.25}],
    }
