"""Follows the waypoints of a witness: a path must pass all of them, in order, and fail at the target.

The program calls a function at each waypoint (program/c/probes.py). The waypoint that a path reaches may be the one
that is meant or not: both cases are followed, the first one first.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

from unfork.engine.explore.limits import NoBound
from unfork.engine.explore.loop import Exploration, NoJoining, NoPruning, YieldAt
from unfork.engine.explore.search import WaitingStates
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.events import Ended, Event
from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.protocols.outcome import Failed, Fault, Killed
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.location_calls import PASSED
from unfork.program.llvm.ir import Call
from unfork.world.library.model import Arguments, FunctionModel

BEHIND: Fact[int] = Fact("segments of a witness that lie behind the path", EqualPart(), 0)
ENDING: Fact[int] = Fact("the last statement that ends the program and that the path came by", EqualPart(), -1)
_CHOICE: Fact[str] = Fact("whether the waypoint that the path is at is the one that is meant", EqualPart(), "")
_IT_IS, _IT_IS_NOT = "it is", "it is not"
_BONUS = 16
"""Forks that a waypoint counts for."""
_STRAIGHT = 2_000
"""Instructions that count as a fork."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A waypoint by its number. It is passed if the value there is (not) 0."""

    number: int
    is_true: bool = True

    def holds(self, value: Value) -> Value:
        """Whether it is passed (1 bit) with a value of 32 bits."""
        holds = build.ne(value, 0, 32)
        return holds if self.is_true else build.negate(holds)


@dataclass(frozen=True, slots=True)
class Stage:
    """A segment: it ends when ``follow`` is passed, None for the target, and passes none of ``avoided``."""

    follow: Passing | None
    avoided: tuple[Passing, ...]


class WitnessFollower:
    """The segments of a witness, and how far along them a path is. Those of ``endings`` end the program."""

    def __init__(self, stages: Sequence[Stage], endings: Container[int]) -> None:
        self._stages = stages
        self._endings = endings

    def models(self) -> Mapping[str, FunctionModel]:
        """The meaning of a call at a waypoint."""
        return {PASSED: FunctionModel("ii", "i", self._come_by)}

    def is_last(self, state: State) -> bool:
        """Whether only the target is left."""
        return state.remembered[BEHIND] == len(self._stages) - 1

    def _come_by(self, step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = arguments
        remembered = step.state.remembered
        if isinstance(number, int) and number in self._endings:
            remembered[ENDING] = number
            return value
        stage = self._stages[remembered[BEHIND]]
        follow = stage.follow
        if follow is not None and follow.number == number:
            may_be = follow.holds(value)
            if remembered[_CHOICE] == "" and may_be != 0:
                step.part([_chosen(_IT_IS_NOT), _chosen(_IT_IS)])
            choice, remembered = step.state.remembered[_CHOICE], step.state.remembered
            if choice == _IT_IS:
                step.assume(may_be)
                remembered[BEHIND] += 1
            remembered[_CHOICE] = ""
            if choice == _IT_IS:
                return value
        for each in stage.avoided:
            if each.number == number:
                step.assume(build.negate(each.holds(value)))
        return value


def _chosen(which: str) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.remembered[_CHOICE] = which

    return change


class _MostPassed:
    """An order: paths first that have passed more waypoints, unless they have been under way for long since."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int]] = []
        self._waiting: set[Ticket] = set()

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        urgency = state.depth + state.instructions // _STRAIGHT - _BONUS * state.remembered[BEHIND]
        heappush(self._heap, (urgency, -ticket))
        self._waiting.add(ticket)

    def remove(self, ticket: Ticket) -> None:
        self._waiting.discard(ticket)

    def choose(self) -> Ticket:
        while -self._heap[0][1] not in self._waiting:
            heappop(self._heap)
        return -self._heap[0][1]


class Search:
    """An exploration for a path that passes all waypoints and fails at the target."""

    def __init__(
        self, following: WitnessFollower, is_target: Callable[[State, Fault], bool], is_over: Callable[[], bool]
    ) -> None:
        self._following = following
        self._is_target = is_target
        self._is_over = is_over
        self.is_reached = False
        self.doubt: str | None = None
        """Why there may be such a path although none was found."""

    def run(self, machine: Machine, first: Sequence[State]) -> bool:
        """Whether there is one."""
        waiting = WaitingStates([_MostPassed()], Random(0))
        parts = NoBound(), NoPruning(), NoJoining(), self, ExecutionGraph(), (self,)
        Exploration(machine, YieldAt(FORKS), waiting, *parts).run(first)
        return self.is_reached

    def look(self, frontier: Frontier) -> str | None:
        if not self.is_reached and self._is_over():
            self.doubt = "time was over"
            return self.doubt
        return "reached" if self.is_reached else None

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed(state, fault)) if self._following.is_last(state) and self._is_target(state, fault):
                self.is_reached = True
            case Ended(Killed(_, reason, detail)):
                self.doubt = self.doubt or f"a path was given up ({reason}: {detail})"
