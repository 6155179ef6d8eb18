"""Atomic updates: of types that C does not have, and what is assumed of their orderings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.engine.instructions.access import NEVER_SPURIOUS
from unfork.engine.memory.visible_operations import RELAXED, WEAK

OF_VECTORS = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@place = global <2 x float> zeroinitializer, align 8
define i32 @main() {
  %old = atomicrmw fadd ptr @place, <2 x float> <float 1.0, float 2.0> seq_cst, align 8
  ret i32 0
}
"""


def test_an_update_of_vectors_is_unsupported(tmp_path: Path) -> None:
    result = explore(written(OF_VECTORS, tmp_path, "program.ll"), tmp_path / "out", "--libc", "none")
    assert result.summary["internal_error"] is None
    assert result.summary["unsupported"] == ["atomicrmw fadd of vectors"]


EXCHANGED = """
#include <pthread.h>
static int value = 3;
static void *run(void *unused) {
  int expected = EXPECTED;
  __atomic_compare_exchange_n(&value, &expected, 5, IS_WEAK, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  return unused;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  return pthread_join(one, 0);
}
"""


@pytest.mark.parametrize(
    ("expected", "is_weak", "assumed"),
    [(3, 0, {WEAK}), (7, 0, {RELAXED}), (3, 1, {WEAK, NEVER_SPURIOUS}), (7, 1, {RELAXED})],
)
def test_what_is_assumed_of_a_compare_exchange(expected: int, is_weak: int, assumed: set[str], tmp_path: Path) -> None:
    text = EXCHANGED.replace("EXPECTED", str(expected)).replace("IS_WEAK", str(is_weak))
    result = explore(written(text, tmp_path), tmp_path / "out", "--strategy", "plain", "--libc", "none")
    assert result.verdict == "safe"
    assert set(result.summary["assumptions"]) == assumed
