"""What exists: checks, attacks and synthesizers of this package, and those that installed packages offer.

Nothing is listed here. A metric, an attack or a synthesizer is a file in its folder, or a class that an installed
package names under an entry point. An attack that says how it joins audits is a check as well, made by the class in
`auditing/checks` whose `runs` is the attack's protocol.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import seethrough.attacks
from seethrough import metrics, synthesizers
from seethrough.attacks import membership
from seethrough.auditing import checks
from seethrough.auditing.evidence.assess import Arsenal
from seethrough.auditing.evidence.supervised.attack import SupervisedAttack
from seethrough.bench.isolation import Isolation
from seethrough.errors import ConfigError, no_such
from seethrough.plugins import labels
from seethrough.plugins.discovery import built_in, classes_in, offers, offers_by_point
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.attack_card import AttackCard
from seethrough.protocols.attack_description import describe_attack
from seethrough.protocols.check import Check
from seethrough.protocols.in_audits import AuditedAttack, as_in_audits
from seethrough.protocols.linkage import LinkageAttack
from seethrough.protocols.parameters import parameters, plain, with_values
from seethrough.protocols.rating import Rating
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.results.card import Evidence

GROUP = "seethrough.checks"
"""Entry points under this name are classes that meet `Check`."""
SYNTHESIZERS = "seethrough.synthesizers"
"""Entry points under this name are classes that meet `Synthesizer`."""
ATTACKS = "seethrough.attacks"
"""Entry points under this name are classes that meet `AttributeAttack`; each bears the name of the attack."""
LINKAGE_ATTACKS = "seethrough.linkage_attacks"
"""The same for `LinkageAttack`."""
RATINGS = "seethrough.ratings"
"""The same for `Rating`."""
PRESETS = ("fast", "full", "attacks")
ISOLATION = "isolation"
"""The name under which parameters of the isolation of people are set; it is no check."""

T = TypeVar("T")
Params = Mapping[str, Mapping[str, Any]]
"""Parameters to set, by the name of the check and their own."""


def load() -> Mapping[str, Check]:
    """Build every check with its default parameters, in the order of their names."""
    every = (*_own_checks(), *_attack_checks(), *offers(GROUP, "check"))
    return _by_name(((check.card.name, check) for check in every), "checks")


def choose(names: tuple[str, ...] = (), preset: str = "full") -> tuple[Check, ...]:
    """Pick checks by name, or those of a preset."""
    known = load()
    if names:
        for name in names:
            _refuse_unknown(name, known)
        return tuple(known[name] for name in dict.fromkeys(names))
    _refuse_unknown(preset, PRESETS, "preset")
    if preset == "attacks":
        return tuple(check for check in known.values() if check.card.evidence is Evidence.ATTACK)
    return tuple(check for check in known.values() if preset == "full" or not check.card.slow)


def find(name: str) -> Check:
    """Find one check by its name."""
    known = load()
    _refuse_unknown(name, known)
    return known[name]


def configure(checks: Sequence[Check], params: Params) -> tuple[Check, ...]:
    """Set parameters of checks; each check that is named has to be among them."""
    names = [check.card.name for check in checks]
    for name in params:
        if name not in (*names, ISOLATION):
            _refuse_unknown(name, load())
            raise ConfigError(f"a parameter of {name} is set, which is not run; these are: {', '.join(names)}")
    return tuple(with_values(check, check.card.name, params.get(check.card.name, {})) for check in checks)


def isolation_params(params: Params) -> Params:
    """Give all parameters of the isolation of people, under its name."""
    return {ISOLATION: plain(_isolation(params))}


def _isolation(params: Params) -> Isolation:
    return with_values(Isolation(), ISOLATION, params.get(ISOLATION, {}))


def attacks() -> Mapping[str, AttributeAttack]:
    """Build every attribute attack with its default parameters, in the order of their names."""
    return _by_name(((each.name, each) for each in _all_attacks() if isinstance(each, AttributeAttack)), "attacks")


def ratings() -> Mapping[str, Rating]:
    """Build every membership rating with its default parameters, in the order of their names."""
    every = (*built_in(membership, "rate"), *offers(RATINGS, "rating"))
    return _by_name(((each.name, each) for each in every), "ratings")


def named_ratings(names: Sequence[str], params: Params = MappingProxyType({})) -> tuple[Rating, ...]:
    """Pick ratings by name, with parameters."""
    known = ratings()
    for name in params:
        if name not in names:
            _refuse_unknown(name, known, "rating")
            raise ConfigError(f"a parameter of {name} is set, which is not run; these are: {', '.join(names)}")
    for name in names:
        _refuse_unknown(name, known, "rating")
    return tuple(with_values(known[name], name, params.get(name, {})) for name in dict.fromkeys(names))


def linkage_attacks() -> Mapping[str, LinkageAttack]:
    """Build every way to link records with its default parameters, in the order of their names."""
    return _by_name(((each.name, each) for each in _all_attacks() if isinstance(each, LinkageAttack)), "attacks")


def described_attacks() -> tuple[tuple[AttackCard, object], ...]:
    """Describe every attack of every kind: those that rate, the one that learns, those that guess, those that link."""
    every = (*ratings().values(), SupervisedAttack(), *attacks().values(), *linkage_attacks().values())
    return tuple((describe_attack(attack), attack) for attack in every)


def presets_with(attack: object) -> tuple[str, ...]:
    """Name the presets of audits that hold an attack against members and people outside."""
    return tuple(preset for preset in PRESETS if _is_in(arsenal(preset), attack))


def _is_in(chosen: Arsenal, attack: object) -> bool:
    if isinstance(attack, SupervisedAttack):
        return chosen.is_supervised
    there = chosen.ratings if hasattr(attack, "rate") else chosen.attacks
    return any(each.name == getattr(attack, "name", None) for each in there)


def find_attacks(name: str) -> tuple[tuple[AttackCard, object], ...]:
    """Find the attacks of a name, whatever they do."""
    return tuple((card, attack) for card, attack in described_attacks() if card.name == name)


def refuse_unknown_name(name: str) -> None:
    """Refuse a name that no check and no attack has."""
    _refuse_unknown(name, {**load(), **{card.name: card for card, _ in described_attacks()}}, "check or attack")


def arsenal(preset: str = "full", params: Params = MappingProxyType({})) -> Arsenal:
    """Choose the attacks that answer for members and people outside, by what docs/attacks/generators.md measured.

    Ratings that led nowhere (`is_optional`) are left out; by `fast` also the attack that learns from labels, and
    attacks on secrets that do not say `is_quick`.
    """
    _refuse_unknown(preset, PRESETS, "preset")
    guessing = [as_in_audits(attack) for attack in attacks().values()]
    kept = [attack for attack in guessing if preset != "fast" or getattr(attack, "is_quick", False)]
    usual = [rating for rating in ratings().values() if not getattr(rating, "is_optional", False)]
    return Arsenal(tuple(usual), tuple(kept), is_supervised=preset != "fast", isolation=_isolation(params))


def preset_names(preset: str) -> tuple[frozenset[str], frozenset[str]]:
    """Name the checks of a preset, and its attacks against members and people outside."""
    chosen = arsenal(preset)
    names = [each.name for each in chosen.ratings] + [each.name for each in chosen.attacks]
    names += [SupervisedAttack.name] if chosen.is_supervised else []
    return frozenset(check.card.name for check in choose((), preset)), frozenset(names)


def whole_arsenal() -> Arsenal:
    """Give every attack there is, for studies that compare them; presets choose from these."""
    return Arsenal(tuple(ratings().values()), tuple(map(as_in_audits, attacks().values())), is_supervised=True)


def named_attacks(names: Sequence[str], params: Params = MappingProxyType({})) -> Mapping[str, AttributeAttack]:
    """Pick attacks by name; `recon:robust` is `recon` with that variant, and keeps its whole name in results."""
    known, found = attacks(), {}
    for name in params:
        if name not in {whole.partition(":")[0] for whole in names}:
            _refuse_unknown(name, known, "attack")
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
    every = (*built_in(synthesizers, "fit"), *offers(SYNTHESIZERS, "synthesizer"))
    return _by_name(((each.card.name, each) for each in every), "synthesizers")


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


def build_linkage_attack(name: str, params: Mapping[str, Any] = MappingProxyType({})) -> LinkageAttack:
    """Make a way to link by its name, with parameters as values or texts."""
    known = linkage_attacks()
    _refuse_unknown(name, known, "linkage attack")
    return with_values(known[name], name, params)


def build_check(name: str, params: Mapping[str, Any] = MappingProxyType({})) -> Check:
    """Make a check by its name, with parameters as values or texts."""
    return with_values(find(name), name, params)


def _refuse_unknown(name: str, known: Collection[str], what: str = "check") -> None:
    if name not in known:
        raise no_such(what, name, known)


def _by_name(named: Iterable[tuple[str, T]], what: str) -> Mapping[str, T]:
    """Order by name; refuse two of one name."""
    found: dict[str, T] = {}
    for name, one in named:
        if found.setdefault(name, one) is not one:
            raise ConfigError(f"two {what} are named {name!r}")
    return MappingProxyType(dict(sorted(found.items())))


def _own_checks() -> Iterator[Check]:
    yield from built_in(metrics, "measure")
    yield from built_in(checks, "measure")


def _attack_checks() -> Iterator[Check]:
    """Make a check of each attack that joins audits."""
    runners = [kind for kind in classes_in(checks, "measure") if hasattr(kind, "runs")]
    for attack in _all_attacks():
        if isinstance(attack, AuditedAttack):
            yield from (kind(as_in_audits(attack)) for kind in runners if isinstance(attack, kind.runs))


def _all_attacks() -> Iterator[Any]:
    yield from built_in(seethrough.attacks, "name")
    for group in (ATTACKS, LINKAGE_ATTACKS):
        for point, attack in offers_by_point(group, "attack"):
            # The command line knows an attack by its entry point, without loading it.
            if attack.name != point.name:
                raise ConfigError(f"the attack {attack.name!r} of {point.value} has the entry point {point.name!r}")
            yield attack
