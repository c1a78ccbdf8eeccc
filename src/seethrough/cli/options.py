"""Options that several commands have, in one place: the same word means the same in all of them, as in Python."""

from pathlib import Path
from typing import Annotated

import typer

Real = Annotated[Path, typer.Option(help="The real table: CSV, Parquet or Arrow.")]
Synthetic = Annotated[list[Path], typer.Option(help="A synthetic table made from it; may be repeated.")]
Holdout = Annotated[Path | None, typer.Option(help="Real records that were kept out of the synthesis.")]
AuditedReal = Annotated[
    Path | None, typer.Option(help="The real table that was audited. Default: all tables by inputs.json of the audit.")
]
AuditedSynthetic = Annotated[
    list[Path] | None, typer.Option(help="The synthetic table that was audited; repeated as in the audit.")
]
Secret = Annotated[str, typer.Option(help="The column to be guessed.")]
Secrets = Annotated[list[str] | None, typer.Option("--secret", help="A column to be guessed; may be repeated.")]
Keys = Annotated[str, typer.Option(help="Columns an attacker knows, A,B,C. Default: all but the secret.")]
Entity = Annotated[
    str | None, typer.Option(help="The column that names people, where they have several rows; it is no attribute.")
]
Card = Annotated[
    Path | None,
    typer.Option(help="The card of `seethrough split`. Default: the one beside the holdout, if it is theirs."),
]
AttackParams = Annotated[
    list[str] | None,
    typer.Option("--param", help="Set a parameter of an attack, ATTACK.NAME=VALUE; may be repeated."),
]
OneAttackParams = Annotated[
    list[str] | None,
    typer.Option("--param", help="Set a parameter of the attack, NAME=VALUE; may be repeated."),
]
Schema = Annotated[Path | None, typer.Option(help="Schema in TOML, or SDV metadata in JSON.")]
Seed = Annotated[int, typer.Option(min=0, help="Decides every random number.")]
Memory = Annotated[str, typer.Option(help="Memory for temporary arrays, of all threads or processes.")]
Threads = Annotated[int, typer.Option(min=0, help="Threads; 0 is one for each core.")]
AuditThreads = Annotated[int, typer.Option(min=0, help="Threads; 0 is one for each core, fewer for small tables.")]
Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")]
Separator = Annotated[str | None, typer.Option(help="Separator of CSV fields. Default: detected.")]
Encoding = Annotated[str | None, typer.Option(help="Encoding of CSV files. Default: detected.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Raw = Annotated[bool, typer.Option("--raw", help="Leave texts in CSV as they are that a spreadsheet would run.")]

MEMORY = "4GiB"
