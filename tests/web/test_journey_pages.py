"""The pages from the files to what is taken away: each in all its states, with names and values that want to act."""

from dataclasses import replace
from html import unescape

import polars as pl
import pytest
from hostile_texts import HOSTILE
from page_reading import PageReader, faults_of

import seethrough as st
from seethrough.results.timings import EndedAttack, Progress
from seethrough.web import rendering
from seethrough.web.messages import Asked
from seethrough.web.pages import make_page
from seethrough.web.session.session import ColumnUnderstood, GivenFile, OfferedFile, Session

JOURNEY = ("files", "columns", "question", "run", "verdict", "take")
STATES = ("empty", "files", "ready", "waiting", "running", "stopped", "failed", "done")


class Desk:
    """Notes what pages ask of the worker."""

    def __init__(self):
        self.asked = []

    def choose(self, role, number, listed):
        self.asked.append(("choose", role, number, listed))

    def remove_file(self, role, number):
        self.asked.append(("remove", role, number))

    def read_again(self, role, number, separator, encoding):
        self.asked.append(("read", role, number, separator, encoding))

    def understand(self):
        self.asked.append(("understand",))

    def schema_text(self):
        return "[columns.age]\nkind = 'numeric'\n"

    def give_schema(self, text):
        self.asked.append(("schema", text))
        return "" if "good" in text else "The schema is not TOML."


def people(seed, rows=60):
    drawn = pl.DataFrame({"row": range(rows)}).with_columns(
        age=(pl.col("row") * (7 + seed)) % 70 + 20,
        sex=pl.when(pl.col("row") % (2 + seed) == 0).then(pl.lit("F")).otherwise(pl.lit("M")),
        job=pl.concat_str(pl.lit("job "), ((pl.col("row") * (3 + seed)) % 5).cast(pl.String)),
        income=pl.when(pl.col("row") % (3 + seed) == 0).then(pl.lit(">50K")).otherwise(pl.lit("<=50K")),
    )
    return drawn.drop("row")


@pytest.fixture(scope="module")
def report():
    real, outside = people(0), people(1)
    return st.audit(
        real, pl.concat([real[:30], people(2)[:30]]), outside, secret="income", checks=["gcap", "crp", "hidden-rate"]
    )


@pytest.fixture
def session(tmp_path):
    return make_session(tmp_path)


def make_session(
    folder,
    names=("age", "sex", "job", "income", "person"),
    values=("61", "F", "nurse", ">50K", "p1"),
    label="train.csv",
):
    made = Session(folder, audit="a1", name=label)
    for role in ("real", "synthetic", "holdout"):
        made.put_file(
            GivenFile(
                role, 0, label, folder / f"{role}-0", 60, len(names), ",", "utf-8", (values[0],), names, (values,) * 5
            )
        )
    roles = {"income": "secret", "person": "id"}
    made.columns = tuple(
        ColumnUnderstood(name, "categorical", roles.get(name, ""), "2 levels", "same", values[0]) for name in names
    )
    made.offered = (OfferedFile(1, label, folder / "other", 10),)
    made.desk, made.state = Desk(), "ready"
    return made


def ask(session, page, query=None, form=None, path=None):
    posted = (
        None if form is None else {name: each if isinstance(each, tuple) else (each,) for name, each in form.items()}
    )
    return make_page(session, Asked(page, path or {}, query or {}, posted))


def in_state(session, state, report):
    """Put a session in a state, with what it has then."""
    session.state, name = state, report.tables[0].synthetic.name
    match state:
        case "empty":
            session.files, session.columns = {role: [] for role in session.files}, ()
        case "running":
            session.progress, session.evidence = Progress(4, 8, "gcap"), {name: report.tables[0].evidence}
            session.outcomes = [(name, report.tables[0].outcomes[0])]
        case "stopped" | "failed":
            session.why, session.evidence = "Stopped by you after 3 s.", {name: report.tables[0].evidence}
            session.outcomes = [(name, report.tables[0].outcomes[0])]
        case "done":
            session.report, session.outcomes = report, [(name, each) for each in report.tables[0].outcomes]
    return session


@pytest.mark.parametrize("page", JOURNEY)
@pytest.mark.parametrize("state", STATES)
def test_every_page_stands_in_every_state(session, report, page, state):
    answer = ask(in_state(session, state, report), page)
    assert answer.status == 200
    assert faults_of(answer.html) == []


@pytest.mark.parametrize("page", JOURNEY)
def test_every_page_says_what_it_is_how_to_read_it_and_what_it_cannot_tell(session, page):
    html = ask(session, page).html
    lead = html.partition('<p class="lead">')[2].partition("<a")[0].strip()
    read = html.partition("<h2>How to read it</h2><p>")[2].partition("</p>")[0].strip()
    cannot = html.partition("<h2>What it cannot tell</h2><p>")[2].partition("</p>")[0].strip()
    assert min(len(lead), len(read), len(cannot)) > 20


def test_forty_hostile_names_and_values_pass_through_every_page_as_text(tmp_path, report):
    session = make_session(tmp_path, HOSTILE, HOSTILE)
    plain = make_session(tmp_path)
    for state in ("ready", "running", "stopped", "done"):
        for page in JOURNEY:
            here, there = in_state(session, state, report), in_state(plain, state, report)
            there.name = here.name = "audit"
            html = ask(here, page).html
            assert faults_of(html) == [], (state, page)
            assert PageReader(html).text("title") == PageReader(ask(there, page).html).text("title")
            assert "x" * 200 not in html
            assert "49" not in PageReader(html).text("th").split()
            assert not set("\u202e\u2066\u200f\x1b\x00\x07") & set(html)
            assert not any("\ud800" <= letter <= "\udfff" for letter in html)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_of_a_file_and_of_an_audit_is_text_everywhere(tmp_path, hostile):
    session = make_session(tmp_path, label=hostile)
    session.put_file(replace(session.files["real"][0], problem=hostile))
    row = {
        "id": "a1",
        "name": hostile,
        "note": hostile,
        "when": "today",
        "rows": 1,
        "verdict": "",
        "severity": "unknown",
    }
    rows = [{**row, "state": "ready", "has_tables": True, "keeps": False, "held": False}]
    tags = PageReader(ask(make_session(tmp_path), "files").html).count("script")
    for html in (
        ask(session, "files").html,
        rendering.start_page(rows),
        rendering.error_page(hostile, "Not found", "/"),
    ):
        assert faults_of(html) == []
        assert PageReader(html).count("script") == tags
        assert PageReader(html).count("img") == PageReader(html).count("svg") == 0


def test_hidden_values_do_not_reach_the_page(session):
    assert "nurse" in ask(session, "files").html
    session.hidden = True
    html = ask(session, "files").html
    assert "nurse" not in html
    assert "•" in html


def test_a_thousand_columns_make_no_page_heavy(tmp_path):
    session = make_session(tmp_path, tuple(f"column {number}" for number in range(1000)), ("value",) * 1000)
    for page in JOURNEY:
        assert faults_of(ask(session, page).html) == []
    assert "column 100" in ask(session, "columns", {"page": "2"}).html
    assert ask(session, "columns", {"page": "11"}).status == 404
    assert ask(session, "columns", {"page": "-1"}).status == 404


def test_the_page_of_files_chooses_removes_and_reads_again(session):
    listed = {"role": "synthetic", "n": "1"}
    assert ask(session, "files", form={"do": "choose", "listed": "1"}, path=listed).to == "files"
    assert ask(session, "files", form={"do": "choose", "listed": "7"}, path=listed).status == 404
    ask(
        session,
        "files",
        form={"do": "read", "separator": "semicolon", "encoding": "utf-16"},
        path={"role": "real", "n": "0"},
    )
    ask(session, "files", form={"do": "remove"}, path={"role": "holdout", "n": "0"})
    assert session.desk.asked == [
        ("choose", "synthetic", 1, 1),
        ("read", "real", 0, ";", "utf-16"),
        ("remove", "holdout", 0),
    ]
    assert ask(session, "files", form={"do": "remove"}, path={"role": "other", "n": "0"}).status == 404


def test_without_people_kept_out_a_sentence_names_what_is_missing_and_the_way_out(session):
    assert "seethrough split" not in ask(session, "files").html
    session.files["holdout"] = []
    html = ask(session, "files").html
    assert "no verdict beyond signs of copied rows" in html
    assert "seethrough split" in html


def test_nothing_changes_while_the_run_is_under_way(session):
    session.state = "running"
    for page, form, path in (
        ("files", {"do": "remove"}, {"role": "real", "n": "0"}),
        ("columns", {"role-1": "key"}, {}),
        ("question", {"preset": "fast"}, {}),
    ):
        assert ask(session, page, form=form, path=path).status == 409
    assert session.desk.asked == []


def test_kinds_and_roles_are_changed_by_column(session):
    form = {"version": "0", "kind-1": "numeric", "role-1": "key", "role-3": "secret", "role-4": "", "use": "5"}
    assert ask(session, "columns", form=form).to == "columns"
    settings = session.settings
    assert settings.kinds == {"age": "numeric"}
    assert (settings.secrets, settings.keys) == (("job",), ("age",))
    assert settings.roles == {"income": "", "person": ""}
    assert session.desk.asked == [("understand",)]


def test_a_change_made_on_an_older_state_is_refused_with_what_changed(session):
    ask(session, "columns", form={"version": "0", "kind-1": "numeric"})
    answer = ask(session, "columns", form={"version": "0", "kind-2": "numeric"})
    assert answer.status == 409
    assert "kinds" in answer.said
    assert session.settings.kinds == {"age": "numeric"}


def test_a_kind_that_no_list_offers_changes_nothing(session):
    ask(session, "columns", form={"kind-1": "<script>", "role-1": "admin"})
    assert session.settings.kinds == {}
    assert session.settings.roles == {}


def test_a_schema_that_cannot_be_used_is_said_to_be_so(session):
    assert "The schema is not TOML." in ask(session, "columns", form={"schema": "bad"}).html
    assert ask(session, "columns", form={"schema": "good"}).to == "columns"


def ticked(html):
    boxes = [given for tag, given in PageReader(html).elements if tag == "input" and given.get("name") == "check"]
    return {box["value"] for box in boxes if "checked" in box}, {box["value"] for box in boxes}


def test_a_preset_ticks_its_checks_and_another_tick_is_a_choice(session):
    chosen, every = ticked(ask(session, "question").html)
    assert chosen == every
    assert len(every) == 24
    ask(session, "question", form={"preset": "fast", "check": tuple(every)})
    chosen, _ = ticked(ask(session, "question").html)
    assert every - chosen == {"d-mlp", "recon"}
    ask(session, "question", form={"preset": "fast", "check": ("gcap", "crp")})
    assert set(session.settings.checks) == {"gcap", "crp"}
    assert ticked(ask(session, "question").html)[0] == {"gcap", "crp"}
    ask(session, "question", form={"preset": "attacks", "check": ("gcap", "crp")})
    assert session.settings.checks == ()
    assert session.settings.preset == "attacks"
    assert "crp" not in ticked(ask(session, "question").html)[0]


def test_the_number_of_people_to_attack_is_kept_or_refused_in_a_sentence(session):
    _, every = ticked(ask(session, "question").html)
    for typed, kept in (("5,000", 5_000), ("all", "all"), ("", None)):
        ask(session, "question", form={"preset": "full", "check": tuple(every), "targets": typed})
        assert session.settings.targets == kept
    refused = ask(session, "question", form={"preset": "full", "check": tuple(every), "targets": "half"}).html
    assert "neither a number of people nor all" in refused


def test_no_check_at_all_is_refused_in_a_sentence(session):
    assert "At least one check" in ask(session, "question", form={"preset": "choose"}).html
    assert session.settings.checks == ()


def every_check(session):
    return tuple(ticked(ask(session, "question").html)[1])


def test_secrets_and_keys_are_ticked_by_number_and_the_newer_tick_wins(session):
    every = every_check(session)
    ask(session, "question", form={"preset": "full", "check": every, "secret": ("3", "4"), "key": ("1", "3")})
    assert (session.settings.secrets, session.settings.keys) == (("job", "income"), ("age",))


def test_what_neighbours_know_is_ticked_once(session):
    every = every_check(session)
    given = {"preset": "full", "check": every, "secret": "4"}
    ask(session, "question", form={**given, "key": ("1", "2"), "do": "keep-neighbours"})
    ask(session, "question", form={**given, "do": "all-others"})
    assert session.settings.keys == ()
    ask(session, "question", form={**given, "do": "neighbours"})
    assert session.settings.keys == ("age", "sex")


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ({"seed": "one"}, "a number is expected"),
        ({"memory": "0"}, "at least 0.1"),
        ({"threads": "-2"}, "at least 0"),
        ({"param-gcap-multi": "all"}, "gcap.multi"),
    ],
)
def test_what_cannot_be_set_is_said_and_changes_nothing(session, field, said):
    answer = ask(session, "question", form={"preset": "full", "check": every_check(session), **field})
    assert said in unescape(answer.html)
    assert session.settings.version == 0


def test_seed_memory_threads_and_parameters_are_set(session):
    form = {"preset": "full", "check": every_check(session), "seed": "7", "memory": "2", "threads": "3"}
    ask(session, "question", form={**form, "param-gcap-multi": "mean"})
    settings = session.settings
    assert (settings.seed, settings.memory, settings.threads) == (7, 2 << 30, 3)
    assert settings.params == {"gcap": {"multi": "mean"}}


def test_the_run_refreshes_itself_where_there_are_no_scripts(session):
    refresh = '<noscript><meta http-equiv="refresh" content="2"></noscript>'
    assert refresh not in ask(session, "run").html
    session.state = "running"
    assert refresh in ask(session, "run").html


def test_attacks_behind_the_verdict_are_listed_as_they_end(session):
    session.state = "running"
    ended = EndedAttack("dcr (<b>job)", 1.234), EndedAttack("recon (income)", 0.1, "no released row shows 'income'")
    session.progress = Progress(3, 64, "supervised and gcap (job)", ended)
    answer = ask(session, "run")
    text = PageReader(answer.html).text("main")
    assert "<b>job" not in answer.html
    assert "1.2 s" in text
    for words in (
        "Attacks that have ended",
        "dcr (<b>job)",
        "recon (income): no answer, no released row shows 'income'",
    ):
        assert words in text, text
    assert "under way" not in text  # no check is, although an attack has the name of one
    assert "The attack recon (income) has ended." in unescape(answer.html)


def test_lines_of_the_run_fill_in_and_the_verdict_opens_by_itself(session, report):
    session.state = "running"
    assert "data-on-verdict" in ask(session, "run").html
    in_state(session, "running", report)
    html = ask(session, "run").html
    first = report.tables[0].outcomes[0]
    assert f"{first.risk.value:.3f}" in html
    assert "data-on-verdict" not in html
    assert "23 checks are still to come" in html


def test_the_verdict_before_the_last_check_says_what_is_to_come(session, report):
    text = PageReader(ask(in_state(session, "running", report), "verdict").html).text("main")
    assert "23 of 24 checks still to come" in text
    assert report.verdict.sentence in text


def test_a_run_that_was_stopped_has_no_verdict(session, report):
    text = PageReader(ask(in_state(session, "stopped", report), "verdict").html).text("main")
    assert "Incomplete, no verdict." in text
    assert report.verdict.sentence not in text


def test_the_verdict_has_three_findings_the_advice_and_what_was_not_tested(session, report):
    read = PageReader(ask(in_state(session, "done", report), "verdict").html)
    text = read.text("main")
    assert text.count("Membership") >= 1
    for advice in report.tables[0].advice[:5]:
        assert " ".join(advice.action.split()) in text
    assert "Other attacks, and attackers who hold other files" in text
    assert read.count("article") == 3
