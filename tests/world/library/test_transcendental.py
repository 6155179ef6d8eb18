"""Functions without an exact finite meaning: concrete arguments are computed, symbolic ones refused aloud."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import explore, written

CONCRETE = """
#include <assert.h>
#include <math.h>
int main(void) {
    volatile double one = 1.0;
    assert(exp(one) > 2.718281 && exp(one) < 2.718282);
    assert(log(one) == 0.0 && sin(one - 1.0) == 0.0);
    assert(isnan(log(-one)) && isinf(exp(1e9 * one)));
    return 0;
}
"""
SYMBOLIC = """
#include <math.h>
#include "unfork.h"
int main(void) {
    double given;
    unfork_symbolic(&given, sizeof given, "given");
    return exp(given) > 2.0;
}
"""


def test_concrete_arguments_are_computed(tmp_path: Path) -> None:
    assert explore(written(CONCRETE, tmp_path), tmp_path / "run", "--libc", "none").verdict == "safe"


def test_symbolic_arguments_are_refused(tmp_path: Path) -> None:
    result = explore(written(SYMBOLIC, tmp_path), tmp_path / "run", "--libc", "none")
    assert result.verdict == "unknown"
    assert any("exp of a symbolic double" in reason for reason in result.summary["unsupported"])
