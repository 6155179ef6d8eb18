"""Lets states rest where they may meet, but only while there is another one to meet, and while it pays to meet."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.experience import Experience
from unfork.contracts.outcome import Outcome
from unfork.execute.machine import Machine, Rest
from unfork.state.state import State


class Resting:
    """A machine that rests at joins while other states wait in ``others`` and ``experience`` has nothing against it."""

    __slots__ = ("_experience", "_machine", "_others")

    def __init__(self, machine: Machine, others: Sized, experience: Experience) -> None:
        self._machine = machine
        self._others = others
        self._experience = experience

    def step(self, state: State) -> list[Outcome]:
        """As the machine's."""
        self._machine.rest_at(Rest.JOINS if len(self._others) and self._experience.is_worth_while() else Rest.FORKS)
        return self._machine.step(state)
