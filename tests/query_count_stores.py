"""Stores of query counts for tests."""

from __future__ import annotations

from unfork.facts.query_count import Groups


class NoStore:
    """Keeps nothing."""

    def load(self) -> Groups:
        return {}

    def keep(self, groups: Groups) -> None:
        return None
