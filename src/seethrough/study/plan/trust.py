"""What a plan would run that is not ours: programs and Python modules, which may do whatever the user may.

A plan is a file that people hand on. Reading one runs nothing; running one does, where a generator of it says so
(`ForeignCode` in protocols/synthesizer.py).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from seethrough.errors import ConfigError
from seethrough.plugins import catalog, labels
from seethrough.protocols.parameters import parameters
from seethrough.protocols.synthesizer import ForeignCode
from seethrough.study.plan.plan import Plan, parts_of


def foreign_code(plan: Plan) -> tuple[str, ...]:
    """Say of each program and module that running a plan would start what it is."""
    found = (_said(each) for parts in parts_of(plan.text, plan.form).values() for each in _values(parts))
    return tuple(dict.fromkeys(each for each in found if each))


def refuse_untrusted(plan: Plan, *, trust: bool) -> None:
    """Refuse a plan that would run something, unless the user has said to trust it."""
    found = foreign_code(plan)
    if found and not trust:
        raise ConfigError(
            f"{plan.where} running it {'; it '.join(found)}. A plan that is not yours could so do anything that you "
            "may do; look at what it runs, then run it with --trust (in Python trust=True)"
        )


def _values(given: Any) -> Iterator[Any]:
    """Walk through everything that may name a generator, wherever a kind of study has it."""
    yield given
    inside = given.values() if isinstance(given, Mapping) else given if isinstance(given, list | tuple) else ()
    for each in inside:
        yield from _values(each)


def _said(given: Any) -> str:
    """Say what a label or a table with a name runs; nothing for all else."""
    known = catalog.all_synthesizers()
    match given:
        case str():
            label = labels.parse_label(given)
            maker = known.get(label.name)
            params = dict(labels.values(label, _names(maker))) if isinstance(maker, ForeignCode) else {}
        case {"name": str(name), **rest}:
            maker, params = known.get(name), {str(key): value for key, value in rest.items() if key != "label"}
        case _:
            return ""
    if not isinstance(maker, ForeignCode):
        return ""
    made = catalog.build_synthesizer(maker.name, params)
    return made.foreign_code if isinstance(made, ForeignCode) else ""


def _names(maker: object) -> list[str]:
    return [parameter.name for parameter in parameters(maker)]
