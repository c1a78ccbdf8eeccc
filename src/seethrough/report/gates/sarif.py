"""Findings about rows of a released file as SARIF 2.1.0, which programs that show findings beside a file read.

A result names a row of the release by its number and, in a CSV file, its line; it says nothing of whom the row is
about, and holds no value. Which released rows are real people's is itself something that outsiders must not learn, so
a report for others has no such form.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from seethrough.errors import ConfigError
from seethrough.report import untrusted
from seethrough.report.words import artefact_text
from seethrough.results.diagnostics import Artefact, ArtefactSign
from seethrough.results.report import Report, TableAudit

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
GIVES_AWAY = "gives-a-person-away"
REFUSED = "SARIF names released rows that are real people's, and a report for others names none; leave out --external"
_SAID = {
    "exact-copies": "repeats the row of a real person value for value, more often than chance would give",
    "identifiers": "holds a real identifier",
    "rows-as-text": "holds a real row, written out as text",
    "row-order": "stands where the real table has a similar row",
    "ends": "holds the end of the range of a column, which few real people have",
    "rare-levels": "holds a level that few real people have",
    GIVES_AWAY: "is the nearest to a real person on the list of exposed people",
}
_TEXT_FILES = (".csv", ".csv.gz", ".tsv", ".txt")
Json = dict[str, Any]


def render(report: Report, files: Sequence[str] = ()) -> str:
    """Give the document; `files` are the addresses of the synthetic tables, their names where none are given."""
    if report.provenance.is_external:
        raise ConfigError(REFUSED)
    addresses = files or [table.synthetic.name for table in report.tables]
    results = [found for table, at in zip(report.tables, addresses, strict=True) for found in _results(table, at)]
    driver = {"name": "Seethrough", "version": report.version, "rules": list(_rules())}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def address_of(path: PurePath) -> str:
    """Give a file as it is named in a repository; one that lies elsewhere by its name alone."""
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix()


def _rules() -> Iterator[Json]:
    for name, said in _SAID.items():
        title = artefact_text.TITLES.get(name, "Gives a person away")
        yield {"id": name, "shortDescription": {"text": title}, "fullDescription": {"text": f"A released row {said}."}}


def _results(table: TableAudit, address: str) -> Iterator[Json]:
    artefacts = [each for each in table.exhibits.artefacts if each.sign is ArtefactSign.SHOWS]
    for found in artefacts:
        yield from _of_artefact(found, address)
    copied = {row for each in artefacts if each.name == "exact-copies" for row in each.rows}
    nearest = {each.released_row for each in table.exhibits.exposed if each.released_row is not None}
    for row in sorted(nearest - copied):
        yield _result(GIVES_AWAY, "warning", f"Released row {row:,} {_SAID[GIVES_AWAY]}.", address, row)


def _of_artefact(found: Artefact, address: str) -> Iterator[Json]:
    for row in found.rows:
        yield _result(found.name, "error", f"Released row {row:,} {_SAID[found.name]}.", address, row)
    if not found.rows:
        yield _result(found.name, "error", artefact_text.sentence(found), address)


def _result(rule: str, level: str, said: str, address: str, row: int | None = None) -> Json:
    place: Json = {"artifactLocation": {"uri": quote(untrusted.visible(address))}}
    if row is not None and address.lower().endswith(_TEXT_FILES):
        place["region"] = {"startLine": row + 1}  # after the header
    found: Json = {"ruleId": rule, "level": level, "message": {"text": said}}
    found["locations"] = [{"physicalLocation": place}]
    if row is not None:
        found["properties"] = {"row": row}
    return found
