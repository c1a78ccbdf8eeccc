"""What only the custodian can say about a release: asked for in a small TOML file, shown as missing otherwise."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seethrough.errors import ConfigError, suggest_names

FILE = "annex.toml"
LONGEST = 5000
ASKED = {
    "recipients": "Who receives the release, and how is access to it controlled?",
    "purpose": "What is the release for?",
    "contracts": "Which contracts or terms of use bind the recipients?",
    "other_sources": "Which other files about the same people could a recipient hold?",
    "generator": "How was the release made: method, settings, differential privacy?",
    "mitigation": "What was changed, or will be changed, because of the findings?",
    "responsible": "Who decides on the release, and who answers questions about it?",
    "review": "When, and after which events, is the decision looked at again?",
}
"""The keys of the file, each with its question."""


@dataclass(frozen=True)
class CustodianFacts:
    """The custodian's answers by key; what is not there was not answered."""

    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """Name the keys that were not answered."""
        return tuple(key for key in ASKED if key not in self.answers)


FactsLike = Mapping[str, str] | str | Path | None
"""The answers by key, or the path of the file that has them."""


def read_facts(given: FactsLike) -> CustodianFacts:
    """Understand the answers; an empty one was not given."""
    if given is None:
        return CustodianFacts()
    if isinstance(given, str | Path):
        return _checked(_read(Path(given)), str(given))
    return _checked(given, "facts")


def template() -> str:
    """Write the file with its questions, to be filled in."""
    head = "# What only you can say about the release. Fill in what applies; what is empty is shown as missing.\n"
    return head + "".join(f'\n# {question}\n{key} = ""\n' for key, question in ASKED.items())


def _read(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: a TOML file in UTF-8 is expected") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def _checked(given: Mapping[str, object], where: str) -> CustodianFacts:
    found: dict[str, str] = {}
    for key, answer in given.items():
        if key not in ASKED:
            hint = suggest_names(str(key), ASKED, f"it may have {', '.join(ASKED)}")
            raise ConfigError(f"{where} has an unknown key {key!r}; {hint}")
        if not isinstance(answer, str):
            raise ConfigError(f"{where}: {key} is {type(answer).__name__}; a text is expected")
        if len(answer) > LONGEST:
            raise ConfigError(f"{where}: {key} has {len(answer):,} characters; at most {LONGEST:,} are expected")
        if answer.strip():
            found[key] = answer.strip()
    return CustodianFacts(found)
