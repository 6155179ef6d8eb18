"""--unwind: how often a path may go back to a loop's head each time that it enters the loop.

Loops of the C ``library`` do not count. States must rest at every loop head, where turns are counted.
"""

from __future__ import annotations

from collections.abc import Collection

from unfork.engine.protocols.outcome import Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.protocols.stopper import Bound
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import Frame, State
from unfork.program.facts.function_facts import FactsTable

Activation = tuple[tuple[str, int], ...]
Turns = tuple[tuple[Activation, int, int], ...]
"""(activation, head, turns) of each loop that the path is in; an activation is the calls that lead to it."""
TURNS: Fact[Turns] = Fact("turns of loops", EqualPart(), ())
"""How often the path went back in each loop that it is in."""


class TurnBound:
    """Ends paths that went back to the head of a loop more than ``most`` times since they entered it.

    Other paths end where ``bound`` says. A ``TurnCounter`` must be among the steppers.
    """

    def __init__(self, bound: Bound, most: int) -> None:
        self._bound = bound
        self._most = most

    def cut(self, state: State) -> str | None:
        """The bound that the state has gone beyond."""
        turns = state.remembered[TURNS]
        return "unwind" if any(count > self._most for _, _, count in turns) else self._bound.cut(state)


class TurnCounter:
    """A stepper that counts how often each path goes back to the heads of the loops that it is in."""

    def __init__(self, stepper: Stepper, library: Collection[str], facts: FactsTable) -> None:
        self._stepper = stepper
        self._library = library
        self._facts = facts

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        before = state.instructions
        outcomes = self._stepper.step(state, yield_points)
        for outcome in outcomes:
            if isinstance(outcome, Running) and outcome.state.instructions > before:
                self._count(outcome.state)
        return outcomes

    def _count(self, state: State) -> None:
        """Drop the loops that the path left, and count a turn of the one at whose head it is."""
        known = state.remembered[TURNS]
        if not state.frames or (not known and not self._stands_at_head(state.frames[-1])):
            return
        calls = activation_of(state)
        turns = [turn for turn in known if self._is_in(state, calls, turn)]
        top = state.frames[-1]
        if self._stands_at_head(top):
            before = [count for activation, head, count in turns if (activation, head) == (calls, top.block)]
            turns = [turn for turn in turns if turn[:2] != (calls, top.block)]
            turns.append((calls, top.block, before[0] + 1 if before else 0))
        state.remembered[TURNS] = tuple(turns)

    def _stands_at_head(self, frame: Frame) -> bool:
        function = frame.function
        if frame.index or function.name in self._library:
            return False
        return frame.block in self._facts[function].flow.loop_heads

    def _is_in(self, state: State, calls: Activation, turn: tuple[Activation, int, int]) -> bool:
        """Whether the path is still in a loop, or will be when calls return."""
        activation, head, _ = turn
        if calls[: len(activation)] != activation:
            return False
        frame = state.frames[len(activation) - 1]
        return frame.block == head or frame.block in self._facts[frame.function].flow.loops.get(head, ())


def activation_of(state: State) -> Activation:
    """The calls that lead to where a state is."""
    return tuple([(frame.function.name, frame.ordinal) for frame in state.frames])
