"""Figures of the attribute inference game (Annamalai, Gadotti, Rocher 2024): what they show, not how."""

from collections.abc import Sequence

import numpy as np

from seethrough.kernels.statistics.roc import roc_curve
from seethrough.results.figure import CONFIDENCE_INTERVAL, Chart, Figure, FigureAxis, FigureTable, Listing, Series
from seethrough.results.game import Score
from seethrough.study.cells.results import Results
from seethrough.study.kinds.games.scores import GameScores, game_scores

SIZE = FigureAxis("released rows (m)", log=True)
ACCURACY = FigureAxis("attack accuracy", low=0.0, high=1.0)
MEASURES = {"mre": "relative error of 3-way counts > 10", "tvd": "3-way total variation distance"}
COLUMNS = (
    *("data", "synthesizer", "size", "attack", "accuracy", "low", "high"),
    *("standard_error", "auc", "answers", "seconds"),
)


def roc(results: Results) -> Figure:
    """Figure 1: ROC curves of reconstruction at the largest size; for a secret of two values."""
    panels, rows, notes = [], [], []
    for game in game_scores(results):
        size, attack = game.sizes[-1], game.attacks[0]
        series, areas = [], list[str]()
        for synthesizer in game.synthesizers:
            plays = [p for p in game.plays if (p.synthesizer, p.size, p.attack) == (synthesizer, size, attack)]
            truth = np.array([play.truth == 1 for play in plays])
            if game.chance < 0.5 or not 0 < truth.sum() < len(truth):
                notes.append(
                    f"{game.data}, {synthesizer}: no curve, the secrets of the targets do not have exactly two values"
                )
                continue
            if (score := game.find(synthesizer, size, attack)) and score.auc is not None:
                areas.append(f"{synthesizer} {score.auc:.3f}")
            false, true = roc_curve(truth, np.array([play.scores[1] for play in plays]))
            series.append(Series(synthesizer, tuple(false.tolist()), tuple(true.tolist())))
            rows += [(game.data, synthesizer, size, attack, f, t) for f, t in zip(false, true, strict=True)]
        if areas:
            notes.append(f"{game.data}, area under the curve: {', '.join(areas)}")
        axes = FigureAxis("false positive rate", low=0.0, high=1.0), FigureAxis("true positive rate", low=0.0, high=1.0)
        panels.append(
            Chart(f"{game.data}, {attack}, m = {size:,}", *axes, tuple(series), diagonal="random guessing", steps=True)
        )
    table = FigureTable(
        ("data", "synthesizer", "size", "attack", "false_positive_rate", "true_positive_rate"),
        tuple((d, s, m, a, float(f), float(t)) for d, s, m, a, f, t in rows),
    )
    caption = "The attack scores the second of two values of the secret. Curves of few targets have few steps."
    return Figure("roc", "ROC curves, largest release", caption, tuple(panels), table, notes=tuple(notes))


def accuracy_by_attack(results: Results) -> Figure:
    """Figure 2: the attacks beside each other at the largest size."""
    panels, rows = [], []
    for game in game_scores(results):
        size = game.sizes[-1]
        places = {name: float(place) for place, name in enumerate(game.synthesizers)}
        width = 0.6 / max(1, len(game.attacks))
        series = []
        for number, attack in enumerate(game.attacks):
            shift = (number - (len(game.attacks) - 1) / 2) * width
            found = [score for name in places if (score := game.find(name, size, attack))]
            series.append(series_of(attack, found, [places[str(score.synthesizer)] + shift for score in found]))
            rows += [row_of(game, score) for score in found]
        x = FigureAxis("generator", low=-0.6, high=len(places) - 0.4, ticks=tuple((p, n) for n, p in places.items()))
        panels.append(chart_of(game, f"m = {size:,}", x, tuple(series), joined=False))
    return figure_of("accuracy-by-attack", "Attack accuracy by generator, largest release", panels, rows)


def accuracy_by_size(results: Results) -> Figure:
    """Figure 3: accuracy against the size of the release, one panel for each attack."""
    panels, rows = [], []
    for game in game_scores(results):
        for attack in game.attacks:
            series = [over_sizes(name, game.along(name, attack)) for name in game.synthesizers]
            panels.append(chart_of(game, attack, SIZE, tuple(series)))
        rows += [row_of(game, score) for score in game.scores]
    return figure_of("accuracy-by-size", "Attack accuracy by release size", panels, rows, across=3)


def utility(results: Results) -> Figure:
    """Figure 4: both errors against the size."""
    panels, rows = [], []
    for game in game_scores(results):
        for measure, label in MEASURES.items():
            series = []
            for name in game.synthesizers:
                at = {
                    m: game.utility[name, m][measure] for m in game.sizes if measure in game.utility.get((name, m), {})
                }
                errors = at.values()
                series.append(
                    Series(
                        name,
                        tuple(float(m) for m in at),
                        tuple(error.value for error in errors),
                        tuple(error.low for error in errors),
                        tuple(error.high for error in errors),
                    )
                )
                rows += [(game.data, name, m, measure, e.value, e.low, e.high, e.games) for m, e in at.items()]
            panels.append(
                Chart(game.data, SIZE, FigureAxis(label, low=0.0), tuple(series), interval=CONFIDENCE_INTERVAL)
            )
    columns = ("data", "synthesizer", "size", "measure", "value", "low", "high", "games")
    caption = "Mean over games; lower is better."
    return Figure("utility", "Utility error by release size", caption, tuple(panels), FigureTable(columns, tuple(rows)))


def trade_off(results: Results) -> Figure:
    """Figures 5, 12 and 13: the best attack against both errors; a line leads through the sizes."""
    panels, rows = [], []
    for game in game_scores(results):
        for measure, label in MEASURES.items():
            series = []
            for name in game.synthesizers:
                pairs = ((game.best(name, m), game.error(name, m, measure)) for m in game.sizes)
                found = [(score, error) for score, error in pairs if score and error]
                series.append(
                    Series(
                        name,
                        tuple(error.value for _, error in found),
                        tuple(score.accuracy.value for score, _ in found),
                        tuple(score.accuracy.low for score, _ in found),
                        tuple(score.accuracy.high for score, _ in found),
                        tuple(f"m = {score.size:,}, {score.attack}" for score, _ in found),
                    )
                )
                rows += [(game.data, name, s.size, s.attack, s.accuracy.value, measure, e.value) for s, e in found]
            y = FigureAxis("accuracy of the best attack", low=0.0, high=1.0)
            lines = (("chance", game.chance),)
            panels.append(
                Chart(game.data, FigureAxis(label, low=0.0), y, tuple(series), lines, interval=CONFIDENCE_INTERVAL)
            )
    columns = ("data", "synthesizer", "size", "attack", "accuracy", "measure", "error")
    caption = (
        "Lower left is best: low attack accuracy, low error. Each point is a release size; lines run from the smallest "
        "release to the largest. Taking the best of several attacks biases accuracy slightly upwards."
    )
    return Figure("trade-off", "Privacy-utility trade-off", caption, tuple(panels), FigureTable(columns, tuple(rows)))


def scores(results: Results) -> Figure:
    """Give every score as a table."""
    games = game_scores(results)
    rows = [row_of(game, score) for game in games for score in (*game.baselines, *game.scores)]
    head = ("data", "generator", "m", "attack", "accuracy", "95% interval", "AUC", "targets")
    shown = tuple(_shown(game, score) for game in games for score in (*game.baselines, *game.scores))
    title = "Scores of all attacks and baselines"
    return Figure("scores", title, "", (Listing("", head, shown),), FigureTable(COLUMNS, tuple(rows)), across=1)


def _shown(game: GameScores, score: Score) -> tuple[str, ...]:
    found = score.accuracy
    return (
        game.data,
        score.synthesizer or "none",
        f"{score.size:,}" if score.size else "",
        score.attack,
        f"{found.value:.3f}",
        f"{found.low:.3f} to {found.high:.3f}",
        "" if score.auc is None else f"{score.auc:.3f}",
        str(score.plays),
    )


def series_of(name: str, found: Sequence[Score], places: Sequence[float]) -> Series:
    """Collect accuracies with their intervals."""
    return Series(
        name,
        tuple(places),
        tuple(score.accuracy.value for score in found),
        tuple(score.accuracy.low for score in found),
        tuple(score.accuracy.high for score in found),
    )


def over_sizes(name: str, found: Sequence[Score]) -> Series:
    """Collect accuracies against the size of the release."""
    return series_of(name, found, [float(score.size or 0) for score in found])


def chart_of(game: GameScores, title: str, x: FigureAxis, series: tuple[Series, ...], joined: bool = True) -> Chart:
    """Draw accuracies against guessing without the release."""
    lines = [("chance", game.chance)]
    lines += [
        (f"{score.attack} baseline", score.accuracy.value) for score in game.baselines if score.attack == "imputation"
    ]
    return Chart(
        f"{game.data}, {title}", x, ACCURACY, series, tuple(lines), interval=CONFIDENCE_INTERVAL, joined=joined
    )


def row_of(game: GameScores, score: Score) -> tuple[str | float | int | None, ...]:
    """Give a score as plain values."""
    found = score.accuracy
    return (
        *(game.data, score.synthesizer or "", score.size, score.attack),
        *(found.value, found.low, found.high, score.standard_error, score.auc, score.plays, score.seconds),
    )


def figure_of(
    name: str,
    title: str,
    panels: list[Chart],
    rows: list[tuple[str | float | int | None, ...]],
    across: int = 2,
) -> Figure:
    """Put panels of accuracies together."""
    answers = sorted({int(row[9] or 0) for row in rows}) or [0]
    many = f"{answers[0]} to {answers[-1]}" if len(answers) > 1 else str(answers[0])
    caption = f"Share of correct guesses over {many} targets. Chance and baselines do not use the release."
    return Figure(name, title, caption, tuple(panels), FigureTable(COLUMNS, tuple(rows)), across)
