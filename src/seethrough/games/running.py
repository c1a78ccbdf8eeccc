"""Running many games, on several processes where asked for; the numbers are the same whatever their number."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from operator import itemgetter

from seethrough.errors import ConfigError
from seethrough.games.attribute import AttributeGame, GameResult
from seethrough.games.batched import TOGETHER, play_batch
from seethrough.kernels.budget import Budget, one_blas_thread
from seethrough.kernels.process_pool import GivenUp, compute_on_processes
from seethrough.results.game import Utility

PIECES = 8
"""Pieces of work for each worker: enough that none waits long at the end."""


def run(game: AttributeGame, budget: Budget) -> GameResult:
    """Play all games on the budget's device, or on as many processes as it has threads; `budget.tick` is told."""
    everyone = range(game.rules.games)
    workers = min(budget.threads, game.rules.games)
    if budget.device != "cpu":
        played = _on_device(game, everyone, budget)
    else:
        played = _here(game, everyone, budget) if workers == 1 else _spread(game, everyone, workers, budget)
    found = [each for _, each in sorted(played, key=itemgetter(0))]
    plays = tuple(play for each in found for play in each.plays)
    warnings = dict.fromkeys(warning for each in found for warning in each.warnings)
    return GameResult(plays, _averaged([utility for each in found for utility in each.utility]), tuple(warnings))


def _here(game: AttributeGame, games: range, budget: Budget) -> Iterator[tuple[int, GameResult]]:
    with one_blas_thread():
        for done, number in enumerate(games, 1):
            yield number, game.play(number, budget.memory)
            budget.tick(done / len(games))


def _on_device(game: AttributeGame, games: range, budget: Budget) -> Iterator[tuple[int, GameResult]]:
    for start in range(0, len(games), TOGETHER):
        some = games[start : start + TOGETHER]
        yield from play_batch(game, some, budget.memory, budget.device)
        budget.tick((start + len(some)) / len(games))


def _spread(game: AttributeGame, games: range, workers: int, budget: Budget) -> Iterator[tuple[int, GameResult]]:
    # Computed once here, so that it travels with the population.
    _ = game.population.numbers
    step = max(1, len(games) // (workers * PIECES))
    pieces = [games[start : start + step] for start in range(0, len(games), step)]
    done = 0
    with closing(compute_on_processes(workers, pieces, player, game, budget.memory // workers)) as answers:
        for piece in answers:
            if isinstance(piece, GivenUp):
                raise ConfigError(
                    f"the processes that play the games died {piece.attempts} times, the last time {piece.reason}; "
                    "ask for fewer workers"
                )
            done += len(piece.task)
            budget.tick(done / len(games))
            yield from piece.answer


def player(game: AttributeGame, memory: int) -> Callable[[range], list[tuple[int, GameResult]]]:
    """Give what plays some of the games in a process of its own."""

    def play(numbers: range) -> list[tuple[int, GameResult]]:
        with one_blas_thread():
            return [(number, game.play(number, memory)) for number in numbers]

    return play


def _averaged(measured: list[Utility]) -> tuple[Utility, ...]:
    """Average what single games measured, for each synthesizer and size."""
    cells: dict[tuple[str, int], list[Utility]] = {}
    for utility in measured:
        cells.setdefault((utility.synthesizer, utility.size), []).append(utility)
    return tuple(_mean(some) for some in cells.values())


def _mean(some: list[Utility]) -> Utility:
    errors = [utility.mre for utility in some if utility.mre is not None]
    mre = sum(errors) / len(errors) if errors else None
    return replace(some[0], mre=mre, tvd=sum(utility.tvd for utility in some) / len(some), games=len(some))
