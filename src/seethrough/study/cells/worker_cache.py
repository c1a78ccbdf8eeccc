"""Cache of a worker: the tables that it has, by digest, and what it keeps beside them."""

from collections.abc import Callable
from typing import Any, TypeVar

from seethrough.data.table import Table

T = TypeVar("T")


class WorkerCache:
    """Fetches each table once, and remembers what was made from it as long as the worker lives."""

    def __init__(self, fetch: Callable[[str], Table]) -> None:
        self._fetch = fetch
        self._kept: dict[Any, Any] = {}

    def table(self, digest: str) -> Table:
        """Give a table, fetched at most once."""
        return self.keep(("table", digest), lambda: self._fetch(digest))

    def keep(self, key: Any, make: Callable[[], T]) -> T:
        """Give what was made before under this key, or make it."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found
