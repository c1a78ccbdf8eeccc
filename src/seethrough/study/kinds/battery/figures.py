"""Figures of the battery: what every attack finds by generator, which one leads, and what it costs."""

from seethrough.results.evidence import LeakFamily
from seethrough.results.figure import Figure, FigureTable, Grid, Listing
from seethrough.results.outcome import Value
from seethrough.study.cells.results import Results
from seethrough.study.kinds.battery.scores import (
    MEASURES,
    RATE,
    WHERE,
    Scores,
    attack_costs,
    battery_scores,
    summary,
)

SHOWN = {
    LeakFamily.MEMBERSHIP.value: "members found at 1 % false alarms",
    LeakFamily.ATTRIBUTE.value: "secrets of members guessed more often than those of people outside",
    LeakFamily.IDENTITY.value: "members matched more often than people outside",
}
LEADER_NUMBERS = (f"tpr_{RATE}", f"tpr_{RATE}_error", "auc", "auc_error", "leak", "leak_error", "seconds")
CAPTION = (
    "Mean over releases, its standard error below, in percent. Colours: what an attack finds beyond chance as a share "
    "of what the best one finds on the same generator; none where no attack is four standard errors above chance."
)


def battery_table(results: Results) -> Figure:
    """Show generators by attacks, one panel a table and family."""
    panels = tuple(_grid(scores) for scores in battery_scores(results))
    columns = (
        *WHERE,
        *(f"{name}{end}" for name in MEASURES for end in ("", "_error")),
        "p_small",
        "seconds",
        "releases",
    )
    rows = tuple(summary(results).select(columns).iter_rows())
    return Figure("battery-table", "What every attack finds", CAPTION, panels, FigureTable(columns, rows), across=1)


def _grid(scores: Scores) -> Grid:
    title = f"{scores.data}, {scores.family}: {SHOWN[scores.family]}, {scores.releases} releases"
    pairs = [[(attack, synthesizer) for synthesizer in scores.synthesizers] for attack in scores.attacks]
    shades = tuple(tuple(scores.share_of_best(*pair) for pair in row) for row in pairs)
    texts = tuple(tuple(_cell(scores, *pair) for pair in row) for row in pairs)
    return Grid(title, scores.attacks, scores.synthesizers, shades, texts, "nothing", "as much as the best attack")


def _cell(scores: Scores, attack: str, synthesizer: str) -> str:
    value, error = scores.value(attack, synthesizer), scores.error(attack, synthesizer)
    if value is None:
        return ""
    return f"{100 * value:.1f}" if error is None else f"{100 * value:.1f}\n±{100 * error:.1f}"


def battery_leaders(results: Results) -> Figure:
    """Name the attack that finds most, by table, family and generator."""
    panels, rows = [], list[tuple[Value, ...]]()
    for scores in battery_scores(results):
        own = [_leader(scores, synthesizer) for synthesizer in scores.synthesizers]
        is_rated = scores.family == LeakFamily.MEMBERSHIP.value
        shown = tuple(_told(row, is_rated) for row in own)
        numbers = ("TPR at 1 %", "± se", "AUC", "± se") if is_rated else ("leak", "± se")
        head = ("generator", "leader", *numbers, "seconds")
        panels.append(Listing(f"{scores.data}, {scores.family}", head, shown))
        rows += own
    columns = ("data", "family", "synthesizer", "leader", *LEADER_NUMBERS)
    caption = "The leader has the largest mean of the attacks that find more than chance by four standard errors."
    table = FigureTable(columns, tuple(rows))
    return Figure("battery-leaders", "Which attack finds most", caption, tuple(panels), table, across=1)


def _leader(scores: Scores, synthesizer: str) -> tuple[Value, ...]:
    leader = scores.leader(synthesizer)
    where = scores.data, scores.family, synthesizer, leader
    if leader is None:
        return (*where, *(None for _ in LEADER_NUMBERS))
    found = scores.found[leader, synthesizer]
    return (*where, *(found[name] for name in LEADER_NUMBERS))


def _told(row: tuple[Value, ...], is_rated: bool) -> tuple[str, ...]:
    _, _, synthesizer, leader, *numbers, seconds = row
    shown = numbers[:4] if is_rated else numbers[4:]
    return (str(synthesizer), str(leader or "nobody"), *(percent(value) for value in shown), _text(seconds))


def battery_cost(results: Results) -> Figure:
    """List every attack with how often it leads, how much of the leader's success it has, and what it costs."""
    costs = attack_costs(results)
    rows = tuple((c.attack, c.family, c.leads, c.without_labels, c.led, c.share, c.seconds) for c in costs)
    shown = tuple(
        (c.family, c.attack, str(c.leads), str(c.without_labels), str(c.led), percent(c.share), _text(c.seconds))
        for c in costs
    )
    head = "family", "attack", "leads", "leads without labels", "of", "share of the best, %", "seconds"
    caption = (
        "Tables and generators where any attack finds more than chance: how often this one finds most; how often it is "
        "the best of those that are told no labels, by area under the curve or at any rate of false alarms; what it "
        "finds beyond chance as a share of what the best one finds. Seconds on one release; what several share, as "
        "neighbour lists, is counted for the first that asks."
    )
    table = FigureTable(("attack", "family", "leads", "leads_without_labels", "led", "share_of_best", "seconds"), rows)
    return Figure("battery-cost", "What attacks cost", caption, (Listing("", head, shown),), table, across=1)


def percent(value: Value) -> str:
    """Write a share in percent."""
    return f"{100 * value:.1f}" if isinstance(value, float) else ""


def _text(value: Value) -> str:
    return f"{value:.2f}" if isinstance(value, float) else ""
