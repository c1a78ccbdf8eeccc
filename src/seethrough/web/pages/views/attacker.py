"""The attacker's view: tick what an attacker knows about a person, and see what the release tells about a secret.

What is asked stands in the address: the person, the secret and the known columns by number, the attack. A tick is
posted and answered with such an address. Sent by the script (`live`), the guess comes at once, and the page asks by
itself for the line about 100 people (`data-later`); without a script the page has both.
"""

from dataclasses import dataclass

from markupsafe import Markup

from seethrough.errors import NotApplicable
from seethrough.exploring.answers.attackers import (
    IMPUTATION,
    NOBODY,
    OUTSIDE,
    OneMore,
    Rightness,
    SecretGuess,
    SourcedGuess,
)
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.asking.addresses import choice_in, number_in, read_numbers, write_numbers
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.pages.drawing.shares import draw_share
from seethrough.web.pages.pieces import guess_words
from seethrough.web.rendering import label
from seethrough.web.session.session import Session

_STYLES = {OUTSIDE: "outside", IMPUTATION: "outside", NOBODY: "nobody"}


@dataclass(frozen=True)
class GuessQuestion:
    """What is asked: the secret and the known columns by number from 1, the attack, and whether a slow one may run."""

    secret: int
    known: tuple[int, ...]
    attack: str
    may_be_slow: bool = False


@dataclass(frozen=True)
class KnownColumn:
    """A column in the list of what the attacker knows; `can` says whether the person has a value there."""

    number: int
    name: str
    text: str
    is_known: bool
    is_secret: bool
    can: bool


@dataclass(frozen=True)
class GuessLine:
    """One source and what it guesses, as it may be shown."""

    title: str
    value: str
    share: Markup
    why: str


def page(session: Session, asked: Asked) -> Answer:
    """Answer a question, or turn a form into one."""
    return show_tables(session, asked, "attacker", _show if asked.form is None else _turn)


def _turn(view: TableView) -> Answer:
    """Turn what was ticked into the address of its answer."""
    asked, many = view.asked, len(view.columns)
    secret = number_in({"secret": asked.first("secret")}, "secret", many, "column") or _usual_secret(view)
    ticked = {number for text in asked.all("known") for number in read_numbers(text, many) or ()}
    presets = {"all": range(1, many + 1), "none": (), "keys": _keys(view, secret)}
    known = set(presets.get(asked.first("preset"), ticked)) - {secret}
    return redirect(
        view.to(
            "attacker",
            secret=secret,
            known=write_numbers(known),
            attack=_attack(asked.first("attack")),
            slow=asked.first("slow") and 1,
            live=asked.first("live") and 1,
        )
    )


def _attack(name: str) -> str:
    return choice_in({"attack": name}, "attack", [each.name for each in guess_words.ATTACKERS], "gcap")


def read_question(view: TableView) -> GuessQuestion:
    """Read the question of an address; what it leaves open is the usual."""
    many = len(view.columns)
    secret = number_in(view.query, "secret", many, "column") or _usual_secret(view)
    known = read_numbers(view.query.get("known", ""), many)
    if known is None:
        known = _keys(view, secret)
    has_value = set(view.person.known)
    told = tuple(number for number in known if number != secret and view.columns[number - 1] in has_value)
    return GuessQuestion(secret, told, _attack(view.query.get("attack", "")), bool(view.query.get("slow")))


def _usual_secret(view: TableView) -> int:
    secrets = view.exploration.secrets
    return view.columns.index(secrets[0]) + 1 if secrets else len(view.columns)


def _keys(view: TableView, secret: int) -> tuple[int, ...]:
    """Give the columns that the audit took as known: its keys, or all but the secret."""
    keys, secrets = view.exploration.keys, set(view.exploration.secrets)
    named = keys or tuple(name for name in view.columns if name not in secrets)
    return tuple(number for number, name in enumerate(view.columns, 1) if name in named and number != secret)


def _show(view: TableView) -> Answer:
    asked = read_question(view)
    columns = tuple(_listed(view, asked))
    here = view.to("attacker", secret=asked.secret, known=write_numbers(asked.known), attack=asked.attack)
    shared = {
        "asked": asked,
        "columns": columns,
        "attackers": guess_words.ATTACKERS,
        "secret": view.columns[asked.secret - 1],
        "address": here,
    }
    if asked.attack == "recon" and not asked.may_be_slow:
        return view.show("attacker", "Attacker's view", **shared, **_waits(view))
    return view.show("attacker", "Attacker's view", **shared, **_answer(view, asked))


def _listed(view: TableView, asked: GuessQuestion) -> list[KnownColumn]:
    has_value, texts = set(view.person.known), {cell.column: cell.text for cell in view.person.cells}
    return [
        KnownColumn(
            number,
            name,
            view.say(texts.get(name, "")) if name in has_value else "",
            number in asked.known,
            number == asked.secret,
            name in has_value,
        )
        for number, name in enumerate(view.columns, start=1)
    ]


def _waits(view: TableView) -> dict[str, object]:
    """Offer an attack that is slow, with what it took in the run."""
    attacks = view.table.evidence.attacks if view.table.evidence else ()
    seconds = next((attack.seconds for attack in attacks if attack.name == "recon" and attack.seconds), None)
    return {"lines": (), "guess": None, "seconds": seconds, "is_later": False}


def _answer(view: TableView, asked: GuessQuestion) -> dict[str, object]:
    exploration = view.exploration
    secret, known = view.columns[asked.secret - 1], [view.columns[number - 1] for number in asked.known]
    found = exploration.guess(secret, known, view.person, asked.attack, view.release)
    is_later = bool(view.query.get("live"))
    answer: dict[str, object] = {
        "lines": tuple(_line(view, source, asked.attack) for source in (found.release, found.outside, found.nobody)),
        "guess": _sentences(view, found),
        "seconds": None,
        "is_later": is_later,
    }
    if is_later:
        return answer
    more = exploration.one_more(secret, known, view.person, asked.attack, view.release)
    try:
        right = exploration.rightness(secret, known, asked.attack, view.release)
    except NotApplicable as reason:
        return answer | _about_one_more(view, more) | {"lacks": f"It cannot be tried on everybody: {reason}."}
    return answer | _about_people(right) | _about_one_more(view, more)


def _line(view: TableView, source: SourcedGuess, attack: str) -> GuessLine:
    style = _STYLES.get(source.source, "released")
    share = draw_share(source.share if source.value else None, style)
    value = view.say(source.value) if source.value else "-"
    return GuessLine(guess_words.source_title(source), value, share, guess_words.why_guessed(source, attack))


def _sentences(view: TableView, found: SecretGuess) -> dict[str, str]:
    truth = label(view.say(found.truth or ""))
    return {
        "said": guess_words.say_guess(found, label(view.say(found.release.value))),
        "moved": guess_words.say_moved(found),
        "truth": guess_words.say_truth(found, truth),
    }


def _about_people(right: Rightness) -> dict[str, object]:
    anyway = round(min(right.inside, right.outside))
    added = max(0, round(right.inside) - anyway)
    return {
        "lacks": "",
        "rightness": guess_words.say_rightness(right),
        "drawn": guess_words.say_drawn(right),
        "anyway": anyway,
        "added": added,
    }


def _about_one_more(view: TableView, more: OneMore) -> dict[str, object]:
    is_surer = bool(more.column) and more.after > more.before + guess_words.SURER
    number = view.columns.index(more.column) + 1 if is_surer else None
    return {
        "one_more": guess_words.say_one_more(more, label(more.column)),
        "one_more_number": number,
        "tried": tuple((each.value, f"{each.share:.2f}") for each in more.tried),
    }
