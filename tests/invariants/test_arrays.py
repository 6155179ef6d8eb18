"""Loops over arrays, taken for any number of turns: what is proved of elements holds, whatever the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated_arrays import generate
from tests.power import some
from tests.runs import errors_of, explore, written
from unfork.invariants import abstract_loops, arrays

GROUP = 10
GROUPS = 20
LEAST_PROVED = 0.2
"""Of the safe programs of a group, so many are proved at least: else nothing would be tested."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of a few elements are taken as those of many are."""
    monkeypatch.setattr(arrays, "LEAST_BYTES", 1)
    monkeypatch.setattr(abstract_loops, "MOST_KNOWN_OF_ARRAYS", 0)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("group", some(range(GROUPS), "arrays"))
def test_what_is_proved_of_arrays_is_what_all_paths_show(group: int, tmp_path: Path) -> None:
    safe = proved = 0
    for seed in range(group * GROUP, (group + 1) * GROUP):
        file = written(generate(seed), tmp_path, f"p{seed}.c")
        checks = ("--check", "memory,div,shift,unreachable,uninitialised") if seed % 2 else ()
        limits = ("--libc", "none", "--tests", "errors", "--max-time", "60", *checks)
        exact = explore(file, tmp_path / f"exact{seed}", "--strategy", "plain", *limits)
        over = explore(file, tmp_path / f"over{seed}", "--strategy", "prove", *limits)
        assert exact.verdict in ("safe", "unsafe"), seed
        assert over.summary["internal_error"] is None, seed
        assert errors_of(over) <= errors_of(exact), seed
        if over.verdict == "safe":
            assert exact.verdict == "safe", seed
        safe += exact.verdict == "safe"
        proved += over.verdict == "safe"
    assert proved >= LEAST_PROVED * safe
