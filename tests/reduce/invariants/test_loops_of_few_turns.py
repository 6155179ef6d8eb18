"""Loops of which only some turns do wrong: what is proved for any number of turns holds of all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.generated_loops import generate
from tests.support.power import some
from tests.support.runs import errors_of, explore, written

GROUP = 10
GROUPS = 40
CHECKS = "memory,div,shift,unreachable,uninitialised"


@pytest.mark.parametrize("model", some(["LP64", "ILP32"], "models"))
@pytest.mark.parametrize("group", some(range(GROUPS), "loops"))
def test_what_is_proved_of_loops_is_what_all_paths_show(group: int, model: str, tmp_path: Path) -> None:
    for seed in range(group * GROUP, (group + 1) * GROUP):
        file = written(generate(seed), tmp_path, f"p{seed}.c")
        limits = ("--libc", "none", "--tests", "errors", "--max-time", "300", "--check", CHECKS, "--data-model", model)
        over = explore(file, tmp_path / f"over{seed}", "--strategy", "prove", *limits)
        assert over.summary["internal_error"] is None, seed
        exact = explore(file, tmp_path / f"exact{seed}", "--strategy", "plain", *limits)
        assert over.verdict != "safe" or exact.verdict != "unsafe", seed
        assert exact.verdict == "unknown" or errors_of(over) <= errors_of(exact), seed
