"""Where joining does not pay: behind a place where the program asks again for what it knew before it.

What joined states do not know any more, they ask for: they fork once again, with larger terms, and a join has saved
nothing. Query count estimation (Kuznetsov12) sees that for variables with different values. Paths also differ in what
they know of equal ones; and which bytes of memory are read at offsets that vary no estimate says. So it is counted: of
the conditions that states meet behind a place, how many are about inputs that they had conditions on before it.
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
"""Conditions that are met before anything follows from them; a place of which less is known is like all."""
_VAIN = 64
"""States that came to places where joins do not pay, one after the other, before none rest for ``_BREAK`` steps."""
_BREAK = 1024
_LOOKS = 16
"""States after that which come to such places before the next break."""
_SHORT = 4096
"""Times that states were kept from joining, or from resting, until an exploration is a long one: then all join."""
_NOTHING = [0, 0]


class AskedAgain:
    """Counts of conditions per place: joins do not pay where more than half of them are asked again.

    So it is in short explorations, where plain paths cost next to nothing. Their number grows faster than what joined
    states ask, so that in long ones joins pay everywhere (`regexp`: 3.2 times the paths per byte, against 2.2 times the
    work joined): ``gives_in`` says whether all states join in these.

    ``asked`` holds the latest conditions; who reads it here takes them out.
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
        """It has come to rest: what was asked counts."""
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
        """Whether states should rest at places at all in the next step: not for a while, where that was in vain."""
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
