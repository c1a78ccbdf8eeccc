"""Odd tables through the Python API: a result in its range, or one sentence.

Expected of every case: a `SeethroughError` of one line that repeats no cell, or a result that is plain JSON with finite
numbers, shares in [0, 1] and intervals around their values, a report as its JSON Schema says, with no check that
failed. No warning, nothing printed, no file left behind. In a share of cases the same call gives the same result again,
and rows in another order the same schema.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

import seethrough as st
from fuzz.case import Broken, Case, Ending
from fuzz.judging import expect_same, expect_sentence, expect_sound
from fuzz.material.tables import Cells, as_frame, derive, draw_population, draw_size
from fuzz.targets.entry_points import CALLS, WEIGHTS, Tables
from seethrough.errors import SeethroughError
from seethrough.report.audit_report import AuditReport
from seethrough.report.machine.report_schema import report_schema

LIBRARIES = ("polars", "polars", "pandas", "arrow")
AGAIN, PERMUTED, RENDERED, VALIDATED = 0.02, 0.05, 0.05, 0.2
"""Shares of cases in which a call is repeated, rows are permuted, a report is shown, and held to its schema."""


def prepare(_session: Path) -> None:
    """Nothing is shared."""


def play(case: Case) -> Ending:
    """Draw tables, call one function of the API, and judge what comes back."""
    name = case.random.choices(list(CALLS), [WEIGHTS[name] for name in CALLS])[0]
    tables = _draw_tables(case, name)
    state = case.random.getstate()
    try:
        found = CALLS[name](case, tables)
        _judge(case, name, found)
        if case.chance(AGAIN):
            case.random.setstate(state)
            expect_same(_plain(found), _plain(CALLS[name](case, tables)), f"two runs of {name}")
    except SeethroughError as error:
        expect_sentence(error)
        return Ending(type(error).__name__, name, tables.count)
    return Ending("a result", name, tables.count)


def _draw_tables(case: Case, name: str) -> Tables:
    population = draw_population(case)
    real = population.rows(draw_size(case) if name != "split" else case.random.randint(0, 300))
    library = case.pick(LIBRARIES)
    others = 0 if name in {"schema", "split", "synthesize", "game"} else 1
    further = 1 if others and name != "reverse_map" and case.chance(0.1) else 0
    released = [derive(case, population, real) for _ in range(others + further)]
    holdout = population.rows(draw_size(case)) if others and case.chance(0.4) else None
    frames = [as_frame(case, each, library) for each in (real, *released)]
    outside = None if holdout is None else as_frame(case, holdout, case.pick((library, case.pick(LIBRARIES))))
    if name == "schema" and case.chance(PERMUTED):
        _expect_order_to_be_nothing(case, real, library)
    return Tables(list(real), frames[0], frames[1:], outside)


def _expect_order_to_be_nothing(case: Case, real: Cells, library: str) -> None:
    """Expect the same schema of the same rows in another order."""
    order = list(range(len(next(iter(real.values())))))
    case.random.shuffle(order)
    state = case.random.getstate()
    digests, types = [], []
    for cells in (real, {name: [values[row] for row in order] for name, values in real.items()}):
        case.random.setstate(state)
        frame = as_frame(case, cells, library)
        types.append(str(frame.dtypes if library == "pandas" else frame.schema))
        try:
            digests.append(st.infer_schema(frame).digest)
        except SeethroughError as error:
            digests.append(type(error).__name__)
    if types[0] != types[1]:  # the library took the first value of a column of several types for its type
        return
    if digests[0] != digests[1]:
        raise Broken("rows in another order have another schema")


def _judge(case: Case, name: str, found: Any) -> None:
    if isinstance(found, AuditReport):
        _judge_report(case, found)
    expect_sound(_plain(found), name)


def _judge_report(case: Case, report: AuditReport) -> None:
    for table in report.tables:
        failed = [f"{each.check}: {each.error}" for each in table if hasattr(each, "error")]
        failed += table.evidence.failed if table.evidence else ()
        if failed:
            raise Broken(f"failed: {failed[0]}")
    form = json.loads(report.to_json())
    if case.chance(VALIDATED):
        wrong = next(_validator().iter_errors(form), None)
        if wrong:
            at = ".".join(map(str, wrong.absolute_path))
            raise Broken(f"the report is not as its schema says, at {at}: {wrong.message[:200]}")
    if case.chance(RENDERED):
        _render(report)
        _render(report.for_others())


def _render(report: AuditReport) -> None:
    texts = (report.to_html(), report.to_markdown(), report.to_json())
    if not all(texts) or "\x1b" in texts[1]:
        raise Broken("a report is empty, or has control characters")
    if "<script>alert(1)" in texts[0]:
        raise Broken("a name becomes part of the page")
    if not report.provenance.is_external:
        for make in (report.attacks, report.people, report.records):
            make()


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(report_schema())


def _plain(found: Any) -> Any:
    if hasattr(found, "to_dict"):
        return found.to_dict()
    if hasattr(found, "card"):
        return found.card.to_dict()
    if hasattr(found, "summary"):
        return [str(found.summary()), *(frame.write_csv() for frame in found.mapped)]
    return found.digest if hasattr(found, "digest") else str(found)
