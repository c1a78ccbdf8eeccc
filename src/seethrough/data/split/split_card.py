"""The card of a split: what was drawn, and which tables came of it, told by their digests.

It says who of the audit set is in the training table. Whoever has it and the table can tell members of the audit set
from people outside, so it is kept with the holdout and never given out with a release.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seethrough.data.files.json_files import parse_json
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools
from seethrough.text.printable import json_text

FORMAT = 1
"""Grows whenever a reader of the card has to change."""
KIND = "seethrough split"
CARD_SUFFIX = ".card.json"
PRIVATE = "Keep this card with the holdout. It tells who of the audit set was in the data; never publish it."


@dataclass(frozen=True)
class SplitPart:
    """One of the two tables: its name, its size, and the digest of its content."""

    name: str
    rows: int
    people: int
    digest: str


@dataclass(frozen=True)
class SplitCard:
    """How a table was split. `members` are the rows of the training table, from 1 on, of people whom a coin put in."""

    version: str
    made: str
    seed: int
    audit_share: float
    entity: str | None
    train: SplitPart
    holdout: SplitPart
    audit_people: int
    members: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "format": FORMAT,
            "kind": KIND,
            "about": PRIVATE,
            "seethrough": self.version,
            "made": self.made,
            "seed": self.seed,
            "audit_share": self.audit_share,
            "entity": self.entity,
            "train": asdict(self.train),
            "holdout": asdict(self.holdout),
            "audit_set": {"people": self.audit_people, "members": list(self.members)},
        }

    @property
    def audited(self) -> Bools:
        """Tell for each row of the training table whether a coin put its person in."""
        found = np.zeros(self.train.rows, bool)
        found[np.array(self.members, np.int64) - 1] = True
        return found


def card_text(card: SplitCard) -> str:
    """Write a card as JSON, the long list of rows on one line."""
    whole = card.to_dict()
    whole["audit_set"]["members"] = "@"
    text = json_text(whole)
    return text.replace('"@"', json.dumps(card.members)) + "\n"


def read_card(path: Path) -> SplitCard:
    """Read a card, or say in one sentence why the file is none."""
    try:
        found = parse_json(path.read_text(encoding="utf-8"), f"the card {path}")
    except OSError as error:
        raise ConfigError(f"the card {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"the card {path} is not JSON: it is not text in UTF-8") from error
    if not isinstance(found, Mapping) or found.get("kind") != KIND:
        raise ConfigError(f"{path} is not the card of a split")
    if found.get("format") != FORMAT:
        raise ConfigError(f"the card {path} has format {found.get('format')!r}; {FORMAT} is supported")
    try:
        return _understood(found)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"the card {path} is damaged: {error!r}") from error


def _understood(found: Mapping[str, Any]) -> SplitCard:
    train, holdout = SplitPart(**found["train"]), SplitPart(**found["holdout"])
    members = tuple(int(row) for row in found["audit_set"]["members"])
    if members and not 1 <= min(members) <= max(members) <= train.rows:
        raise ValueError(f"it names rows beyond the {train.rows} of {train.name}")
    return SplitCard(
        version=str(found["seethrough"]),
        made=str(found["made"]),
        seed=int(found["seed"]),
        audit_share=float(found["audit_share"]),
        entity=found["entity"],
        train=train,
        holdout=holdout,
        audit_people=int(found["audit_set"]["people"]),
        members=members,
    )
