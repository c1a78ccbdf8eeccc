"""The attribute inference game: how far attacks get against releases of a known making."""

from collections.abc import Mapping, Sequence

from seethrough import __version__
from seethrough.api.arguments import (
    MEMORY,
    NO_PARAMS,
    Names,
    SchemaLike,
    TableLike,
    budget_of,
    count_workers,
    list_names,
    list_synthesizers,
    with_progress,
)
from seethrough.data.files.sources import CsvOptions
from seethrough.data.reading import single_table
from seethrough.games import running
from seethrough.games.attribute import AttributeGame, GameRules
from seethrough.games.dealing import Aim
from seethrough.games.enough_games import too_few_games
from seethrough.games.population import population
from seethrough.games.scoring import scores_of
from seethrough.plugins import catalog
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.synthesizer import Synthesizer
from seethrough.results.game import GameReport
from seethrough.results.timings import ShowProgress
from seethrough.utility.three_way import three_way


def play_game(  # noqa: PLR0913  what a caller may say about a game
    real: TableLike,
    *,
    secret: str,
    synthesizers: Names | Sequence[Synthesizer] | Mapping[str, Synthesizer] = ("nonprivate",),
    attacks: Names | Mapping[str, AttributeAttack] = ("recon", "dcr", "infer"),
    rows: int = 1000,
    sizes: Sequence[int] = (1000,),
    games: int = 100,
    targets: int = 1,
    aim: Aim = "random",
    utility_games: int = 10,
    params: catalog.Params = NO_PARAMS,
    schema: SchemaLike = None,
    seed: int = 0,
    memory: int = MEMORY,
    workers: int = 1,
    device: str = "cpu",
    separator: str | None = None,
    encoding: str | None = None,
    progress: ShowProgress | None = None,
) -> GameReport:
    """Play the attribute inference game on a population; see docs/game.md.

    `real` is the population. `synthesizers` are names ("privbayes:epsilon=1"), objects, or objects by the names to
    show, `attacks` names ("recon:robust" is a variant) or objects by the names to show; `params` sets parameters of
    named attacks. `rows` is the size of the table that releases are made from, `sizes` are those of the releases,
    `targets` is how many people are attacked at once, and `aim` who: unique records at "random", or the most
    "isolated". `workers` above 1 starts processes, which a script has to do under `if __name__ == "__main__"`; 0 is one
    for each core. A `device` such as "cuda" plays games together, by torch. All else is as for `audit`.
    """
    chosen = attacks if isinstance(attacks, Mapping) else catalog.named_attacks(list_names(attacks), params)
    rules = GameRules(rows, tuple(sizes), games, targets, utility_games, aim)
    makers = list_synthesizers(synthesizers)
    table = single_table.read_table(real, secret, schema=schema, options=CsvOptions(separator, encoding))
    people = population(table.table, secret, table.name)
    budget = with_progress(budget_of(memory, count_workers(workers), device), progress, games, "games")
    played = running.run(AttributeGame(people, rules, makers, chosen, three_way, seed), budget)
    scores = scores_of(played.plays)
    released = tuple(score for score in scores if score.synthesizer is not None)
    few = too_few_games(released, games, 1 / len(people.levels))
    return GameReport(
        version=__version__,
        real=table.name,
        real_rows=len(people.table),
        secret=secret,
        levels=people.levels,
        rows=rows,
        games=games,
        targets=targets,
        aim=aim,
        seed=seed,
        scores=released,
        baselines=tuple(score for score in scores if score.synthesizer is None),
        utility=played.utility,
        plays=played.plays,
        notes=(*table.notes, *people.notes, *played.warnings, *few),
    )
