"""How much solvers had to do, in units that depend on the questions alone and not on the clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Effort:
    """Counts the ``ticks`` of solvers: of search, as Bitwuzla counts it. Several solvers may count in one."""

    ticks: int = 0
