"""Quotas that follow success: who gets how much of the next round."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.race.messages import Standing


class Quotas:
    """All get the same."""

    def next(self, standings: Sequence[Standing], base: int) -> dict[str, int]:
        return {standing.name: base for standing in standings}
