"""Does unfork verify prove programs whose contracts use the words of real ACSL?

The programs (bench/programs/acsl) are of the kind that tutorials of ACSL have: predicates with labels, logic functions,
lemmas, behaviours. Of each, within a minute, its verdict, how many obligations were proved, and the processor's
seconds; with ``--wp`` also what Frama-C's WP says, if it is installed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import time
from pathlib import Path

from bench.proved import proved

PROGRAMS = Path(__file__).resolve().parent / "programs" / "acsl"
LIMIT = ("--max-time", "60")
_GOALS = re.compile(r"Proved goals:\s*(\d+) / (\d+)")


def wp(source: Path, provers: str, seconds: int) -> str:
    """What WP proves of a file, with checks of run-time errors: goals, all goals and seconds by the clock."""
    command = ["frama-c", "-wp", "-wp-rte", "-wp-prover", provers, "-wp-timeout", str(seconds), "-wp-par", "1"]
    began = time.monotonic()
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    match = _GOALS.search(done.stdout)
    return f"{match[1]} of {match[2]}, {time.monotonic() - began:.1f} s" if match else "refused"


def main() -> None:
    """A line for each program, and how many are safe."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="*", type=Path, help="other programs")
    arguments.add_argument("--wp", metavar="PROVERS", default="", help="also ask Frama-C's WP, with these provers")
    arguments.add_argument("--seconds", type=int, default=10, help="of WP for a goal")
    chosen = arguments.parse_args()
    if chosen.wp and shutil.which("frama-c") is None:
        arguments.error("--wp: frama-c is not installed")
    files = chosen.files or sorted(PROGRAMS.glob("*.c"))
    safe = 0
    for file in files:
        proof = proved(file, LIMIT)
        every = [each for function in proof.functions for each in function["obligations"]]
        count = sum(each["ending"] == "proved" for each in every)
        is_assuming = any(function["assumptions"] for function in proof.functions)
        safe += proof.verdict == "safe" and not is_assuming
        verdict = proof.verdict + (", if" if is_assuming else "")
        line = f"{file.stem:16} {verdict:12} {count:3} of {len(every):3} {proof.seconds:7.1f} s"
        print(line, f"   WP {wp(file, chosen.wp, chosen.seconds)}" if chosen.wp else "", flush=True)
    print(f"{safe} of {len(files)} safe")


if __name__ == "__main__":
    main()
