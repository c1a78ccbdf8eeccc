"""A slip of the keyboard gets "did you mean", wherever a name is typed."""

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.errors import ConfigError, SeethroughError, near_names, suggest_names
from seethrough.report.gates import limits
from seethrough.study.cells.results import FULL
from seethrough.study.plan.plan import parse_plan

REAL = pl.DataFrame({"age": [1.0, 2.5, 4.0, 7.0], "income": ["a", "b", "a", "b"], "Town": ["x", "y", "x", "x"]})


def test_near_names_are_found_whatever_their_case_and_far_ones_are_not():
    assert near_names("INCOM", REAL.columns) == ["income"]
    assert near_names("town", REAL.columns) == ["Town"]
    assert near_names("zzz", REAL.columns) == []
    # As near as the nearest, or nearly so; not everything that is near enough.
    assert near_names("aia-siz", ["aia-cost", "aia-size", "aia-dp"]) == ["aia-size"]
    assert suggest_names("dcrx", ["dcra", "dcrb"]) == "did you mean dcrb or dcra?"
    assert suggest_names("zzz", ["age", "sex"]) == "there are age, sex"
    assert suggest_names("zzz", []) == "there are none"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["adit"], "Did you mean 'audit'?"),
        (["study", "rnu"], "Did you mean 'run'?"),
        (["attack", "reconn"], "Did you mean 'recon'?"),
        (["audit", "--reel", "x"], "No such option: --reel; did you mean --real?"),
        (["audit", "--sythetic", "x"], "did you mean --synthetic?"),
        (["study", "run", "--cluter", "x"], "did you mean --cluster?"),
        (["attack", "dcr", "--pepole", "x"], "did you mean --people?"),
        (["--versoin"], "did you mean --version?"),
        (["audit", "--zzzzzz"], "No such option: --zzzzzz"),
        (["explain", "gacp"], "did you mean gcap?"),
        (["study", "run", "aia-sze"], "there is no plan 'aia-sze'; did you mean aia-size?"),
    ],
)
def test_commands_options_checks_and_plans(words, said):
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2
    assert said in found.output
    assert "Possible options" not in found.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"secret": "incme"}, "secret column 'incme' is not in the real table; did you mean income?"),
        ({"keys": ["agge"]}, "key column 'agge' is not in the real table; did you mean age?"),
        ({"entity": "Twon"}, "has no column 'Twon' that names people; did you mean Town?"),
        ({"checks": "gcapp"}, "there is no check 'gcapp'; did you mean gcap?"),
        ({"preset": "fats"}, "there is no preset 'fats'; did you mean fast?"),
        ({"checks": "dcr", "params": {"dcr": {"dimension": 1}}}, "no parameter 'dimension'; did you mean dimensions?"),
        ({"checks": "dcr", "params": {"dcrr": {"k": 1}}}, "there is no check 'dcrr'; did you mean dcr"),
    ],
)
def test_what_an_audit_is_told(given, said):
    with pytest.raises(SeethroughError) as error:
        st.audit(REAL, REAL, **given)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("verdict >= cler", "there is no grade 'cler'; did you mean clear?"),
        ("verdct >= clear", "did you mean verdict?"),
        ("membrship.leak > 0.1", "did you mean membership?"),
        ("gcpa > 0.1", "did you mean gcap?"),
        ("gcap.lwo > 0.1", "unknown field 'lwo'; did you mean low?"),
        ("membership.outsider > 0.1", "unknown field 'outsider'; did you mean outsiders?"),
        ("artefacts.exact-copys > 0", "did you mean exact-copies?"),
        ("artefacts.exact-copies.shar > 0", "did you mean share?"),
    ],
)
def test_quantities_and_grades_of_a_gate(limit, said):
    with pytest.raises(ConfigError) as error:
        limits.parse(limit, ["gcap", "dcr"])
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: st.synthesize("baynett", REAL, 3), "there is no synthesizer 'baynett'; did you mean baynet?"),
        (lambda: st.attack("drc", REAL, REAL, secret="income"), "there is no attack 'drc'; did you mean dcr?"),
        (lambda: st.attack("dcr", REAL, REAL, secret="incom"), "did you mean income?"),
        (lambda: st.play_game(REAL, secret="incom"), "no column 'incom' to be guessed; did you mean income?"),
        (lambda: st.rate_people(REAL, REAL, identifier="Tonw"), "did you mean Town?"),
        (lambda: st.link(REAL, REAL, secret="agee"), "did you mean age?"),
    ],
)
def test_generators_attacks_and_secrets(call, said):
    with pytest.raises(SeethroughError) as error:
        call()
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[gmes]]\ndata = "people"', "unknown key 'gmes'; did you mean games?"),
        (
            '[[games]]\ndata = "peple"\nsynthesizers = ["indhist"]\nattacks = ["dcr"]',
            "did you mean people?",
        ),
        (
            '[[games]]\ndata = "people"\nsynthesizer = ["indhist"]',
            "unknown key 'synthesizer'; did you mean synthesizers?",
        ),
        (
            '[[games]]\ndata = "people"\nsynthesizers = ["indhits"]\nattacks = ["dcr"]',
            "did you mean indhist?",
        ),
    ],
)
def test_kinds_and_keys_of_a_plan(text, said):
    text = text.replace('attacks = ["dcr"]', 'attacks = ["dcr"]\nrows = 9\nsizes = [9]\ngames = 1')
    head = 'format = 1\nname = "tiny"\nseed = 1\n[data.people]\nsample = "acs"\nsecret = "sex"\n'
    with pytest.raises(ConfigError) as error:
        parse_plan(head + text, "tiny", FULL, None)
    assert said in str(error.value)
