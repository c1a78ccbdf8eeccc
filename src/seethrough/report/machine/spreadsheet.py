"""CSV that a spreadsheet can open without running anything."""

import csv
import io
from collections.abc import Iterable, Sequence

from seethrough.results.outcome import Value
from seethrough.text.formulas import defuse


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Value]], *, is_raw: bool = False) -> str:
    """Write rows under a head; `is_raw` leaves texts as they are that a spreadsheet would run."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow(row if is_raw else [defuse(value) if isinstance(value, str) else value for value in row])
    return page.getvalue()
