"""What the library's tests run handlers on: a step that has no path, and a bench for those that split."""

from __future__ import annotations

from tests.engine.conftest import intrinsic, pathless_step
from tests.support.modelled import bench, solver

__all__ = ["bench", "intrinsic", "pathless_step", "solver"]
