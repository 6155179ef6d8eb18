"""States and machines that stand in for the real ones: a tree of paths given by their decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from unfork.engine.protocols.frontier import Order, Parents
from unfork.engine.protocols.outcome import Halted, Outcome, Running
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import State


class FakeState:
    """As much of a state as exploration looks at."""

    def __init__(self, path: str = "") -> None:
        self.path_taken = path
        self.node = 0
        self.depth = len(path)
        self.instructions = len(path)
        self.multiplicity = 1
        self.pending: tuple[int, ...] = ()
        self.frames: list[Any] = []
        self.remembered = Remembered()

    def stow(self, *around: object) -> None:
        """It holds nothing."""

    def kept(self) -> None:
        """It is never stowed."""


def fake(path: str = "") -> State:
    return cast(State, FakeState(path))


def path_of(state: State) -> str:
    return cast(FakeState, state).path_taken


def check_choices(order: Order, steps: Sequence[int], state_of: Callable[[int], State]) -> None:
    """The law of Order: a chosen ticket was added and not removed. ``state_of`` makes the state of a ticket.

    Each step removes a choice, perhaps joins it with another, and adds up to three states.
    """
    alive, count = {0}, 1
    order.add(0, state_of(0), ())
    for step in steps:
        picked = order.choose()
        assert picked in alive
        order.remove(picked)
        alive.discard(picked)
        parents: Parents = (picked,)
        if step > 3 and alive:
            partner = min(alive)
            order.remove(partner)
            alive.discard(partner)
            parents = (picked, partner)
        for _ in range(max(step % 4, not alive)):
            order.add(count, state_of(count), parents)
            alive.add(count)
            count += 1


class Binary:
    """A machine on which every path forks in two until it is ``depth`` long."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.stepped: list[str] = []

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        path = path_of(state)
        self.stepped.append(path)
        if len(path) == self.depth:
            return [Halted(state, "exit", 0)]
        other = fake(path + "1")
        cast(FakeState, state).__init__(path + "0")  # type: ignore[misc]  # the machine reuses the state it owns
        return [Running(state), Running(other)]
