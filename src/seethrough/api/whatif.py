"""What-if: which change of a release would help, measured on the people of an earlier audit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seethrough import __version__
from seethrough.api.arguments import (
    MEMORY,
    NO_PARAMS,
    CardLike,
    Names,
    SchemaLike,
    TableLike,
    TablesLike,
    budget_of,
    grade_limits,
    list_names,
    list_synthesizers,
    list_tables,
)
from seethrough.auditing.levers.defaults import column_levers, screen_levers, usual_levers
from seethrough.auditing.levers.grammar import Lever, OtherGenerator, parse_lever
from seethrough.auditing.levers.run import take_stock, try_baseline, try_levers
from seethrough.auditing.levers.situation import DRAWS, Generators, Situation, rules_of_levers
from seethrough.data.files.json_files import parse_json
from seethrough.data.reading import release_tables
from seethrough.data.release import Release
from seethrough.data.split.card_at_hand import find_card
from seethrough.errors import ConfigError
from seethrough.exploring.stored_audits import StoredTables, find_tables, load_form
from seethrough.plugins import catalog
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.report.machine import verification
from seethrough.report.what_if.what_if_report import WhatIfReport
from seethrough.results.evidence import LeakFamily
from seethrough.results.report import Report
from seethrough.results.timings import Progress, ShowProgress, ignore_progress

WORST = "the worst family"
CARD_SUFFIX = ".card.json"
USUAL_OTHER = "privbayes:epsilon=1"
"""The generator that is tried as another one where none is named."""
FOREIGN = frozenset({"command", "callable"})
"""Generators that run code which a card names; a card alone is no reason to run it."""


def whatif(  # noqa: PLR0913  what a caller may say about it
    audit: str | Path | Mapping[str, Any] | Report,
    real: TableLike = None,
    synthetic: TablesLike = None,
    holdout: TableLike = None,
    *,
    levers: Sequence[str | Lever] | str = (),
    generator: str | Synthesizer | Any = None,
    generators: Mapping[str, Any] = NO_PARAMS,
    family: str | None = None,
    targets: Names = (),
    preset: str | None = None,
    draws: int = DRAWS,
    card: CardLike = None,
    schema: SchemaLike = None,
    memory: int = MEMORY,
    threads: int | None = None,
    device: str = "cpu",
    progress: ShowProgress | None = None,
) -> WhatIfReport:
    """Apply levers to an audited release, attack it again, and rank them by leak removed per utility lost.

    Parameters
    ----------
    audit
        The folder of the audit, its report.json, the report itself or its JSON form: secret, keys, seed, limits of
        grades and attacks are taken from it, and the tables have to be those that were audited.
    real, synthetic, holdout
        The tables that were audited; without any, inputs.json of the folder says where they lie.
    levers
        Lines as "drop column zip" (docs/whatif.md); without any, some of every kind are tried, and of all ways to
        coarsen or drop a column those that a quick pass finds best.
    generator
        What made the release: a label, a synthesizer, or any object with `fit` and `sample`; needed to regenerate.
        None takes it from the card that `synthesize` wrote beside the released file, where there is one.
    generators
        Other generators by the name that a lever "generator NAME" calls them; labels of ours need not be given.
    family
        "membership", "attribute" or "identity" ranks by that leak; None by the worst of the three.
    targets
        Columns that models predict for people outside; otherwise the secrets, or some columns drawn.
    preset
        Attacks to run, as for `audit`; None takes those of the audit.
    draws
        Draws of a random release over which a lever is averaged.

    All else is as for `audit`.
    """
    said = _form(audit)
    found = find_tables(audit, said, StoredTables(real, synthetic, holdout, schema, card))
    real, synthetic, holdout, schema, card = found.real, found.synthetic, found.holdout, found.schema, found.card
    wanted = [parse_lever(each) if isinstance(each, str) else each for each in _listed(levers)]
    chosen = _Chosen(said, _family(family), draws, preset)
    made_by = Generators(_own(generator, synthetic), _others(wanted, generators))
    release = _read(said, (real, synthetic, holdout), card, schema)
    budget = budget_of(memory, threads, device)
    tell = progress or ignore_progress
    tell(Progress(0, 1, "attacking the release as it is"))
    situation = chosen.take_stock(release, made_by, list_names(targets), budget)
    return _tried(situation, wanted, chosen, tell)


class _Chosen:
    """What the audit and the caller decide together."""

    def __init__(self, said: Mapping[str, Any], family: LeakFamily | None, draws: int, preset: str | None) -> None:
        if draws < 1:
            raise ConfigError(f"{draws} draws are none; at least one is needed")
        record = said["record"]
        self.family, self.draws, self.seed = family, draws, int(said["seed"])
        self.preset = preset or str(record.get("preset", "full"))
        self.arsenal = catalog.arsenal(self.preset)
        self.limits, self.attacked = grade_limits(record.get("grades")), record.get("targets", "all")

    def take_stock(self, release: Release, generators: Generators, targets: tuple[str, ...], budget: Any) -> Situation:
        """Attack the release as it is."""
        names = [column.name for column in release.train.table.schema.used]
        for target in targets:
            if target not in names:
                raise ConfigError(f"there is no column {target!r} in use to be predicted")
        rules = rules_of_levers(release, self.seed, self.limits, self.attacked)
        return take_stock(
            release,
            self.arsenal,
            rules,
            budget,
            generators,
            targets=targets,
            family=self.family,
            draws=self.draws,
        )


def _tried(situation: Situation, wanted: Sequence[Lever], chosen: _Chosen, progress: ShowProgress) -> WhatIfReport:
    baseline = try_baseline(situation)
    screened: tuple[str, ...] = ()
    if not wanted:
        columns, screened = screen_levers(situation, column_levers(situation), baseline, progress)
        wanted = (*usual_levers(situation), *columns)
    rows = try_levers(situation, wanted, baseline, progress)
    release = situation.release
    return WhatIfReport(
        baseline=baseline,
        rows=rows,
        ranked_by=chosen.family.value if chosen.family else WORST,
        seed=chosen.seed,
        preset=chosen.preset,
        targets=situation.yardstick.targets,
        tables={named.name: named.table.digest for named in release.all},
        screened=screened,
        notes=_notes(situation),
        version=__version__,
    )


def _notes(situation: Situation) -> tuple[str, ...]:
    files = len(situation.files)
    together = f"{files} released files are attacked together, their rows under each other" if files > 1 else ""
    unknown = (
        "levers that regenerate were not tried: the generator of the release is not known (--generator)"
        if situation.generators.own is None
        else ""
    )
    return tuple(filter(None, (together, unknown)))


def _listed(levers: Sequence[str | Lever] | str) -> Sequence[str | Lever]:
    given = [levers] if isinstance(levers, str) else list(levers)
    lines = [str(parse_lever(each)) if isinstance(each, str) else str(each) for each in given]
    return [each for place, each in enumerate(given) if lines.index(lines[place]) == place]


def _family(name: str | None) -> LeakFamily | None:
    if name is None:
        return None
    try:
        return LeakFamily(name)
    except ValueError as error:
        there = ", ".join(family.value for family in LeakFamily)
        raise ConfigError(f"there is no family {name!r} of leaks; there are {there}") from error


def _form(audit: str | Path | Mapping[str, Any] | Report) -> Mapping[str, Any]:
    """Give the JSON form of the report of an audit."""
    if isinstance(audit, Report):
        audit = audit.to_dict()
    if not isinstance(audit, Mapping):
        audit = load_form(audit)
    return verification.checked_form(audit)


def _read(
    said: Mapping[str, Any], tables: tuple[TableLike, TablesLike, TableLike], card: CardLike, schema: SchemaLike
) -> Release:
    """Read the tables as the audit did, and refuse those that are not the ones audited."""
    real, synthetic, holdout = tables
    record = said["record"]
    if record.get("declared") and schema is None:
        raise ConfigError("the audit was given a schema, which is needed again: --schema")
    if record.get("has_card") and find_card(card, holdout) is None:
        raise ConfigError("the audit had the card of a split, which is needed again: --card")
    release = release_tables.read_release(
        real,
        list_tables(synthetic),
        holdout,
        schema=schema,
        secrets=tuple(record["secrets"]),
        keys=tuple(record["keys"]),
        entity=record.get("entity"),
        card=find_card(card, holdout),
        **record.get("csv", {}),
    )
    _refuse_others(said["release"], release)
    return release


def _refuse_others(audited: Mapping[str, Any], release: Release) -> None:
    """Refuse tables that are not those of the audit, by their digests."""
    if release.holdout is None:
        raise ConfigError("what-if compares members with people outside, and no holdout was given: --holdout")
    if audited.get("holdout") is None:
        raise ConfigError("the audit had no holdout; audit the release with one first")
    if len(audited["synthetic"]) != len(release.synthetic):
        raise ConfigError(
            f"the audit had {len(audited['synthetic'])} synthetic tables, and {len(release.synthetic)} are given"
        )
    pairs = [
        ("real", audited["real"], release.train),
        ("holdout", audited["holdout"], release.holdout),
        *(("synthetic", said, named) for said, named in zip(audited["synthetic"], release.synthetic, strict=True)),
    ]
    for role, said, named in pairs:
        if said.get("digest") != named.table.digest:
            raise ConfigError(f"{named.name} is not the {role} table of the audit; audit it first")


def _own(generator: Any, synthetic: TablesLike) -> Synthesizer | None:
    """Find the generator of the release: the one that is named, or that of the card beside the file."""
    if generator is not None:
        ((_, found),) = list_synthesizers([generator]).items()
        return found
    given = list_tables(synthetic)
    first = next(iter(given.values() if isinstance(given, Mapping) else given), None)
    if not isinstance(first, str | Path):
        return None
    path = Path(first)
    beside = path.with_name(path.name + CARD_SUFFIX)
    return _of_card(beside) if beside.is_file() else None


def _of_card(path: Path) -> Synthesizer | None:
    """Make the generator that a card describes; a damaged card, or one of foreign code, describes none."""
    try:
        told = parse_json(path.read_text(encoding="utf-8"), str(path))
        name = told["synthesizer"]
        if name in FOREIGN:
            return None
        given = {key: value for key, value in told["parameters"].items() if value is not None}
        return catalog.build_synthesizer(name, given)
    except (OSError, UnicodeDecodeError, ConfigError, KeyError, TypeError, AttributeError):
        return None


def _others(wanted: Sequence[Lever], given: Mapping[str, Any]) -> Mapping[str, Synthesizer]:
    """Find all generators that levers name; without levers those that are given, or the usual one."""
    held = dict(list_synthesizers(dict(given)))
    labels = [lever.label for lever in wanted if isinstance(lever, OtherGenerator)]
    if not wanted and not held:
        labels = [USUAL_OTHER]
    for label in labels:
        if label not in held:
            held[label] = next(iter(catalog.named_synthesizers([label]).values()))
    return held
