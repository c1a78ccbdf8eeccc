"""docs/api.md has every public name and parameter, in one dialect; its examples and those of README run."""

import inspect
import re
from pathlib import Path

import pytest
from public_signatures import NAMES, reference

import seethrough as st

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE))
FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(st, name))]
SHARED = {
    **{"real": ..., "people": ..., "synthetic": ..., "holdout": None, "secret": (), "keys": (), "entity": None},
    **{"params": {}, "schema": None, "seed": 0, "memory": 4 << 30, "threads": None, "workers": 1, "device": "cpu"},
    **{"separator": None, "encoding": None, "progress": None},
}
"""The words that mean the same everywhere, in their order, with their defaults; ... where there is none."""
DEVIATIONS = {
    **{("attack", "secret"): ..., ("play_game", "secret"): ...},  # one column, which has to be named
    **{(name, table): None for name in ("verify", "whatif") for table in ("real", "synthetic")},  # found by inputs.json
    ("closeness_experiment", "secret"): "X3",  # the columns of the experiment are known
    ("split", "seed"): None,  # a seed that is known tells who is in
    ("synthesize", "seed"): None,  # a seed that is known would undo the privacy of a noisy generator
}


def test_every_public_name_has_its_section_and_no_other_name_has():
    assert sorted(SECTIONS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_section_has_every_parameter_field_and_method_with_its_type(name):
    expected = f"```text\n{reference(name)}\n```"
    repair = f"docs/api.md, section {name}: replace the block by\n{expected}"
    assert _without_remarks(expected) in _without_remarks(SECTIONS[name]), repair


def _without_remarks(text):
    """Leave out what is said about methods: it may be worded anew without a change of the API."""
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("# "))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_an_example(name):
    assert any(f"st.{name}(" in block for block in re.findall(r"```python\n(.*?)```", SECTIONS[name], re.DOTALL))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_words_that_functions_share_have_one_order_and_one_default(name):
    parameters = inspect.signature(getattr(st, name)).parameters
    shared = [word for word in parameters if word in SHARED]
    assert shared == [word for word in SHARED if word in shared]
    for word in shared:
        given = ... if parameters[word].default is inspect.Parameter.empty else parameters[word].default
        assert given == DEVIATIONS.get((name, word), SHARED[word]), word


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_has_a_second_word_for_the_same_thing(name):
    banned = {"tell", "tick", "hide", "known", "processes", "n_jobs", "how", "train"}
    assert not banned & inspect.signature(getattr(st, name)).parameters.keys()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the tables that README names."""
    release = st.samples.acs_release()
    for name, frame in {"train": release.real, "synth": release.synthetic, "holdout": release.holdout}.items():
        frame[:300].write_csv(tmp_path / f"{name}.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", ["README.md", "docs/api.md"])
def test_the_python_examples_of_a_page_run(path, folder):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / path).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, path, "exec"), names)
    assert (folder / "report.html").is_file()
