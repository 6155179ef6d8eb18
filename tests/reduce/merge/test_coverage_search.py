"""Joins do not get in the way of a coverage search: it covers what follows a costly loop, while laggards catch up."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bench.figures.figure2 import PLENTY, covered
from unfork.engine.explore.guided import weight_of

TWICE_PLAIN = 1_200
"""Instructions: plain exploration needs 566."""


def test_a_costly_loop_stalls_topological_order_and_no_dynamic_merging() -> None:
    """Figure 2 of Kuznetsov12."""
    wanted, _ = covered("none", PLENTY)
    assert len(wanted) > 15
    assert covered("dynamic", TWICE_PLAIN)[0] >= wanted
    assert covered("static", TWICE_PLAIN)[0] < wanted


@dataclass
class _Joined:
    multiplicity: int


@pytest.mark.parametrize("multiplicity", [1, 2, 10**6, 10**400])
def test_a_state_of_many_paths_weighs_more_and_never_too_much_for_a_float(multiplicity: int) -> None:
    weight = weight_of(_Joined(multiplicity))  # type: ignore[arg-type]
    assert (weight > 1.0) == (multiplicity > 1)
    assert 1.0 <= 1_000_000 * weight < float("inf")
