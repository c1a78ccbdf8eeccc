"""The commands and the Python that pages show, and the tables that they name."""

import re
from pathlib import Path

import seethrough as st

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {ROOT / "CHANGELOG.md"})
"""The changelog names what was."""
SHOWN = re.compile(
    r"^(?: {4})?(seethrough [a-z].*)$|`(seethrough (?:split [^`\n]*|[^`\n]* --(?:real|people) [^`\n]*))`", re.MULTILINE
)
"""A command stands on a line of its own, or between backticks with the tables that it reads."""
OMITTED = re.compile(r"\.\.\.|…|\(the rest as above\)|ADDRESS|\$address")
"""A command with a gap is no command."""


def commands(page):
    """Give the commands of a page, each once: one a line, with lines that go on and optional parts, without remarks."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (re.sub(r"\s# .*$", "", line or inline) for line, inline in SHOWN.findall(text))
    shown = [re.sub(r"\[(--[^\]]*)\]", r"\1", line).strip() for line in lines if not OMITTED.search(line)]
    return list(dict.fromkeys(shown))


def python_blocks(page):
    """Give the Python of a page."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def write_tables(folder, rows):
    """Write the tables that pages name, so many people in the real one, under the names of columns that they use."""
    frame = st.samples.acs()[:1500].rename({"disability": "income", "ancestry": "zip", "sex": "SEX"})
    frame = frame.with_columns(sex=frame["SEX"])
    first, second, third, fourth = (frame[rows * part : rows * (part + 1)] for part in range(4))
    named = {
        **{"real": frame[: 2 * rows], "population": frame, "acs": frame, "people": first[:50]},
        **{"train": first, "holdout": second, "others": second, "kept": second},
        **dict.fromkeys(("synth", "synthetic", "released", "s1", "a", "release/part"), third),
        **dict.fromkeys(("s2", "b"), fourth),
    }
    (folder / "release").mkdir()
    for name, part in named.items():
        part.write_csv(folder / f"{name}.csv")
    for name in ("train", "synth", "holdout"):
        named[name].write_parquet(folder / f"{name}.parquet")
