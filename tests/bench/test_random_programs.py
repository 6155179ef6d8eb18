"""A fixed sample of bench/random_programs.py: random programs, explored plainly and cleverly, all inputs natively."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.agreement import PLAIN
from bench.random_programs import judge, sample
from tests.support.native_sweep import missing_tool
from tests.support.power import IS_FULL, some

LACK = missing_tool()
pytestmark = pytest.mark.skipif(LACK is not None, reason=f"NO NATIVE SWEEP: {LACK} is missing; nothing is compared")

SEEDS = range(1, 41)
GROUP = 10
FEW = 4
"""As many of a group are run where not everything is to run."""
LEAST = 4 if IS_FULL else 1


@pytest.mark.parametrize("first", some(SEEDS[::GROUP], "all inputs"))
def test_runs_say_what_all_inputs_come_to(first: int, tmp_path: Path) -> None:
    more = ["--audit"] if first == SEEDS[0] else []
    judged = list(judge(range(first, first + (GROUP if IS_FULL else FEW)), tmp_path, more))
    assert not [each for each in judged if each.wrong or each.is_cut]
    assert sum(each.errors > 0 for each in judged if each.mode == PLAIN) >= 1
    assert sum(each.joins > 0 for each in judged) >= LEAST
    assert sum(each.hits > 0 for each in judged) >= LEAST


def test_the_programs_are_worth_it() -> None:
    """Each kind of statement occurs; what no program says is not compared."""
    texts = [sample(seed).text.partition("int main")[2] for seed in SEEDS]
    for needle in (
        "in()",
        "for (",
        "switch (",
        "malloc(",
        "memcpy(",
        "->next",
        "->p =",
        "12 / (",
        "_f",
        "_a",
        "small()",
    ):
        assert sum(needle in text for text in texts) >= 4, needle
