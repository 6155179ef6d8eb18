"""Programs of the corpus whose expectations have agreed with native runs, by digests of all that decides about it.

``python -m tests.native_digests`` runs those that are new or have changed, and writes them down: commit the file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import pytest

from tests import native_run
from tests.corpus import Expected, programs, read
from tests.power import IS_FULL

FOLDERS = ("prune/programs", "prune/abstractions", "logic/sampled")
"""Folders of programs that lie beside their tests."""
ELSEWHERE = [read(path) for folder in FOLDERS for path in sorted((Path(__file__).parent / folder).glob("*.c"))]
VALIDATED = [program for program in (*programs(), *ELSEWHERE) if program.native != "none"]
"""Programs whose expectations native runs can confirm."""
FILE = Path(__file__).parent / "native" / "agreed.json"
COMMON = (
    Path(native_run.__file__),
    Path(__file__).parent / "programs" / "kernel_scratch.h",
    native_run.STUBS,
    *[header for header in sorted(native_run.INCLUDE.rglob("*.h")) if "libcxx" not in header.parts],
)
"""What decides about every native run, besides the program; headers in place of libc++'s are for the engine alone."""


def digest_of(program: Expected) -> str:
    """Of the program's files, its header with them, and of what runs it."""
    digest = _common().copy()
    for path in program.sources:
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def _common() -> hashlib._Hash:
    digest = hashlib.sha256()
    for path in COMMON:
        digest.update(path.read_bytes() + b"\0")
    return digest


def to_run() -> list[Expected]:
    """Programs that are not known to agree as they are now; all of them where everything is to run."""
    agreed = json.loads(FILE.read_text())
    return [program for program in VALIDATED if IS_FULL or agreed.get(program.name) != digest_of(program)]


def main() -> int:
    """Run what is new; the exit status is that of pytest."""
    status = int(pytest.main(["-q", "-n", "2", str(FILE.parents[1] / "test_native_expectations.py")]))
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        FILE.write_text(json.dumps({each.name: digest_of(each) for each in VALIDATED}, indent=0, sort_keys=True) + "\n")
        status = 0
    return status


if __name__ == "__main__":
    sys.exit(main())
