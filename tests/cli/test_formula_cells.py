"""Every CSV that a command writes can be opened in a spreadsheet; `--raw` keeps it for programs."""

import csv

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli import main

FORMULA = "=HYPERLINK(A1)"


def run(*words):
    found = CliRunner().invoke(main.app, list(map(str, words)))
    assert found.exit_code == 0, found.output
    return found


def frame(seed=0, rows=210):
    return pl.DataFrame(
        {
            f"{FORMULA} name": [(FORMULA, "+cmd", "'=old", "plain")[(at + seed) % 4] for at in range(rows)],
            "n": [-float((at * 7 + seed) % 11) for at in range(rows)],
            "@secret": [("-yes", "no")[(at // 2 + seed) % 2] for at in range(rows)],
        }
    )


@pytest.fixture
def tables(tmp_path):
    named = {part: tmp_path / f"{part}.parquet" for part in ("real", "synthetic")}
    for seed, path in enumerate(named.values()):
        frame(seed).write_parquet(path)
    return named


def cells(path):
    with path.open(newline="", encoding="utf-8") as file:
        return [cell for row in csv.reader(file) for cell in row]


def is_run(cell):
    return cell.startswith(("=", "+", "-", "@")) and not cell.lstrip("+-").replace(".", "").isdigit()


def commands(tables, folder, real):
    given = ["--real", real, "--synthetic", tables["synthetic"]]
    people = folder / "people.parquet"
    frame().drop("@secret").write_parquet(people)
    attacked = ["--people", people, "--synthetic", tables["synthetic"]]
    made = ["--synthesizer", "nonprivate", "--real", real, "--rows", 40]
    return {
        "made.csv": ["synthesize", *made, "--out", folder / "made.csv"],
        "mapped/mapped-1.csv": ["reverse-map", *given, "--format", "csv", "--out", folder / "mapped"],
        "guesses.csv": ["attack", "dcr", *attacked, "--secret", "@secret", "--out", folder / "guesses.csv"],
        "ratings.csv": ["attack", "membership", *attacked, "--id", f"{FORMULA} name", "--out", folder / "ratings.csv"],
        "linked.csv": ["attack", "linkage", *given, "--secret", "@secret", "--out", folder / "linked.csv"],
        "split/train.csv": ["split", real, "--out", folder / "split"],
    }


def test_every_table_that_is_written_as_csv_is_defused_unless_it_is_raw(tables, tmp_path):
    real = tmp_path / "real.csv"
    frame().write_csv(real)
    raw_ones = 0
    for more in ((), ("--raw",)):
        folder = tmp_path / f"out{len(more)}"
        folder.mkdir()
        for name, words in commands(tables, folder, real).items():
            run(*words, *more)
            found = [cell for cell in cells(folder / name) if is_run(cell)]
            assert more or not found, (name, found[:3])
            raw_ones += bool(more and found)
    assert raw_ones >= 4


def test_a_table_that_was_defused_is_audited_as_if_it_were_not(tables, tmp_path):
    released = pl.read_parquet(tables["synthetic"])
    made = st.synthesize("nonprivate", tables["real"], 210)
    made.write(tmp_path / "defused.csv")
    made.polars.write_parquet(tmp_path / "same.parquet")
    assert (tmp_path / "defused.csv").read_text() != made.polars.write_csv()
    reports = [
        st.audit(tables["real"], tmp_path / name, released, checks=["crp", "dcr"], secret="@secret")
        for name in ("defused.csv", "same.parquet")
    ]
    told = [[(each.card.name, each.risk) for each in report.tables[0]] for report in reports]
    assert told[0] == told[1]


def test_a_split_of_a_defused_file_leaves_it_as_it_is(tmp_path):
    made = st.synthesize("nonprivate", frame(), 210)
    made.write(tmp_path / "table.csv")
    lines = set((tmp_path / "table.csv").read_text().splitlines())
    train, holdout, _ = st.split(tmp_path / "table.csv", seed=1).write(tmp_path / "split")
    assert set(train.read_text().splitlines()) | set(holdout.read_text().splitlines()) == lines
