"""Quotas that follow success: whoever came further with its work in a round gets more of the next one."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from unfork.race.messages import Standing

LEAST, MOST = 0.75, 1.5
"""Everybody's parts of an equal share, whatever came of it: success proves nothing, who ends soon may have none.

Chosen on ten programs (docs/benchmarks.md, Races): none takes more than 1.21 times the least work of any choice.
"""


class Quotas:
    """Shares of the next round, by what came of the work in the one before.

    There are three kinds of success: edges covered first, errors found first, and paths ended. Of each kind that there
    was any of, a strategy has as large a part as its success for its work is among all. Paths count by how often their
    number has doubled: one end of a joined state may stand for more of them than all others ever come to.
    """

    def __init__(self) -> None:
        self._before: dict[str, Standing] = {}

    def next(self, standings: Sequence[Standing], base: int) -> dict[str, int]:
        """The quotas of those that still take part, around ``base``."""
        rates = {each.name: _rates(self._before.get(each.name, each), each) for each in standings}
        self._before = {each.name: each for each in standings}
        totals = [sum(kind) for kind in zip(*rates.values(), strict=True)]
        kinds = sum(total > 0 for total in totals)
        quotas = {}
        for name, rate in rates.items():
            parts = [mine / total for mine, total in zip(rate, totals, strict=True) if total > 0]
            share = len(rates) * sum(parts) / kinds if kinds else 1.0
            quotas[name] = int(base * min(max(share, LEAST), MOST))
        return quotas


def _rates(before: Standing, now: Standing) -> tuple[float, float, float]:
    """What came of a unit of work, of each kind of success."""
    work = now.work - before.work
    if work <= 0:
        return 0.0, 0.0, 0.0
    edges, errors = now.edges_first - before.edges_first, now.errors_first - before.errors_first
    return edges / work, errors / work, (log2(1 + now.paths) - log2(1 + before.paths)) / work
