"""Our numbers beside the published ones, with a stated rule for saying whether they agree.

RULE is shown with every comparison. A fact that our study has nothing on, or measured otherwise, is not comparable.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from math import sqrt
from typing import Any

import numpy as np

from seethrough.results.figure import Figure, FigureTable, Listing
from seethrough.results.game import NORMAL_95
from seethrough.study.kinds.games.scores import GameScores, game_scores
from seethrough.study.kinds.setting_figures import setting
from seethrough.study.plan.plan import SMALL
from seethrough.study.store.frame import Results

REPRODUCED, NOT_REPRODUCED, NOT_COMPARABLE = "reproduced", "not reproduced", "not comparable"
PUBLISHED_GAMES, PUBLISHED_ROWS = 500, 1000
LEAST_GAMES = 50
ERROR_ROOM = 0.05
RULE = (
    "reproduced: the 95 % interval of the difference to the published number holds 0 (whose error is that of 500 "
    f"games), a bound is kept, a mean relative error is within {ERROR_ROOM}, a verdict is the same, the one example "
    f"of linkage lies among the middle 95 % of runs; not comparable: nothing measured, fewer than {LEAST_GAMES} games "
    f"or runs, games on other than {PUBLISHED_ROWS:,} rows, the small form, other generators, another machine. The "
    "tables are substitutes of the published ones (another state, another year): expect the pattern."
)


@dataclass(frozen=True)
class PublishedComparison:
    """One published fact and ours."""

    what: str
    published: str
    ours: str
    verdict: str
    source: str


def facts() -> dict[str, Any]:
    """Read what the papers state."""
    return tomllib.loads((files("seethrough.study.kinds") / "published.toml").read_text(encoding="utf-8"))


def compare(results: Results) -> tuple[PublishedComparison, ...]:
    """Compare a study with all published facts that speak of what it has."""
    # Imported here: it uses what stands above.
    from seethrough.study.kinds.linkage.compare import compare_linkage
    from seethrough.study.kinds.metrics.compare import compare_metrics

    known = facts()
    found = [each for game in game_scores(results) for each in _of_their_size(_games(game, known), results, game)]
    found += compare_metrics(results, known["metrics"])
    found += compare_linkage(results, known["linkage"])
    if results.form == SMALL:
        return tuple(PublishedComparison(c.what, c.published, c.ours, NOT_COMPARABLE, c.source) for c in found)
    return tuple(found)


def comparison(results: Results) -> Figure:
    """Give the comparison as a table."""
    found = compare(results)
    rows = tuple((c.what, c.published, c.ours or "nothing", c.verdict, c.source) for c in found)
    columns = ("what", "published", "here", "verdict", "source")
    return Figure(
        "comparison",
        "Beside the published numbers",
        RULE,
        (Listing("", columns, rows),),
        FigureTable(columns, rows),
        across=1,
    )


def _of_their_size(
    found: Iterator[PublishedComparison], results: Results, game: GameScores
) -> Iterator[PublishedComparison]:
    """Refuse to compare games of another n, and say which it was."""
    rows = results.rows.get(game.data, ())
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
    return PublishedComparison(what, f"{fact['value']:.3f}", ours, _verdict(agrees, len(gains)), fact["source"])


def _paired(game: GameScores, fact: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]] | None:
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
        if game.data == "fire" and score.synthesizer == "nonprivate" and row and count:
            theirs = row[fact["queries"].index(int(count[1]))] if count[1] in fact["queries"] else None
            if theirs:
                what = f"seconds of one attack, m = {score.size:,}, {count[1]:,.0f} queries"
                yield PublishedComparison(what, f"{theirs:g}", f"{score.seconds:.3f}", NOT_COMPARABLE, fact["source"])


def _verdict(agrees: bool, games: int) -> str:
    if games < LEAST_GAMES:
        return NOT_COMPARABLE
    return REPRODUCED if agrees else NOT_REPRODUCED
