"""Guesses of an attacker in words, and the attackers there are to choose from."""

from dataclasses import dataclass

from seethrough.exploring.answers.attackers import (
    IMPUTATION,
    NOBODY,
    OUTSIDE,
    OneMore,
    Rightness,
    SecretGuess,
    SourcedGuess,
)
from seethrough.results.evidence_words import people


@dataclass(frozen=True)
class Attacker:
    """A way to guess: its name, what it does in a few words, and how it counts what is near."""

    name: str
    title: str
    said: str


ATTACKERS = (
    Attacker("gcap", "nearest by equal columns", "takes the rows that differ in the fewest known columns (gcap)"),
    Attacker("dcr", "nearest by distance", "takes the nearest row by distance over the known columns (dcr)"),
    Attacker("infer", "a learner", "trains a model on the known columns; takes about a second (infer)"),
    Attacker("recon", "reconstruction", "solves for the secrets of all people at once from released counts (recon)"),
)
SOURCES = {
    OUTSIDE: "From people outside",
    IMPUTATION: "From other real people (imputation)",
    NOBODY: "Same guess for all",
}
RELEASE = "From this release"
SURER = 0.005
"""What a share has to gain to count as surer."""


def source_title(source: SourcedGuess) -> str:
    """Name where a guess comes from."""
    return SOURCES.get(source.source, RELEASE)


def why_guessed(source: SourcedGuess, attack: str) -> str:
    """Say what speaks for a guess."""
    if source.reason or not source.value:
        return source.reason or "nothing can be guessed"
    if source.source == NOBODY:
        return f"the most frequent value, {source.share:.2f} of all"
    if source.rows is None or source.agreeing is None:
        return f"{source.share:.2f} by the model"
    which = "nearest row" if source.rows == 1 else "nearest rows"
    near = f"{source.agreeing:,} of {source.rows:,} {which}"
    return near if source.distance is None else f"{near}; {_how_far(source, attack)}"


def _how_far(source: SourcedGuess, attack: str) -> str:
    assert source.distance is not None
    them = "it differs" if source.rows == 1 else "they differ"
    if attack == "gcap":
        differing = round(source.distance)
        return f"{them} in {differing:,} column{'' if differing == 1 else 's'}"
    return f"at distance {source.distance:.3g}"


def say_guess(found: SecretGuess, value: str) -> str:
    """Say what the attacker guesses, in the sentence that is read out after every change; `value` may be hidden."""
    if not found.release.value:
        return f"From this release nothing can be guessed: {found.release.reason or 'no row speaks'}."
    return f"From this release the attacker guesses {value}: {why_guessed(found.release, found.attack)}."


def say_moved(found: SecretGuess) -> str:
    """Say how far the release moves the guess."""
    against = "people outside" if found.outside.source == OUTSIDE else "imputation"
    if not found.release.value or not found.outside.value:
        return ""
    if abs(found.moved) < 0.005:
        return f"The release gives this guess no more weight than {against} would."
    more = "more" if found.moved > 0 else "less"
    return f"The release gives this guess {abs(found.moved):.2f} {more} weight than {against} would."


def say_truth(found: SecretGuess, truth: str) -> str:
    """Say whether the guess is right; `truth` may be hidden."""
    if found.truth is None:
        return "The secret of this person was not typed in, so nobody can say whether the guess is right."
    right = "right" if found.truth == found.release.value else "wrong"
    return f"The value is {truth}: the guess from this release is {right}."


def say_rightness(found: Rightness) -> str:
    """Say for how many of 100 people such guesses are right."""
    inside, outside = (people(number / 100, fine=True) for number in (found.inside, found.outside))
    added = "{} ({} to {})".format(*(people(number / 100) for number in (found.added, found.low, found.high)))
    if found.against == "imputation":
        return (
            f"With these columns an attacker is right for {inside} of 100 people in the table; guessing the same "
            f"people from other real people alone is right for {outside}: the release adds {added}. Nobody was kept "
            "out, so this is no evidence of a leak."
        )
    return (
        f"With these columns an attacker is right for {inside} of 100 people in the table and {outside} of 100 "
        f"outside: the release adds {added}."
    )


def say_drawn(found: Rightness) -> str:
    """Say on how many people the line for 100 rests."""
    both = f"{found.inside_people:,} people of the table"
    if found.against != "imputation":
        both += f" and {found.outside_people:,} outside"
    return f"Tried on {both}, the same every time; {100 * found.confidence:.0f}% interval."


def say_one_more(found: OneMore, column: str) -> str:
    """Say which further column would tell most about this person."""
    if found.reason:
        return f"{found.reason[:1].upper()}{found.reason[1:]}."
    if not found.column:
        return "No further column is left to try."
    if found.after <= found.before + SURER:
        return "No further column makes the guess surer."
    return f"One more column that tells most: {column} ({found.before:.2f} to {found.after:.2f})."
