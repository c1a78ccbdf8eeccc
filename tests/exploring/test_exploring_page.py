"""The example of docs/exploring.md runs, and what it says is so."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "exploring.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    found = {"__name__": "example"}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block, "docs/exploring.md", "exec"), found)
    return found


def test_the_example_runs_and_means_what_it_says(names):
    exploration, person = names["exploration"], names["person"]
    assert person.row == exploration.ranking()[0]
    assert names["typed"].known == ("age", "sex")
    assert names["right"].against == "people outside"
    assert names["view"].real.inside == 400
    assert 0 < names["view"].variation < 1
