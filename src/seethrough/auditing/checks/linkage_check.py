"""Record linkage by ranks: an attacker who knows the real table but for a column, and reads it off the release.

For every real record the rows of the release that are nearest in ranks are linked, by the columns that are known
(those named as keys, or all but the hidden ones). What stands there in the hidden column is held against the truth.

- The risk is the share of linked rows that show the true value, averaged over records: the chance that one of the
  rows linked to a record, picked at random, discloses it exactly. A number is read as the real value of its rank, a
  tied one as itself.
- The base rate is the same for linkage to holdout records, people of the same kind who were not in the real table;
  without a holdout, for linkage to the release with every column permuted by itself.
- The raw value is the risk minus the base rate.

Hidden are the columns named as secret; without any, those that are not keys; without keys, each column in turn, six
of them, drawn at random, where there are more, and the risk is their mean. A release of another size is brought to the
size of the real table first: by leaving out rows at random, or by repeating some. Of larger tables 2000 real records
are looked for, drawn at random, and the risk of the others is not known.

With several synthetic tables the report has a section on how disclosure grows with their number: the share of records
that any, or each, of the first k tables discloses exactly, and those whose interval of ranks, from the smallest
to the largest found, is narrow (a quarter of all ranks at most) and right, or narrow and wrong.

References
----------
Ruiz, Muralidhar, Domingo-Ferrer 2018, On the Privacy Guarantees of Synthetic Data: A Reassessment from the
Maximum-Knowledge Attacker Perspective.

Deviations
----------
The paper shows one table of 20 records and has no score. Shares, intervals and baselines are this program's; so is how
ties are read (docs/attacks/linkage.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.auditing.checks.linked_rows import LinkagePrepared, linked_step
from seethrough.auditing.checks.rank_turns import RankLinkage, Turn, choose_turns, comparison_tables, targets
from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, mean_step, say_number
from seethrough.data.release import Part
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.games.linkage.rank_intervals import LinkageAnswer
from seethrough.games.linkage.scoring import curves, estimate
from seethrough.kernels.arrays import Floats, Ints
from seethrough.protocols.in_audits import card_of
from seethrough.protocols.linkage import LinkageAttack
from seethrough.results.card import Card, Category, Evidence
from seethrough.results.estimate import Growth
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Measurement, Value

LEAST = 10
"""Real records below which shares say nothing."""
BY_RANKS_OF_THE_TABLE = "ranks are those of the people of the table, so that it is defined for rows of the table only"

TOLD = {"permuted": "permuted columns", "holdout": "the holdout"}

CARD = Card(
    name="linkage",
    title="Linkage by ranks",
    question="Knowing the rest of the real table, how often is a hidden value read off the rows nearest in ranks?",
    cannot_tell="Without a holdout, whether a value was leaked or follows from the known columns in anyone.",
    category=Category.REIDENTIFICATION,
    evidence=Evidence.ATTACK,
    raw_unit="share of right values minus base rate",
    formula="mean over i of #{l in L(i) : z_l = x_i} / #L(i), with L(i) all rows at the smallest distance in ranks",
    cites=("doi:10.1007/978-3-319-99771-1_5",),
    looks_at="The released rows nearest to a person in ranks, by the known columns, and what they show of hidden ones.",
    flagged_from=0.5,
)
"""What the checks of all linkage attacks have in common."""


@dataclass(frozen=True)
class LinkageCheck:
    """How often the rows nearest in ranks disclose a hidden value of a real record."""

    runs: ClassVar[type] = LinkageAttack
    attack: LinkageAttack
    narrow: float = 0.25
    most_records: int = 2000
    confidence: float = 0.95

    @property
    def card(self) -> Card:
        """Say what the check is, with the name and the papers of its attack."""
        return card_of(self.attack, CARD)

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if not 0 <= self.narrow <= 1:
            raise ConfigError(f"parameter linkage.narrow is {self.narrow}; a share between 0 and 1 is expected")
        if self.most_records < LEAST:
            raise ConfigError(f"parameter linkage.most_records is {self.most_records}; at least {LEAST} are needed")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Link, read, compare; the same against tables that disclose nobody."""
        salt = int(rng.integers(1 << 32))
        question = self._question(bench.table(Part.TRAIN), salt)
        answers = bench.get(question)
        rates = self._rates(bench, question)
        chance = np.concatenate([answer.chance for answer in answers]).mean(axis=0)
        risk = estimate(chance, self.confidence, rng)
        base = rates.get("holdout", rates["permuted"])
        real = bench.table(Part.TRAIN)
        return Measurement(
            risk=risk,
            raw=risk.value - base,
            n=len(chance),
            base_rate=base,
            per_record=spread(chance, targets(real, self.most_records, salt), len(real)),
            details=self._details(real.schema, question.turns, answers, rates),
            warnings=_remarks(real, bench.table(Part.SYNTHETIC), len(chance)),
        )

    def grow(self, bench: Bench[Part], tables: Sequence[Table], rng: np.random.Generator) -> Growth:
        """Show what more and more tables disclose together."""
        salt = int(rng.integers(1 << 32))
        question = self._question(bench.table(Part.TRAIN), salt)
        benches = [bench.with_table(Part.SYNTHETIC, table) for table in tables]
        found: dict[str, list[LinkageAnswer]] = {
            against: [join_answers(each.get(question.to(against, number))) for number, each in enumerate(benches)]
            for against in ("release", *comparison_tables(bench))
        }
        people = found["release"][0].chance.shape[1]
        return Growth(self.card.name, people, curves(found, self.narrow, self.confidence, rng))

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the rows that are linked to this person by ranks, and how many show the hidden value."""
        if example.row is None:
            return Lacking(self.card.name, BY_RANKS_OF_THE_TABLE)
        real, salt = bench.table(Part.TRAIN), int(example.rng.integers(1 << 32))
        question = self._question(real, salt)
        place = int(np.searchsorted(targets(real, self.most_records, salt), example.row))
        chances = [answer.chance for answer in bench.get(question)]
        shown = self._shown(example, question.turns, [float(chance[:, place].max()) for chance in chances])
        value = float(np.concatenate(chances).mean(axis=0)[place])
        looked = linked_step(bench, example, LinkagePrepared(self.attack, *question.turns[shown], salt))
        parts = {
            name: float(each[place])
            for (_, hidden), chance in zip(question.turns, chances, strict=True)
            for name, each in zip(hidden, chance, strict=True)
        }
        said, written = "The share of linked rows that show the true value:", f"linkage(y) = {say_number(value)}"
        if len(parts) > 1:
            said = f"The same for {len(parts)} hidden columns, each in turn, and the mean of the shares:"
            terms = " + ".join(say_number(each) for each in parts.values())
            written = f"linkage(y) = ({terms}) / {len(parts)} = {say_number(value)}"
        formula = Step(said, written, {**parts, "linkage(y)": value})
        base = "Linkage to people outside:" if "holdout" in comparison_tables(bench) else "Linkage to permuted columns:"
        return Worked(self.card.name, (looked, formula, mean_step(example, value, base)), value)

    def _shown(self, example: Example, turns: Sequence[Turn], chances: Sequence[float]) -> int:
        """Pick the turn to show: of the column asked for, or else the one that tells most of this person."""
        asked = [place for place, (_, hidden) in enumerate(turns) if example.column in hidden]
        return asked[0] if asked else int(np.argmax(chances))

    def _question(self, real: Table, salt: int) -> RankLinkage:
        if len(real) < LEAST:
            raise NotApplicable(f"the real table has {len(real)} records; at least {LEAST} are needed")
        return RankLinkage(self.attack, choose_turns(real, salt), self.most_records, salt)

    def _rates(self, bench: Bench[Part], question: RankLinkage) -> dict[str, float]:
        """Measure the same on tables that disclose nobody."""
        found: dict[str, float] = {}
        for against in comparison_tables(bench):
            answers = bench.get(question.to(against))
            found[against] = float(np.concatenate([answer.chance for answer in answers]).mean())
        return found

    def _details(
        self,
        schema: Schema,
        turns: Sequence[Turn],
        answers: Sequence[LinkageAnswer],
        rates: dict[str, float],
    ) -> dict[str, Value]:
        names = [name for _, hidden in turns for name in hidden]
        taken = [c.name for c in schema.used if c.kind.has_levels and not c.ordered]
        exact, error = (np.concatenate([getattr(a, name) for a in answers]) for name in ("exact", "error"))
        return {
            "hidden": ", ".join(names) + (", each in turn" if len(turns) > 1 else ""),
            "known": "all others" if len(turns) > 1 else ", ".join(turns[0][0]),
            "disclosed by all linked rows": round(float(exact.mean()), 4),
            "mean error in ranks, share of all": round(float(error.mean()) / answers[0].records, 4),
            **{f"linkage to {TOLD[name]}": round(rate, 4) for name, rate in rates.items()},
            "ordered by frequency": ", ".join(taken) or None,
        }


def join_answers(answers: Sequence[LinkageAnswer]) -> LinkageAnswer:
    """Put answers about different columns together."""
    parts = [name for name in vars(answers[0]) if name != "records"]
    return LinkageAnswer(
        answers[0].records, **{name: np.concatenate([vars(a)[name] for a in answers]) for name in parts}
    )


def spread(values: Floats, places: Ints, rows: int) -> Floats:
    """Put the values of some records at their places among all, NaN elsewhere."""
    found = np.full(rows, np.nan)
    found[places] = values
    return found


def _remarks(real: Table, released: Table, looked_for: int) -> tuple[str, ...]:
    found = []
    if looked_for < len(real):
        found.append(f"{looked_for:,} of {len(real):,} real records were attacked; the risk of the others is not known")
    if len(released) > len(real):
        found.append(
            f"{len(real):,} of {len(released):,} released rows were drawn at random, as many as there are records"
        )
    if len(released) < len(real):
        drawn = len(real) - len(released)
        found.append(
            f"{drawn:,} of {len(released):,} released rows were drawn again, to have as many as there are records"
        )
    return tuple(found)
