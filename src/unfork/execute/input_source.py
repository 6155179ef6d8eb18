"""The source of values that no instruction computes."""

from __future__ import annotations

from typing import Protocol

from unfork.llvm.types import IntType, Type
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.inputs import Input
from unfork.state.state import State


class InputSource(Protocol):
    """Where input values come from: fresh symbols when exploring, a test's bytes when replaying."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        """A new input of ``size`` bytes, named uniquely along the path and recorded in ``state.inputs``
        (but for what a test lacks when it is replayed).

        ``element`` shapes the leaves (an int array becomes one symbol per int); None means by size.
        """


def fresh_input(source: InputSource, state: State, name: str, width: int, kind: str) -> Value:
    """A fresh value of ``width`` bits: a new input of ``state``."""
    record = source.make(state, name, IntType(width), (width + 7) // 8, kind)
    value, size = record.leaves[0]
    for leaf, leaf_size in record.leaves[1:]:
        value = build.concat(leaf, value, 8 * leaf_size, 8 * size)
        size += leaf_size
    return build.extract(value, 0, width) if width != 8 * size else value
