"""A loop that goes on takes twice as many turns in each step, and stands for as many paths as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore

SKIP = """
#include <klee/klee.h>
int main(void) {
    char text[SIZE];
    klee_make_symbolic(text, sizeof text, "text");
    int at = 0;
    while (at < SIZE && text[at] == ' ') at++;
    return at > 3;
}
"""


@pytest.mark.parametrize(
    ("size", "turns", "paths"), [(60, 256, 1), (60, 30, 2), (60, 16, 3), (60, 4, 5), (60, 1, 6), (900, 128, 5)]
)
def test_turns_double(tmp_path: Path, size: int, turns: int, paths: int) -> None:
    (tmp_path / "skip.c").write_text(f"#define SIZE {size}\n{SKIP}")
    result = explore(tmp_path / "skip.c", tmp_path / "run", "--strategy", "plain", "--loop-turns", str(turns))
    assert result.verdict == "safe"
    counted = result.summary["paths"]
    assert (counted["completed"], counted["represented"]) == (paths, size + 1)
