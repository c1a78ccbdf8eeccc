"""Commands and groups that ask which option was meant where one does not exist."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from seethrough.errors import near_names

_UsageError: Any = typer.BadParameter.__base__
"""Of click, or of the click that newer versions of typer bring along."""


class OptionCommand(TyperCommand):
    """A command that asks which option was meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Understand the words of a command line."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            _name_near_options(error, self.get_params(ctx))
            raise


class OptionGroup(TyperGroup):
    """A group of commands that asks which of its own options was meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Understand the words of a command line."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            _name_near_options(error, self.get_params(ctx))
            raise


def _name_near_options(error: Any, params: list[Any]) -> None:
    if not hasattr(error, "possibilities"):
        return
    known = [word for param in params if not getattr(param, "hidden", False) for word in param.opts]
    error.possibilities = None
    if near := near_names(error.option_name, (word for word in known if word.startswith("--"))):
        error.message = f"{error.message}; did you mean {' or '.join(near)}?"
