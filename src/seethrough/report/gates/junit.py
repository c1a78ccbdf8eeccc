"""Limits as JUnit XML, which continuous integration shows: a suite for each synthetic table, a case for each limit.

A limit that is broken or undecided is a failure, one that cannot be judged an error, as is a check or an attack that
failed. Limits, grades and shares are named, and no value of a record is.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from seethrough.report import untrusted
from seethrough.report.gates.limits import Broken, Limit
from seethrough.results.outcome import Failed
from seethrough.results.report import Report, TableAudit

RAN = "all checks and attacks ran"


def render(report: Report, limits: Sequence[Limit], broken: Sequence[Broken] | None) -> str:
    """Give the document; `broken` is None where the limits could not be judged."""
    suites = ET.Element("testsuites", name="seethrough")
    for table in report.tables:
        name = untrusted.name(table.synthetic.name)
        suite = ET.SubElement(suites, "testsuite", name=name)
        _add_properties(suite, report)
        for limit in limits:
            case = ET.SubElement(suite, "testcase", classname=name, name=untrusted.visible(f"limit {limit.text}"))
            _judge(case, [each for each in broken or () if _is_about(each, limit, table)], broken is None, report)
        _say_what_failed(ET.SubElement(suite, "testcase", classname=name, name=RAN), table)
        _count(suite)
    _count(suites)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _add_properties(suite: ET.Element, report: Report) -> None:
    properties = ET.SubElement(suite, "properties")
    for name, value in (("seethrough", report.version), ("seed", str(report.seed))):
        ET.SubElement(properties, "property", name=name, value=value)


def _is_about(broken: Broken, limit: Limit, table: TableAudit) -> bool:
    return broken.limit.text == limit.text and broken.synthetic == table.synthetic.name


def _judge(case: ET.Element, broken: Sequence[Broken], is_unjudged: bool, report: Report) -> None:
    if is_unjudged:
        said = "the limit cannot be judged: it names something that was not measured, or another limit does"
        ET.SubElement(case, "error", type="unjudged", message=said)
    for each in broken:
        said = untrusted.visible(each.for_others if report.provenance.is_external else str(each))
        ET.SubElement(case, "failure", type="undecided" if each.is_undecided else "broken", message=said)


def _say_what_failed(case: ET.Element, table: TableAudit) -> None:
    """Name what failed; why is said by the report, which fewer people read."""
    failed = [outcome.check for outcome in table if isinstance(outcome, Failed)]
    failed += list(table.evidence.failed) if table.evidence else []
    if failed:
        said = f"failed: {', '.join(untrusted.name(name) for name in failed)}"
        ET.SubElement(case, "error", type="failed", message=said)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    element.set("errors", str(sum(case.find("error") is not None for case in cases)))
