"""Every Python example of a page is run, here or by the test of its page."""

import inspect
import sys
from types import ModuleType

import pytest
from page_examples import PAGES, ROOT, python_blocks, write_tables
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app

OWN_TESTS = {
    "README.md": "tests/api/test_api_page.py",
    "docs/api.md": "tests/api/test_api_page.py",
    "docs/exploring.md": "tests/exploring/test_exploring_page.py",
    "docs/adding.md": "tests/plugins/test_adding_page.py",
}
HERE = {
    "docs/cluster.md",
    "docs/reference.md",
    "docs/results/reconstruction.md",
    "docs/synthesizers/README.md",
    "docs/web.md",
}


def blocks_of(name):
    return python_blocks(ROOT / name)


def run_block(name, block, names=()):
    found = {"__name__": "example", **dict(names)}
    exec(compile(block, name, "exec"), found)
    return found


def test_every_page_with_python_has_a_test():
    found = {str(page.relative_to(ROOT)) for page in PAGES if python_blocks(page)}
    assert found == OWN_TESTS.keys() | HERE
    for page, place in OWN_TESTS.items():
        assert page.rpartition("/")[2] in (ROOT / place).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_tables(tmp_path, rows=120)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_schema(table, name):
    """Write what `seethrough schema` says, as the pages do."""
    with open(name, "w", encoding="utf-8") as file:
        file.write(CliRunner().invoke(app, ["schema", table]).stdout)


def test_the_example_of_the_reference_runs():
    [block] = blocks_of("docs/reference.md")
    assert run_block("docs/reference.md", block)["st"] is st


def test_the_example_of_the_page_on_generators_runs(folder):
    write_schema("real.csv", "declared.toml")
    blocks = [block for block in blocks_of("docs/synthesizers/README.md") if "import seethrough" in block]
    [made] = [run_block("docs/synthesizers/README.md", block)["made"] for block in blocks]
    assert made.card.privacy.epsilon == 1.0
    assert len(made.frame) == 1000
    assert (folder / "synth.csv").is_file()
    # The others begin with the name of their file.
    assert "FILES" in (ROOT / "tests/architecture/test_synthesizer_docs.py").read_text(encoding="utf-8")


def test_the_example_of_the_tool_in_the_browser_runs(monkeypatch):
    release = st.samples.acs_release()
    explore = st.explore
    monkeypatch.setattr(st, "explore", lambda *tables, **named: explore(*tables, **named, checks=["dcr"]))
    tables = {"real": release.real[:120], "synthetic": release.synthetic[:120], "holdout": release.holdout[:120]}
    [block] = blocks_of("docs/web.md")
    assert run_block("docs/web.md", block, {"st": st, **tables})["exploration"].person(row=3).row == 3


def test_the_examples_of_clusters_ask_what_a_study_takes(monkeypatch):
    """With stand-ins for Slurm, Kubernetes and the run itself, which `tests/study/test_cluster.py` does for real."""
    asked = []
    monkeypatch.setattr(st, "run_study", recording(st.run_study, asked))
    for module, name in {"dask_jobqueue": "SLURMCluster", "dask_kubernetes.operator": "KubeCluster"}.items():
        monkeypatch.setitem(sys.modules, module.partition(".")[0], ModuleType(module.partition(".")[0]))
        stand_in = ModuleType(module)
        setattr(stand_in, name, StandInCluster)
        monkeypatch.setitem(sys.modules, module, stand_in)
    for block in blocks_of("docs/cluster.md"):
        run_block("docs/cluster.md", block)
    assert [bound["cluster"] for bound in asked] == ["tls://10.0.0.5:8786"] * 2
    assert all(bound["plan"] == "aia-size" for bound in asked)


def recording(function, asked):
    """Give a function that notes what another is called with, and does nothing."""
    signature = inspect.signature(function)
    return lambda *words, **named: asked.append(signature.bind(*words, **named).arguments)


class StandInCluster:
    """Takes what either of the packages takes, and has an address."""

    scheduler_address = "tls://10.0.0.5:8786"

    def __init__(self, **settings):
        assert settings

    def adapt(self, maximum):
        assert maximum > 1


def test_the_example_of_reconstruction_from_many_files_runs(folder):
    frame = st.samples.acs().rename({"sex": "SEX"})
    frame.write_csv("acs.csv")
    write_schema("acs.csv", "acs.toml")
    [block] = blocks_of("docs/results/reconstruction.md")
    for large, small in {
        "acs_recon_ma_2018.csv.gz": "acs.csv",
        "games=60": "games=2",
        "targets=25": "targets=1",
    }.items():
        assert large in block
        block = block.replace(large, small)
    report = run_block("docs/results/reconstruction.md", block)["report"]
    assert {score.attack for score in report.scores} == {f"{v} {n}" for v in ("lp", "gls") for n in (1, 2, 4, 8)}
