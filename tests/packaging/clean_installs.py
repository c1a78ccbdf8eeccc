"""Builds wheel and source archive, installs each extra by itself into clean environments, and uses what is there.

python tests/packaging/clean_installs.py [--deep] [--only wheel,archive,tool,web,cluster,figures,deep] [PYTHON ...]

Each PYTHON (the running one if none is named) gets the wheel alone; the first also gets the source archive, a run
without installing (`uvx`, as `pipx run`) and, one by one, the extras.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TORCH = "torch==2.13.0"
"""Comes without libraries for accelerators on the machines that test this."""
TABLES = """
import seethrough as st
release = st.samples.acs_release()
for name, frame in {"real": release.real, "synthetic": release.synthetic, "holdout": release.holdout}.items():
    frame[:200].write_csv(f"{name}.csv")
"""
AUDIT = "audit --real real.csv --synthetic synthetic.csv --holdout holdout.csv --out audit"
MEBIBYTE = 1 << 20
LARGE = 3
"""MiB from which on a package is named."""


class Environment:
    """A fresh virtual environment with one distribution in it, and a folder to work in."""

    def __init__(self, python: str, what: str, folder: Path, *before: str) -> None:
        self.folder, self.bin = folder, folder / "venv" / "bin"
        folder.mkdir()
        run(python, "-m", "venv", str(folder / "venv"))
        for each in (*before, what):
            run(str(self.bin / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", each)
        run(str(self.bin / "python"), "-m", "pip", "check")
        run(str(self.bin / "python"), "-c", TABLES, folder=folder)

    def sizes(self) -> dict[str, float]:
        """Give MiB of each package but those of an empty environment, and under "bytecode" what of all that is such."""
        packages = next((self.folder / "venv" / "lib").glob("*/site-packages"))
        found: dict[str, float] = {}
        for path in packages.rglob("*"):
            top = path.relative_to(packages).parts[0]
            if not path.is_file() or re.match(r"pip\b|setuptools|pkg_resources", top):
                continue
            name = re.split(r"\.libs|-\d", top)[0].lstrip("_")
            name = {"sklearn": "scikit_learn", "polars_runtime_32": "polars"}.get(name, name)
            for each in (name, *(["bytecode"] if path.suffix == ".pyc" else [])):
                found[each] = found.get(each, 0.0) + path.stat().st_size / MEBIBYTE
        return found

    def seethrough(self, words: str, code: int = 0) -> str:
        """Run the command and give what it says; it has to end with this code."""
        return run(str(self.bin / "seethrough"), *words.split(), folder=self.folder, code=code)


def run(*words: str, folder: Path = ROOT, code: int = 0) -> str:
    """Run a program and give what it printed."""
    found = subprocess.run(words, cwd=folder, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if found.returncode != code:
        raise SystemExit(f"{' '.join(words)}: exit code {found.returncode} instead of {code}\n{found.stdout[-3000:]}")
    return found.stdout


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def use_alone(place: Environment) -> None:
    """Audit, and get one sentence where an extra is missing."""
    place.seethrough("--version")
    place.seethrough(AUDIT)
    for command, extra in {
        "open --no-browser": "web",
        "study run linkage-copies --small --cluster local": "cluster",
    }.items():
        said = place.seethrough(command, code=2)
        assert f"seethrough[{extra}]" in said, said
        assert len(said.splitlines()) == 1, said


def use_web(place: Environment) -> None:
    """Follow the link that the tool prints."""
    words = [str(place.bin / "seethrough"), "open", "--no-browser"]
    server = subprocess.Popen(words, cwd=place.folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        link = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+/\S+", line)))
        with urllib.request.urlopen(link, timeout=30) as page:
            assert page.status == 200, page.status
    finally:
        # Not Ctrl-C: whoever runs this in the background of a shell has it ignored here and in what is started here.
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 128 + signal.SIGTERM, server.returncode


def use_cluster(place: Environment) -> None:
    """Run a small study on Dask."""
    place.seethrough("study run linkage-copies --small --cluster local --store study.sqlite")


def use_figures(place: Environment) -> None:
    """Draw a small study as PNG."""
    place.seethrough("study run linkage-copies --small --store study.sqlite")
    place.seethrough("study figures linkage-copies --store study.sqlite --out figures")
    assert list((place.folder / "figures").glob("*.png"))


def use_deep(place: Environment) -> None:
    """Fit a network."""
    place.seethrough("synthesize --synthesizer ctgan:epochs=1,batch=100 --real real.csv --rows 10 --out made.csv")


USES: dict[str, Callable[[Environment], None]] = {
    "wheel": use_alone,
    "archive": use_alone,
    "web": use_web,
    "cluster": use_cluster,
    "figures": use_figures,
    "deep": use_deep,
}


def build(python: str, folder: Path) -> tuple[str, str]:
    """Make wheel and source archive."""
    run(python, "-m", "venv", str(folder / "build"))
    builder = str(folder / "build" / "bin" / "python")
    run(builder, "-m", "pip", "install", "--quiet", "hatchling", "uv")
    run(builder, "-m", "hatchling", "build", "-d", str(folder / "dist"))
    wheel, archive = (str(next((folder / "dist").glob(ending))) for ending in ("*.whl", "*.tar.gz"))
    return wheel, archive


def try_tool(python: str, wheel: str, folder: Path) -> None:
    """Run the command without installing it, as `uvx seethrough` does."""
    uvx = [str(folder / "build" / "bin" / "uvx"), "--quiet", "--no-cache", "--python", python, "--from", wheel]
    assert "0." in run(*uvx, "seethrough", "--version")
    say(f"uvx, {Path(wheel).name}: seethrough runs")


def try_case(python: str, case: str, files: tuple[str, str], folder: Path) -> None:
    """Install one distribution, or one extra by itself, use it, and say what it takes; leave nothing."""
    begun = time.perf_counter()
    wheel, archive = files
    what = {"wheel": wheel, "archive": archive}.get(case, f"{wheel}[{case}]")
    place = Environment(python, what, folder, *((TORCH,) if case == "deep" else ()))
    USES[case](place)
    version = run(str(place.bin / "python"), "--version").strip()
    sizes = place.sizes()
    bytecode = sizes.pop("bytecode", 0.0)
    say(f"{version}, {Path(what).name}: {sum(sizes.values()):,.0f} MiB, {time.perf_counter() - begun:.0f} s")
    large = sorted(((size, name) for name, size in sizes.items() if size >= LARGE), reverse=True)
    say(f"    bytecode {bytecode:.0f}; " + ", ".join(f"{name} {size:.0f}" for size, name in large))
    shutil.rmtree(folder)


def main() -> None:
    """Go through all of them and say what each takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", default=[sys.executable])
    parser.add_argument("--deep", action="store_true", help="the extra deep too: torch")
    parser.add_argument("--only", default="", help="these alone: wheel, archive, tool, web, cluster, figures, deep")
    given = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)
    first, *others = given.pythons
    wanted = given.only.split(",") if given.only else ["wheel", "archive", "tool", "web", "cluster", "figures"]
    wanted += ["deep"] if given.deep else []
    with tempfile.TemporaryDirectory(prefix="seethrough-packages-") as name:
        folder = Path(name)
        files = build(first, folder)
        for case in wanted:
            if case == "tool":
                try_tool(first, files[0], folder)
                continue
            for python in [first, *(others if case == "wheel" else ())]:
                try_case(python, case, files, folder / "environment")


if __name__ == "__main__":
    main()
