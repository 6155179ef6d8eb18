"""Keeps the results of query count estimation for a program's functions in the user's cache, for later runs."""

from __future__ import annotations

import zlib

from unfork.checked_json import parsed, text
from unfork.facts.query_count import Groups, Parameters
from unfork.llvm import cache

LEAST = 64
"""The fewest functions that are worth an entry: computing fewer again takes no time."""


class CachedGroups:
    """The groups of one program under one choice of parameters, as an entry of the cache.

    ``parts`` name everything else that they depend on: the program, how its functions are simplified, and the version
    of this package.
    """

    def __init__(self, parameters: Parameters, parts: tuple[bytes | str, ...]) -> None:
        self._key = cache.key("queries", repr(parameters), *parts)
        self._kept = 0

    def load(self) -> Groups:
        """What an earlier run kept; empty if there is nothing."""
        data = cache.get(self._key)
        groups = {} if data is None else parsed(zlib.decompress(data), Groups)
        self._kept = len(groups)
        return groups

    def keep(self, groups: Groups) -> None:
        """Write all of ``groups``, if they are many and have grown by a quarter."""
        if (
            len(groups) >= LEAST
            and 4 * len(groups) >= 5 * self._kept
            and cache.put(self._key, zlib.compress(text(groups).encode(), 1))
        ):
            self._kept = len(groups)
