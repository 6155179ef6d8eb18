"""Lets states rest where they may meet, but only while there is another one to meet: a lone path runs at full speed."""

from __future__ import annotations

from collections.abc import Sized

from unfork.execute.machine import Machine, Rest
from unfork.execute.outcome import Outcome
from unfork.state.state import State


class Resting:
    """A machine that rests at joins while other states wait in ``others``."""

    __slots__ = ("_machine", "_others")

    def __init__(self, machine: Machine, others: Sized) -> None:
        self._machine = machine
        self._others = others

    def step(self, state: State) -> list[Outcome]:
        """As the machine's."""
        self._machine.rest_at(Rest.JOINS if len(self._others) else Rest.FORKS)
        return self._machine.step(state)
