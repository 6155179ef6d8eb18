"""Families: waiting states that lie near each other, packed so that another process can go on with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.contracts.order import Ticket
from unfork.execute.coverage import BranchCoverage, Edge
from unfork.state.packed import Surroundings, pack, unpack
from unfork.state.state import State

FAMILY = 2
"""States in a row that go or stay together, where no states are joined and their order says nothing."""


@dataclass(frozen=True, slots=True)
class Family:
    """States, and the names of the branch edges that are pending on them, by the numbers of whoever packed them."""

    states: tuple[State, ...]
    edges: Mapping[int, Edge]


def chosen(waiting: Mapping[Ticket, State], count: int, *, in_one: bool) -> list[State]:
    """Up to ``count`` of the states.

    ``in_one``: those that have waited longest, in one piece. Else every other family, so that both sides get alike.
    """
    states = list(waiting.values())
    if in_one or len(states) < 2 * FAMILY:
        return states[:count]
    order = [place for place in range(len(states)) if place // FAMILY % 2]
    order += [place for place in range(len(states)) if not place // FAMILY % 2]
    return [states[place] for place in sorted(order[:count])]


def packed(states: Sequence[State], coverage: BranchCoverage, around: Surroundings) -> bytes:
    """The states as bytes."""
    edges = {edge: coverage.edges[edge] for state in states for edge in state.pending}
    return pack(Family(tuple(states), edges), around)


def unpacked(data: bytes, coverage: BranchCoverage, around: Surroundings) -> list[State]:
    """The states, with edges as they are numbered here. Raises Unreadable."""
    family: Family = unpack(data, around)
    numbers = {edge: coverage.number_of_edge(name, around.program) for edge, name in family.edges.items()}
    for state in family.states:
        state.pending = coverage.unsettled(tuple([numbers[edge] for edge in state.pending]))
        for edge in state.pending:
            coverage.covered[edge] = 1
    return list(family.states)
