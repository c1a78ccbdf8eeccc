"""What exists: checks, attacks and synthesizers of this package, and those that installed packages offer."""

import difflib
import importlib
import pkgutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType
from typing import Any

from seethrough import metrics, synthesizers
from seethrough.attacks import attribute
from seethrough.attacks.attribute.recon import Recon
from seethrough.attacks.linkage.maximum_knowledge import MaximumKnowledge
from seethrough.auditing.checks.linkage_check import LinkageGame
from seethrough.auditing.checks.membership_check import MembershipGame
from seethrough.auditing.checks.reconstruction_check import ReleaseGame
from seethrough.errors import ConfigError
from seethrough.plugins import labels
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import parameters, with_values
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.results.card import Evidence

GROUP = "seethrough.checks"
"""Entry points under this name are classes that meet `Check`."""
SYNTHESIZERS = "seethrough.synthesizers"
"""Entry points under this name are classes that meet `Synthesizer`."""
PRESETS = ("fast", "full", "attacks")
DEAR = ("d-mlp", "recon")
"""What `fast` leaves out: a network that is trained and a program that is solved take most of the time of an audit."""

Params = Mapping[str, Mapping[str, Any]]
"""Parameters to set, by the name of the check and their own."""
RECONSTRUCTION = Recon(variant="gls", whole=True)
"""The attack that an audit runs: the strongest of those compared in docs/results/reconstruction.md."""


def load() -> Mapping[str, Check]:
    """Build every check with its default parameters, in the order of their names."""
    found: dict[str, Check] = {}
    for check in [*_own(), *_offered(GROUP, "check")]:
        if found.setdefault(check.card.name, check) is not check:
            raise ConfigError(f"two checks are named {check.card.name!r}")
    return MappingProxyType(dict(sorted(found.items())))


def choose(names: tuple[str, ...] = (), preset: str = "full") -> tuple[Check, ...]:
    """Pick checks by name, or those of a preset."""
    known = load()
    if names:
        for name in names:
            _refuse_unknown(name, known)
        return tuple(known[name] for name in dict.fromkeys(names))
    if preset not in PRESETS:
        raise ConfigError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    if preset == "attacks":
        return tuple(check for check in known.values() if check.card.evidence is Evidence.ATTACK)
    return tuple(check for name, check in known.items() if preset == "full" or name not in DEAR)


def find(name: str) -> Check:
    """Find one check by its name."""
    known = load()
    _refuse_unknown(name, known)
    return known[name]


def configure(checks: Sequence[Check], params: Params) -> tuple[Check, ...]:
    """Set parameters of checks; each check that is named has to be among them."""
    names = [check.card.name for check in checks]
    for name in params:
        if name not in names:
            _refuse_unknown(name, load())
            raise ConfigError(f"a parameter of {name} is set, which is not run; these are: {', '.join(names)}")
    return tuple(with_values(check, check.card.name, params.get(check.card.name, {})) for check in checks)


def attacks() -> Mapping[str, AttributeAttack]:
    """Build every attribute attack with its default parameters."""
    return {kind.name: kind() for kind in _classes_in(attribute, "guess")}


def named_attacks(names: Sequence[str], params: Params = MappingProxyType({})) -> Mapping[str, AttributeAttack]:
    """Pick attacks by name; `recon:robust` is `recon` with that variant, and keeps its whole name in results."""
    known, found = attacks(), {}
    for name in params:
        if name not in {whole.partition(":")[0] for whole in names}:
            raise ConfigError(f"a parameter of {name} is set, which is not run; these are: {', '.join(names)}")
    for whole in names:
        name, _, variant = whole.partition(":")
        _refuse_unknown(name, known, "attack")
        found[whole] = with_values(
            known[name], name, {**params.get(name, {}), **({"variant": variant} if variant else {})}
        )
    return found


def all_synthesizers() -> Mapping[str, Synthesizer]:
    """Build every synthesizer with its default parameters, in the order of their names."""
    found: dict[str, Synthesizer] = {}
    own = (kind() for kind in _classes_in(synthesizers, "fit") if isinstance(vars(kind).get("name"), str))
    for synthesizer in [*own, *_offered(SYNTHESIZERS, "synthesizer")]:
        if found.setdefault(synthesizer.card.name, synthesizer) is not synthesizer:
            raise ConfigError(f"two synthesizers are named {synthesizer.card.name!r}")
    return MappingProxyType(dict(sorted(found.items())))


def named_synthesizers(names: Sequence[str]) -> Mapping[str, Synthesizer]:
    """Pick synthesizers by label, as `baynet`, `privbayes:epsilon=1,k=2` or `mine=privbayes:epsilon=1`."""
    known, found = all_synthesizers(), dict[str, Synthesizer]()
    for whole in names:
        label = labels.parse_label(whole)
        _refuse_unknown(label.name, known, "synthesizer")
        plain = known[label.name]
        given = labels.values(label, [parameter.name for parameter in parameters(plain)])
        made = with_values(plain, label.name, given)
        if found.setdefault(label.shown, made) != made:
            raise ConfigError(f"two synthesizers are called {label.shown!r}")
    return found


def build_synthesizer(name: str, params: Mapping[str, Any] = MappingProxyType({})) -> Synthesizer:
    """Make a synthesizer by its name, with parameters as values or texts."""
    known = all_synthesizers()
    _refuse_unknown(name, known, "synthesizer")
    return with_values(known[name], name, params)


def build_attack(name: str, params: Mapping[str, Any] = MappingProxyType({})) -> AttributeAttack:
    """Make an attack by its name, with parameters as values or texts."""
    known = attacks()
    _refuse_unknown(name, known, "attack")
    return with_values(known[name], name, params)


def build_check(name: str, params: Mapping[str, Any] = MappingProxyType({})) -> Check:
    """Make a check by its name, with parameters as values or texts."""
    return with_values(find(name), name, params)


def _refuse_unknown(name: str, known: Collection[str], what: str = "check") -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise ConfigError(f"there is no {what} {name!r}; {hint}")


def _own() -> Iterator[Check]:
    for kind in _classes_in(metrics, "card"):
        yield kind()
    yield ReleaseGame(RECONSTRUCTION)
    yield LinkageGame(MaximumKnowledge())
    yield MembershipGame()


def _offered(group: str, what: str) -> Iterator[Any]:
    for point in entry_points(group=group):
        try:
            made = point.load()()
        except Exception as error:
            raise ConfigError(f"the {what} {point.name!r} of {point.value} cannot be loaded: {error}") from error
        yield made


def _classes_in(package: ModuleType, mark: str) -> Iterator[Any]:
    """Find the classes that the modules of `package` define and that can be built and have the attribute `mark`."""
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, type) and value.__module__ == info.name and hasattr(value, mark):
                yield value
