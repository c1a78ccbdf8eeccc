"""What lies at the root for other programs is true: citation, page for language models, action, image."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

import seethrough as st

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
AUDIT = next(step for step in STEPS if step.get("name") == "Audit")
PROGRAM = """#!/usr/bin/env bash
printf '%s\\n' "$@" > words.txt
mkdir -p "$OUT" && printf '# Verdict\\n' > "$OUT/report.md"
printf '{"verdict": {"grade": "no leak found"}, "further": [{"verdict": {"grade": "slight"}}]}' > "$OUT/report.json"
exit 1
"""


def test_the_citation_has_the_version_and_the_licence():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == st.__version__
    assert citation["license"] == "Apache-2.0"
    assert {"message", "title", "authors"} <= citation.keys()


def test_the_page_for_language_models_has_its_form_and_its_links_lead_somewhere():
    text = (ROOT / "llms.txt").read_text(encoding="utf-8")
    assert re.match(r"# Seethrough\n\n> .+\n\n", text)
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.MULTILINE)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_no_input_of_the_action_stands_in_a_script():
    assert [step.get("name") for step in STEPS if "${{" in step.get("run", "")] == []
    assert {
        match
        for step in STEPS
        for value in step.get("env", {}).values()
        for match in re.findall(r"inputs\.([\w-]+)", value)
    } >= {
        "real",
        "synthetic",
        "holdout",
        "fail-if",
    }


@pytest.fixture
def job(tmp_path):
    """Run the action's script with a program that notes its words and ends with 1."""

    def run(**given):
        (tmp_path / "seethrough").write_text(PROGRAM, encoding="utf-8")
        (tmp_path / "seethrough").chmod(0o755)
        names = dict.fromkeys(AUDIT["env"], "")
        files = {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "output.txt"}
        environment = {**os.environ, **names, **{k: str(tmp_path / v) for k, v in files.items()}, **given}
        environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
        found = subprocess.run(["bash", "-e", "-c", AUDIT["run"]], cwd=tmp_path, env=environment, check=False)
        return found.returncode, (tmp_path / "words.txt").read_text(encoding="utf-8").splitlines()

    return run


def test_the_action_passes_inputs_on_as_they_are_and_keeps_the_exit_code(job, tmp_path):
    hostile = "$(touch hacked); `touch hacked`"
    code, words = job(
        REAL=hostile, SYNTHETIC="a b.csv\nc.csv\n", FAIL_IF="verdict >= clear\n", OUT="out", KEYS="age,sex"
    )
    assert code == 1
    assert words == [
        *("audit", "--real", hostile, "--out", "out", "--external", "--keys", "age,sex", "--synthetic", "a b.csv"),
        *("--synthetic", "c.csv", "--fail-if", "verdict >= clear"),
    ]
    assert not (tmp_path / "hacked").exists()


HOSTILE = [
    "$(touch hacked)",
    "`touch hacked`",
    '"; touch hacked; "',
    "' ; touch hacked '",
    "a\\nb",
    "--version",
    "*",
    "\u202e",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_input_acts_whatever_it_holds(text, job, tmp_path):
    (tmp_path / "json.py").write_text("open('hacked', 'w')", encoding="utf-8")
    names = [name for name in AUDIT["env"] if name != "OUT"]
    code, words = job(OUT=f"out {text}".replace("/", ""), **dict.fromkeys(names, text))
    assert code == 1
    assert words.count(text) == len(names)
    assert not (tmp_path / "hacked").exists()
    assert (tmp_path / "output.txt").read_text() == "verdict=slight\n"


def test_python_of_the_action_takes_no_module_from_the_checkout():
    calls = re.findall(r"\bpython (-\w+)", "\n".join(step.get("run", "") for step in STEPS))
    assert calls == ["-P", "-P"]


def test_the_action_writes_the_summary_and_the_worst_verdict(job, tmp_path):
    job(REAL="real.csv", SYNTHETIC="a.csv", OUT="out", HOLDOUT="h.csv")
    assert (tmp_path / "summary.md").read_text() == "# Verdict\n"
    assert (tmp_path / "output.txt").read_text() == "verdict=slight\n"


def test_the_action_asks_for_the_report_for_others():
    assert "--external" in AUDIT["run"]


def test_the_image_is_run_by_an_ordinary_user_and_holds_no_tables():
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["audit"]
    assert not [line for line in lines if line.startswith("ADD ")]
    taken = {word for line in lines if re.match("COPY (?!--from)", line) for word in line.split()[1:-1]}
    assert taken == {"src", "pyproject.toml", "README.md", "LICENSE"}
    ignored = (ROOT / ".containerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    assert {name[1:] for name in ignored if name.startswith("!")} == {"src", "pyproject.toml", "README.md", "LICENSE"}
