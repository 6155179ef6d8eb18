"""Corpus programs whose expectations agreed with native runs, by digests of every file that decides a native run.

``python -m tests.support.native_digests`` runs the programs that are new or have changed and records them in
tests/native/agreed.json: commit that file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support import native_run
from tests.support.corpus import Expected, programs, read
from tests.support.power import IS_FULL

TESTS = Path(__file__).parents[1]
FOLDERS = ("reduce/prune/programs", "reduce/prune/abstractions", "logic/solve/sampled")
"""Folders of programs that lie beside their tests."""
ELSEWHERE = [read(path) for folder in FOLDERS for path in sorted((TESTS / folder).iterdir()) if path.suffix == ".c"]
VALIDATED = [program for program in (*programs(), *ELSEWHERE) if program.native != "none"]
"""Programs whose expectations native runs can confirm."""
FILE = TESTS / "native" / "agreed.json"
OF_THE_ENGINE = {"glibc", "libcxx"}
"""Folders of headers that stand in for those of a library where the engine compiles, never natively."""
COMMON = (
    Path(native_run.__file__),
    TESTS / "programs" / "kernel_scratch.h",
    native_run.STUBS,
    *[header for header in sorted(native_run.INCLUDE.rglob("*.h")) if not OF_THE_ENGINE & set(header.parts)],
)
"""The files that decide about every native run, besides the program's own."""


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
    status = int(pytest.main(["-q", "-n", "2", str(TESTS / "test_native_expectations.py")]))
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        FILE.write_text(json.dumps({each.name: digest_of(each) for each in VALIDATED}, indent=0, sort_keys=True) + "\n")
        status = 0
    return status


if __name__ == "__main__":
    sys.exit(main())
