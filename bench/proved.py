"""What proofs came to: runs unfork verify as a command, without what is in the cache."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parent.parent / "src"


@dataclass(frozen=True, slots=True)
class Proof:
    """The proofs of a file, as summary.json has them; seconds are the processor's, workers included."""

    functions: Sequence[dict[str, Any]]
    verdict: str
    seconds: float

    def count(self, name: str) -> int:
        """The sum of a count over all functions."""
        return sum(function[name] for function in self.functions)

    @property
    def obligations(self) -> int:
        """How many there were, on each path once."""
        return sum(each["paths"] for function in self.functions for each in function["obligations"])

    @property
    def size(self) -> int:
        """The size of the proof."""
        return self.count("instructions") + self.obligations + self.count("operators")


def proved(source: Path, options: Sequence[str] = ()) -> Proof:
    """Prove the functions of a C file."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "out")
        command = [sys.executable, "-m", "unfork", "verify", str(source), "--quiet", "--out", str(out), *options]
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "UNFORK_CACHE": str(Path(scratch, "cache"))}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=environment, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        summary = json.loads((out / "summary.json").read_text())
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Proof(summary["functions"], summary["verdict"], used)
