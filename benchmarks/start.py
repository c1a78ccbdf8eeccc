"""How long `seethrough --help` takes, against importing NumPy."""

import subprocess
import sys

from benchmarks.findings import Finding
from benchmarks.measuring import seconds


def report() -> list[Finding]:
    """Start both many times and compare the fastest."""
    shown, imported = (
        seconds(
            lambda words=words: subprocess.run([sys.executable, *words], capture_output=True, check=True), repeats=15
        )
        for words in (["-m", "seethrough", "--help"], ["-c", "import numpy"])
    )
    times = f"{shown * 1000:.0f} ms against {imported * 1000:.0f} ms"
    return [Finding("`seethrough --help` against `import numpy`", shown / imported, "times", at_most=1.5, detail=times)]
