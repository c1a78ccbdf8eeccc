"""What-if in words: shares as people out of 100, the deciding fact first."""

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import LeakFamily
from seethrough.results.evidence_words import NAMES
from seethrough.results.levers.what_if import LeverRow, UtilityFigures, WhatIf

COLUMNS = ("", "lever", "leak now", "change of leak", "grade", "utility", "change", "MRE>10", "3-TVD", "models", "per")
_LEAK_AND_UTILITY = (
    "leak: members out of 100 whom the best attack finds, guesses or picks out beyond people outside; its change is "
    "paired, on the same people, and its intervals hold for all levers at once. utility: of 100, between values drawn "
    "evenly (0) and the real table (100), the mean of MRE>10 and 3-TVD of 3-way counts and of models that learn from "
    "the release and are tested on people outside. "
)
_RANKING = (
    "per: leak removed per utility lost; losses below 3 count as 3. dominated: another lever removes as much for less. "
)
_UNSURE = "unsure: the interval of the change has 0 in it."
LEGEND = _LEAK_AND_UTILITY + _RANKING + _UNSURE
LEGEND_UNRANKED = _LEAK_AND_UTILITY + _UNSURE
"""For levers one by one, which are not ranked."""
DOMINATED, NO_REMEDY, UNSURE = "dominated", "no remedy", "unsure"


def out_of_100(share: float | None, digits: int = 1, *, signed: bool = False) -> str:
    """Give a share as people out of 100."""
    if share is None:
        return "-"
    value = 100 * share
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def with_interval(estimate: Estimate | None, *, signed: bool = False) -> str:
    """Give a share and its interval."""
    if estimate is None:
        return "-"
    ends = f"{out_of_100(estimate.low, signed=signed)} to {out_of_100(estimate.high, signed=signed)}"
    return f"{out_of_100(estimate.value, signed=signed)} ({ends})"


def number(value: float | None) -> str:
    """Give a measure of utility as it is."""
    return "-" if value is None else f"{value:.3f}"


def cells(row: LeverRow) -> tuple[str, ...]:
    """Give the cells of one lever, in the order of `COLUMNS`."""
    utility = row.utility or UtilityFigures(None, None, None, 0.0)
    return (
        str(row.place or ""),
        row.lever,
        with_interval(row.leak),
        with_interval(row.change, signed=True),
        row.grade.value if row.leak else "cannot tell",
        out_of_100(utility.kept if row.utility else None),
        out_of_100(row.utility_change, signed=True),
        number(utility.mre),
        number(utility.tvd),
        number(utility.models),
        "-" if row.per_utility is None else f"{row.per_utility:.2f}",
    )


SHORT_COLUMNS = ("lever", "change of leak", "what remains", "utility", "per")


def short_cells(row: LeverRow) -> tuple[str, ...]:
    """Give the cells of one lever for a narrow terminal, in the order of `SHORT_COLUMNS`."""
    remains = f"{out_of_100(row.leak.value)}, {row.grade.value}" if row.leak else "cannot tell"
    utility = f"{out_of_100(row.utility.kept if row.utility else None)} ({out_of_100(row.utility_change, signed=True)})"
    per = "-" if row.per_utility is None else f"{row.per_utility:.2f}"
    return row.lever, with_interval(row.change, signed=True), remains, utility, per


def remark(row: LeverRow) -> str:
    """Say in a word what stands against a lever; nothing where nothing does."""
    if row.reason:
        return row.reason
    if not row.is_remedy:
        return NO_REMEDY
    if row.is_dominated:
        return DOMINATED
    return "" if row.helps else UNSURE


def remarks(row: LeverRow) -> str:
    """Say all there is to say about a lever; the release as it is has no rank and nothing against it."""
    first = remark(row) if row.place or row.reason else ""
    return "; ".join(filter(None, ("" if first == NO_REMEDY else first, *row.notes)))


def headline(found: WhatIf) -> str:
    """Say what would help most, measured."""
    best = found.recommended
    if best is None:
        return "None of these levers is shown to lower the leak; more people outside make smaller changes visible."
    assert best.change is not None
    if best.utility_change is not None and best.utility_change > 0:
        cost = f"gains {out_of_100(best.utility_change)} of 100 of utility"
    else:
        cost = f"costs {out_of_100(-(best.utility_change or 0.0))} of 100 of utility"
    return (
        f"{best.lever}: {out_of_100(-best.change.value)} fewer of 100 members are exposed "
        f"({out_of_100(-best.change.high)} to {out_of_100(-best.change.low)}), and it {cost}. "
        f"What remains: {with_interval(best.leak)}, {best.grade.value}."
    )


def before(found: WhatIf) -> str:
    """Say what the release shows as it is."""
    row = found.baseline
    family = NAMES[row.family] if row.family else "no family"
    utility = out_of_100(row.utility.kept if row.utility else None)
    shown = f"Now: {with_interval(row.leak)} of 100 members beyond people outside ({family}, {_attack(row)})"
    return f"{shown}, {row.grade.value}; utility {utility} of 100."


def _attack(row: LeverRow) -> str:
    return next((each.attack or "-" for each in row.families if each.family is row.family), "-")


def by_family(row: LeverRow) -> tuple[str, ...]:
    """Give leak and change of each family in a cell each."""
    found = {each.family: each for each in row.families}
    return tuple(
        f"{out_of_100(each.leak.value)}; {with_interval(each.change, signed=True)}"
        if (each := found.get(family)) and each.leak
        else "cannot tell"
        for family in LeakFamily
    )


def ranked_by(found: WhatIf) -> str:
    """Say what levers are ranked by."""
    return (
        f"Ranked by leak removed per utility lost; leak: {found.ranked_by}; models predict {', '.join(found.targets)}."
    )


def quick_pass(found: WhatIf) -> str:
    """Say what a quick pass left aside."""
    if not found.screened:
        return ""
    return f"A quick pass tried {len(found.screened)} more levers on columns, which promised less per utility lost."
