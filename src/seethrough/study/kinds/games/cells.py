"""Cells of the attribute inference game: answers of attacks, baselines, and utility.

    [[games]]
    data = "people"             # or a list
    rows = 1000                 # n
    sizes = [100, 1000]         # m; the largest is sampled once and cut down
    games = 500
    targets = 1
    aim = "random"              # or "isolated": whom games attack
    synthesizers = ["nonprivate", "privbayes:epsilon=1"]
    attacks = ["recon", "dcr", "infer"]
    utility_games = 10          # games in which utility is measured
    baselines = true

A group is one game with one synthesizer, which is fitted once; or the baselines of one game, which see no release.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast, get_args

from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.games.attribute import AttributeGame, GameRules, Round
from seethrough.games.dealing import Aim
from seethrough.games.population import known_columns, population
from seethrough.plugins import catalog
from seethrough.results.game import Play
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.reading.choices import Choice, choices
from seethrough.study.reading.fields import Fields, at
from seethrough.utility.three_way import three_way

BASELINES = ("random", "majority", "imputation")
VERSION = 1
"""Grows whenever the same game may give another number."""


@dataclass(frozen=True, eq=False)
class Games:
    """One [[games]] of a plan."""

    where: str
    data: tuple[str, ...]
    rules: GameRules
    synthesizers: tuple[Choice, ...]
    attacks: tuple[Choice, ...]
    baselines: bool

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        labels = ", ".join(choice.label for choice in self.synthesizers)
        sizes = f"m {min(self.rules.sizes):,} to {max(self.rules.sizes):,}" if len(self.rules.sizes) > 1 else ""
        told = f"{self.rules.games} games of {self.rules.rows:,} rows", sizes or f"m {self.rules.sizes[0]:,}"
        return f"{', '.join(told)}, {', '.join(self.data)}: {labels}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group for each game and synthesizer."""
        if len(table.schema.secrets) != 1:
            raise ConfigError(f"{self.where}.data: {name} has no secret; a game guesses one, as secret = 'SEX'")
        secret = table.schema.secrets[0]
        with at(self.where):
            people = population(table, secret, name)
            if self.rules.rows > len(people.table):
                there = len(people.table)
                raise ConfigError(f"{self.rules.rows} rows cannot be drawn from a population of {there} records")
        rules = self.rules
        shared = {"rows": rules.rows, "targets": rules.targets, "seed": seed, "secret": secret, "data": digest}
        if rules.aim != "random":  # cells of games at random keep their keys
            shared["aim"] = rules.aim
        known = {"known": known_columns(table.schema, secret), "version": VERSION}
        wide = len(people.table.schema.used) >= 3
        cells = self._cells(wide)
        for number in range(rules.games):
            for choice in (None, *self.synthesizers) if self.baselines else self.synthesizers:
                if asked := [
                    cell for cell in cells[choice] if cell["what"] != "utility" or number < rules.utility_games
                ]:
                    yield self._group(name, {**shared, "number": number}, known, choice, asked)

    def _cells(self, wide: bool) -> dict[Choice | None, list[dict[str, Any]]]:
        """List what is asked about each synthesizer, and without one: what decides it, and what a worker needs."""
        found: dict[Choice | None, list[dict[str, Any]]] = {
            None: [{"what": "baseline", "name": name, "size": None} for name in BASELINES]
        }
        for choice in self.synthesizers:
            found[choice] = [
                {"what": "attack", "name": self._shown(attack), "size": size, "choice": attack}
                for size in self.rules.sizes
                for attack in self.attacks
            ]
            if wide and self.rules.utility_games:
                found[choice] += [{"what": "utility", "name": "utility", "size": size} for size in self.rules.sizes]
        for each in (each for some in found.values() for each in some):
            each["deciding"] = canonical(_deciding(each))
        return found

    def _shown(self, attack: Choice) -> str:
        """Name an attack, with its aim where that is not chance, so that a plan may have both on one table."""
        return attack.label if self.rules.aim == "random" else f"{attack.label}, {self.rules.aim} people"

    def _group(
        self,
        data: str,
        shared: dict[str, Any],
        known: dict[str, Any],
        choice: Choice | None,
        asked: list[dict[str, Any]],
    ) -> CellGroup:
        message = {**shared, "synthesizer": choice.message() if choice else None, "drawn": max(self.rules.sizes)}
        who = {"label": choice.label, **choice.identity, "drawn": max(self.rules.sizes)} if choice else {}
        keys = keys_of({"kind": "games", **shared, **known, "synthesizer": who}, (each["deciding"] for each in asked))
        cells = tuple(
            Cell(
                key,
                choice.label if choice else "",
                each["size"],
                shared["number"],
                each["what"],
                each["name"],
                {"attack": each["choice"].message()} if "choice" in each else {},
            )
            for key, each in zip(keys, asked, strict=True)
        )
        return CellGroup("games", data, self.where, message, cells, choice.extra if choice else "")


def _deciding(asked: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: asked[key] for key in ("what", "name", "size")}
    return {**own, "attack": asked["choice"].identity} if "choice" in asked else own


def read(fields: Fields) -> Games:
    """Read one [[games]]."""
    keys = ("data", "rows", "sizes", "games", "targets", "aim", "synthesizers", "attacks", "utility_games", "baselines")
    fields.only(*keys)
    rules = fields.count("rows"), fields.counts("sizes"), fields.count("games"), fields.count("targets", 1)
    with at(fields.where):
        checked = GameRules(*rules, fields.count("utility_games", 10, least=0), _aim(fields))
    return Games(
        fields.where,
        fields.texts("data"),
        checked,
        choices(fields, "synthesizers", catalog.build_synthesizer),
        choices(fields, "attacks", catalog.build_attack, ("recon", "dcr", "infer")),
        fields.flag("baselines", True),
    )


def _aim(fields: Fields) -> Aim:
    found = fields.text("aim", "random")
    for known in get_args(Aim):
        if found == known:
            return cast("Aim", known)
    raise ConfigError(f"{fields.place('aim')} is {found!r}; {' or '.join(get_args(Aim))} is expected")


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> Iterator[Result]:
    """Play one game with one synthesizer, or its baselines."""
    game = _game(task, cache)
    table = game.round(task["number"], memory)
    if not game.synthesizers:
        yield from _baselines(task, table)
        return
    cells, warnings = _by_size(task), list[str]()
    for released in table.releases(*next(iter(game.synthesizers.items())), warnings):
        for cell in cells.get(len(released), []):
            found = capture(cell["key"], partial(_asked, task, cell, table, released))
            yield replace(found, result={**found.result, "warnings": warnings}) if warnings else found


def _by_size(task: Mapping[str, Any]) -> dict[int, list[Mapping[str, Any]]]:
    found: dict[int, list[Mapping[str, Any]]] = {}
    for cell in task["cells"]:
        found.setdefault(cell["size"], []).append(cell)
    return found


def _game(task: Mapping[str, Any], cache: WorkerCache) -> AttributeGame:
    secret, digest = task["secret"], task["data"]
    people = cache.keep(("people", digest, secret), lambda: population(cache.table(digest), secret, "data"))
    sizes = {task["drawn"], *(cell["size"] for cell in task["cells"] if cell["size"])}
    made = {cell["name"]: cell["attack"] for cell in task["cells"] if "attack" in cell}
    synthesizer = task["synthesizer"]
    return AttributeGame(
        people,
        GameRules(task["rows"], tuple(sizes), 1, task["targets"], 0, task.get("aim", "random")),
        {synthesizer["label"]: catalog.build_synthesizer(synthesizer["name"], synthesizer["params"])}
        if synthesizer
        else {},
        {label: catalog.build_attack(attack["name"], attack["params"]) for label, attack in made.items()},
        three_way,
        task["seed"],
    )


def _asked(task: Mapping[str, Any], cell: Mapping[str, Any], table: Round, released: Table) -> CellValue:
    label = task["synthesizer"]["label"]
    if cell["what"] == "utility":
        found = table.utility(label, released)
        return found.tvd, {"mre": found.mre, "tvd": found.tvd}
    return _told(list(table.answer(label, (released,), cell["name"])))


def _baselines(task: Mapping[str, Any], table: Round) -> Iterator[Result]:
    plays: dict[str, list[Play]] = {}
    for play in table.without_release():
        plays.setdefault(play.attack, []).append(play)
    for cell in task["cells"]:
        yield capture(cell["key"], partial(_told, plays.get(cell["name"], [])))


def _told(plays: list[Play]) -> CellValue:
    if not plays:
        raise NotApplicable("no record is left outside the table to learn from")
    hits = [play.is_hit for play in plays]
    return sum(hits) / len(hits), {
        "truth": [play.truth for play in plays],
        "guess": [play.guess for play in plays],
        "scores": [list(play.scores) for play in plays],
        "seconds": sum(play.seconds for play in plays),
    }
