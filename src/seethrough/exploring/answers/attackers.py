"""What an attacker guesses of a person, how often such guesses are right, and which further column tells most."""

from dataclasses import dataclass

RELEASE, OUTSIDE, IMPUTATION, NOBODY = "this release", "people outside", "imputation from other real people", "nobody"
"""What a guess is made from."""


@dataclass(frozen=True)
class ShareOfValue:
    """A value of the secret and the share that speaks for it."""

    value: str
    share: float


@dataclass(frozen=True)
class SourcedGuess:
    """The guess from one source: "this release", "people outside", "imputation from real people" or "nobody".

    `value` is what is guessed and `share` what speaks for it. Where the attack looks at rows, `agreeing` of the `rows`
    nearest have the value, at `distance` (for gcap the number of columns that differ). `shares` are the values that
    anything speaks for, most first. `value` is "" where nothing can be guessed, and `reason` says why.
    """

    source: str
    value: str
    share: float
    shares: tuple[ShareOfValue, ...] = ()
    agreeing: int | None = None
    rows: int | None = None
    distance: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class SecretGuess:
    """What is guessed of one person's secret from the release, from people outside (or imputation), and from nobody.

    `moved` is how much more speaks for the guess in the release than among people outside. `truth` is the person's
    value, None where it was not typed in.
    """

    secret: str
    known: tuple[str, ...]
    attack: str
    release: SourcedGuess
    outside: SourcedGuess
    nobody: SourcedGuess
    moved: float
    truth: str | None


@dataclass(frozen=True)
class Rightness:
    """Of 100 people in the table and of 100 outside, how many are guessed right; `added` with interval is the rest.

    `inside_people` and `outside_people` were drawn, the same every time. Where nobody was kept out (`against` is
    "imputation"), `outside` is how many of the same real people are guessed right from other real people alone.
    """

    secret: str
    known: tuple[str, ...]
    attack: str
    inside: float
    outside: float
    added: float
    low: float
    high: float
    inside_people: int
    outside_people: int
    against: str
    confidence: float = 0.95


@dataclass(frozen=True)
class OneMore:
    """The further column that makes the guess surest: what speaks for the guess before and after, for every one tried.

    `tried` has every further column with what would speak for the guess. `column` is "" where no column is left to try
    or where it would take too long, and `reason` says so.
    """

    column: str
    before: float
    after: float
    tried: tuple[ShareOfValue, ...]
    reason: str = ""
