"""Were there enough games? Which attacks they cannot tell from chance, and how many games would."""

from collections.abc import Iterator, Sequence
from math import sqrt

from seethrough.kernels.statistics.needed_trials import needed_trials, round_up
from seethrough.results.game import Score

USUAL_LEAD = 0.05
"""The lead to plan for where an attack showed none: 5 of 100 people."""
_MOST_NAMED = 5


def too_few_games(scores: Sequence[Score], games: int, chance: float) -> tuple[str, ...]:
    """Name the attacks whose interval holds chance, and how many games would tell; the rest is counted."""
    unclear = [score for score in scores if score.accuracy.low <= chance <= score.accuracy.high]
    named = tuple(_sentences(unclear[:_MOST_NAMED], games, chance))
    more = len(unclear) - _MOST_NAMED
    return (*named, f"the same holds for {more} more attacks on releases") if more > 0 else named


def _sentences(scores: Sequence[Score], games: int, chance: float) -> Iterator[str]:
    for score in scores:
        lead = score.accuracy.value - chance
        where = f"{score.attack} on {score.synthesizer} at {score.size:,} rows"
        told = f"{games} games are too few to tell {where} ({score.accuracy.value:.3f}) from chance ({chance:.3f})"
        aimed = lead if lead > 0 else USUAL_LEAD
        # Where all answers were alike, the spread is that of chance.
        deviation = score.standard_error * sqrt(games) or sqrt(chance * (1 - chance))
        needed = needed_trials(deviation, aimed)
        assert needed is not None
        of_what = "if it is that much better" if lead > 0 else f"if it were {USUAL_LEAD:g} better"
        yield f"{told}; about {round_up(needed):,} games would, {of_what}"
