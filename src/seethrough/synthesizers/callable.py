"""Callable: any Python object that can learn from a data frame and make one, named as `module:object`.

What can be named, or handed over in Python:

* an object with `fit(frame)` and `sample(n)` or `generate(n)`, as SDV and synthcity have; every fit works on a copy;
* a class of such objects, or a function without arguments that makes one; each fit makes a new one;
* a function `fit(frame)` that returns an object with `sample` or `generate`, or a function from n to a frame;
* a pair of functions `(fit, sample)`: `sample(fit(frame), n)`.

The number of rows is passed by name where the method has a parameter `num_rows`, `count`, `n_samples`, `n_rows`, `rows`
or `n`, else by place. What comes back is a data frame, or has a method `dataframe()` that gives one. It is read like
any synthetic table, under the schema of the real one.

Categories are texts in the frame, numbers are numbers, whole ones where all are, dates are moments, missing values are
missing. Python's, NumPy's and, where it is loaded, torch's global random states follow from the seed while the object
works, and are put back afterwards. The module is also looked for in the working directory.
"""

import copy
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from seethrough.data.reading.single_table import read_like
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.data.writing import as_frame, as_pandas
from seethrough.errors import ConfigError, DataError
from seethrough.protocols.parameters import plain
from seethrough.protocols.synthesizer import Draw, SamplerCard, SynthesizerCard
from seethrough.results.outcome import Value

METHODS = ("sample", "generate")
COUNTS = ("num_rows", "count", "n_samples", "n_rows", "rows", "n")
"""What libraries call the number of rows."""
Make = Callable[[int], Any]


@dataclass(frozen=True)
class CallableGenerator:
    """Uses the object that `object` names; `frame` is the kind of data frame that it is given."""

    name: ClassVar[str] = "callable"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "A Python object",
        "Your own generator: an object, class or function named module:object, with fit and sample or generate.",
    )
    object: str = ""
    frame: Literal["pandas", "polars"] = "pandas"

    @property
    def foreign_code(self) -> str:
        """Say what it imports."""
        return f"imports the Python module {self.object.partition(':')[0]!r} and uses {self.object!r}"

    def fit(self, table: Table, rng: np.random.Generator) -> "ObjectSampler":
        """Let the object learn."""
        found = _found(self.object)
        with seed_from(rng):
            return ObjectSampler(_card(table, plain(self)), table.schema, _learnt(found, _framed(table, self.frame)))


class HeldGenerator:
    """Uses an object that is at hand; what `callable` does for one that is named."""

    card = CallableGenerator.card

    def __init__(self, held: Any = None, frame: Literal["pandas", "polars"] = "pandas") -> None:
        self.held, self.frame = held, frame

    @property
    def name(self) -> str:
        """Say what kind of object it is."""
        return str(getattr(self.held, "__name__", type(self.held).__name__))

    def fit(self, table: Table, rng: np.random.Generator) -> "ObjectSampler":
        """Let the object learn."""
        with seed_from(rng):
            return ObjectSampler(_card(table, {}), table.schema, _learnt(self.held, _framed(table, self.frame)))


@dataclass(frozen=True, eq=False)
class ObjectSampler:
    """What the object has learnt: something that makes n rows."""

    card: SamplerCard
    schema: Schema
    make: Make

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Let the object make rows."""
        return self.draw(rows, rng).table

    def draw(self, rows: int, rng: np.random.Generator) -> Draw:
        """Let the object make rows, and say what was remarked about them."""
        with seed_from(rng):
            made = _called(self.make, "make rows", rows)
        frame = made.dataframe() if callable(getattr(made, "dataframe", None)) else made
        found = read_like(frame, self.schema, "the generator's table")
        if len(found.table) != rows:
            raise DataError(f"the generator made {len(found.table)} rows where {rows} were asked for")
        return Draw(found.table, warnings=found.notes)


def _card(table: Table, parameters: dict[str, Value]) -> SamplerCard:
    return SamplerCard(CallableGenerator.name, len(table), parameters)


def _framed(table: Table, kind: str) -> Any:
    frame = as_frame(table, texts=False)
    return as_pandas(frame) if kind == "pandas" else frame


def _found(name: str) -> Any:
    """Import what `module:object` names."""
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise ConfigError(f"callable: object={name!r} is not of the form module:object, as my_generators:Mine")
    sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"callable: {name} cannot be loaded: {error}") from error
    finally:
        sys.path.remove("")
    return found


def _learnt(given: Any, frame: Any) -> Make:
    """Let whatever was given learn from a frame, and give back how to make rows."""
    if isinstance(given, tuple | list):
        if len(given) != 2 or not all(map(callable, given)):
            raise ConfigError("callable: a pair of functions (fit, sample) is expected")
        model = _called(given[0], "learn", frame)
        return lambda rows: given[1](model, rows)
    if isinstance(given, type) or (inspect.isroutine(given) and not inspect.signature(given).parameters):
        given = _called(given, "be made")
    elif not inspect.isroutine(given):
        given = _called(copy.deepcopy, "be copied", given)
    if hasattr(given, "fit"):
        answer = _called(given.fit, "learn", frame)
        return _maker(given if any(hasattr(given, method) for method in METHODS) else answer)
    if callable(given):
        return _maker(_called(given, "learn", frame))
    raise ConfigError(f"callable: a {type(given).__name__} has no method fit and is no function")


def _maker(fitted: Any) -> Make:
    """Find how something that has learnt makes rows."""
    for method in METHODS:
        if callable(found := getattr(fitted, method, None)):
            return _by_count(found)
    if callable(fitted):
        return _by_count(fitted)
    raise ConfigError(f"callable: a {type(fitted).__name__} has neither sample nor generate")


def _by_count(method: Callable[..., Any]) -> Make:
    """Pass the number of rows by the name that the method has for it."""
    try:
        known = inspect.signature(method).parameters.values()
    except ValueError:  # written in C, without a signature
        return lambda rows: method(rows)
    named = [each.name for each in known if each.kind in {each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY}]
    by_name = next((name for name in COUNTS if name in named), "")
    # A library may take anything by name and hand it on, as synthcity does with count.
    if not named and all(each.kind is each.VAR_KEYWORD for each in known):
        by_name = "count"
    return lambda rows: method(**{by_name: rows}) if by_name else method(rows)


def _called(function: Callable[..., Any], what: str, *given: Any) -> Any:
    """Call foreign code; its error becomes ours, with its own words."""
    try:
        return function(*given)
    except Exception as error:
        raise DataError(f"the generator failed to {what}: {type(error).__name__}: {error}") from error


@contextmanager
def seed_from(rng: np.random.Generator) -> Iterator[None]:
    """Set global random states from the generator for a while."""
    import random

    seed = int(rng.integers(2**32))
    before = random.getstate(), np.random.get_state()  # noqa: NPY002  foreign code uses it
    torch = sys.modules.get("torch")
    states = torch.get_rng_state() if torch else None
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    if torch:
        torch.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
        if torch:
            torch.set_rng_state(states)
