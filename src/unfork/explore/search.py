"""The frontier, and the plain orders in which it hands out states: depth-first, breadth-first, random."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol

from unfork.state.state import State


class Order(Protocol):
    """An order over waiting states, each known by a ticket; knows nothing of merging or pruning.

    Law: ``choose`` names a ticket that was added and not removed; with the same calls it gives the same answers.
    """

    def add(self, ticket: int, state: State) -> None: ...

    def remove(self, ticket: int) -> None: ...

    def choose(self) -> int: ...


class Frontier:
    """The states that wait. Its orders take turns; a state that one of them hands out leaves all of them."""

    __slots__ = ("_next", "_orders", "_random", "_states", "_tickets", "_turn")

    def __init__(self, orders: Sequence[Order], chance: random.Random) -> None:
        self._orders = tuple(orders)
        self._turn = 0
        self._next = 0
        self._states: dict[int, State] = {}
        self._tickets: dict[State, int] = {}
        self._random = chance

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[State]:
        return iter(list(self._states.values()))

    def add(self, state: State) -> None:
        """``state`` waits from now on; nobody may change it."""
        ticket = self._next
        self._next = ticket + 1
        self._states[ticket] = state
        self._tickets[state] = ticket
        for order in self._orders:
            order.add(ticket, state)

    def pick(self) -> State:
        """The next state, handed out for good."""
        order = self._orders[self._turn]
        self._turn = (self._turn + 1) % len(self._orders)
        return self._take(order.choose())

    def remove(self, state: State) -> None:
        """Take out a state that waits."""
        self._take(self._tickets[state])

    def begin(self, states: Sequence[State]) -> None:
        """The run begins with ``states``, which will be added."""

    def more(self) -> Sequence[State]:
        """States that the run is to begin with as well, from now on."""
        return ()

    def drop(self, count: int) -> Iterator[State]:
        """Take out ``count`` states at random, one by one, but never the last."""
        tickets = list(self._states)
        for _ in range(min(count, len(tickets) - 1)):
            place = self._random.randrange(len(tickets))
            tickets[place], tickets[-1] = tickets[-1], tickets[place]
            yield self._take(tickets.pop())

    def _take(self, ticket: int) -> State:
        for order in self._orders:
            order.remove(ticket)
        state = self._states.pop(ticket)
        del self._tickets[state]
        return state


class DepthFirst:
    """The state that was added last."""

    __slots__ = ("_alive", "_stack")

    def __init__(self) -> None:
        self._stack: list[int] = []
        self._alive: set[int] = set()

    def add(self, ticket: int, state: State) -> None:
        self._stack.append(ticket)
        self._alive.add(ticket)

    def remove(self, ticket: int) -> None:
        self._alive.discard(ticket)

    def choose(self) -> int:
        while self._stack[-1] not in self._alive:
            self._stack.pop()
        return self._stack[-1]


class BreadthFirst:
    """The state that has waited longest."""

    __slots__ = ("_alive", "_queue")

    def __init__(self) -> None:
        self._queue: deque[int] = deque()
        self._alive: set[int] = set()

    def add(self, ticket: int, state: State) -> None:
        self._queue.append(ticket)
        self._alive.add(ticket)

    def remove(self, ticket: int) -> None:
        self._alive.discard(ticket)

    def choose(self) -> int:
        while self._queue[0] not in self._alive:
            self._queue.popleft()
        return self._queue[0]


class RandomState:
    """Every waiting state alike."""

    __slots__ = ("_chance", "_place", "_tickets")

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._tickets: list[int] = []
        self._place: dict[int, int] = {}

    def add(self, ticket: int, state: State) -> None:
        self._place[ticket] = len(self._tickets)
        self._tickets.append(ticket)

    def remove(self, ticket: int) -> None:
        place = self._place.pop(ticket)
        last = self._tickets.pop()
        if last != ticket:
            self._tickets[place] = last
            self._place[last] = place

    def choose(self) -> int:
        return self._tickets[int(self._chance.random() * len(self._tickets))]


class _Node:
    """A leaf (``ticket`` is set) or an inner node of the random-path tree."""

    __slots__ = ("children", "parent", "ticket")

    def __init__(self, parent: _Node | None) -> None:
        self.parent = parent
        self.children: list[_Node] = []
        self.ticket = -1


class RandomPath:
    """Walk down the execution tree from the root and turn at random: favours states with few relatives (Cadar08).

    States added after one was handed out are its successors. Inner nodes with a single child are spliced out, which
    leaves every probability as it is and keeps the expected walk at most log2 of the number of states.
    """

    __slots__ = ("_chance", "_leaves", "_root", "_stem")

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._root = _Node(None)
        self._stem = self._root
        self._leaves: dict[int, _Node] = {}

    def add(self, ticket: int, state: State) -> None:
        leaf = _Node(self._stem)
        leaf.ticket = ticket
        self._stem.children.append(leaf)
        self._leaves[ticket] = leaf

    def remove(self, ticket: int) -> None:
        self._settle()
        self._stem = self._leaves.pop(ticket)
        self._stem.ticket = -1

    def choose(self) -> int:
        self._settle()
        node = self._root
        while node.ticket < 0:
            children = node.children
            node = children[int(self._chance.random() * len(children))]
        return node.ticket

    def _settle(self) -> None:
        """The state handed out last gets no more successors: clean up if it got none, or one."""
        node = self._stem
        while len(node.children) < 2 and node.ticket < 0:
            above = node.parent
            if above is None:
                break
            place = above.children.index(node)
            if node.children:
                child = node.children[0]
                child.parent = above
                above.children[place] = child
            else:
                del above.children[place]
            node = above
        self._stem = self._root
