"""Query counts in the cache of compilations, so that a program is counted once and not in each run."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TypeVar

from unfork.checked_json import parse, text
from unfork.program.facts.query_count import Groups, LocalCount, Parameters, Place
from unfork.program.llvm import compilation_cache

LEAST = 64
"""Entries with fewer functions or places are not kept: they are computed in no time."""

Entry = TypeVar("Entry", bound=dict)  # type: ignore[type-arg]  # of any keys and values


class CachedCounts:
    """The counts of a program under one choice of parameters, in two entries: groups of functions, and places.

    ``parts`` name everything else on which they depend: the program, how its functions are simplified, and the
    version of this package. Whoever knows a place need not know any function's groups.
    """

    def __init__(self, parameters: Parameters, parts: tuple[bytes | str, ...]) -> None:
        self._groups = _Growing("queries", parameters, parts)
        self._places = _Growing("counts", parameters, parts)
        self._counts: dict[str, str] | None = None

    def groups(self) -> Groups:
        """An earlier run's groups; empty if there are none."""
        return self._groups.load(lambda data: parse(data, Groups))

    def keep_groups(self, groups: Groups) -> None:
        """Write ``groups`` if they are many and have grown."""
        self._groups.keep(groups)

    def count(self, function: str, place: Place) -> LocalCount | None:
        """An earlier run's count; each is read when it is asked for."""
        if self._counts is None:
            self._counts = self._places.load(lambda data: parse(data, dict[str, str]))
        data = self._counts.get(_name(function, place))
        return None if data is None else parse(data, LocalCount)

    def keep_count(self, function: str, place: Place, count: LocalCount) -> None:
        """Remember a count; all are written if they are many and have grown."""
        assert self._counts is not None  # one has looked first
        self._counts[_name(function, place)] = text(count)
        self._places.keep(self._counts)


class _Growing:
    """An entry that is written again whenever it has grown by a quarter."""

    def __init__(self, kind: str, parameters: Parameters, parts: tuple[bytes | str, ...]) -> None:
        self._key = compilation_cache.key(kind, repr(parameters), *parts)
        self._kept = 0

    def load(self, read: Callable[[bytes], Entry]) -> Entry:
        data = compilation_cache.get(self._key)
        entry = read(b"{}" if data is None else zlib.decompress(data))
        self._kept = len(entry)
        return entry

    def keep(self, entry: Entry) -> None:
        if (
            len(entry) >= LEAST
            and 4 * len(entry) >= 5 * self._kept
            and compilation_cache.put(self._key, zlib.compress(text(entry).encode(), 1))
        ):
            self._kept = len(entry)


def _name(function: str, place: Place) -> str:
    block, index, is_calling = place
    return f"{function} {block} {index} {int(is_calling)}"
