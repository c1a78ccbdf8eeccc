"""Many games on an accelerator: generators that can are fitted together, and so are the programs of the attacks solved.

Deals, random numbers, releases and queries are those of the games played one by one. A fit on an accelerator differs by
rounding, and programs are solved to a gap of 0.1 % instead of exactly; so single answers may differ, scores hardly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from seethrough.data.table import Table
from seethrough.games.attribute import AttributeGame, GameResult, Round
from seethrough.kernels.device.torch_l1 import solve_together
from seethrough.protocols.attack import Posed, PosingAttack
from seethrough.protocols.synthesizer import BatchSynthesizer, Sampler, Synthesizer
from seethrough.results.game import Play, Utility

TOGETHER = 100
"""Games at a time; their programs are all in memory."""


@dataclass(eq=False)
class _Record:
    """What came of one game so far."""

    game: Round
    plays: list[Play] = field(default_factory=list)
    utility: list[Utility] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A program that waits for its solution, and where its answer belongs."""

    record: _Record
    synthesizer: str
    size: int
    attack: str
    posed: Posed
    seconds: float


def play_batch(game: AttributeGame, numbers: range, memory: int, device: str) -> Iterator[tuple[int, GameResult]]:
    """Play some games at once."""
    records = [_Record(game.round(number, memory)) for number in numbers]
    waiting: list[_Waiting] = []
    for record in records:
        record.plays += record.game.without_release()
    for name, synthesizer in game.synthesizers.items():
        rngs = [record.game.stream(name) for record in records]
        samplers = _fitted(synthesizer, [record.game.dealt.training for record in records], rngs, device)
        for record, sampler, rng in zip(records, samplers, rngs, strict=True):
            for released in record.game.samples(name, sampler, rng, record.warnings):
                waiting += _shown(record, name, released)
    _solve(waiting, device)
    for number, record in zip(numbers, records, strict=True):
        yield number, GameResult(tuple(record.plays), tuple(record.utility), tuple(record.warnings))


def _fitted(
    synthesizer: Synthesizer, tables: Sequence[Table], rngs: Sequence[np.random.Generator], device: str
) -> Sequence[Sampler]:
    if isinstance(synthesizer, BatchSynthesizer):
        return synthesizer.fit_many(tables, rngs, device)
    return [synthesizer.fit(table, rng) for table, rng in zip(tables, rngs, strict=True)]


def _shown(record: _Record, synthesizer: str, released: Table) -> Iterator[_Waiting]:
    """Show a release to every attack; those with a program wait."""
    whole = record.game.whole
    for name, attack in whole.attacks.items():
        begun, rng = perf_counter(), record.game.stream(synthesizer, str(len(released)), name)
        posed = attack.pose(record.game.view((released,)), rng) if isinstance(attack, PosingAttack) else None
        if posed:
            yield _Waiting(record, synthesizer, len(released), name, posed, perf_counter() - begun)
        else:
            record.plays += record.game.answer(synthesizer, (released,), name)
    if record.game.game < whole.rules.utility_games and len(whole.population.table.schema.used) >= 3:
        record.utility.append(record.game.utility(synthesizer, released))


def _solve(waiting: Sequence[_Waiting], device: str) -> None:
    begun = perf_counter()
    solutions = solve_together([each.posed.program for each in waiting], device)
    share = (perf_counter() - begun) / max(len(waiting), 1)
    for each, solution in zip(waiting, solutions, strict=True):
        answer = each.posed.finish(solution)
        each.record.plays += each.record.game.plays(
            each.synthesizer, each.size, each.attack, answer, each.seconds + share
        )
