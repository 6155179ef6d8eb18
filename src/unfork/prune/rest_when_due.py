"""Lets states rest where they may be covered, but only once they have forked since: a lone path runs at full speed."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.outcome import Outcome
from unfork.execute.machine import QUANTUM, Machine, Rest
from unfork.state.state import State


def is_due(state: State) -> bool:
    """Whether the state has moved, and forked or come far, since it was last asked whether another one covers it."""
    instructions, forks = state.looked
    return state.instructions > instructions and (state.forks > forks or state.instructions - instructions >= QUANTUM)


class RestingWhenDue:
    """A machine that rests at its places while a state is due, while others wait in ``others``, or ``always``."""

    __slots__ = ("_always", "_machine", "_others")

    def __init__(self, machine: Machine, others: Sized, *, always: bool) -> None:
        self._machine = machine
        self._others = others
        self._always = always

    def step(self, state: State) -> list[Outcome]:
        """As the machine's."""
        instructions, forks = state.looked
        rests = self._always or state.forks > forks or state.instructions - instructions >= QUANTUM
        self._machine.rest_at(Rest.JOINS if rests or len(self._others) else Rest.FORKS)
        return self._machine.step(state)
