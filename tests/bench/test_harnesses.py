"""What a proof's Makefile says of its harness, and that broken harnesses are noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.harnesses import Harness, harness, rows

MAKEFILE = """\
MAX ?= 4
PROOF_UID = last
HARNESS_ENTRY = $(PROOF_UID)_harness
HARNESS_FILE = $(abspath .)/$(HARNESS_ENTRY).c
PROOF_SOURCES += $(HARNESS_FILE)
PROJECT_SOURCES += $(abspath ..)/last.c
DEFINES += -DMAX=$(MAX) -DLARGEST="(MAX - 1)"
INCLUDES += -I$(abspath ..)
"""
HARNESS = """\
#include <assert.h>
#include <stdlib.h>
int last(const int *a, size_t n);
void last_harness(void) {
  size_t n;
  __CPROVER_assume(n > 0 && n <= MAX);
  int *a = malloc(n * sizeof *a);
  if (a) assert(last(a, n) == a[n - 1] && n <= LARGEST + 1);
}
"""
GOOD = "#include <stddef.h>\nint last(const int *a, size_t n) { return a[n - 1]; }\n"


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """The folder of a proof."""
    folder = tmp_path / "last"
    folder.mkdir()
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "last_harness.c").write_text(HARNESS)
    (tmp_path / "last.c").write_text(GOOD)
    return folder


def test_the_makefile_says_what_there_is(proof: Path) -> None:
    root = proof.parent
    assert harness(proof) == Harness(
        [str(proof / "last_harness.c"), str(root / "last.c")],
        f'-I{root} -DMAX=4 -DLARGEST="(MAX - 1)"',
        "last_harness",
    )


def test_a_harness_is_safe_and_a_broken_function_is_not(proof: Path) -> None:
    ((good, is_as_expected),) = rows(proof.parent, ["last"], (), 60.0)
    assert (good[1], is_as_expected) == ("safe", True)
    (proof.parent / "last.c").write_text(GOOD.replace("n - 1", "n"))
    ((bad, is_as_expected),) = rows(proof.parent, ["last"], (), 60.0)
    assert (bad[1], is_as_expected) == ("unsafe", False)
    assert "out-of-bounds at last.c:2" in bad[4]
