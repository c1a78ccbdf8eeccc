"""Run benchmarks, all or those named, print what they found, and write it to docs/benchmarks.json and .md.

python -m benchmarks [NAME ...]       measure; a name `page` alone writes the page again from the record
"""

import sys
import time

from benchmarks import (
    artefacts,
    attribute_speed,
    audit_memory,
    cap,
    cluster,
    default_audit,
    detection_network,
    evidence,
    exploring,
    l1_solvers,
    large,
    linkage,
    membership,
    neighbour_pass,
    panel,
    rap,
    reconstruction,
    record,
    scale,
    start,
    study,
    synthesizers,
    web,
    wide,
)
from benchmarks.measuring import Absent

ALL = {
    "start": start,
    "artefacts": artefacts,
    "cap": cap,
    "default-audit": default_audit,
    "exploring": exploring,
    "neighbours": neighbour_pass,
    "memory": audit_memory,
    "reconstruction": reconstruction,
    "l1-solvers": l1_solvers,
    "synthesizers": synthesizers,
    "rap": rap,
    "linkage": linkage,
    "panel": panel,
    "detection-network": detection_network,
    "evidence": evidence,
    "attribute-battery": attribute_speed,
    "membership": membership,
    "study": study,
    "scale": scale,
    "large": large,
    "cluster": cluster,
    "web": web,
    "wide": wide,
}


def main(names: list[str]) -> None:
    """Run the benchmarks named, or all; the record is written after each, so that nothing measured is lost."""
    unknown = set(names) - {*ALL, "page"}
    if unknown:
        sys.exit(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(ALL)}, and page")
    for name in names or ALL:
        found = {} if name == "page" else {name: measured(name)}
        for each, entry in found.items():
            lines = [f"{each}: skipped, {entry.skipped}"] if entry.skipped else [e.line() for e in entry.findings]
            print("\n".join(lines), flush=True)
        kept = record.read()
        kept["benchmarks"] |= {each: entry.to_dict() for each, entry in found.items()}
        record.write(kept)


def measured(name: str) -> record.Entry:
    """Run one benchmark."""
    told, begun = record.circumstances(), time.perf_counter()
    try:
        found = tuple(ALL[name].report())
    except Absent as reason:
        return record.Entry(circumstances=told, skipped=str(reason))
    return record.Entry(found, told | {"seconds": round(time.perf_counter() - begun, 1)})


if __name__ == "__main__":
    main(sys.argv[1:])
