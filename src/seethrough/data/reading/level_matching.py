"""Levels written in another way than people's: upper-cased, padded, prefixed, with characters that nobody sees.

Levels of a release that nobody has are folded, and so are those of people, members or not; where both become one text,
the release is read as if it had the level of people. If two levels of people become one text under a folding, that
folding is not used on the column: two different levels are never merged. In turn are tried: case, look-alike and
invisible characters; padding; letters and digits alone; and, where the release has no level of people at all, a prefix
or an end that all its levels have in common, with no digit in it, for a digit may be part of a number. Where levels are
numbers a sign or a point is part of the value: they lose blanks and leading zeros only.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from seethrough.data.canonical import is_number
from seethrough.data.reading.folding import fold_texts, skeletons

Folding = Callable[[Iterable[str]], list[str]]
_PADDING = " _-.,:;*#~|/\\'\"()[]{}"
_FEWEST = 2
"""Levels that have to be met for a prefix to count as one."""


def match_levels(people: Collection[str], released: Collection[str]) -> dict[str, str]:
    """Find the levels of people that levels of a release stand for; those that people have stand for themselves."""
    unknown = sorted(set(released) - set(people))
    if not unknown or not people:
        return {}
    found: dict[str, str] = {}
    are_numbers = all(map(is_number, people))
    for folding in (fold_texts, _without_zeros) if are_numbers else (fold_texts, _without_padding, skeletons):
        known = _known(people, folding)
        left = [level for level in unknown if level not in found]
        forms = zip(left, folding(left), strict=True)
        found |= {level: known[form] for level, form in forms if form in known}
    if not found and not set(people) & set(released):
        return _without_affixes(people, unknown)
    return found


def _known(people: Collection[str], folding: Folding) -> Mapping[str, str]:
    """Give the levels of people by their folded form; none where two become one, or a level becomes nothing."""
    levels = sorted(people)
    by_form = dict(zip(folding(levels), levels, strict=True))
    return by_form if len(by_form) == len(levels) and "" not in by_form else {}


def _without_padding(levels: Iterable[str]) -> list[str]:
    return [form.strip(_PADDING) for form in fold_texts(levels)]


def _without_zeros(levels: Iterable[str]) -> list[str]:
    return [form.strip(" _#*~").lstrip("0") or "0" for form in fold_texts(levels)]


def _without_affixes(people: Collection[str], unknown: list[str]) -> dict[str, str]:
    """Take off a beginning and an end that all levels of the release share; the one by which most levels are met."""
    if all(map(is_number, unknown)):
        return {}
    known, forms = _known(people, fold_texts), fold_texts(unknown)
    before, after = _common_start(forms), _common_start([form[::-1] for form in forms])
    best: dict[str, str] = {}
    for start in _lengths(before):
        for end in _lengths(after):
            inner = [form[start : len(form) - end].strip(_PADDING) for form in forms]
            met = {level: known[form] for level, form in zip(unknown, inner, strict=True) if form in known}
            if len(set(met.values())) == len(met) > len(best):
                best = met
    return best if len(best) >= min(_FEWEST, len(unknown)) and 2 * len(best) > len(unknown) else {}


def _common_start(texts: Sequence[str]) -> str:
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in letters)


def _lengths(affix: str) -> Iterable[int]:
    """Count the characters that may be taken off, up to the first digit."""
    digits = [place for place, letter in enumerate(affix) if letter.isdigit()]
    return range((digits[0] if digits else len(affix)) + 1)
