"""The digest of a report: it tells whether the report was edited after it was made.

Whoever edits a report on purpose can write a new digest as well; `seethrough verify` therefore makes everything anew
that the tables decide. The digest covers the rest: times, versions, names of files.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def report_digest(form: Mapping[str, Any]) -> str:
    """Give the SHA-256 of the JSON form of a report without its digest, whatever the order of keys and the spacing."""
    plain = {key: value for key, value in form.items() if key != "digest"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
