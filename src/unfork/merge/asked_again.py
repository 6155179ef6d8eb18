"""Where joins do not pay: behind a place where the program asks again what it knew before.

What a joined state no longer knows, it asks again: it forks once more, with larger terms, and the join has saved
nothing. Query count estimation (Kuznetsov12) predicts that for variables with different values. But paths also differ
in what they know of equal values, and no estimate says which bytes are read at offsets that vary. So we count: of the
conditions that states meet behind a place, how many are about inputs that had conditions before it?
"""

from __future__ import annotations

from collections.abc import MutableSequence
from math import inf

from unfork.contracts.experience import Past, Spot
from unfork.logic.term import Term
from unfork.state.state import State

_REMEMBERED = 8
"""Places back at which a condition counts."""
_EVIDENCE = 4
"""How many conditions are evidence. A place with fewer is judged mostly by what holds everywhere."""
_VAIN = 64
"""After so many states in a row came to places where joins do not pay, none rest for ``_BREAK`` steps."""
_BREAK = 1024
_LOOKS = 16
"""After a break, so many more of them begin the next one."""
_SHORT = 4096
"""An exploration is long once states were kept from joining or resting so often."""
_NOTHING = [0, 0]


class AskedAgain:
    """Counts of conditions per place: joins do not pay where more than half of them are asked again.

    That is true of short explorations, where plain paths cost next to nothing. But their number grows faster than what
    joined states ask, so joins pay everywhere in long ones. ``gives_in`` says whether all states join there.

    ``asked`` holds the latest conditions. Reading takes them out.
    """

    def __init__(self, asked: MutableSequence[Term], *, gives_in: bool) -> None:
        self._asked = asked
        self._most = _SHORT if gives_in else inf
        self._past: Past = ()
        self._counts: dict[Spot, list[int]] = {}
        self._everywhere = [0, 0]
        self._vain = 0
        self._break = 0
        self._held = 0

    def sets_out(self, past: Past) -> None:
        """A state with ``past`` goes on: what is asked from now on is asked by it."""
        self.look()
        self._past = past

    def look(self) -> None:
        """The state has come to rest: count what it asked."""
        asked = [condition.symbols for condition in self._asked]
        self._asked.clear()
        if not asked:
            return
        for spot, path in self._past:
            known = path.slices.keys()
            again = len([symbols for symbols in asked if not known.isdisjoint(symbols)])
            for counts in (self._counts.setdefault(spot, [0, 0]), self._everywhere):
                counts[0] += again
                counts[1] += len(asked)

    def pays(self, spot: Spot) -> bool:
        """Whether few enough conditions behind a place have been asked again so far."""
        if self._held >= self._most:
            return True
        again, met = self._counts.get(spot, _NOTHING)
        again_all, met_all = self._everywhere
        if met_all >= _EVIDENCE and 2 * (again * met_all + _EVIDENCE * again_all) > (met + _EVIDENCE) * met_all:
            self._vain += 1
            self._held += 1
            return False
        self._vain = 0
        return True

    def is_worth_while(self) -> bool:
        """Whether states should rest at places in the next step: not for a while after that was in vain."""
        if self._held >= self._most:
            return True
        if self._break:
            self._break -= 1
            self._held += 1
            return False
        if self._vain >= _VAIN:
            self._vain = _VAIN - _LOOKS
            self._break = _BREAK
        return True


class Optimism:
    """Joins pay everywhere."""

    def sets_out(self, past: Past) -> None:
        return None

    def look(self) -> None:
        return None

    def pays(self, spot: Spot) -> bool:
        return True

    def is_worth_while(self) -> bool:
        return True


def spot_of(state: State) -> Spot:
    """Where a state is in its top function."""
    top = state.frames[-1]
    return top.function, top.block, top.index


def extended(past: Past, state: State) -> Past:
    """The past of a state that rests at a place now."""
    return (*past, (spot_of(state), state.path))[-_REMEMBERED:]
