"""Whose rows are they, and did coins decide who is in? What is known beyond the values of a release."""

from seethrough.data.files.sources import Source
from seethrough.data.reading.entities import person_numbers, refuse_shared_people
from seethrough.data.release import PeopleDesign
from seethrough.data.split.card_at_hand import CardAtHand
from seethrough.errors import ConfigError

OTHER_CARD = "{card} lies beside it but is the card of another split, so it is not used"


def read_design(
    real: Source, outside: Source | None, entity: str | None, card: CardAtHand | None
) -> tuple[PeopleDesign, tuple[str, ...]]:
    """Find out who is who; with a remark about a card that is not of these tables."""
    if outside is None:
        return _people(real, None, entity), ()
    if card is None:
        return _people(real, outside, entity), ()
    if not card.is_of(real, outside):
        return _people(real, outside, entity), (OTHER_CARD.format(card=card.name),)
    own = card.card.entity
    if entity is not None and entity != own:
        made = f"by {own!r}" if own else "row by row"
        raise ConfigError(f"the split of {card.name} told people apart {made}, so --entity {entity!r} does not fit it")
    people = _people(real, outside, own)
    return PeopleDesign(people.real, people.outside, card.card.audited, own), ()


def _people(real: Source, outside: Source | None, entity: str | None) -> PeopleDesign:
    if entity is None:
        return PeopleDesign()
    if outside is None:
        return PeopleDesign(person_numbers([real], entity)[0], entity=entity)
    mine, others = person_numbers([real, outside], entity)
    refuse_shared_people((real.name, mine), (outside.name, others))
    return PeopleDesign(mine, others, entity=entity)
