"""An exploration: one release under the magnifying glass."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from seethrough.auditing.audit_work import HearOutcome, ignore_outcome
from seethrough.auditing.explaining import explain_check
from seethrough.auditing.table_traits import Traits
from seethrough.bench.person.example import OnePerson
from seethrough.data.table import Table
from seethrough.errors import ConfigError, no_such
from seethrough.exploring.answers.attackers import OneMore, Rightness, SecretGuess
from seethrough.exploring.answers.persons import CheckFlag, NearRows, Person, ShownCell, ValueField
from seethrough.exploring.answers.places import MapPlace, MapView, MapWindow
from seethrough.exploring.answers.prices import RunCost
from seethrough.exploring.answers.tables import (
    AttackOverlap,
    ColumnView,
    PeoplePage,
    PeopleQuestion,
    RiskGroup,
)
from seethrough.exploring.columns.associations import Associations
from seethrough.exploring.columns.column_views import cell_of_person, column_view
from seethrough.exploring.explored_benches import ExploredBenches
from seethrough.exploring.guessing.crowd import SecretAsked
from seethrough.exploring.guessing.one_person import guess_one, one_more
from seethrough.exploring.guessing.people_right import people_right
from seethrough.exploring.guessing.secret_values import SecretValues, secret_values
from seethrough.exploring.guessing.strategies import ATTACKS
from seethrough.exploring.lever_trials import LeverTrials
from seethrough.exploring.people.group_risks import risk_groups
from seethrough.exploring.people.near_rows import near_rows
from seethrough.exploring.people.outside_flags import flag_of
from seethrough.exploring.people.people_frame import people_frame
from seethrough.exploring.people.people_table import attack_overlaps, people_page
from seethrough.exploring.people.persons import person_of_row, person_of_values
from seethrough.exploring.people.risk_table import RiskTable
from seethrough.exploring.plan import AuditPlan
from seethrough.exploring.pricing.cost_model import RunSize, count_classes, estimate_cost
from seethrough.exploring.reopening import reopen_audit
from seethrough.exploring.values import ValueTexts
from seethrough.kernels.arrays import Floats
from seethrough.plugins import catalog
from seethrough.report.audit_report import AuditReport
from seethrough.report.words.applicability import conditions_of
from seethrough.results.explained.conditions import CheckCondition
from seethrough.results.explained.worked import Lacking, Worked
from seethrough.results.levers.what_if import LeverRow
from seethrough.results.report import TableAudit
from seethrough.results.timings import Progress, ShowProgress, ignore_progress

TablePart = Literal["real", "released", "outside"]
"""The tables whose rows can be shown."""


class Exploration:
    """One audit with its tables at hand; `release` numbers the released tables from 0, rows count from 0.

    Answers that rest on the checks need `run` first, or a report that was read back; all others do not.
    """

    def __init__(self, plan: AuditPlan, report: AuditReport | None = None) -> None:
        self._plan = plan
        self._texts = ValueTexts(plan.release)
        self.report = report
        self._benches = ExploredBenches(plan)
        self._levers = LeverTrials(plan)
        self._risk_tables: dict[int, RiskTable] = {}
        self._associations: dict[int, Associations] = {}
        self._secrets: dict[str, SecretValues] = {}
        self._rightness: dict[object, Rightness] = {}
        self._solved: dict[object, Floats] = {}

    @classmethod
    def of(cls, folder: str | Path) -> "Exploration":
        """Open the folder of an audit: its tables are found by inputs.json and have to be those audited."""
        return cls(*reopen_audit(folder))

    def is_of(self, report: AuditReport) -> bool:
        """Tell by digests whether a report is about these tables."""
        release, outside = self._plan.release, report.holdout
        mine = [named.table.digest for named in (release.train, *release.synthetic)]
        theirs = [report.real.digest, *(table.synthetic.digest for table in report.tables)]
        people = release.holdout.table.digest if release.holdout is not None else None
        return mine == theirs and people == (outside.digest if outside is not None else None)

    @property
    def release_names(self) -> tuple[str, ...]:
        """Name the released tables."""
        return tuple(named.name for named in self._plan.release.synthetic)

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the columns that take part."""
        return tuple(column.name for column in self._real.schema.used)

    @property
    def check_names(self) -> tuple[str, ...]:
        """Name the checks of a run, in the order in which they are chosen."""
        return tuple(check.card.name for check in self._plan.checks)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Name the secrets; none where every column takes its turn."""
        return self._real.schema.secrets

    @property
    def keys(self) -> tuple[str, ...]:
        """Name the columns that an attacker is said to know; none where all others are."""
        return self._real.schema.keys

    @property
    def people_count(self) -> int:
        """Count the real rows."""
        return len(self._real)

    @property
    def has_outsiders(self) -> bool:
        """Tell whether people were kept out of the synthesis."""
        return self._plan.release.holdout is not None

    def run(self, tell: ShowProgress = ignore_progress, told: HearOutcome = ignore_outcome) -> AuditReport:
        """Run the audit and keep what it leaves: the report and the benches.

        `tell` hears how far it is; `told` hears the evidence of each release as soon as its attacks are done, then
        every check as it ends. Numbers do not depend on the order.
        """
        found = self._plan.run(tell, told)
        self.report = self._plan.finish(found.report)
        self._benches.keep_trials(found.trials)
        self._risk_tables.clear()
        return self.report

    def prepare(self, tell: ShowProgress = ignore_progress) -> None:
        """Compute after a run what many answers need, so that none takes long: flags of people outside, the map.

        Nothing has to be prepared; what is not is computed when it is asked for first.
        """
        for number, name in enumerate(self.release_names):
            table = self._outcomes(number)
            for done, found in enumerate(table):
                tell(Progress(number * len(table.outcomes) + done, self._steps, f"{found.check} on people outside"))
                self._benches.flagged_outside(found, number)
            self._benches.map_of(number)
            self.column(self.columns[0], number)
            tell(Progress((number + 1) * len(table.outcomes), self._steps, name))

    def person(self, row: int | None = None, values: Mapping[str, str] | None = None) -> Person:
        """Pick a real row by its number, or describe a person by the texts of columns; what is "" is not known."""
        if (row is None) == (values is None):
            raise ConfigError("a person is either a row or the values of one")
        return person_of_row(self._texts, row) if row is not None else person_of_values(self._texts, values or {})

    def fields(self) -> tuple[ValueField, ...]:
        """Say for each column what may be typed in."""
        return tuple(self._texts.typed_field(column) for column in self._real.schema.used)

    def cells(self, part: TablePart, rows: Sequence[int], release: int = 0) -> tuple[tuple[ShownCell, ...], ...]:
        """Show the values of rows of a table."""
        table = self._table(part, release)
        for row in rows:
            if not 0 <= row < len(table):
                raise ConfigError(f"there is no row {row + 1:,}; the table has {len(table):,} rows")
        return tuple(self._texts.cells(table, row) for row in rows)

    def ranking(self, release: int = 0) -> tuple[int, ...]:
        """Give the real rows, most exposed first: by the list of exposed people, then by flags, then by mean risk."""
        return self._risks(release).ranking

    def nearest(self, person: Person, release: int = 0, count: int = 10) -> NearRows:
        """Find the rows of each table nearest to a person, by the columns known of it."""
        return near_rows(self._texts, person, self._table("released", release), count)

    def flags(self, person: Person, release: int = 0) -> tuple[CheckFlag, ...]:
        """Say which checks flag a person, and how many of 100 people outside they would flag as well."""
        found = [(each, self._benches.flagged_outside(each, release)) for each in self._outcomes(release)]
        with self._benches.asking(release) as bench:
            return tuple(
                flag_of(self._plan.check_named(each.check), bench, each, person, outside, self._plan.seed)
                for each, outside in found
            )

    def guess(
        self, secret: str, known: Sequence[str], person: Person, attack: str = "gcap", release: int = 0
    ) -> SecretGuess:
        """Guess a person's secret from the release, from people outside (or by imputation), and from nobody.

        Attacks are "gcap" (rows that differ in fewest columns), "dcr" (by distance), "infer" (a learner), "recon".
        Columns that are not known of the person are left out.
        """
        return guess_one(self._question(secret, known, attack, release, person), person)

    def rightness(self, secret: str, known: Sequence[str], attack: str = "gcap", release: int = 0) -> Rightness:
        """Tell of how many of 100 people such guesses are right, in the table and outside; the same draw every time."""
        asked = self._question(secret, known, attack, release)
        which = secret, asked.known, attack, release
        if which not in self._rightness:
            self._rightness[which] = people_right(asked)
        return self._rightness[which]

    def one_more(
        self, secret: str, known: Sequence[str], person: Person, attack: str = "gcap", release: int = 0
    ) -> OneMore:
        """Find the further column that makes the guess surest."""
        return one_more(self._question(secret, known, attack, release, person), person)

    def people(self, asked: PeopleQuestion, release: int = 0) -> PeoplePage:
        """Give a page of real rows, sorted and filtered."""
        group = self._values_of(asked.column) if asked.column else None
        return people_page(self._risks(release), self._texts, asked, group)

    def people_frame(self, *, values: bool = True) -> Any:
        """List everybody on every release: flags, by which checks, the risk by each, and the values unless left out."""
        tables = [(name, self._risks(number)) for number, name in enumerate(self.release_names)]
        return self._plan.frames.frame(people_frame(tables, self._real, values=values))

    def overlap(self, release: int = 0) -> tuple[AttackOverlap, ...]:
        """Tell how many people each two attacks both flag, and how many by chance."""
        return attack_overlaps(self._risks(release))

    def column(self, name: str, release: int = 0) -> ColumnView:
        """Look at one column."""
        self._values_of(name)
        released = self._table("released", release)
        if release not in self._associations:
            self._associations[release] = Associations(self._real, released)
        pairs = self._associations[release].strongest(name)
        exposed = self.report.tables[release].exhibits.columns if self.report else ()
        found = next((each for each in exposed if each.column == name), None)
        return column_view(self._texts, name, released, found, pairs)

    def groups(self, column: str, release: int = 0) -> tuple[RiskGroup, ...]:
        """Give the mean risk by level of a column, the furthest from the mean first; groups under 30 are merged."""
        return risk_groups(self._risks(release), self._real, self._values_of(column))

    def map(self, window: MapWindow | None = None, release: int = 0) -> MapView:
        """Draw the tables in the plane of the projection that dcr uses; None is the whole map."""
        flagged = self._risks(release).by_attacks if self.report else None
        return self._benches.map_of(release).look(window, flagged)

    def person_near(self, x: float, y: float, release: int = 0) -> MapPlace:
        """Pick the real row nearest to a place on the map."""
        return self.place_of(self.person(row=self._benches.map_of(release).row_near(x, y)), release)

    def place_of(self, person: Person, release: int = 0) -> MapPlace:
        """Find a person's place on the map, and those of the three nearest released rows."""
        return self._benches.map_of(release).place(person)

    def apply(self, lever: str, tell: ShowProgress = ignore_progress) -> LeverRow:
        """Apply a lever ("drop column zip", docs/whatif.md) to the release, attack it again, and state what changed."""
        return self._levers.try_lever(lever, tell)

    def cost(self, checks: Sequence[str] = (), preset: str = "full") -> RunCost:
        """Estimate what a run of these checks costs on this machine."""
        chosen = checks or tuple(check.card.name for check in catalog.choose(preset=preset))
        size = RunSize(
            real=len(self._real),
            released=[len(named.table) for named in self._plan.release.synthetic],
            columns=len(self.columns),
            classes=[count_classes(self._real.schema[name]) for name in self.secrets],
            has_outsiders=self.has_outsiders,
            threads=self._plan.budget.threads,
        )
        return estimate_cost(chosen, preset, size)

    def work_through(self, check: str, person: Person, release: int = 0, column: str | None = None) -> Worked | Lacking:
        """Work a check through on a person: the rows looked at, the formula, and from the person to the table.

        `column` is the one to look at, where a check compares columns.
        """
        found = self._outcomes(release)[check]
        asked, one = self._plan.check_named(check), OnePerson(person.values, person.row)
        with self._benches.asking(release) as bench:
            return explain_check(asked, bench, found, one, seed=self._plan.seed, column=column)

    def conditions(self, check: str, release: int = 0) -> tuple[CheckCondition, ...]:
        """List what has to hold for a check to tell anything here, those that do not first."""
        with self._benches.asking(release) as bench:
            return conditions_of(self._outcomes(release)[check], bench.get(Traits()))

    def cell_of(self, column: str, person: Person, release: int = 0) -> int | None:
        """Find the place among the cells of a column (`ColumnView.cells`) that a person is in; None if not known."""
        self._values_of(column)
        return cell_of_person(self._texts, column, self._table("released", release), person)

    def _question(
        self, secret: str, known: Sequence[str], attack: str, release: int, person: Person | None = None
    ) -> SecretAsked:
        """Understand what is asked of a secret."""
        if attack not in ATTACKS:
            raise no_such("attack", attack, list(ATTACKS))
        for name in (secret, *known):
            if name not in self.columns:
                raise no_such("column", name, list(self.columns))
        values = self._values_of(secret)
        there = self.columns if person is None else person.known
        columns = tuple(name for name in self.columns if name in known and name in there and name != secret)
        plan, released = self._plan, self._table("released", release)
        return SecretAsked(values, columns, attack, plan.release, released, plan.seed, plan.budget, self._solved)

    @property
    def _steps(self) -> int:
        return len(self.release_names) * len(self._outcomes(0).outcomes)

    def _values_of(self, column: str) -> SecretValues:
        """Find the values that a column may have."""
        if column not in self.columns:
            raise no_such("column", column, list(self.columns))
        if column not in self._secrets:
            self._secrets[column] = secret_values(self._texts, column)
        return self._secrets[column]

    def _risks(self, release: int) -> RiskTable:
        table = self._outcomes(release)
        if release not in self._risk_tables:
            attacked = self._plan.people
            rows = None if attacked is None else attacked.members
            self._risk_tables[release] = RiskTable.of(table, len(self._real), rows)
        return self._risk_tables[release]

    @property
    def _real(self) -> Table:
        return self._plan.release.train.table

    def _table(self, part: TablePart, release: int) -> Table:
        given = self._plan.release
        if part == "real":
            return given.train.table
        if part == "released":
            return given.synthetic[release].table
        if given.holdout is None:
            raise ConfigError("nobody was kept out of the synthesis")
        return given.holdout.table

    def _outcomes(self, release: int) -> TableAudit:
        """Give the outcomes on a released table; refuses where nothing was run."""
        if self.report is None:
            raise ConfigError("the checks have not been run yet")
        return self.report.tables[release]
