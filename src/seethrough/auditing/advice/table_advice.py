"""Advice on one release: what has to be measured for it, then the rules."""

from seethrough.auditing.advice.commands import TableNames
from seethrough.auditing.advice.fewer_rows import ATTACK, leak_by_rows
from seethrough.auditing.advice.rules import Basis, advise
from seethrough.auditing.evidence.assess import Arsenal, Assessment, EvidenceRules
from seethrough.auditing.levers.key_losses import key_losses
from seethrough.data.release import NamedTable, Release
from seethrough.errors import NotApplicable
from seethrough.results.diagnostics import Diagnostics
from seethrough.results.evidence import LeakFamily
from seethrough.results.levers.advice import Advice, RowsLeak
from seethrough.results.levers.less import KeyLoss


def table_names(release: Release, *synthetic: NamedTable) -> TableNames:
    """Name the tables as commands do."""
    holdout = release.holdout.name if release.holdout else None
    return TableNames(release.train.name, tuple(named.name for named in synthetic), holdout)


def advise_on_table(
    release: Release,
    named: NamedTable,
    found: Assessment,
    shown: Diagnostics,
    arsenal: Arsenal,
    rules: EvidenceRules,
) -> tuple[Advice, ...]:
    """Give the advice on one release."""
    basis = Basis(
        table_names(release, named),
        found.evidence,
        shown,
        release.train.table.schema.used,
        _losses(found, arsenal, rules),
        _by_rows(found, rules),
    )
    return advise(basis)


def _losses(found: Assessment, arsenal: Arsenal, rules: EvidenceRules) -> tuple[KeyLoss, ...]:
    is_leak = found.evidence[LeakFamily.ATTRIBUTE].grade.is_leak
    return key_losses(found, arsenal, rules) if is_leak and found.pool is not None else ()


def _by_rows(found: Assessment, rules: EvidenceRules) -> tuple[RowsLeak, ...]:
    lower = next((attack.lower for attack in found.evidence.attacks if attack.name == ATTACK), 0.0)
    if found.pool is None or lower < rules.limits.clear:
        return ()
    try:
        return leak_by_rows(found.pool, rules.seed, rules.limits.clear)
    except NotApplicable:  # parts of a release that is read in chunks are not attacked for advice
        return ()
