"""Games beside the published numbers of Annamalai, Gadotti and Rocher 2024."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import NORMAL_95
from seethrough.kernels.statistics.needed_trials import REACH, needed_trials, round_up
from seethrough.study.cells.results import Results
from seethrough.study.kinds.games.scores import GameScores, game_scores
from seethrough.study.kinds.label_settings import setting
from seethrough.study.kinds.published import (
    LEAST_RUNS,
    NOT_COMPARABLE,
    NOT_REPRODUCED,
    REPRODUCED,
    PublishedComparison,
    read_facts,
)
from seethrough.study.reading.fields import Fields

PUBLISHED_GAMES, PUBLISHED_ROWS = 500, 1000
ERROR_ROOM = 0.05
MATTERS = 0.1
"""A difference in accuracy that a comparison should not miss: 10 people of 100."""
RULE = (
    "reproduced if the 95 % interval of the difference to the published number, whose error is that of "
    f"{PUBLISHED_GAMES} games, holds 0, if a bound is kept, if a mean relative error is within {ERROR_ROOM}; not "
    f"comparable with fewer than {LEAST_RUNS} games, on other than {PUBLISHED_ROWS:,} rows, or in seconds of another "
    "machine"
)


def compare_games(results: Results) -> Iterator[PublishedComparison]:
    """Compare games with the published facts that speak of their table and generators."""
    known = read_facts("seethrough.study.kinds.games")
    rows = rows_by_data(results.parts.get("games", ()))
    for game in game_scores(results):
        yield from _of_their_size(_games(game, known), rows.get(game.data, ()))


def rows_by_data(parts: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, ...]]:
    """Find in the [[games]] of a plan how many rows the tables of games have, n, for each of its data."""
    found: dict[str, set[int]] = {}
    for part in parts:
        fields = Fields(part, "games")
        for name in fields.texts("data"):
            found.setdefault(name, set()).add(fields.count("rows"))
    return {name: tuple(sorted(rows)) for name, rows in found.items()}


def _of_their_size(found: Iterator[PublishedComparison], rows: tuple[int, ...]) -> Iterator[PublishedComparison]:
    """Refuse to compare games of another n, and say which it was."""
    for each in found:
        if rows == (PUBLISHED_ROWS,):
            yield each
        else:
            told = f"n = {' and '.join(f'{n:,}' for n in rows)}" if rows else "n is not known"
            ours = f"{each.ours}, {told}" if each.ours else ""
            yield replace(each, ours=ours, verdict=NOT_COMPARABLE)


def _games(game: GameScores, known: Mapping[str, Any]) -> Iterator[PublishedComparison]:
    for fact in known["score"]:
        if _speaks_of(fact, game):
            yield _score(fact, game)
    for fact in known["difference"]:
        if _speaks_of(fact, game):
            yield _difference(fact, game)
    for fact in known["error"]:
        if _speaks_of(fact, game) and game.utility:
            yield _error(fact, game)
    yield from _cost(known["cost"][0], game)


def _speaks_of(fact: Mapping[str, Any], game: GameScores) -> bool:
    return fact["data"] == game.data and fact["synthesizer"] in game.synthesizers


def _score(fact: Mapping[str, Any], game: GameScores) -> PublishedComparison:
    measure = {"auc": "AUC"}.get(fact["measure"], fact["measure"])
    what = f"{game.data}, {fact['synthesizer']}, m = {fact['size']:,}, {fact['attack']}: {measure}"
    score = game.find(fact["synthesizer"], fact["size"], fact["attack"])
    told = f"above {fact['least']}" if "least" in fact else f"{fact['value']:.3f}"
    if score is None or (fact["measure"] == "auc" and score.auc is None):
        return PublishedComparison(what, told, "", NOT_COMPARABLE, fact["source"])
    own = score.accuracy
    ours = f"{own.value:.3f} ({own.low:.3f} to {own.high:.3f})"
    if fact["measure"] == "auc":
        ours, agrees = f"{score.auc:.3f}", float(score.auc or 0.0) > fact["least"]
    else:
        error = sqrt(score.standard_error**2 + fact["value"] * (1 - fact["value"]) / PUBLISHED_GAMES)
        agrees = abs(own.value - fact["value"]) <= NORMAL_95 * error
        ours += _too_few(score.plays, score.standard_error, sqrt(fact["value"] * (1 - fact["value"]) / PUBLISHED_GAMES))
    return PublishedComparison(what, told, ours, _verdict(agrees, score.plays), fact["source"])


def _difference(fact: Mapping[str, Any], game: GameScores) -> PublishedComparison:
    small, large = fact["sizes"]
    what = f"{game.data}, {fact['synthesizer']}, {fact['attack']}: gain from m = {small:,} to {large:,}"
    gains = _paired(game, fact)
    if gains is None:
        return PublishedComparison(what, f"{fact['value']:.3f}", "", NOT_COMPARABLE, fact["source"])
    error = float(gains.std(ddof=1)) / sqrt(len(gains)) if len(gains) > 1 else 1.0
    mean = float(gains.mean())
    ours = f"{mean:.3f} ({mean - NORMAL_95 * error:.3f} to {mean + NORMAL_95 * error:.3f})"
    # The error of the published gain is not printed; that of two accuracies near 0.8 stands in for it.
    theirs = sqrt(2 * 0.8 * 0.2 / PUBLISHED_GAMES)
    agrees = abs(mean - fact["value"]) <= NORMAL_95 * sqrt(error**2 + theirs**2)
    ours += _too_few(len(gains), error, theirs)
    return PublishedComparison(what, f"{fact['value']:.3f}", ours, _verdict(agrees, len(gains)), fact["source"])


def _paired(game: GameScores, fact: Mapping[str, Any]) -> Floats | None:
    hits: dict[int, dict[int, float]] = {size: {} for size in fact["sizes"]}
    for play in game.plays:
        if (play.synthesizer, play.attack) == (fact["synthesizer"], fact["attack"]) and play.size in hits:
            hits[play.size][play.game] = float(play.is_hit)
    small, large = (hits[size] for size in fact["sizes"])
    both = sorted(small.keys() & large.keys())
    return np.array([large[number] - small[number] for number in both]) if both else None


def _error(fact: Mapping[str, Any], game: GameScores) -> PublishedComparison:
    what = f"{game.data}, {fact['synthesizer']}, m = {fact['size']:,}: {fact['measure'].upper()}"
    own = game.error(fact["synthesizer"], fact["size"], fact["measure"])
    if own is None:
        return PublishedComparison(what, f"{fact['value']:.3f}", "", NOT_COMPARABLE, fact["source"])
    verdict = REPRODUCED if abs(own.value - fact["value"]) <= ERROR_ROOM else NOT_REPRODUCED
    ours = f"{own.value:.3f} ({own.low:.3f} to {own.high:.3f})"
    return PublishedComparison(what, f"{fact['value']:.3f}", ours, verdict, fact["source"])


def _cost(fact: Mapping[str, Any], game: GameScores) -> Iterator[PublishedComparison]:
    for score in game.scores:
        count = setting(score.attack, "query_count")
        row = fact["seconds"].get(str(score.size))
        is_published = setting(score.attack, "k") is None and (game.data, score.synthesizer) == ("fire", "nonprivate")
        if is_published and row and count:
            theirs = row[fact["queries"].index(int(count[1]))] if count[1] in fact["queries"] else None
            if theirs:
                what = f"seconds of one attack, m = {score.size:,}, {count[1]:,.0f} queries"
                yield PublishedComparison(what, f"{theirs:g}", f"{score.seconds:.3f}", NOT_COMPARABLE, fact["source"])


def _too_few(games: int, error: float, theirs: float) -> str:
    """Say that a difference which matters could be missed by so few games, and how many would find it."""
    if REACH * sqrt(error**2 + theirs**2) <= MATTERS:
        return ""
    # Games that all ended alike have no spread of their own; that of a share of one half is the largest.
    needed = needed_trials(error * sqrt(games) or 0.5, MATTERS, theirs)
    if needed is None or needed <= games:
        return ""
    enough = round_up(max(needed, LEAST_RUNS))
    return f", {games} games are too few to tell a difference of {MATTERS:g}, about {enough:,} would"


def _verdict(agrees: bool, games: int) -> str:
    if games < LEAST_RUNS:
        return NOT_COMPARABLE
    return REPRODUCED if agrees else NOT_REPRODUCED
