"""Linkage to a release that is at hand, as the releaser or the attacker runs it: both know the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from seethrough.data.ordering import taken_note
from seethrough.data.release import NamedTable, Release
from seethrough.data.rows import aligned_rows
from seethrough.data.table import Table
from seethrough.errors import ConfigError, DataError
from seethrough.games.linkage.rank_intervals import LinkageAnswer, combine_answers
from seethrough.games.linkage.records import LinkageRecords
from seethrough.games.linkage.scoring import curves, estimate
from seethrough.games.linkage.subject import (
    LinkageSubject,
    compare_with_truth,
    is_constant,
    linkage_subject,
    permute_columns,
    sample_holdout,
)
from seethrough.kernels.arrays import Ints
from seethrough.kernels.budget import Budget
from seethrough.protocols.linkage import LinkageAttack, Linked
from seethrough.results.estimate import Estimate
from seethrough.results.linkage import Disclosure, FileScore, IdentityScore, LinkageReport
from seethrough.seeds import stream

CONFIDENCE = 0.95


@dataclass(frozen=True)
class LinkageRequest:
    """What is asked: columns to read off, columns to link by (all others where none is named), how narrow is narrow."""

    secrets: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    narrow: float = 0.25


def link_release(
    release: Release, attack: LinkageAttack, request: LinkageRequest, seed: int, budget: Budget, version: str
) -> LinkageReport:
    """Link every real record to every synthetic table, and to tables that disclose nobody."""
    begun = perf_counter()
    who = _subject(release.train, request)
    places, sides = _sides(release, seed)
    run = _LinkageRun(who, attack, budget, stream(seed, "linkage intervals"))
    links = {side: run.link_part(each, part, len(sides)) for part, (side, each) in enumerate(sides.items())}
    links["release"] = [replace(each, places=rows) for each, rows in zip(links["release"], places, strict=True)]
    names = tuple(named.name for named in release.synthetic)
    answers = (
        {side: [compare_with_truth(each, who) for each in some] for side, some in links.items()} if who.hidden else {}
    )
    mine = tuple(answers.get("release", ()))
    return LinkageReport(
        version=version,
        real=release.train.name,
        size=len(who),
        synthetic=names,
        rows=tuple(len(named.table) for named in release.synthetic),
        holdout=release.holdout.name if release.holdout else None,
        criterion=attack.criterion_name,
        keys=tuple(column.name for column in who.known.schema.used),
        secrets=who.hidden,
        narrow=request.narrow,
        seed=seed,
        identity={side: run.identity(some, names) for side, some in links.items()},
        disclosures=tuple(run.disclosure(n, answers, names, request.narrow) for n in range(len(who.hidden))),
        notes=_notes(release, who),
        records=LinkageRecords(
            names, tuple(links["release"]), who.orders, mine, combine_answers(mine, request.narrow) if mine else None
        ),
        seconds=perf_counter() - begun,
    )


def _sides(release: Release, seed: int) -> tuple[list[Ints], dict[str, list[Table]]]:
    """Bring the released tables to the size of the real one; put tables beside them that disclose nobody."""
    rows = len(release.train.table)
    places = [aligned_rows(named.table, rows, _stream(seed, "rows", n)) for n, named in enumerate(release.synthetic)]
    tables = [named.table.take(some) for named, some in zip(release.synthetic, places, strict=True)]
    sides = {
        "release": tables,
        "permuted": [permute_columns(t, _stream(seed, "permuted", n)) for n, t in enumerate(tables)],
    }
    if release.holdout is not None:
        kept = release.holdout.table
        sides["holdout"] = [sample_holdout(kept, rows, n, _stream(seed, "holdout", n)) for n in range(len(tables))]
    return places, sides


@dataclass(frozen=True, eq=False)
class _LinkageRun:
    """Links, and sums up."""

    who: LinkageSubject
    attack: LinkageAttack
    budget: Budget
    rng: np.random.Generator

    def link_part(self, tables: Sequence[Table], part: int, parts: int) -> list[Linked]:
        found = []
        for number, table in enumerate(tables):
            begun = (part + number / len(tables)) / parts
            tick = _inside(self.budget.tick, begun, 1 / len(tables) / parts)
            budget = Budget(self.budget.memory, self.budget.threads, tick)
            found.append(self.attack.link(self.who.view(table, budget)))
        return found

    def identity(self, links: Sequence[Linked], names: Sequence[str]) -> tuple[IdentityScore, ...]:
        return tuple(
            IdentityScore(
                name,
                self._share(each.alone()),
                self._share(each.nearest.distances == 0),
                float(each.sizes().mean()),
            )
            for name, each in zip(names, links, strict=True)
        )

    def disclosure(
        self, number: int, answers: dict[str, list[LinkageAnswer]], names: Sequence[str], narrow: float
    ) -> Disclosure:
        column = self.who.hidden[number]
        mine = {side: [each.column(number) for each in some] for side, some in answers.items()}
        files = {
            side: tuple(self._score(name, each) for name, each in zip(names, some, strict=True))
            for side, some in mine.items()
        }
        return Disclosure(column, len(self.who.scales[column].keys), files, curves(mine, narrow, CONFIDENCE, self.rng))

    def _score(self, name: str, answer: LinkageAnswer) -> FileScore:
        parts = answer.exact[0], answer.chance[0], answer.error[0] / answer.records
        return FileScore(name, *map(self._share, parts))

    def _share(self, values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Estimate:
        return estimate(values.astype(np.float64), CONFIDENCE, self.rng)


def _subject(real: NamedTable, request: LinkageRequest) -> LinkageSubject:
    """Tell known from hidden columns."""
    names = [column.name for column in real.table.schema.used]
    for name in request.secrets:
        if is_constant(real.table, name):
            raise DataError(f"{real.name}: column {name!r} is constant; there is nothing to disclose")
    known = request.keys or tuple(name for name in names if name not in request.secrets)
    if not known:
        raise ConfigError(f"all columns of {real.name} are secret; at least one is needed to link by")
    if not 0 <= request.narrow <= 1:
        raise ConfigError(f"an interval of ranks cannot be narrow from {request.narrow} on; a share is expected")
    hidden = tuple(dict.fromkeys(request.secrets))
    return linkage_subject(real.table, tuple(dict.fromkeys(known)), hidden, np.arange(len(real.table)))


def size_notes(release: Release) -> list[str]:
    """Say how tables were brought to the size of the real one."""
    rows, found = len(release.train.table), []
    for named in release.synthetic:
        here = len(named.table)
        told = f"{named.name} has {here} rows and {release.train.name} {rows}"
        if here > rows:
            found.append(f"{told}: {rows} rows were drawn at random")
        if here < rows:
            found.append(f"{told}: {rows - here} rows were drawn again at random")
    return found


def _notes(release: Release, who: LinkageSubject) -> tuple[str, ...]:
    found = [note for named in release.all for note in named.remarks()]
    found += size_notes(release)
    found += taken_note(who.orders.values())
    for column in who.known.schema.used:
        if is_constant(who.known, column.name):
            found.append(f"{column.name!r} is constant in {release.train.name}: it tells no record from another")
    return tuple(found)


def _inside(tick: Callable[[float], None], begun: float, share: float) -> Callable[[float], None]:
    return lambda fraction: tick(begun + share * fraction)


def _stream(seed: int, what: str, number: int) -> np.random.Generator:
    return stream(seed, f"linkage {what} {number}")
