"""Figures of accuracy against a setting that stands in a label: epsilon of a generator, queries of an attack; costs."""

from seethrough.results.figure import CONFIDENCE_INTERVAL, Chart, Figure, FigureAxis, FigureTable, Listing, Series
from seethrough.results.game import Score
from seethrough.study.cells.results import Results
from seethrough.study.kinds.games.figures import MEASURES, SIZE, chart_of, figure_of, over_sizes, row_of, series_of
from seethrough.study.kinds.games.scores import GameScores, game_scores
from seethrough.study.kinds.label_settings import families, setting

EPSILON = FigureAxis("epsilon", log=True)


def accuracy_by_epsilon(results: Results) -> Figure:
    """Figures 6 and 7: all attacks against epsilon at the largest size."""
    panels, rows = [], []
    for game in game_scores(results):
        size = game.sizes[-1]
        for family, members in families(game.synthesizers, "epsilon").items():
            series = []
            for attack in game.attacks:
                found = [(eps, s) for eps, label in members if (s := game.find(label, size, attack))]
                series.append(series_of(attack, [score for _, score in found], [eps for eps, _ in found]))
                rows += [row_of(game, score) for _, score in found]
            panels.append(chart_of(game, f"{family}, m = {size:,}", EPSILON, tuple(series)))
    return figure_of("accuracy-by-epsilon", "Attack accuracy by epsilon", panels, rows)


def size_by_epsilon(results: Results) -> Figure:
    """Figures 10 and 11: reconstruction and inference against epsilon at all sizes."""
    panels, rows = [], []
    for game in game_scores(results):
        for family, members in families(game.synthesizers, "epsilon").items():
            for attack in [each for each in game.attacks if each.partition(":")[0] in {"recon", "infer"}]:
                series = []
                for size in game.sizes:
                    found = [(eps, s) for eps, label in members if (s := game.find(label, size, attack))]
                    scores = [score for _, score in found]
                    series.append(series_of(f"m = {size:,}", scores, [eps for eps, _ in found]))
                    rows += [row_of(game, score) for score in scores]
                panels.append(chart_of(game, f"{family}, {attack}", EPSILON, tuple(series)))
    return figure_of("size-by-epsilon", "Attack accuracy by epsilon and release size", panels, rows)


def error_by_epsilon(results: Results) -> Figure:
    """Figures 8 and 9: both errors against epsilon at the largest size."""
    panels, rows = [], []
    for game in game_scores(results):
        size = game.sizes[-1]
        for measure, label in MEASURES.items():
            series = []
            for family, members in families(game.synthesizers, "epsilon").items():
                found = [(eps, e) for eps, name in members if (e := game.error(name, size, measure))]
                series.append(
                    Series(
                        family,
                        tuple(eps for eps, _ in found),
                        tuple(error.value for _, error in found),
                        tuple(error.low for _, error in found),
                        tuple(error.high for _, error in found),
                    )
                )
                rows += [(game.data, family, eps, size, measure, e.value, e.low, e.high, e.games) for eps, e in found]
            y = FigureAxis(label, low=0.0)
            title = f"{game.data}, m = {size:,}"
            panels.append(Chart(title, EPSILON, y, tuple(series), interval=CONFIDENCE_INTERVAL))
    columns = ("data", "synthesizer", "epsilon", "size", "measure", "value", "low", "high", "games")
    caption = "Mean over games; lower is better."
    return Figure(
        "error-by-epsilon", "Utility error by epsilon", caption, tuple(panels), FigureTable(columns, tuple(rows))
    )


def query_type(results: Results) -> Figure:
    """Figure 14: conditional against marginal queries, a panel for each generator."""
    kinds = {"recon": "conditional", "recon:queries=marginal": "marginal"}
    panels, rows = [], []
    for game in game_scores(results):
        for name in game.synthesizers:
            along = {shown: game.along(name, attack) for attack, shown in kinds.items()}
            series = [over_sizes(shown, found) for shown, found in along.items() if found]
            rows += [row_of(game, score) for found in along.values() for score in found]
            panels.append(chart_of(game, name, SIZE, tuple(series)))
    return figure_of("query-type", "Attack accuracy with conditional and with marginal queries", panels, rows, across=3)


def query_count(results: Results) -> Figure:
    """Figure 15: accuracy against the number of 3-way queries at the largest size."""
    panels, rows = [], []
    for game in game_scores(results):
        size, series = game.sizes[-1], []
        for name in game.synthesizers:
            found = [(count, s) for count, a in _three_way(game) if (s := game.find(name, size, a))]
            series.append(series_of(name, [score for _, score in found], [count for count, _ in found]))
            rows += [row_of(game, score) for _, score in found]
        panels.append(chart_of(game, f"m = {size:,}", FigureAxis("number of queries", log=True), tuple(series)))
    return figure_of("query-count", "Attack accuracy by number of queries", panels, rows)


def _three_way(game: GameScores) -> list[tuple[float, str]]:
    members = families(game.attacks, "query_count").get("recon", [])
    return [(count, label) for count, label in members if setting(label, "k") is None]


def query_width(results: Results) -> Figure:
    """Compare queries of 2, 3 and 4 columns at the largest size."""
    games = game_scores(results)
    found: list[tuple[GameScores, str, Score]] = []
    for game in games:
        for attack in game.attacks:
            width = setting(attack, "k")
            if attack == "recon" or width:
                count = setting(attack, "query_count")
                told = f"{width[1]:.0f}-way" if width else "3-way"
                shown = f"{told}, {count[1]:,.0f} queries" if count else f"{told}, all queries"
                scores = [game.find(name, game.sizes[-1], attack) for name in game.synthesizers]
                found += [(game, shown, score) for score in scores if score]
    rows = tuple(
        (
            game.data,
            str(s.synthesizer),
            shown,
            f"{s.accuracy.value:.3f}",
            f"{s.accuracy.low:.3f} to {s.accuracy.high:.3f}",
        )
        for game, shown, s in found
    )
    listing = Listing("", ("data", "generator", "queries", "accuracy", "95% interval"), rows)
    table = figure_of("", "", [], [row_of(game, score) for game, _, score in found]).table
    return Figure("query-width", "Attack accuracy by query width, largest release", "", (listing,), table, across=1)


def cost(results: Results) -> Figure:
    """Table 2: seconds of one attack by number of queries and size of the release."""
    panels, rows = [], []
    for game in game_scores(results):
        counts = _three_way(game)
        for name in game.synthesizers:
            shown = []
            for size in game.sizes:
                found = [game.find(name, size, attack) for _, attack in counts]
                shown.append((f"{size:,}", *(f"{score.seconds:.3f}" if score else "" for score in found)))
                rows += [
                    (game.data, name, size, count, score.seconds, score.plays)
                    for (count, _), score in zip(counts, found, strict=True)
                    if score
                ]
            head = ("released rows \\ queries", *(f"{count:,.0f}" for count, _ in counts))
            panels.append(Listing(f"{game.data}, {name}: seconds per attack", head, tuple(shown)))
    columns = ("data", "synthesizer", "size", "queries", "seconds", "answers")
    caption = (
        "Mean wall-clock time of one attack on one thread, counting included; other load on the machine lengthens it."
    )
    return Figure("cost", "Cost of one attack", caption, tuple(panels), FigureTable(columns, tuple(rows)), across=1)
