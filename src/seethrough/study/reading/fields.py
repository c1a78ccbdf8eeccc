"""Strict reading of a plan: every value has a type, every key a meaning, and every message names the place."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from seethrough.errors import ConfigError, DataError, suggest_names


@dataclass(frozen=True, eq=False)
class Fields:
    """A table of a plan and where it stands."""

    values: Mapping[str, Any]
    where: str

    def only(self, *known: str) -> "Fields":
        """Refuse keys other than these."""
        if strange := sorted(self.values.keys() - set(known)):
            hint = suggest_names(strange[0], known, f"{', '.join(known)} are known")
            raise ConfigError(f"{self.where} has an unknown key {strange[0]!r}; {hint}")
        return self

    def place(self, key: str) -> str:
        """Name the place of a key."""
        return f"{self.where}.{key}" if not self.where.endswith(":") else f"{self.where} {key}"

    def text(self, key: str, default: str | None = None) -> str:
        """Give a text; one without a default has to be there."""
        found = self.values.get(key, default)
        if not isinstance(found, str):
            raise self._wrong(key, "a text")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """Give true or false."""
        found = self.values.get(key, default)
        if not isinstance(found, bool):
            raise self._wrong(key, "true or false")
        return found

    def count(self, key: str, default: int | None = None, least: int = 1) -> int:
        """Give a whole number."""
        found = self.values.get(key, default)
        if not _is_count(found, least):
            raise self._wrong(key, f"a whole number from {least} on")
        return int(found)

    def counts(self, key: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Give a list of whole numbers from 1 on."""
        found = self.values.get(key, default)
        if not isinstance(found, list | tuple) or not found or not all(_is_count(each, 1) for each in found):
            raise self._wrong(key, "a list of whole numbers from 1 on")
        return tuple(found)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Give a list of texts; a single text is a list of one."""
        found = self.values.get(key, default)
        found = [found] if isinstance(found, str) else found
        if not isinstance(found, list | tuple) or not all(isinstance(each, str) for each in found):
            raise self._wrong(key, "a list of texts")
        return tuple(found)

    def tables(self, key: str) -> Iterator[tuple[str, "Fields"]]:
        """Walk over the tables of a table, as [data.acs]."""
        found = self.values.get(key, {})
        if not isinstance(found, Mapping) or not all(isinstance(each, Mapping) for each in found.values()):
            raise self._wrong(key, f"tables such as [{key}.NAME]")
        for name, each in found.items():
            yield name, Fields(each, f"{self.place(key)}.{name}")

    def list_of_tables(self, key: str) -> Iterator["Fields"]:
        """Walk over a list of tables, as [[games]]; places are counted from 1 on."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
            raise self._wrong(key, f"tables such as [[{key}]]")
        for number, each in enumerate(found, 1):
            yield Fields(each, f"{self.place(key)}[{number}]")

    def table(self, key: str) -> "Fields | None":
        """Give the table inside, if there is one."""
        if key not in self.values:
            return None
        if not isinstance(self.values[key], Mapping):
            raise self._wrong(key, f"a table such as [{key}]")
        return Fields(self.values[key], self.place(key))

    def _wrong(self, key: str, expected: str) -> ConfigError:
        if key not in self.values:
            return ConfigError(f"{self.where} lacks {key}; {expected} is expected")
        return ConfigError(f"{self.place(key)} is {self.values[key]!r}; {expected} is expected")


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


@contextmanager
def at(where: str) -> Iterator[None]:
    """Put the place before what is said against the request."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    except DataError as error:
        raise DataError(f"{where}: {error}") from error
