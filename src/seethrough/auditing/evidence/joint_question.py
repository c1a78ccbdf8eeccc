"""All named secrets asked for together, of the same people: for attacks whose answers about them depend on each other.

Everybody who shows any of the secrets is asked about all of them, and the release shows all that it has; what is said
about people who do not show a secret is not looked at. The answers are as those of single questions, one for each
secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import SecretAnswers, SecretQuestion, with_secret
from seethrough.data.rows import by_content
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools
from seethrough.protocols.attack import AttributeView, JointAttack


@dataclass(frozen=True, eq=False)
class JointQuestion:
    """Several secrets with the same known columns."""

    parts: tuple[SecretQuestion, ...]

    @property
    def asked(self) -> Bools:
        """Mark everybody who shows any of the secrets."""
        found: Bools = np.any([part.asked for part in self.parts], axis=0)
        return found

    def ask(self, attack: JointAttack, pool: Pool, rng: np.random.Generator) -> list[SecretAnswers]:
        """Let an attack guess all secrets of everybody."""
        people = np.flatnonzero(self.asked)
        order = rng.permutation(len(people))
        views = self._views(pool, people[order])
        guesses = attack.guess_all(views, rng, pool.members[people[order]])
        return [part.answers_of(each, people[order]) for part, each in zip(self.parts, guesses, strict=True)]

    def _views(self, pool: Pool, people: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> list[AttributeView]:
        known = self.parts[0].known
        release = pool.release.project(known)
        for part in self.parts:
            codes = part.coding.codes(pool.release)
            usable = np.isin(codes, part.classes)
            if not usable.any():
                raise NotApplicable(f"no released row shows {part.secret!r}")
            release = with_secret(release, part.secret, np.where(usable, codes, 0), part.classes)
        released = (release.take(by_content(release)),)
        keys = pool.people.project(known).take(people)
        everybody, budget = np.arange(len(people)), pool.bench.budget
        return [AttributeView(keys, released, part.secret, part.classes, everybody, budget) for part in self.parts]


def joint_question(asked: Sequence[SecretQuestion]) -> JointQuestion | None:
    """Put questions together: several named secrets that are guessed from the same columns; None where it is not so."""
    if len(asked) < 2 or any(part.is_one_of_many or part.known != asked[0].known for part in asked):
        return None
    return JointQuestion(tuple(asked))
