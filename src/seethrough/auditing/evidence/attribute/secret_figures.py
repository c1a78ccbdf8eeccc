"""All figures on secrets: success by rarity, of the surest, of whole rows, anonymity loss, key sets that give away.

They stand beside the leak that is tested and graded; by themselves they decide nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from seethrough.auditing.evidence.attribute.copying import sweep_key_sets
from seethrough.auditing.evidence.attribute.guess_figures import (
    PERMUTED,
    AskedSecret,
    leak_of,
    loss_against_models,
    loss_against_outsiders,
)
from seethrough.auditing.evidence.attribute.joint_answers import LOOKUP
from seethrough.auditing.evidence.attribute.models import ModelGuesses, model_guesses
from seethrough.auditing.evidence.battery import AttackAnswers, Battery
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.significance import Significance
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.statistics.permutation import permutation_test
from seethrough.results.attribute.figures import (
    AttributeFigures,
    BestGuess,
    KeySetSweep,
    SecretGuesses,
    WholeRowGuesses,
)
from seethrough.seeds import stream

MOST_MODELLED, FEWEST_MODELLED = 600, 200
"""Members whom models are cross-fitted on, over all secrets together; and for each secret at least."""
IMPUTATION = "imputation"
SEVERAL_ROWS = (
    "people have several rows, so that success by rarity, of the surest, the anonymity loss and key sets are not stated"
)


def attribute_figures(pool: Pool, battery: Battery, seed: int, confidence: float) -> AttributeFigures | None:
    """Compute all figures but what rests on the test of all attacks (`adjust_over_secrets`); None without a secret."""
    work = _GuessedSecrets(pool, battery, seed, confidence)
    if not work.guesses:
        return None
    (sweep, notes), each = pool.bench.budget.both(partial(_sweep, pool, battery, seed), work.of_secrets)
    models = {secret: fitted for secret, (fitted, _) in each.items()}
    found = [figures for _, mine in each.values() for figures in mine]
    return AttributeFigures(
        guesses=tuple(found),
        whole_rows=tuple(work.whole_rows()),
        best=tuple(_best(found, models)),
        key_sets=sweep,
        notes=notes,
    )


def adjust_over_secrets(
    figures: AttributeFigures | None, battery: Battery, significance: Significance
) -> AttributeFigures | None:
    """Add the p of plain success that is adjusted over the secrets of each attack."""
    if figures is None:
        return None
    return replace(figures, guesses=tuple(_over_secrets(figures.guesses, battery, significance)))


def _sweep(pool: Pool, battery: Battery, seed: int) -> tuple[KeySetSweep | None, tuple[str, ...]]:
    """Try key sets, or say why not."""
    if not pool.has_one_row_each:
        return None, (SEVERAL_ROWS,)
    try:
        return sweep_key_sets(pool, battery.questions, stream(seed, "key sets")), ()
    except NotApplicable as reason:
        return None, (f"key sets are not stated: {reason}",)


@dataclass(frozen=True, eq=False)
class _GuessedSecrets:
    """What the figures are computed from."""

    pool: Pool
    battery: Battery
    seed: int
    confidence: float

    @property
    def guesses(self) -> list[AttackAnswers]:
        return [answer for answer in self.battery.answers if _is_guess(answer)]

    @property
    def secrets(self) -> list[str]:
        return list(dict.fromkeys(str(answer.secret) for answer in self.guesses))

    def of_secrets(self) -> dict[str, tuple[list[ModelGuesses], list[SecretGuesses]]]:
        """Cross-fit models and state figures, secrets side by side and kept in their order."""
        found: dict[str, tuple[list[ModelGuesses], list[SecretGuesses]]] = {name: ([], []) for name in self.secrets}

        def state(secret: str) -> None:
            models, figures = self.pool.bench.budget.both(partial(self.models, secret), partial(self.figures, secret))
            found[secret] = models, [figure(models) for figure in figures]

        self.pool.bench.budget.silent.run([partial(state, secret) for secret in found])
        return found

    def models(self, secret: str) -> list[ModelGuesses]:
        """Cross-fit models for a secret that was named, where a row is a person; columns in turn are too many."""
        named = [question for question in self.battery.questions if not question.is_one_of_many]
        most = max(FEWEST_MODELLED, MOST_MODELLED // max(len(named), 1))
        mine = [question for question in named if question.secret == secret]
        return model_guesses(self.pool, mine[0], most, self.seed) if mine and self.pool.has_one_row_each else []

    def figures(self, secret: str) -> "list[_FigureGivenModels]":
        """State what all attacks on one secret found; each statement ends once the models are there."""
        answers = [answer for answer in self.guesses if answer.secret == secret]
        asked = AskedSecret(answers, self.pool.member_people, self.confidence, self.pool.bench.budget.device)
        plain, sureness = asked.plain(), asked.sureness
        if not sureness:
            return [partial(_without_models, each) for each in plain]
        rng = stream(self.seed, f"figures on {secret}")
        rarity, parts = asked.by_rarity(rng), asked.of_the_surest(sureness, rng)
        hits, inside = asked.hits, asked.inside
        stated = [
            replace(
                each,
                by_rarity=rarity[at],
                surest=parts[at],
                alc=loss_against_outsiders(hits[at], sureness[at], inside),
            )
            for at, each in enumerate(plain)
        ]
        return [partial(_with_models, each, hits[at], sureness[at], inside) for at, each in enumerate(stated)]

    def whole_rows(self) -> Iterator[WholeRowGuesses]:
        """Compare the mean over secrets and whole rows, where an attack was after several that were named."""
        wholes = [answer for answer in self.battery.answers if answer.secrets_at_once > 1]
        for whole in wholes:
            mine = [answer for answer in self.guesses if answer.name == whole.name]
            inside = self.pool.member_people[whole.asked]
            mean = np.mean([answer.scores[whole.asked] for answer in mine], axis=0)
            row = whole.scores[whole.asked]
            rng = stream(self.seed, f"whole rows {whole.name}")
            device = self.pool.bench.budget.device
            p, row_p = permutation_test(np.column_stack([mean, row]), inside, rng, PERMUTED, device).p_values()
            yield WholeRowGuesses(
                attack=whole.name,
                secrets=tuple(str(answer.secret) for answer in mine),
                members=float(mean[inside].mean()),
                outsiders=float(mean[~inside].mean()),
                leak=leak_of(mean, inside, self.confidence),
                p=float(p),
                row_members=float(row[inside].mean()),
                row_outsiders=float(row[~inside].mean()),
                row_leak=leak_of(row, inside, self.confidence),
                row_p=float(row_p),
            )


_FigureGivenModels = Callable[[Sequence[ModelGuesses]], SecretGuesses]


def _without_models(figure: SecretGuesses, _: Sequence[ModelGuesses]) -> SecretGuesses:
    return figure


def _with_models(
    figure: SecretGuesses, hits: Floats, sureness: Ints, inside: Bools, models: Sequence[ModelGuesses]
) -> SecretGuesses:
    return replace(figure, alc_against_models=loss_against_models(hits, sureness, inside, models))


def _is_guess(answer: AttackAnswers) -> bool:
    return answer.secret is not None and answer.secrets_at_once == 1 and not answer.name.startswith(LOOKUP)


def _over_secrets(
    found: Sequence[SecretGuesses], battery: Battery, significance: Significance
) -> Iterator[SecretGuesses]:
    """Adjust the p of plain success over the secrets of each attack; nothing where it was after one alone."""
    adjusted: dict[tuple[str, str | None], float] = {}
    for name in {each.attack for each in found}:
        mine = [at for at, answer in enumerate(battery.answers) if answer.name == name and _is_guess(answer)]
        if len(mine) > 1:
            p = significance.test.adjust(np.array([significance.of_attack[at][0] for at in mine]))
            adjusted |= {(name, battery.answers[at].secret): float(each) for at, each in zip(mine, p, strict=True)}
    for each in found:
        yield replace(each, p_over_secrets=adjusted.get((each.attack, each.secret)))


def _best(found: Sequence[SecretGuesses], models: dict[str, list[ModelGuesses]]) -> Iterator[BestGuess]:
    """Hold the best success on members against the best on people outside, and against imputation."""
    for secret in dict.fromkeys(each.secret for each in found):
        mine = [each for each in found if each.secret == secret]
        inside = max(mine, key=lambda each: each.members)
        baselines = [(each.outsiders, each.attack) for each in mine]
        baselines += [(float(each.hits.mean()), f"{IMPUTATION} ({each.model})") for each in models.get(secret, [])]
        outside, attack = max(baselines)
        yield BestGuess(secret, inside.attack, inside.members, attack, outside)
