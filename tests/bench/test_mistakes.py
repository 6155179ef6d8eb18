"""The mistakes of bench/mistakes.py are in the examples that are proved, and none of the quick ones is proved."""

from __future__ import annotations

import pytest

from bench.mistakes import MISTAKES, Mistake, outcome
from tests.support.power import part

SLOW = {"binary_search.c", "copy.c", "dutch_flag.c", "gcd.c", "insertion_sort.c", "partition.c", "prefix_sums.c"}
QUICK = [mistake for mistake in MISTAKES if mistake.program not in SLOW]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_can_be_made(mistake: Mistake) -> None:
    assert mistake.wrong in mistake.text()


@pytest.mark.parametrize("mistake", part(QUICK, lambda mistake: mistake.name, 3), ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed(mistake: Mistake) -> None:
    verified, _ = outcome(mistake, 60.0)
    assert verified.verdict != "safe"
    for proved in verified.functions:
        assert (proved.verdict == "unsafe") == (proved.broken is not None)
