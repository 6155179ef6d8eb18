"""A bench for what places inputs in memory."""

from __future__ import annotations

from tests.support.modelled import bench, solver

__all__ = ["bench", "solver"]
