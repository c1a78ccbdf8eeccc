"""Command: any program that reads a table and writes one, in any language and from any environment.

    run = "python my.py {input} {output} {rows} {seed}"

The line is split into words as a shell would, but no shell sees it. {input} becomes a CSV file with the real table,
{output} where the program has to write (CSV, Parquet or Arrow), {rows} how many rows, {seed} a number that follows from
the seed. The program runs once for each table that is drawn, since it is told how many rows to make.

It runs on Linux and macOS; on Windows, where its time and memory cannot be limited, it is refused.

It runs in the present working directory. Both files stand in a private temporary directory, and so does a home of its
own; all is removed afterwards. Of the environment it gets PATH, and the variables that `keep` names. It is ended, with
all processes it started, after `seconds`, or when this program ends: on Linux also those that left its session, on
macOS not those whose parent has ended besides; Windows has no way to run it. `gib` limits the address space of each (0:
no limit, as programs that use a GPU reserve far more than they use). A failure of any kind is an error with the end of
what it said.

What it writes is read like any synthetic table, under the schema of the real one; columns have to be there, and as many
rows as asked for.
"""

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from seethrough.data.files.subprocesses import Limits, run_program, words_of
from seethrough.data.reading.single_table import read_like
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Array, Table
from seethrough.data.writing import as_frame, level_texts, write_files
from seethrough.errors import ConfigError, DataError
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Draw, SamplerCard, SynthesizerCard
from seethrough.system.private_folders import private_folder

HOLES = ("{input}", "{output}")
"""What has to stand in the line."""
ALL_HOLES = (*HOLES, "{rows}", "{seed}")


@dataclass(frozen=True)
class Command:
    """Runs a program."""

    name: ClassVar[str] = "command"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "A program",
        "Your own generator: a program that reads {input} and writes {output} with {rows} rows; no shell is involved.",
    )
    run: str = ""
    seconds: float = 3600.0
    gib: float = 16.0
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse limits that are none."""
        if not self.seconds > 0 or not self.gib >= 0:
            raise ConfigError(
                f"{self.name}: seconds = {self.seconds:g} has to be above 0, gib = {self.gib:g} at least 0"
            )

    @property
    def foreign_code(self) -> str:
        """Say which program it runs."""
        return f"runs the program {self.run!r}"

    def fit(self, table: Table, rng: np.random.Generator) -> "ProgramSampler":
        """Keep the table until it is known how many rows to make."""
        if not self.run.strip():
            raise ConfigError(f"{self.name} needs a program: run=python my.py {{input}} {{output}} {{rows}} {{seed}}")
        for hole in HOLES:
            if hole not in self.run:
                raise ConfigError(f"{self.name}: {hole} is not in {self.run!r}; the program has to be told")
        for hole in re.findall(r"\{\w+\}", self.run):
            if hole not in ALL_HOLES:
                raise ConfigError(f"{self.name}: {hole} means nothing; there are {', '.join(ALL_HOLES)}")
        words_of(self.run)
        return ProgramSampler(self, table)


@dataclass(frozen=True, eq=False)
class ProgramSampler:
    """A program, and the table that it learns from."""

    program: Command
    table: Table

    @property
    def card(self) -> SamplerCard:
        """Say what was run."""
        return SamplerCard(self.program.name, len(self.table), plain(self.program))

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Run the program."""
        return self.draw(rows, rng).table

    def draw(self, rows: int, rng: np.random.Generator) -> Draw:
        """Run the program, and say what was remarked about its table."""
        with private_folder("command") as private:
            given, made = private / "input.csv", private / "output.csv"
            write_files(as_frame(self.table), given, {}, is_raw=True)
            holes = {"{input}": given, "{output}": made, "{rows}": rows, "{seed}": int(rng.integers(2**31))}
            limits = Limits(self.program.seconds, self.program.gib, self.program.keep)
            said = run_program(words_of(self.program.run), {hole: str(fill) for hole, fill in holes.items()}, limits)
            if not made.exists() or not made.stat().st_size:
                raise DataError(f"the program ended well but wrote nothing to {{output}}{said}")
            found = read_like(made, _with_all_levels(self.table), "the program's table")
        if len(found.table) != rows:
            raise DataError(f"the program wrote {len(found.table)} rows where {rows} were asked for")
        return Draw(Table(self.table.schema, found.table.columns), warnings=found.notes)


def _with_all_levels(table: Table) -> Schema:
    """Give the schema under which texts of undeclared levels, too, are read as the codes they were written from."""
    pairs = zip(table.schema.used, table.columns, strict=True)
    return Schema(tuple(_with_levels(column, values) for column, values in pairs))


def _with_levels(column: Column, values: Array) -> Column:
    if not column.kind.has_levels or int(values.max(initial=0)) <= len(column.levels):
        return column
    return replace(column, kind=Kind.CATEGORICAL, levels=level_texts(column, int(values.max())))
