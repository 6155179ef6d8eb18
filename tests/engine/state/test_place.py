"""A state rests at the source line of the instruction that comes next."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import explore, written
from unfork.engine.state.state import position_of

BRANCHES = """
#include "unfork.h"
int main(void) {
    int cells[4];
    unfork_symbolic(cells, sizeof cells, "cells");
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (cells[i] > 0) sum++;
    return sum;
}
"""


def test_a_state_that_was_left_is_at_a_line_of_its_function(tmp_path: Path) -> None:
    result = explore(written(BRANCHES, tmp_path), tmp_path / "run", "--merge", "none", "--max-forks", "3")
    assert result.waiting
    for state in result.waiting:
        position = position_of(state)
        assert position is not None
        assert 7 <= position.line <= 9
