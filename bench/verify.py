"""Proofs: the programs of examples/proofs, or those named, in seconds of the processor, workers included.

``--options "..."`` adds options of ``unfork verify``. Each program is proved anew: nothing is taken from the cache.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from measure import EXAMPLES, table
from proved import proved

PROOFS = EXAMPLES / "proofs"
HEAD = ("program", "function", "verdict", "obligations", "paths", "instructions", "joins", "operators", "seconds")


def rows(files: list[Path], options: list[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each function; the processor's seconds stand in the first of each program."""
    for file in files:
        proof = proved(file, options)
        for number, function in enumerate(proof.functions):
            cells = (
                "" if number else file.stem,
                function["function"],
                function["verdict"],
                str(sum(each["paths"] for each in function["obligations"])),
                str(function["paths"]),
                str(function["instructions"]),
                str(function["joins"]),
                f"{function['operators']:,}",
                "" if number else f"{proof.seconds:.1f}",
            )
            yield cells, function["verdict"] == "safe"


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
