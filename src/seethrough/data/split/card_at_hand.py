"""The card of a split that an audit was given, or found beside the holdout."""

from dataclasses import dataclass
from pathlib import Path

from seethrough.data.files.sources import Source
from seethrough.data.split.content_digest import content_digest
from seethrough.data.split.split_card import CARD_SUFFIX, SplitCard, read_card
from seethrough.errors import ConfigError


@dataclass(frozen=True, eq=False)
class CardAtHand:
    """A card, what it is called, and whether the caller named it: one that lies about need not fit the tables."""

    card: SplitCard
    name: str
    is_named: bool = True

    def is_of(self, real: Source, outside: Source) -> bool:
        """Tell by digests whether both tables came of the split; refuse a card that was named and is of others."""
        pairs = (real, self.card.train), (outside, self.card.holdout)
        wrong = [source.name for source, part in pairs if content_digest(source) != part.digest]
        if wrong and self.is_named:
            raise ConfigError(
                f"{self.name} is the card of another split: {' and '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} "
                "not what it describes"
            )
        return not wrong


def find_card(card: SplitCard | str | Path | None, holdout: object) -> CardAtHand | None:
    """Take the card that was given, or the one beside the holdout, if it is a file that has one."""
    if card is not None and holdout is None:
        raise ConfigError("the card of a split needs the holdout that it is of: --holdout")
    if isinstance(card, SplitCard):
        return CardAtHand(card, "the card")
    if card is not None:
        return CardAtHand(read_card(Path(card)), Path(card).name)
    if not isinstance(holdout, str | Path):
        return None
    beside = Path(holdout).with_name(Path(holdout).name + CARD_SUFFIX)
    return CardAtHand(read_card(beside), beside.name, is_named=False) if beside.is_file() else None
