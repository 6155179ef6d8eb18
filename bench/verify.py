"""Proofs: the programs of examples/proofs, or those named, in seconds of the processor, workers included.

``--options "..."`` adds options of ``unfork verify``. Each program is proved anew: nothing is taken from the cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import table

ROOT = Path(__file__).resolve().parent.parent
PROOFS = ROOT / "examples" / "proofs"
HEAD = ("program", "function", "verdict", "obligations", "paths", "instructions", "joins", "operators", "seconds")


def rows(files: list[Path], options: list[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each function; the processor's seconds stand in the first of each program."""
    for file in files:
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch, "out")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "unfork", "verify", str(file), "--quiet", "--out", str(out), *options]
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "UNFORK_CACHE": str(Path(scratch, "cache"))}
            subprocess.run(command, env=environment, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            functions = json.loads((out / "summary.json").read_text())["functions"]
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        for number, each in enumerate(functions):
            obligations = sum(one["paths"] for one in each["obligations"])
            yield (
                (
                    "" if number else file.stem,
                    each["function"],
                    each["verdict"],
                    str(obligations),
                    str(each["paths"]),
                    str(each["instructions"]),
                    str(each["joins"]),
                    f"{each['operators']:,}",
                    "" if number else f"{used:.1f}",
                ),
                each["verdict"] == "safe",
            )


def main() -> int:
    """The table; the exit status is 1 if anything is not proved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", type=Path, help="C files (those of examples/proofs)")
    parser.add_argument("--options", default="", help="more options of unfork verify, in one word")
    given = parser.parse_args()
    files = given.programs or sorted(PROOFS.glob("*.c"))
    return table("Proofs", HEAD, rows(files, shlex.split(given.options)))


if __name__ == "__main__":
    sys.exit(main())
