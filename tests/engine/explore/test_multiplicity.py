"""How paths grow with multiplicity: the line through what a run came by."""

from __future__ import annotations

import pytest

from unfork.engine.explore.growth import Growth


def test_the_line_goes_through_points_that_lie_on_one() -> None:
    growth = Growth()
    for exponent in range(1, 12):
        growth.note(4**exponent, 3 * 2**exponent)
    fit = growth.fit()
    assert fit is not None
    assert fit.c2 == pytest.approx(0.5)
    assert fit.error == pytest.approx(0, abs=1e-9)
    assert fit.paths(4**20) == pytest.approx(3 * 2**20)


def test_one_point_makes_no_line() -> None:
    growth = Growth()
    growth.note(1, 1)
    growth.note(8, 4)
    assert growth.fit() is None
