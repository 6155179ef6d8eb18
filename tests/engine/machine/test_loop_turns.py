"""A loop that goes on takes twice as many turns in each step, and stands for as many paths as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore

SKIP = """
#include <klee/klee.h>
int main(void) {
    char text[60];
    klee_make_symbolic(text, sizeof text, "text");
    int at = 0;
    while (at < 60 && text[at] == ' ') at++;
    return at > 3;
}
"""


@pytest.mark.parametrize(("turns", "paths"), [(256, 1), (30, 2), (16, 3), (4, 5), (1, 6)])
def test_turns_double(tmp_path: Path, turns: int, paths: int) -> None:
    (tmp_path / "skip.c").write_text(SKIP)
    result = explore(tmp_path / "skip.c", tmp_path / "run", "--strategy", "plain", "--loop-turns", str(turns))
    assert result.verdict == "safe"
    counted = result.summary["paths"]
    assert (counted["completed"], counted["represented"]) == (paths, 61)
