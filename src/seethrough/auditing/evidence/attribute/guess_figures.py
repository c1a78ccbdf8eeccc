"""What every attack on one secret found: plain success, by rarity, of the surest, and the anonymity loss."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from seethrough.auditing.evidence.attribute.models import ModelGuesses
from seethrough.auditing.evidence.attribute.surest_people import kept_people, surest_parts
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.statistics.anonymity_loss import RecallPoint, anonymity_loss, best_recall, surest
from seethrough.kernels.statistics.class_success import class_success
from seethrough.kernels.statistics.intervals import difference, wilson
from seethrough.kernels.statistics.permutation import permutation_test
from seethrough.results.attribute.figures import AnonymityLoss, RaritySuccess, SecretGuesses, SurestPart
from seethrough.results.estimate import Estimate

PERMUTED = 999
SAME_ATTACK = "the same attack on people outside"


@dataclass(frozen=True, eq=False)
class AskedSecret:
    """The answers of all attacks on one secret, about the same people: hits, how sure, what is true, who is inside."""

    answers: Sequence[AttackAnswers]
    members: Bools
    confidence: float
    device: str = "cpu"

    @property
    def asked(self) -> Bools:
        """Tell who was asked about."""
        return self.answers[0].asked

    @property
    def inside(self) -> Bools:
        """Tell who of those asked about is a member."""
        return self.members[self.asked]

    @property
    def hits(self) -> list[Floats]:
        """Give what each attack got right."""
        return [answer.scores[self.asked] for answer in self.answers]

    @property
    def sureness(self) -> list[Ints]:
        """Rank people by how sure each attack is of them; nothing where people have several rows."""
        return [surest(answer.ranking[self.asked]) for answer in self.answers if answer.ranking is not None]

    def plain(self) -> list[SecretGuesses]:
        """State plain success."""
        return [
            SecretGuesses(
                answer.name,
                str(answer.secret),
                *_groups(hits, self.inside),
                leak_of(hits, self.inside, self.confidence),
            )
            for answer, hits in zip(self.answers, self.hits, strict=True)
        ]

    def by_rarity(self, rng: np.random.Generator) -> list[RaritySuccess | None]:
        """State success by rarity."""
        truth = self.answers[0].truth
        assert truth is not None
        found = class_success(self.hits, truth[self.asked], self.inside, rng, PERMUTED, self.device)
        return [None if each is None else RaritySuccess(**asdict(each)) for each in found]

    def of_the_surest(self, sureness: Sequence[Ints], rng: np.random.Generator) -> list[tuple[SurestPart, ...]]:
        """State success among ever fewer people, by one permutation of labels for all attacks."""
        kept = [kept_people(*pair) for pair in zip(self.hits, sureness, strict=True)]
        vectors = np.column_stack([one.vector for each in kept for one in each])
        test = permutation_test(vectors, self.inside, rng, PERMUTED, self.device)
        ends = np.cumsum([len(each) for each in kept])
        places = [np.arange(end - len(each), end) for end, each in zip(ends, kept, strict=True)]
        return [surest_parts(each, self.inside, test, where) for each, where in zip(kept, places, strict=True)]


def leak_of(hits: Floats, inside: Bools, confidence: float) -> Estimate:
    """Give the difference of two successes with Newcombe's interval, by the Wilson intervals of the summed hits."""
    mine, others = (
        (float(each.mean()), wilson(float(each.sum()), len(each), confidence)) for each in (hits[inside], hits[~inside])
    )
    return Estimate(mine[0] - others[0], *difference(mine, others), confidence)


def _groups(hits: Floats, inside: Bools) -> tuple[float, float]:
    return float(hits[inside].mean()), float(hits[~inside].mean())


def loss_against_outsiders(hits: Floats, sureness: Ints, inside: Bools) -> AnonymityLoss | None:
    """Give the anonymity loss with the same attack on people outside as the baseline."""
    attack, base = (best_recall(hits[who], sureness[who]) for who in (inside, ~inside))
    return _loss(attack, base, SAME_ATTACK)


def loss_against_models(
    hits: Floats, sureness: Ints, inside: Bools, models: Sequence[ModelGuesses]
) -> AnonymityLoss | None:
    """Give the anonymity loss with the best of the cross-fitted models as the baseline."""
    attack = best_recall(hits[inside], sureness[inside])
    points = [(point, each.model) for each in models if (point := best_recall(each.hits, each.sureness)) is not None]
    if not points:
        return None
    base, model = max(points, key=lambda pair: pair[0].coefficient)
    return _loss(attack, base, f"{model} learnt from other real people")


def _loss(attack: RecallPoint | None, base: RecallPoint | None, baseline: str) -> AnonymityLoss | None:
    if attack is None or base is None:
        return None
    value = anonymity_loss(attack, base)
    return AnonymityLoss(value, attack.precision, attack.recall, base.precision, base.recall, baseline)
