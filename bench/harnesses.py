"""Do CBMC's harnesses of aws-c-common hold under `unfork run`, unchanged? Verdict, paths and seconds of ten.

The ten were chosen before any was run. Each proof's own Makefile says which sources and definitions it has. The project
expects VERIFICATION SUCCESSFUL of all; unfork must say `safe`, or `bounded` where a harness allocates blocks of any
size, of which a run has those up to --max-size.

    git clone https://github.com/awslabs/aws-c-common DIR && git -C DIR checkout b25a34af3aab
    python -m bench.harnesses --sources DIR [--only NAME] [--options "..."]
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tables import table

SOURCE = Path(__file__).resolve().parent.parent / "src"
COMMIT = "b25a34af3aab19d38aaa125caa865e0c2bf80b3e"
CHOSEN = (
    "aws_add_size_checked",
    "aws_array_eq",
    "aws_array_list_push_back",
    "aws_byte_buf_append",
    "aws_byte_buf_reserve",
    "aws_byte_cursor_advance",
    "aws_hash_iter_done",
    "aws_linked_list_insert_after",
    "aws_ring_buffer_clean_up",
    "aws_string_eq_c_str",
)
"""One or two of each module. aws_ring_buffer_acquire, chosen first, compares structs with ==, which is no C."""
OPTIONS = ("--check", "memory,div,shift,unreachable,overflow", "--fail", "9", "--max-size", "256", "--tests", "errors")
"""As CBMC's flags there, but for wraparound of unsigned numbers: allocation may fail, and blocks may have any size."""
PRINTER = """
include Makefile
$(info sources $(PROOF_SOURCES) $(PROJECT_SOURCES))
$(info flags $(INCLUDES) $(DEFINES))
$(info entry $(HARNESS_ENTRY))
print-variables: ; @:
"""
HEAD = ("harness".ljust(28), "verdict", "paths", "CPU s", "what is said")


@dataclass(frozen=True, slots=True)
class Harness:
    """What a proof's Makefile says: the sources, the compiler's flags and the function to begin with."""

    sources: Sequence[str]
    flags: str
    entry: str


def harness(folder: Path) -> Harness:
    """The harness in a proof's folder."""
    command = ["make", "--no-print-directory", "-C", str(folder), "-f", "-", "print-variables"]
    done = subprocess.run(command, input=PRINTER, capture_output=True, text=True, check=True)
    said = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    return Harness(said["sources"].split(), said["flags"], said["entry"])


def rows(
    proofs: Path, names: Sequence[str], options: Sequence[str], seconds: float
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each harness, and whether it is as CBMC says."""
    for name in names:
        found = harness(proofs / name)
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch, "out")
            command = [sys.executable, "-m", "unfork", "run", *found.sources, "--function", found.entry, *OPTIONS]
            command += ["--cflags", found.flags, "--max-time", str(seconds), "--out", str(out), *options]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            if not (out / "summary.json").exists():
                yield (name, "none", "", f"{used:.1f}", done.stderr.strip().partition("\n")[0]), False
                continue
            summary = json.loads((out / "summary.json").read_text())
        said = [f"{each['kind']} at {Path(each['file']).name}:{each['line']}" for each in summary["errors"]]
        said += [*summary["bounds_hit"], *map(str, summary["unsupported"]), *map(str, summary["alarms"])]
        said += [f"given up: {each['reason']}" for each in summary["given_up"]]
        paths = str(summary["paths"]["completed"])
        cells = (name, summary["verdict"], paths, f"{used:.1f}", "; ".join(said))
        yield cells, summary["verdict"] in ("safe", "bounded") and summary["paths"]["completed"] > 0


def main() -> int:
    """Print the table; 1 if any harness is not as CBMC says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help=f"aws-c-common at commit {COMMIT}")
    parser.add_argument("--only", default="", help="harnesses whose names contain this")
    parser.add_argument("--options", default="", help="further options of `unfork run`")
    parser.add_argument("--seconds", type=float, default=120.0, help="for one harness")
    chosen = parser.parse_args()
    proofs = chosen.sources / "verification" / "cbmc" / "proofs"
    if not proofs.is_dir():
        print(f"{chosen.sources}: no verification/cbmc/proofs here", file=sys.stderr)
        return 2
    names = [name for name in CHOSEN if chosen.only in name]
    found = rows(proofs, names, shlex.split(chosen.options), chosen.seconds)
    return table("aws-c-common's proof harnesses", HEAD, found)


if __name__ == "__main__":
    sys.exit(main())
