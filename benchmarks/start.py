"""How long `seethrough --help` takes, against importing NumPy."""

import subprocess
import sys

from benchmarks.measuring import seconds


def report() -> list[str]:
    """Start both many times and compare the fastest."""
    shown, imported = (
        seconds(
            lambda words=words: subprocess.run([sys.executable, *words], capture_output=True, check=True), repeats=15
        )
        for words in (["-m", "seethrough", "--help"], ["-c", "import numpy"])
    )
    times = f"seethrough --help {shown * 1000:.0f} ms, import numpy {imported * 1000:.0f} ms"
    return [f"{times}: {shown / imported:.2f} (goal 1.5)"]
