"""Keeps the results of query count estimation for a program's functions in the user's cache, for later runs."""

from __future__ import annotations

import json
import zlib
from decimal import Decimal
from typing import Any

from unfork.facts.dependence import Cell
from unfork.facts.query_count import Group, Groups, Parameters
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
        groups = {} if data is None else _unpacked(data)
        self._kept = len(groups)
        return groups

    def keep(self, groups: Groups) -> None:
        """Write all of ``groups``, if they are many and have grown by a quarter."""
        if len(groups) >= LEAST and 4 * len(groups) >= 5 * self._kept and cache.put(self._key, _packed(groups)):
            self._kept = len(groups)


def _packed(groups: Groups) -> bytes:
    rows = {name: [_row(group) for group in function_groups] for name, function_groups in groups.items()}
    return zlib.compress(json.dumps(rows).encode(), 1)


def _row(group: Group) -> list[Any]:
    cells = sorted([[cell.base, cell.offset, cell.size] for cell in group.cells], key=repr)
    return [sorted(group.parameters), cells, str(group.asked), str(group.total)]


def _unpacked(data: bytes) -> Groups:
    """Numbers are kept as text: they are Decimals beyond what floats hold."""
    rows: dict[str, list[list[Any]]] = json.loads(zlib.decompress(data))
    return {name: tuple([_group(*row) for row in function_rows]) for name, function_rows in rows.items()}


def _group(parameters: list[int], cells: list[tuple[int | str, int, int]], asked: str, total: str) -> Group:
    return Group(frozenset(parameters), frozenset([Cell(*cell) for cell in cells]), Decimal(asked), Decimal(total))
