"""Every error a user can meet.

* SeethroughError
  x DataError        the input tables are at fault
    + SchemaMismatch   two tables, or a table and its schema, do not fit each other
  x ConfigError      the request is at fault
    + StoreError       the file that holds the results of studies cannot be used
  x NotApplicable    this check cannot run on this release; becomes a `Skipped`
  x SolverFailed     a linear program was not solved to optimality; nothing is guessed instead
  x Overspent        a generator asked for more privacy budget than it was given
"""


class SeethroughError(Exception):
    """Base of all errors the user can act on; the message is one sentence for the user."""


class DataError(SeethroughError):
    """The input tables are at fault."""


class SchemaMismatch(DataError):
    """Tables that must share a schema do not, or a table does not fit the schema given for it."""


class ConfigError(SeethroughError):
    """The request is at fault."""


class StoreError(ConfigError):
    """The file that holds the results of studies cannot be used."""


class NotApplicable(SeethroughError):
    """The check cannot run on this release."""


class SolverFailed(SeethroughError):
    """A linear program was not solved to optimality."""


class Overspent(SeethroughError):
    """A generator asked for more privacy budget than it was given."""
