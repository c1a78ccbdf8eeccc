"""Which other programs are measured, how each is installed, and which of their metrics stands beside which of ours."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """A metric of another program, the check of ours beside it, and in what they differ."""

    theirs: str
    ours: str
    differs: str = ""


@dataclass(frozen=True)
class Program:
    """A program: what pip is asked for, step by step, its script, and its metrics; or why it is left out."""

    name: str
    licence: str
    wanted: tuple[tuple[str, ...], ...] = ()
    pairs: tuple[Pair, ...] = ()
    left_out: str = ""

    @property
    def script(self) -> str:
        """Name the script that runs in its environment."""
        return f"{self.name.lower().replace('-', '_')}_script.py"


PROGRAMS = (
    Program(
        "SynthEval",
        "MIT",
        (("syntheval==1.7.3",),),
        (
            Pair("nnaa", "nnaa"),
            Pair("dcr", "mdcr", "the ratio there, over synthetic rows"),
            Pair("nndr", "nndr", "a mean ratio there"),
            Pair("hit_rate", "hitting-rate"),
            Pair("eps_risk", "id-score", "other weights"),
        ),
    ),
    Program(
        "Anonymeter",
        "BSD-3-Clause-Clear, with a notice of a pending patent",
        (("anonymeter==1.1.0",),),
        (
            Pair("inference", "air", "share of right guesses there, weighted F1 here"),
            Pair("linkability", "linkage", "joining two halves of the columns there, reading off hidden values here"),
        ),
    ),
    Program(
        "mostlyai-qa",
        "Apache-2.0",
        (("torch==2.13.0",), ("mostlyai-qa==1.10.11",)),
        (Pair("distances", "dcr", "mean distance of embeddings there"),),
    ),
    Program(
        "synthcity",
        "Apache-2.0",
        left_out="version 0.2.12 asks for torch < 2.3 with its GPU libraries, 3.4 GB in 196 packages (recorded); a "
        "trial of pip had not resolved them after 100 s",
    ),
    Program(
        "SDMetrics",
        "MIT",
        left_out="version 0.32.0 cannot be installed without copulas, which is under the Business Source License 1.1",
    ),
    Program("PrivEval", "Apache-2.0", left_out="not on PyPI"),
    Program("TAPAS", "MIT", left_out="not on PyPI; needs Python before 3.11"),
    Program("recon-synth", "none given", left_out="not on PyPI; needs Gurobi and Python 3.8"),
)
