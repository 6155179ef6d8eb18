"""Which states need not be explored, and why that loses nothing."""

from __future__ import annotations

from typing import Protocol

from unfork.engine.state.state import State


class Evidence(Protocol):
    """Why a state need not be explored.

    Law: it can be checked without the pruner: everything that the covered state could do was explored, or will be,
    from node ``coverer`` of the execution graph on. As text, it says so in a few words.
    """

    @property
    def coverer(self) -> int: ...

    def __str__(self) -> str: ...


class Pruner(Protocol):
    """Says which states are covered, and learns from finished parts of the execution graph.

    Law: a state without evidence is explored; one with evidence may be left out, and that loses no fault and no
    branch edge unless the evidence says that it may. ``learn`` gets each node once, children before their parents.
    """

    def cover(self, state: State) -> Evidence | None: ...

    def learn(self, node: int) -> None: ...
