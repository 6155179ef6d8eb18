"""A sample of bench/agreement.py, with --audit: programs under modes, drawn so that every mode occurs."""

from __future__ import annotations

import random

import pytest

from bench.agreement import PLAIN, agreements, corpus, modes
from tests.support.corpus import Expected
from tests.support.power import IS_FULL, some

GROUPS = 4
IN_GROUP = 15
FEW = 5
"""As many of a group are run where not everything is to run."""
MODES_EACH = 4
MERGING = 5
"""Programs of a group in which states really join, at least: a score in all."""
SLOW = ("libc_", "floats_symbolic/", "kernel_")
UNPRUNED = (
    "threads/",
    "nontermination/",
)
"""What these look for is refused together with pruning."""


ANY_VALUE = ("klee_functions/get_value",)
"""These ask the solver for some value, and what they cover depends on which one it picks."""


def sample() -> list[list[Expected]]:
    """The programs, in groups."""
    decided = [one for one in corpus("*") if one.verdict in ("safe", "unsafe") and "--loops" not in one.options]
    decided = [one for one in decided if one.forks]  # in others, nothing can be joined or covered
    quick = [one for one in decided if not one.name.startswith(SLOW + UNPRUNED)]
    drawn = [one for one in random.Random(1).sample(quick, GROUPS * IN_GROUP) if not one.name.startswith(ANY_VALUE)]
    return [drawn[group::GROUPS] for group in range(GROUPS)]


@pytest.mark.parametrize("group", some(range(GROUPS), "plain"))
def test_modes_agree_with_plain_exploration(group: int) -> None:
    every = [mode for mode in modes() if mode != PLAIN]
    random.Random(2).shuffle(every)
    merging = 0
    for number, program in enumerate(sample()[group][: None if IS_FULL else FEW]):
        first = (group * IN_GROUP + number) * MODES_EACH
        chosen = [every[i % len(every)] for i in range(first, first + MODES_EACH)]
        found = agreements(program, chosen, ["--audit"])
        assert not [one for one in found if one.wrong or one.is_cut or one.audit[2]]
        assert all((one.audit[0] > 0) == (one.joins + one.hits > 0) for one in found)
        merging += any(one.joins for one in found)
    assert merging >= (MERGING if IS_FULL else 1)


def test_the_sample_has_every_mode() -> None:
    assert len(modes()) <= GROUPS * IN_GROUP * MODES_EACH
