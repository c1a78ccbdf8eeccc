"""The attacker's view: its guess is gcap's, ticks change it, and what is asked stands in the address."""

import re
from collections import Counter

import pytest
from view_sessions import COLUMNS, ROWS, SECRET, Outline, ask, frames, make_session

from seethrough.web.pages.asking.addresses import write_numbers

KEYS = [number for number, name in enumerate(COLUMNS, start=1) if name != SECRET]


@pytest.fixture(scope="module")
def session():
    return make_session()


def nearest_by_hand(row, known):
    """The secrets of the released rows that differ in the fewest known columns, and in how many they do."""
    real, released, _ = frames()
    person = real.row(row, named=True)
    differing = [sum(each[name] != person[name] for name in known) for each in released.iter_rows(named=True)]
    least = min(differing)
    return [secret for secret, far in zip(released[SECRET], differing, strict=True) if far == least], least


def lines(html):
    """The rows of the table of sources, as texts."""
    body = html.partition('<section id="guess"')[2].partition("</table>")[0]
    return [re.sub(r"<[^>]+>", " ", row).split("  ") for row in body.split("<tr")[2:]]


@pytest.mark.parametrize("row", range(0, ROWS, 12))
def test_with_all_keys_the_guess_is_that_of_gcap(session, row):
    secrets, least = nearest_by_hand(row, [COLUMNS[number - 1] for number in KEYS])
    html = ask(session, "attacker", row=row + 1, known=write_numbers(KEYS)).html
    text = " ".join(Outline(html).text.split())
    value, most = Counter(secrets).most_common(1)[0]
    rows = f"{most} of {len(secrets)} nearest row{'' if len(secrets) == 1 else 's'}"
    assert rows in text
    differ = "it differs" if len(secrets) == 1 else "they differ"
    assert f"{differ} in {least} column{'' if least == 1 else 's'}" in text
    risk = session.report["gcap"].measurement.per_record[row]
    assert risk == secrets.count(frames()[0][SECRET][row]) / len(secrets)
    if Counter(secrets).most_common(2)[-1][1] < most or len(set(secrets)) == 1:
        assert f"the attacker guesses {value}:" in text


def test_ticks_are_answered_with_an_address(session):
    form = {"known": ("1", "2", "4"), "secret": str(COLUMNS.index(SECRET) + 1), "attack": "dcr"}
    answer = ask(session, "attacker", form=form, row=5)
    assert (answer.status, answer.to) == (303, "attacker?row=5&secret=7&known=1-2.4&attack=dcr")
    assert ask(session, "attacker", form={**form, "preset": "all"}, row=5).to.endswith("known=1-6&attack=dcr")
    assert ask(session, "attacker", form={**form, "preset": "none"}, row=5).to.endswith("known=0&attack=dcr")
    assert ask(session, "attacker", form={**form, "attack": "<b>"}, row=5).to.endswith("attack=gcap")


def test_fewer_columns_give_another_guess_and_the_boxes_say_which(session):
    html = ask(session, "attacker", row=5, known="2.4").html
    boxes = {each["value"] for each in Outline(html).all("input") if each.get("name") == "known" and "checked" in each}
    assert boxes == {"2", "4"}
    secrets, _ = nearest_by_hand(4, ["education", "sex"])
    assert f"of {len(secrets)} nearest" in Outline(html).text


def test_the_guess_comes_before_the_line_for_100_people(session):
    quick = ask(session, "attacker", row=5, live="quick").html
    whole = ask(session, "attacker", row=5).html
    later = next(each["data-later"] for _, each in Outline(quick).tags if "data-later" in each)
    assert later.startswith("attacker?row=5")
    assert "live" not in later
    assert "of 100 people in the table" not in quick
    assert "of 100 people in the table" in whole
    assert "data-later" not in whole


def test_without_a_holdout_the_second_line_is_imputation():
    text = Outline(ask(make_session(holdout=False), "attacker", row=5).html).text
    assert "From other real people (imputation)" in text
    assert "From people outside" not in text
    assert "no evidence of a leak" in text


def test_nothing_known_is_a_question_too(session):
    answer = ask(session, "attacker", row=5, known="0")
    assert answer.status == 200


def test_a_slow_attack_waits_for_its_button(session):
    waits = ask(session, "attacker", row=5, attack="recon").html
    assert "Run it" in waits
    assert "From this release" not in waits


@pytest.mark.parametrize("attack", ["dcr", "infer"])
def test_other_attackers_answer(session, attack):
    answer = ask(session, "attacker", row=5, attack=attack)
    assert answer.status == 200
    assert "From this release" in answer.html
