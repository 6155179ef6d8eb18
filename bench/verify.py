"""Which functions does `unfork verify` prove, and what does it cost? Obligations, paths and seconds of each program.

``python -m bench.verify [FILE...] [--options "..."] [--wp PROVERS]`` proves the programs of examples/proofs, or those
named, and prints a row for each function; nothing is taken from the cache. Seconds are of the processor, workers
included. ``bench/programs/acsl/*.c`` have contracts as tutorials of ACSL write them: predicates with labels, logic
functions, lemmas, behaviours; with ``--wp``, a column has what Frama-C's WP proves of a file.
``bench/programs/counters/*.c`` have no invariants (``--options "--loops abstract"``).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import EXAMPLES
from bench.tables import table

SOURCE = Path(__file__).resolve().parent.parent / "src"
PROOFS = EXAMPLES / "proofs"
HEAD = ("program", "function", "verdict", "obligations", "paths", "instructions", "joins", "operators", "seconds")
_GOALS = re.compile(r"Proved goals:\s*(\d+) / (\d+)")


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
        """The size of the proof: instructions, obligations, and operators in queries."""
        return self.count("instructions") + self.obligations + self.count("operators")


def proved(source: Path, options: Sequence[str] = ()) -> Proof:
    """Prove the functions of a C file, with an empty cache."""
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


def wp(source: Path, provers: str, seconds: int) -> str:
    """What WP proves of a file, with checks of run-time errors: goals, all goals and seconds by the clock."""
    command = ["frama-c", "-wp", "-wp-rte", "-wp-prover", provers, "-wp-timeout", str(seconds), "-wp-par", "1"]
    began = time.monotonic()
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    match = _GOALS.search(done.stdout)
    return f"{match[1]} of {match[2]}, {time.monotonic() - began:.1f} s" if match else "refused"


def rows(given: argparse.Namespace) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each function; seconds, and what WP says, stand in the first of each program."""
    for file in given.programs or sorted(PROOFS.glob("*.c")):
        proof = proved(file, shlex.split(given.options))
        for number, function in enumerate(proof.functions):
            is_assuming = function["verdict"] == "safe" and bool(function["assumptions"])
            cells = (
                "" if number else file.stem,
                function["function"],
                function["verdict"] + (", if" if is_assuming else ""),
                str(sum(each["paths"] for each in function["obligations"])),
                str(function["paths"]),
                str(function["instructions"]),
                str(function["joins"]),
                f"{function['operators']:,}",
                "" if number else f"{proof.seconds:.1f}",
            )
            beside = ("" if number else wp(file, given.wp, given.wp_seconds),) if given.wp else ()
            yield (*cells, *beside), function["verdict"] == "safe"


def main() -> int:
    """The table; the exit status is 1 if anything is not proved. "safe, if": proved under assumptions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=Path, help="C files (default: those of examples/proofs)")
    parser.add_argument("--options", default="", help="more options of unfork verify, in one word")
    parser.add_argument("--wp", metavar="PROVERS", default="", help="also ask Frama-C's WP, with these provers")
    parser.add_argument("--wp-seconds", type=int, default=10, help="of WP for a goal (10)")
    given = parser.parse_args()
    if given.wp and shutil.which("frama-c") is None:
        parser.error("--wp: frama-c is not installed")
    return table("Proofs", (*HEAD, *(("WP",) if given.wp else ())), rows(given))


if __name__ == "__main__":
    sys.exit(main())
