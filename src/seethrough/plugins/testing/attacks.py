"""What every attribute attack promises."""

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.kernels.solvers import l1
from seethrough.plugins.testing.clauses import NOTHING, Clause, Exempt, expect, generator, is_plain, keep
from seethrough.plugins.testing.populations import FRESH, REAL, ROWS, with_random_secrets
from seethrough.protocols.attack import AttributeAttack, AttributeView, Guesses, PosingAttack
from seethrough.protocols.in_audits import AuditedAttack, as_in_audits
from seethrough.protocols.parameters import plain, validate

TOSSED = with_random_secrets(REAL, 5)
"""Real people whose secret says nothing about anyone but themselves."""
NOISE = 0.1
"""How far shares of right guesses may differ where order decides ties: four standard errors of 400 people."""


def attack_contract(attack: AttributeAttack, *, exempt: Exempt = NOTHING) -> None:
    """Hold an attribute attack to every clause."""
    keep(attack, ATTACK_CLAUSES, exempt)


def the_name_and_the_parameters_can_be_written(attack: AttributeAttack) -> None:
    """Expect a name in one word, and parameters that reports can write down and studies read again."""
    name = attack.name
    expect(name and name == name.lower() and not set(name) & set(" :=,."), name, "the name is not one plain word")
    for parameter, value in plain(validate(attack, name)).items():
        expect(is_plain(value), name, f"the parameter {parameter} is {value!r}, which cannot be written down")
    expect(type(attack)().name == name, name, "it cannot be built without parameters")


def the_way_it_joins_audits_is_complete(attack: AttributeAttack) -> None:
    """Expect a title, a reference and known parameters of an attack that joins audits."""
    if isinstance(attack, AuditedAttack):
        expect(attack.in_audits.title, attack.name, "in_audits has no title")
        expect(attack.in_audits.cites, attack.name, "in_audits has no reference")
        as_in_audits(attack)


def the_same_seed_gives_the_same_guesses(attack: AttributeAttack) -> None:
    """Expect that one seed decides everything."""
    first, second = (attack.guess(_view(FRESH), generator(7)) for _ in range(2))
    expect(_are_equal(first, second), attack.name, "one seed gives two answers")


def neither_threads_nor_blocks_matter(attack: AttributeAttack) -> None:
    """Expect that a budget decides how long it takes, never what comes out."""
    usual = attack.guess(_view(FRESH), generator(7))
    for budget in (Budget(memory=40 * 40 * 48, threads=1), Budget(threads=3)):
        found = attack.guess(_view(FRESH, budget=budget), generator(7))
        expect(_are_equal(found, usual), attack.name, f"{budget} gives another answer")


def nothing_that_it_sees_is_changed(attack: AttributeAttack) -> None:
    """Expect that tables are read and not written."""
    known, released = _known(REAL), FRESH.take(np.arange(len(FRESH)))
    before = [column.copy() for column in (*known.columns, *released.columns)]
    attack.guess(AttributeView(known, (released,), "ill", (1, 2), np.arange(ROWS), Budget(threads=1)), generator(0))
    after = (*known.columns, *released.columns)
    same = (np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, after, strict=True))
    expect(all(same), attack.name, "it changes a table that it was shown")


def scores_are_shares(attack: AttributeAttack) -> None:
    """Expect of every target a share for each class, also of few, and of a secret with many values.

    Shares that are all 0 say that nothing is guessed.
    """
    for view in (_view(REAL), _view(FRESH), _view(FRESH, targets=np.array([3, 5])), _view(FRESH, secret="job")):
        _expect_shares(attack, view, attack.guess(view, generator(0)))


def little_to_see_is_an_answer_or_a_reason(attack: AttributeAttack) -> None:
    """Expect of one released row, or of one class, shares or `NotApplicable` with a reason."""
    one_class = FRESH.take(np.flatnonzero(FRESH.column("ill") == 1))
    for view in (_view(FRESH.take(np.array([0]))), _view(one_class), _view(FRESH, targets=np.array([0]))):
        try:
            _expect_shares(attack, view, attack.guess(view, generator(0)))
        except NotApplicable as refused:
            expect(str(refused), attack.name, "it is refused without a reason")


def order_does_not_matter(attack: AttributeAttack) -> None:
    """Expect as many right guesses with people, or released rows, in another order."""
    order = generator(0).permutation(ROWS)
    usual = _share_right(attack, TOSSED, (TOSSED,))
    people, rows = (
        _share_right(attack, TOSSED.take(order), (TOSSED,)),
        _share_right(attack, TOSSED, (TOSSED.take(order),)),
    )
    expect(abs(people - usual) <= NOISE, attack.name, f"people in another order: {people} instead of {usual} right")
    expect(abs(rows - usual) <= NOISE, attack.name, f"released rows in another order: {rows} instead of {usual} right")


def released_tables_are_pooled(attack: AttributeAttack) -> None:
    """Expect as many right guesses from two halves of a release as from the whole."""
    halves = tuple(TOSSED.take(half) for half in np.array_split(np.arange(ROWS), 2))
    whole, parts = (_share_right(attack, TOSSED, released) for released in ((TOSSED,), halves))
    expect(abs(whole - parts) <= NOISE, attack.name, f"of a release in two tables {parts} are right, of one {whole}")


def a_copy_gives_secrets_away(attack: AttributeAttack) -> None:
    """Expect more right guesses than chance from a copy of people whose secrets are random."""
    found = _share_right(attack, TOSSED, (TOSSED,))
    expect(found > 0.5 + NOISE, attack.name, f"of a copy {found} are right where chance is 0.5")


def an_independent_release_gives_nothing_away(attack: AttributeAttack) -> None:
    """Expect as many right guesses as chance about random secrets that the release was not made from.

    People about whom nothing is guessed are left out.
    """
    found = _share_right(attack, TOSSED, (FRESH,), of_guesses=True)
    expect(abs(found - 0.5) <= NOISE, attack.name, f"of random secrets of other people {found} are right")


def a_posed_program_comes_to_the_same(attack: AttributeAttack) -> None:
    """Expect of an attack that poses its program the same answer as of `guess`."""
    posed = attack.pose(_view(FRESH), generator(7)) if isinstance(attack, PosingAttack) else None
    if posed is not None:
        found = posed.finish(l1.solve(posed.program, "auto"))
        expect(_are_equal(found, attack.guess(_view(FRESH), generator(7))), attack.name, "pose and guess differ")


ATTACK_CLAUSES: tuple[Clause[AttributeAttack], ...] = (
    the_name_and_the_parameters_can_be_written,
    the_way_it_joins_audits_is_complete,
    the_same_seed_gives_the_same_guesses,
    neither_threads_nor_blocks_matter,
    nothing_that_it_sees_is_changed,
    scores_are_shares,
    little_to_see_is_an_answer_or_a_reason,
    order_does_not_matter,
    released_tables_are_pooled,
    a_copy_gives_secrets_away,
    an_independent_release_gives_nothing_away,
    a_posed_program_comes_to_the_same,
)
"""What an attribute attack promises."""


def _known(people: Table, secret: str = "ill") -> Table:
    return people.project([column.name for column in people.schema.used if column.name != secret])


def _view(
    released: Table, *, secret: str = "ill", targets: Ints | None = None, budget: Budget | None = None
) -> AttributeView:
    known, asked = _known(REAL, secret), np.arange(ROWS) if targets is None else targets
    classes = tuple(range(1, len(released.schema[secret].levels) + 1))
    return AttributeView(known, (released,), secret, classes, asked, budget or Budget(threads=1))


def _share_right(
    attack: AttributeAttack, people: Table, released: tuple[Table, ...], *, of_guesses: bool = False
) -> float:
    view = AttributeView(_known(people), released, "ill", (1, 2), np.arange(len(people)), Budget(threads=1))
    truth = people.column("ill").astype(np.int64) - 1
    scores = attack.guess(view, generator(0)).scores
    hits: Floats = expected_hits(scores, truth)
    guessed = scores.any(axis=1) if of_guesses else np.ones(len(hits), bool)
    return float(hits[guessed].mean()) if guessed.any() else 0.5


def _are_equal(first: Guesses, second: Guesses) -> bool:
    return np.array_equal(first.scores, second.scores) and np.array_equal(first.certainty, second.certainty)


def _expect_shares(attack: AttributeAttack, view: AttributeView, found: Guesses) -> None:
    shape = len(view.targets), len(view.classes)
    expect(found.scores.shape == shape, attack.name, f"scores have the shape {found.scores.shape}, not {shape}")
    sums = found.scores.sum(axis=1)
    whole = np.isclose(sums, 1) | (sums == 0)
    expect((found.scores >= 0).all() and whole.all(), attack.name, "scores of a person are not shares of 1")
    sure = found.certainty
    expect(sure.shape == shape[:1], attack.name, f"certainty has the shape {sure.shape}, not {shape[:1]}")
    expect((sure >= 0).all() and (sure <= 1).all(), attack.name, "a certainty is outside [0, 1]")
