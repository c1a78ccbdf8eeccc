"""A game, or an attack, for the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seethrough.report import untrusted
from seethrough.report.terminal.printing import show, text
from seethrough.results.game import CERTAIN, AttackReport, GameReport, Score

NO_RELEASE = "none"
"""Stands in the place of the synthesizer where there is no release."""


def render_game(report: GameReport, console: Console) -> None:
    """Print how every attack fared on every kind of release, beside guessing without one."""
    show(lambda on: _print_game(report, on), console)


def render_attack(report: AttackReport, console: Console) -> None:
    """Print how decisive an attack is and, where the truth is known, how right."""
    show(lambda on: _print_attack(report, on), console)


def _print_game(report: GameReport, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: attribute inference game", "bold"))
    _facts(
        console,
        ("population", f"{untrusted.name(report.real)}, {report.real_rows:,} records"),
        (
            "secret",
            f"{untrusted.name(report.secret)}, {len(report.levels)} values: chance is {1 / len(report.levels):.4f}",
        ),
        (
            "played",
            f"{report.games:,} games with {report.targets:,} {'' if report.aim == 'random' else f'{report.aim} '}"
            f"target{'s' * (report.targets > 1)} among {report.rows:,} rows",
        ),
        ("seed", str(report.seed)),
    )
    console.print()
    table = _table("synthesizer", "rows", "attack", "accuracy", "95 % interval", "error", "AUC", "seconds")
    for score in (*report.baselines, *report.scores):
        table.add_row(*(text(console, cell) for cell in _cells(score)))
    console.print(table)
    if report.utility:
        _print_utility(report, console)
    _notes(report.notes, console)


def _cells(score: Score) -> tuple[str, ...]:
    found = score.accuracy
    return (
        score.synthesizer or NO_RELEASE,
        "" if score.size is None else f"{score.size:,}",
        score.attack,
        f"{found.value:.3f}",
        f"{found.low:.3f}-{found.high:.3f}",
        f"{score.standard_error:.3f}",
        "-" if score.auc is None else f"{score.auc:.3f}",
        f"{score.seconds:.3f}",
    )


def _print_utility(report: GameReport, console: Console) -> None:
    games = max(each.games for each in report.utility)
    console.print()
    console.print(Text(f"Utility, mean of {games} game{'s' * (games > 1)}: what the release is still good for", "bold"))
    table = _table("synthesizer", "rows", "MRE>10", "3-TVD")
    for each in report.utility:
        mre = "-" if each.mre is None else f"{each.mre:.3f}"
        table.add_row(text(console, each.synthesizer), f"{each.size:,}", mre, f"{each.tvd:.3f}")
    console.print(table)


def _print_attack(report: AttackReport, console: Console) -> None:
    console.print(text(console, f"Seethrough {untrusted.name(report.version)}: attack {report.attack}", "bold"))
    people = len(report.guesses)
    shares = (f"{100 * report.count_decided(above):.1f} % above {above:g}" for above in CERTAIN)
    _facts(
        console,
        ("people", f"{untrusted.name(report.people)}, {people:,} people"),
        ("synthetic", ", ".join(map(untrusted.name, report.synthetic))),
        (
            "secret",
            f"{untrusted.name(report.secret)}, {len(report.levels)} values: chance is {1 / len(report.levels):.4f}",
        ),
        ("certainty", ", ".join(shares)),
        *((name, _written(value)) for name, value in report.details.items()),
        ("seed", str(report.seed)),
    )
    if found := report.truth:
        console.print()
        auc = "" if found.auc is None else f"; area under the ROC curve {found.auc:.3f}"
        interval = f"{found.accuracy.low:.3f} to {found.accuracy.high:.3f}"
        told = f"Right about {found.accuracy.value:.3f} ({interval}) of {found.people:,} people{auc}; "
        console.print(text(console, f"{told}always saying the most frequent value: {found.majority:.3f}.", "bold"))
    _notes(report.notes, console)


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _facts(console: Console, *facts: tuple[str, str]) -> None:
    lines = Table.grid(padding=(0, 2, 0, 0))
    for name, said in facts:
        lines.add_row(text(console, name, "dim"), text(console, said))
    console.print(lines)


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    for head in heads:
        is_word = head in {"synthesizer", "attack"}
        # The name of a generator may be long, with its parameters; it gives way, so that numbers do not.
        table.add_column(head, justify="left" if is_word else "right", no_wrap=head != "synthesizer")
    return table


def _notes(notes: Sequence[str], console: Console) -> None:
    if notes:
        console.print()
    for note in notes:
        console.print(text(console, f"note: {note}", "dim"))
