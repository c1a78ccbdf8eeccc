"""Every error a user can meet.

* SeethroughError
  x DataError        the input tables are at fault
    + SchemaMismatch   two tables, or a table and its schema, do not fit each other
  x ConfigError      the request is at fault
    + StoreError       the file that holds the results of studies cannot be used
    + UnknownName      nothing has this name; a KeyError as well
  x NotApplicable    this check cannot run on this release; becomes a `Skipped`
  x ClusterError     the workers of a cluster cannot go on; nothing is reported instead
  x SolverFailed     a linear program was not solved to optimality; nothing is guessed instead
  x Overspent        a generator asked for more privacy budget than it was given

Wherever a user types a name that does not exist, `suggest_names` ends the sentence.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from seethrough.text.printable import sentence

LONGEST = 4000
"""Characters of a message."""
_NEAR = 0.65
"""Likeness, from 0 to 1, from which on a name may have been meant."""
_AS_NEAR = 0.1
"""How much less like it a second name may be that is named too."""
_MOST_SUGGESTED = 3


class SeethroughError(Exception):
    """Base of all errors the user can act on; the message is one sentence for the user, fit to be shown.

    `cell` is the value of a table that the message is about. It is no part of the message, since messages end up in
    logs; `showing_cells` puts it there for a user who asked for values.
    """

    def __init__(self, message: str = "", *, cell: str | None = None) -> None:
        super().__init__(message)
        self.cell = cell

    def __str__(self) -> str:
        """Give the sentence; names in it come from tables and files, where anything may stand."""
        return sentence(Exception.__str__(self), LONGEST)  # a KeyError would put it in quotes


@contextmanager
def showing_cells(is_asked: bool) -> Iterator[None]:
    """Add the value that an error is about to its message, where the user asked for values."""
    try:
        yield
    except SeethroughError as error:
        if is_asked and error.cell is not None:
            raise type(error)(f"{error}: {error.cell}") from error
        raise


class DataError(SeethroughError):
    """The input tables are at fault."""


class SchemaMismatch(DataError):
    """Tables that must share a schema do not, or a table does not fit the schema given for it."""


class ConfigError(SeethroughError):
    """The request is at fault."""


class StoreError(ConfigError):
    """The file that holds the results of studies cannot be used."""


class UnknownName(ConfigError, KeyError):
    """Nothing has this name."""


class ClusterError(SeethroughError):
    """The workers of a cluster cannot go on."""


class NotApplicable(SeethroughError):
    """The check cannot run on this release."""


class SolverFailed(SeethroughError):
    """A linear program was not solved to optimality."""


class Overspent(SeethroughError):
    """A generator asked for more privacy budget than it was given."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Find names that a name with a slip of the keyboard may have meant, the nearest first; case does not matter."""
    from difflib import SequenceMatcher, get_close_matches

    by_form: dict[str, str] = {}
    for each in known:
        by_form.setdefault(each.casefold(), each)
    asked = name.casefold()
    found = get_close_matches(asked, by_form, n=_MOST_SUGGESTED, cutoff=_NEAR)
    likeness = [SequenceMatcher(None, form, asked).ratio() for form in found]
    return [by_form[form] for form, like in zip(found, likeness, strict=True) if like >= likeness[0] - _AS_NEAR]


def suggest_names(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Ask whether a near name was meant; where none is near, say `otherwise`, or which names there are."""
    known = list(known)
    if near := near_names(name, known):
        return f"did you mean {' or '.join(near)}?"
    return otherwise or (f"there are {', '.join(known)}" if known else "there are none")


def no_such(what: str, name: object, known: Iterable[str], otherwise: str = "") -> UnknownName:
    """Make the error for a name that nothing has."""
    return UnknownName(f"there is no {what} {name!r}; {suggest_names(str(name), known, otherwise)}")
