"""A merge table compares an arriving state with waiting ones of equal signature alone."""

from __future__ import annotations

import random
from typing import cast

from tests.reduce.merge.small_states import state_of
from unfork.engine.explore.search import BreadthFirst, WaitingStates
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.state import State
from unfork.program.facts.merge_points import MergePoints
from unfork.program.llvm.module import Function
from unfork.reduce.merge.merge_table import Arrival, MergeCounts, MergeTable

NINES, OTHER = Refusal("nines"), Refusal("other register")


def anywhere(function: Function) -> MergePoints:
    return MergePoints(frozenset({0}), frozenset(), lambda block, index: True)


class ByRegister:
    """States with the same first register are similar."""

    unlike = OTHER

    def __init__(self) -> None:
        self.compared = 0

    def differs(self, a: State, b: State) -> Refusal | None:
        self.compared += 1
        return None

    def signature(self, state: State) -> int:
        return cast(int, state.frames[-1].registers[0])


class FirstOfTwo:
    """The first of two states stands for both; those with a 9 in the second register are not joined."""

    def join(self, a: State, b: State) -> State | Refusal:
        return NINES if b.frames[-1].registers[1] == 9 else a


class Waiting:
    """A table and a frontier in which states wait."""

    def __init__(self) -> None:
        self.similarity, self.counts = ByRegister(), MergeCounts()
        self.table = MergeTable(FirstOfTwo(), self.similarity, anywhere, self.counts, lambda *_: None)
        self.frontier = WaitingStates([BreadthFirst()], random.Random(0))
        self.arrivals: list[Arrival] = []

    def add(self, *registers: int) -> State:
        state = state_of(registers, ())
        self.table.add(len(self.arrivals), self._arrival(state))
        self.frontier.add(state, ())
        return state

    def _arrival(self, state: State) -> Arrival:
        self.arrivals.append(self.table.arrival(state, None))
        return self.arrivals[-1]

    def meets(self, *registers: int) -> State | None:
        """The waiting state with which a new one is joined."""
        union = self.table.meet(self.table.arrival(state_of(registers, ()), None), self.frontier)
        return None if union is None else union.sides[0]


def test_a_state_is_compared_with_those_of_its_signature_alone() -> None:
    waiting = Waiting()
    for number in range(40):
        waiting.add(number, 0, 0)
    last = waiting.add(15, 1, 0)
    assert waiting.meets(50, 0, 0) is None
    assert waiting.similarity.compared == 0
    assert waiting.counts.refused == {OTHER.reason: 1}
    partner = waiting.meets(15, 2, 0)
    assert partner is not None and partner is not last, "the one that came first"
    assert partner.frames[-1].registers[0] == 15
    assert waiting.similarity.compared == waiting.counts.attempts == 1


def test_joins_that_are_refused_are_tried_a_few_times() -> None:
    waiting = Waiting()
    for number in range(40):
        waiting.add(1, number, 0)
    assert waiting.meets(1, 9, 0) is None
    assert waiting.counts.attempts == waiting.counts.refused[NINES.reason] == 8


def test_a_place_where_no_state_is_left_refuses_nothing() -> None:
    waiting = Waiting()
    waiting.add(1, 0, 0)
    waiting.table.remove(0, waiting.arrivals[0])
    assert waiting.meets(2, 0, 0) is None
    assert not waiting.counts.refused
