"""Do witnesses show what they claim? The answer on each program, its witness, and what ``--validate`` says of it.

``python -m bench.witnesses [--time SECONDS] [--programs NAMES]``: for each program that asks for values, and each
property, the answer of ``unfork svcomp`` and the waypoints or invariants of its witness. A proof may be beyond the
validator, which then says unknown.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.tables import markdown

HOME = Path(__file__).resolve().parent.parent
FOLDERS = ("tests/programs", "examples", "bench/programs")
PROPERTIES = {
    "unreach-call": ("G ! call(reach_error())",),
    "valid-memsafety": ("G valid-free", "G valid-deref", "G valid-memtrack"),
    "no-overflow": ("G ! overflow",),
}


def programs() -> list[Path]:
    """The C files that ask for values as tasks do."""
    found = [path for folder in FOLDERS for path in sorted((HOME / folder).rglob("*.c"))]
    return [path for path in found if "__VERIFIER_nondet" in path.read_text(errors="replace")]


def said(folder: Path, name: str, program: Path, *words: str) -> str:
    """The line that the command prints, or its exit status if it prints none."""
    file = folder / f"{name}.prp"
    file.write_text("".join(f"CHECK( init(main()), LTL({formula}) )\n" for formula in PROPERTIES[name]))
    command = [sys.executable, "-m", "unfork", "svcomp", "--property", str(file), "--data-model", "LP64"]
    done = subprocess.run([*command, str(program), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() or f"exit {done.returncode}"


def rows(seconds: float, only: list[str]) -> Iterator[list[str]]:
    """One row for each program and property."""
    for program in programs():
        if only and program.stem not in only:
            continue
        for name in PROPERTIES:
            with tempfile.TemporaryDirectory() as place:
                folder, limit = Path(place), ("--max-time", f"{seconds:g}")
                answer = said(folder, name, program, *limit, "--native-check", "never", "--out", str(folder / "out"))
                witness = folder / "out" / "witness.yml"
                if not answer.startswith(("false", "true")):
                    points = again = ""
                elif not witness.exists():
                    points, again = "none", ""
                else:
                    points = str(len(re.findall("waypoint:|invariant:", witness.read_text())))
                    again = said(folder, name, program, *limit, "--validate", str(witness))
                yield [str(program.relative_to(HOME)), name, answer, points, again]


def main() -> int:
    """Print the table; fail if a witness does not lead to its violation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--programs", default="")
    chosen = parser.parse_args()
    only = [name for name in chosen.programs.split(",") if name]
    table = list(rows(chosen.time, only))
    sys.stdout.write(markdown(["program", "property", "answer", "waypoints or invariants", "its witness alone"], table))
    return 0 if all(row[4] in ("", row[2]) or row[2:5:2] == ["true", "unknown"] for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())
