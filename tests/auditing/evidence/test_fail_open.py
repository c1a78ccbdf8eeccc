"""Every way to hide real rows that an audit must not take for privacy: the right grade, or "cannot tell" and why."""

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.auditing.evidence import assess
from seethrough.data.samples import acs
from seethrough.errors import DataError
from seethrough.results.evidence import Grade, LeakFamily

PEOPLE = 400
CATEGORIES = ("education", "marital_status", "relationship", "citizenship", "sex", "race", "employed")


def population(rows: int, seed: int = 0) -> pl.DataFrame:
    """Records of the survey with an income, a date and an identifier beside, drawn at random."""
    rng = np.random.default_rng(seed)
    frame = acs().sample(rows, shuffle=True, seed=seed).select("age", *CATEGORIES)
    dates = np.datetime64("2015-01-01") + rng.integers(0, 1500, rows).astype("timedelta64[D]")
    numbers = rng.choice(10**9, rows, replace=False)
    return frame.with_columns(
        income=pl.Series(np.round(rng.lognormal(10, 0.6, rows), 2)),
        admitted=pl.Series(dates),
        patient=pl.Series([f"PT-{number:09d}" for number in numbers]),
    )


@pytest.fixture(autouse=True)
def _without_figures_beside_the_leak(monkeypatch):
    """Leave out what is shown beside the leak: it decides nothing and takes most of the time."""
    monkeypatch.setattr(assess, "attribute_figures", lambda *given: None)


@pytest.fixture(scope="module")
def people():
    frame = population(4 * PEOPLE)
    return frame[:PEOPLE], frame[PEOPLE : 2 * PEOPLE], frame[2 * PEOPLE : 3 * PEOPLE]


def evidence(real, released, outside, **options):
    report = st.audit(real, released, outside, checks=["crp"], preset="fast", secret="employed", **options)
    return report.tables[0].evidence, report


def shuffled(frame: pl.DataFrame, seed: int = 7) -> pl.DataFrame:
    return frame.sample(fraction=1.0, shuffle=True, seed=seed)


def recode(frame: pl.DataFrame, write) -> pl.DataFrame:
    return frame.with_columns(pl.col(name).map_elements(write, pl.String) for name in CATEGORIES)


LOOK_ALIKES = str.maketrans("aeopcAEOPC", "\u0430\u0435\u043e\u0440\u0441\u0410\u0415\u041e\u0420\u0421")
NUMBERS = ("age", "income")
REAL_ROWS = {
    "upper-cased": lambda frame: recode(frame, str.upper),
    "prefixed": lambda frame: recode(frame, lambda level: f"v_{level}"),
    "padded": lambda frame: recode(frame, lambda level: f"   {level}___"),
    "invisible characters": lambda frame: recode(frame, lambda level: "\u200b".join(level)),
    "look-alike letters": lambda frame: recode(frame, lambda level: level.translate(LOOK_ALIKES)),
    "encrypted": lambda frame: recode(frame, lambda level: f"{hash(level) % 10**9}x"),
    "scaled": lambda frame: frame.with_columns(pl.col(NUMBERS) * 1000.0),
    "scaled a little": lambda frame: frame.with_columns(pl.col(NUMBERS) * 1.1),
    "halved": lambda frame: frame.with_columns(pl.col(NUMBERS) * 0.5),
    "negated": lambda frame: frame.with_columns(-pl.col(NUMBERS)),
    "shifted by 1e-9": lambda frame: frame.with_columns(pl.col(NUMBERS) + 1e-9),
    "rounded": lambda frame: frame.with_columns(
        (pl.col("income") / 100).round() * 100, (pl.col("age") / 5).round() * 5
    ),
    "dates moved by a day": lambda frame: frame.with_columns(pl.col("admitted").dt.offset_by("1d")),
    "two columns swapped": lambda frame: frame.with_columns(
        age=pl.col("income"), income=pl.col("age").cast(pl.Float64)
    ),
    "two category columns swapped": lambda frame: frame.with_columns(
        education=pl.col("relationship"), relationship=pl.col("education")
    ),
    "one column permuted": lambda frame: frame.with_columns(pl.col("income").shuffle(seed=1)),
    "an absurd outlier": lambda frame: frame.with_columns(
        income=pl.when(pl.int_range(pl.len()) == 3).then(1e15).otherwise(pl.col("income"))
    ),
    "an extra unique column": lambda frame: frame.with_columns(key=pl.Series([f"k{n}" for n in range(len(frame))])),
}


WRITTEN_OTHERWISE = "upper-cased", "prefixed", "padded", "invisible characters", "look-alike letters"
CANNOT_BE_COMPARED = "encrypted", "scaled", "negated", "two category columns swapped"


@pytest.mark.parametrize("name", REAL_ROWS)
def test_real_rows_written_otherwise_are_not_private(people, name):
    real, outside, _ = (frame.drop("patient") for frame in people)
    found, report = evidence(real, REAL_ROWS[name](shuffled(real)), outside)
    assert found.verdict.grade is Grade.SEVERE
    if name in WRITTEN_OTHERWISE:
        assert sum("written otherwise than in real" in note for note in report.notes) == len(CATEGORIES)
    if name in CANNOT_BE_COMPARED:
        assert any("cannot be compared" in why for finding in found.findings for why in finding.cannot_tell)
    if name == "an extra unique column":
        assert any("'key' is missing in real" in note for note in report.notes)


NUMBERS_ONLY = {
    "scaled": lambda frame: frame.select(pl.all() * 2),
    "halved": lambda frame: frame.select(pl.all() / 2),
    "negated": lambda frame: frame.select(-pl.all()),
    "shifted": lambda frame: frame.select(pl.all() + 1),
    "some negated, some scaled": lambda frame: frame.with_columns(-pl.col("x1", "x3"), pl.col("x2") * 3),
    "two columns swapped": lambda frame: frame.with_columns(x0=pl.col("x1"), x1=pl.col("x0")),
}


@pytest.mark.parametrize("change", NUMBERS_ONLY.values(), ids=NUMBERS_ONLY.keys())
def test_real_rows_in_other_units_are_severe_where_ranges_meet_and_nothing_else_helps(change):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(2 * PEOPLE, 6)) @ rng.normal(size=(6, 6)) * [1, 2, 1, 0.5, 1, 1]
    frame = pl.DataFrame({f"x{place}": values[:, place].round(4) for place in range(6)})
    real, outside = frame[:PEOPLE], frame[PEOPLE:]
    report = st.audit(real, change(shuffled(real)), outside, checks=["crp"], preset="fast", secret="x5")
    assert report.tables[0].evidence.verdict.grade is Grade.SEVERE


def test_a_table_of_which_every_column_was_recoded_cannot_be_told(people):
    real, outside, _ = (frame.select(CATEGORIES) for frame in people)
    found, _ = evidence(real, REAL_ROWS["encrypted"](shuffled(real)), outside)
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert "cannot be compared: 0% of released rows have a value that people have" in found.verdict.sentence


def test_half_copied_and_half_random_is_severe(people):
    real, outside, others = (frame.drop("patient") for frame in people)
    found, _ = evidence(real, pl.concat([real[:200], others[:200]]), outside)
    assert found.verdict.grade is Grade.SEVERE


def spread_out(frame: pl.DataFrame, rows: int) -> pl.DataFrame:
    """Pick the rows whose values are rarest."""
    rarity = sum(-(pl.len().over(name) / pl.len()).log() for name in ("age", *CATEGORIES))
    return frame.sort(rarity, descending=True)[:rows]


@pytest.mark.parametrize("kind", ["1 %", "ten outliers"])
def test_few_copies_among_a_thousand_are_found(kind):
    frame = population(3000, seed=5).drop("patient")
    real, outside, others = frame[:1000], frame[1000:2000], frame[2000:]
    copied = spread_out(real, 10) if kind == "ten outliers" else real[:10]
    found, _ = evidence(real, shuffled(pl.concat([copied, others[:990]])), outside)
    assert found.verdict.grade.is_leak


def with_text(frame: pl.DataFrame, values, name: str = "note") -> pl.DataFrame:
    return frame.with_columns(pl.Series(name, list(values)))


IDENTIFIERS = {
    "own column": lambda frame, names: with_text(frame, names, "patient"),
    "own column, without punctuation": lambda frame, names: with_text(
        frame, (name.replace("-", "").lower() for name in names), "patient"
    ),
    "another column": lambda frame, names: with_text(frame.drop("patient"), names),
    "concatenated": lambda frame, names: with_text(frame, (f"ward 7/{name}/2019" for name in names)),
    "concatenated, without punctuation": lambda frame, names: with_text(
        frame, (f"ward7{name.replace('-', '')}2019" for name in names)
    ),
}


@pytest.mark.parametrize("carry", IDENTIFIERS.values(), ids=IDENTIFIERS.keys())
def test_identifiers_carried_over_are_severe_by_themselves(people, carry):
    real, outside, others = people
    fresh = with_text(others, (f"S{number}" for number in range(PEOPLE)), "patient")
    found, _ = evidence(real, carry(fresh, shuffled(real)["patient"]), outside)
    assert found.verdict.grade is found[LeakFamily.IDENTITY].grade is Grade.SEVERE
    assert found.verdict.sentence.startswith("400 of 400 real identifiers ('patient') are in the release, in '")
    assert found.verdict.decided_by == "identity: identifiers"
    assert found[LeakFamily.MEMBERSHIP].grade is Grade.NO_LEAK_FOUND


def test_identifiers_without_people_outside_are_suspicious_and_no_more(people):
    real, _, others = people
    found, _ = evidence(real, with_text(others, shuffled(real)["patient"], "patient"), None)
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert found.verdict.sentence.startswith("Suspicious: 400 of 400 real identifiers")
    assert "no people outside were given" in found.verdict.sentence.lower()
    copied, _ = evidence(real, shuffled(real).drop("patient"), None)
    assert copied.verdict.sentence.startswith("Suspicious: 400 of 400 real people have their exact row in the release")
    clean, _ = evidence(real, others.drop("patient"), None)
    assert "uspicious" not in clean.verdict.sentence


@pytest.mark.parametrize("separator", ["|", "; ", ""])
def test_real_rows_as_text_in_an_extra_column_are_severe(people, separator):
    real, outside, others = (frame.drop("patient") for frame in people)
    texts = shuffled(real).select(pl.concat_str(pl.all().cast(pl.String), separator=separator)).to_series()
    found, _ = evidence(real, with_text(others, texts), outside)
    assert found.verdict.grade is Grade.SEVERE
    assert "of 400 real people have their row written out in 'note'; of people outside 0.0" in found.verdict.sentence
    assert int(found.verdict.sentence.split()[0]) > 380
    assert found[LeakFamily.MEMBERSHIP].grade is Grade.NO_LEAK_FOUND


def test_a_row_order_that_is_kept_under_noise_is_clear(people):
    real, outside, others = (frame.drop("patient") for frame in people)
    rng = np.random.default_rng(3)
    # Every cell but one in four is that of somebody else.
    columns = {name: np.where(rng.random(PEOPLE) < 0.25, real[name], others[name]) for name in real.columns}
    released = pl.DataFrame(columns, schema=real.schema)
    found, _ = evidence(real, released, outside)
    assert found[LeakFamily.IDENTITY].grade is Grade.CLEAR
    assert (found[LeakFamily.IDENTITY].attack, found[LeakFamily.IDENTITY].p) == ("row-order", 0.001)
    assert found.verdict.grade >= Grade.CLEAR


def test_a_holdout_that_overlaps_the_real_table_cannot_show_that_nothing_leaks(people):
    real, outside, others = (frame.drop("patient") for frame in people)
    mixed = pl.concat([real[:300], outside[:100]])
    found, report = evidence(real, others, mixed)
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert "300 of 400 people outside are in the real table" in found.verdict.sentence
    assert any("300 of 400 rows equal a real row" in note for note in report.notes)
    copied, _ = evidence(real, shuffled(real), mixed)
    assert copied.verdict.grade is not Grade.NO_LEAK_FOUND
    with pytest.raises(DataError, match="same rows"):
        evidence(real, others, shuffled(real))


def test_a_holdout_of_another_population_cannot_tell(people):
    real, outside, others = (frame.drop("patient") for frame in people)
    older = outside.with_columns(pl.col("age") + 25, pl.col("income") * 1.5)
    for released in (others, shuffled(real)):
        found, _ = evidence(real, released, older)
        assert found.verdict.grade is Grade.CANNOT_TELL
        assert "differ without any release" in found.verdict.sentence


def test_an_independent_release_beside_all_that_may_show_by_accident_is_not_called_a_leak(people):
    real, outside, others = people
    found, _ = evidence(real, with_text(others, (f"x{number}" for number in range(PEOPLE))), outside)
    assert found.verdict.grade is Grade.NO_LEAK_FOUND
