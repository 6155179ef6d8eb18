"""The waiting states, and the plain orders: depth-first, breadth-first, random."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle

from unfork.engine.explore.stowing import Stowing
from unfork.engine.protocols.frontier import Order, Parents, Ticket
from unfork.engine.state.state import State


class WaitingStates:
    """A frontier whose orders take turns; a state that one hands out leaves all."""

    def __init__(self, orders: Sequence[Order], chance: random.Random) -> None:
        self._orders = tuple(orders)
        self._turns = cycle(self._orders)
        self._next = 0
        self._states: dict[int, State] = {}
        self._tickets: dict[State, int] = {}
        self._random = chance
        self._stowing = Stowing()

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[State]:
        return iter(list(self._states.values()))

    def waiting(self) -> Mapping[Ticket, State]:
        return self._states

    def add(self, state: State, parents: Parents) -> None:
        """``state`` waits from now on; nothing may change it."""
        ticket = self._next
        self._next = ticket + 1
        self._states[ticket] = state
        self._tickets[state] = ticket
        for order in self._orders:
            order.add(ticket, state, parents)
        self._stowing.add(state, self._tickets)

    def pick(self) -> tuple[Ticket, State]:
        """The next state with its ticket; it no longer waits."""
        ticket = next(self._turns).choose()
        return ticket, self._take(ticket)

    def remove(self, state: State) -> Ticket:
        """Take out a waiting state: its ticket."""
        ticket = self._tickets[state]
        self._take(ticket)
        return ticket

    def drop(self, count: int) -> Iterator[State]:
        """Take out ``count`` states at random, one by one, but never the last."""
        tickets = list(self._states)
        for _ in range(min(count, len(tickets) - 1)):
            index = self._random.randrange(len(tickets))
            tickets[index], tickets[-1] = tickets[-1], tickets[index]
            yield self._take(tickets.pop())

    def _take(self, ticket: int) -> State:
        for order in self._orders:
            order.remove(ticket)
        state = self._states.pop(ticket)
        del self._tickets[state]
        self._stowing.take(state)
        return state


class DepthFirst:
    """The state that was added last."""

    def __init__(self) -> None:
        self._stack: list[int] = []
        self._alive: set[int] = set()

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._stack.append(ticket)
        self._alive.add(ticket)

    def remove(self, ticket: Ticket) -> None:
        self._alive.discard(ticket)

    def choose(self) -> Ticket:
        while self._stack[-1] not in self._alive:
            self._stack.pop()
        return self._stack[-1]


class BreadthFirst:
    """The state that has waited longest."""

    def __init__(self) -> None:
        self._queue: deque[int] = deque()
        self._alive: set[int] = set()

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._queue.append(ticket)
        self._alive.add(ticket)

    def remove(self, ticket: Ticket) -> None:
        self._alive.discard(ticket)

    def choose(self) -> Ticket:
        while self._queue[0] not in self._alive:
            self._queue.popleft()
        return self._queue[0]


class RandomState:
    """Every waiting state with equal probability."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._tickets: list[int] = []
        self._index: dict[int, int] = {}

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._index[ticket] = len(self._tickets)
        self._tickets.append(ticket)

    def remove(self, ticket: Ticket) -> None:
        index = self._index.pop(ticket)
        last = self._tickets.pop()
        if last != ticket:
            self._tickets[index] = last
            self._index[last] = index

    def choose(self) -> Ticket:
        return self._tickets[int(self._chance.random() * len(self._tickets))]


_INNER, _OPEN = -1, -2
"""Stand-ins for a ticket: an inner node, and a node whose state is out and may get successors."""


class _Node:
    """A leaf (with its state's ``ticket``) or an inner node of the random-path tree."""

    __slots__ = ("children", "parent", "ticket")

    def __init__(self, parent: _Node | None) -> None:
        self.parent = parent
        self.children: list[_Node] = []
        self.ticket = _INNER


class RandomPath:
    """A random walk down the execution tree from its root, which favours states with few relatives (Cadar08).

    A joined state takes the place of the waiting one. Inner nodes with a single child are spliced out, which changes
    no probability and keeps the expected walk at most log2 of the number of states.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._root = _Node(None)
        self._leaves: dict[Ticket, _Node] = {}
        self._left: dict[Ticket, _Node] = {}
        """The nodes of states taken out, in order, that may get successors."""

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._settle(ticket, parents)
        above = next((self._left[parent] for parent in reversed(parents) if parent in self._left), self._root)
        leaf = _Node(above)
        leaf.ticket = ticket
        above.children.append(leaf)
        self._leaves[ticket] = leaf

    def remove(self, ticket: Ticket) -> None:
        node = self._left[ticket] = self._leaves.pop(ticket)
        node.ticket = _OPEN

    def choose(self) -> Ticket:
        """Clean up after states that left, then walk down."""
        while self._left:
            self._close(next(iter(self._left)))
        node = self._root
        while node.ticket < 0:
            children = node.children
            node = children[int(self._chance.random() * len(children))]
        return node.ticket

    def _settle(self, ticket: Ticket, parents: Parents) -> None:
        """States that left before the first of ``parents`` get no more successors, nor does one that comes back."""
        if ticket in self._left:
            self._close(ticket)
        while parents and self._left and (first := next(iter(self._left))) != parents[0]:
            self._close(first)

    def _close(self, ticket: Ticket) -> None:
        """No more successors come: clean up if there was at most one."""
        node = self._left.pop(ticket)
        node.ticket = _INNER
        while len(node.children) < 2 and node.ticket == _INNER:
            above = node.parent
            if above is None:
                break
            index = above.children.index(node)
            if node.children:
                child = node.children[0]
                child.parent = above
                above.children[index] = child
            else:
                del above.children[index]
            node = above
