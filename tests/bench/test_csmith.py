"""Thirty random C programs print the same on the engine and natively (make bench-csmith for more)."""

from __future__ import annotations

import pytest

from bench.csmith import compare, missing_tool

LACK = missing_tool()
SEEDS = range(1, 31)

pytestmark = pytest.mark.skipif(LACK is not None, reason=f"NO CSMITH: {LACK} is missing; nothing is compared")


@pytest.mark.parametrize("seed", SEEDS)
def test_same_checksum(seed: int) -> None:
    outcome = compare(seed)
    if outcome.word == "skipped":
        pytest.skip(outcome.detail)
    assert outcome.word == "same", outcome.detail


def test_most_seeds_are_useful() -> None:
    """A change that makes every seed a skipped one would go unseen."""
    assert sum(compare(seed).word == "same" for seed in (1, 2, 3, 4, 7)) >= 3
