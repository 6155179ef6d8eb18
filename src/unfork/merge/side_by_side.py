"""Two explorations in one run: the one that joins, and, once that has lasted long, a plain one from the start.

No estimate knows whether joins pay in the end: either side may finish where the other never would, or get nowhere while
the other covers the program. A short run is left to the joining side. In a longer one, plain paths get most of the work
from some point on. Whichever side has nothing left to explore ends the run: it has explored everything.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass

from unfork.contracts.frontier import Frontier
from unfork.contracts.joiner import Joiner, Union
from unfork.contracts.order import Order, Parents, Ticket
from unfork.contracts.rest import Rest, Resting
from unfork.explore.search import WaitingStates
from unfork.logic.term import Term
from unfork.state.state import State

ALONE = 2_500_000
"""Work of the joining side until the plain one may begin, in instructions: some seconds ..."""
ALONE_PER_SECOND = 50_000
"""... and less if there is a limit: so much for each of its seconds, about a fifth of them."""
TRIED = 256
"""It begins once so many joins were tried: where few are, the paths are plain ones already."""
SHARE = 4
"""Work of the plain side for one of the joining side."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a run has cost so far, in instructions, and how many joins it has tried."""

    cost: int
    tried: int


class SideBySide:
    """The frontier of both sides, the joiner of one, and the first states of the other.

    ``work`` says what the run has cost so far; it may last ``seconds``. ``asked`` holds the latest conditions, from
    which the joining side learns: not those of the plain one.
    """

    def __init__(
        self,
        joining: Frontier,
        joiner: Joiner,
        plain: Sequence[Order],
        chance: random.Random,
        work: Callable[[], Work],
        seconds: float,
        asked: MutableSequence[Term],
    ) -> None:
        self._joining = joining
        self._joiner = joiner
        self._plain = WaitingStates(plain, chance)
        self._work = work
        self._asked = asked
        self._alone = min(ALONE, int(ALONE_PER_SECOND * min(seconds, ALONE)))
        self._reserve: list[State] | None = []
        """Until the plain side begins with them."""
        self.is_plain = False
        """Whether the state that was picked last is the plain side's."""
        self._before = 0
        self._spent = [0, 0]

    # --- a frontier ---

    def __len__(self) -> int:
        """How many states wait; none once either side has explored everything."""
        joining = len(self._joining)
        if self._reserve is not None:
            return joining
        return joining + len(self._plain) if joining and len(self._plain) else 0

    def __iter__(self) -> Iterator[State]:
        yield from self._joining
        yield from self._plain

    def add(self, state: State, parents: Parents) -> None:
        """``state`` waits on the side that was picked from last; of what the run begins with both sides get one."""
        if not parents and self._reserve is not None:
            self._reserve.append(state.fork())
        (self._plain if self.is_plain else self._joining).add(state, parents)

    def pick(self) -> tuple[Ticket, State]:
        """The next state of the side whose turn it is, by what each has cost so far."""
        if self.is_plain:
            self._asked.clear()
        if self._reserve is None:
            self._account()
            plain, joining = self._spent[True], self._spent[False]
            self.is_plain = plain <= SHARE * (joining - self._alone)
        return (self._plain if self.is_plain else self._joining).pick()

    def remove(self, state: State) -> Ticket:
        return self._joining.remove(state)

    def drop(self, count: int) -> Iterator[State]:
        """Take out states at random, of the plain side first, but never the last of a side."""
        some = min(count, max(len(self._plain) - 1, 0))
        yield from self._plain.drop(some)
        if count > some:
            yield from self._joining.drop(count - some)

    def _account(self) -> None:
        """What was done since the last pick is work of the side that was picked from."""
        now = self._work().cost
        self._spent[self.is_plain] += now - self._before
        self._before = now

    # --- where the plain side starts ---

    def due(self) -> Sequence[State]:
        """What the plain side begins with, when it is time; nothing at all other times."""
        if self._reserve is None:
            return ()
        work = self._work()
        if work.cost < self._alone or work.tried < TRIED:
            return ()
        begun, self._reserve = self._reserve, None
        self._account()
        self.is_plain = True
        return begun

    # --- a joiner ---

    def join(self, state: State, parents: Parents, frontier: Frontier) -> Union | None:
        """As the joining side's; nothing on the plain one."""
        return None if self.is_plain else self._joiner.join(state, parents, self._joining)


class RestBySide:
    """States of the joining side rest as ``joining`` has it, those of the plain one as states that are ``alone``."""

    def __init__(self, sides: SideBySide, joining: Resting, alone: Rest) -> None:
        self._sides = sides
        self._joining = joining
        self._alone = alone

    def rest(self, state: State) -> Rest:
        """By the side of the state, which was picked last."""
        return self._alone if self._sides.is_plain else self._joining.rest(state)
