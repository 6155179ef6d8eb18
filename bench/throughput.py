"""Concrete code: how many IR instructions a second, and how long against KLEE on -O0 bitcode."""

from __future__ import annotations

import sys

from measure import PROGRAMS, Case, compare

CASES = (
    Case(PROGRAMS / "crc32.c", "5x100 kB", (), 2.7, target=1.0, paths=1),
    Case(PROGRAMS / "sha256.c", "100 KiB", (), 5.2, target=1.0, paths=1),
    # A tenth of the 5 million iterations that take KLEE 27 seconds.
    Case(PROGRAMS / "arithmetic.c", "500,000", (), 2.7, paths=1),
)

if __name__ == "__main__":
    sys.exit(compare("Concrete code", CASES))
