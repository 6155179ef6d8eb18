"""Marked places have a join of their own, and whether it pays is not asked there: the program has said so."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.contracts.join import Join
from unfork.contracts.refusal import Refusal
from unfork.contracts.similarity import Similarity
from unfork.facts.marks import Mark
from unfork.state.state import State


def mark_of(state: State) -> Mark:
    """Where a state is, as marks are written."""
    frame = state.frames[-1]
    return frame.function.name, frame.block, frame.index


class JoinAtMarks:
    """Joins as a mark says where there is one, else by ``other``."""

    def __init__(self, marks: Mapping[Mark, Join], other: Join) -> None:
        self._marks = marks
        self._other = other

    def join(self, a: State, b: State) -> State | Refusal:
        """As the chosen join."""
        return self._marks.get(mark_of(a), self._other).join(a, b)


class UnaskedAtMarks:
    """All states are similar at a mark; elsewhere ``other`` is asked."""

    def __init__(self, marks: Mapping[Mark, Join], other: Similarity) -> None:
        self._marks = marks
        self._other = other

    def differs(self, a: State, b: State) -> Refusal | None:
        return None if mark_of(a) in self._marks else self._other.differs(a, b)

    def signature(self, state: State) -> int:
        return 0 if mark_of(state) in self._marks else self._other.signature(state)
