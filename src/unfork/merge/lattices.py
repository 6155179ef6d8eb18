"""Abstract domains for joins (Scheurer16, Def. 11 to 13): what is kept of a value, as a condition on it.

A domain is a join semilattice of sets of numbers. ``covering`` gives the least element that holds the values of both
states; its condition on a fresh value is all that the joined state knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unsat
from unfork.logic.term import Value

Held = tuple[PathCondition, Value]
"""A value as a state holds it: under its path."""


class Domain(Protocol):
    """An abstract domain.

    Law: the condition holds of every value that either side can have (SEL4); it is satisfiable (SEL5).
    """

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """The condition (1 bit) on ``value`` of the least element that holds the values (``width`` bits) of both."""


Atom = Callable[[Value, int], Value]


class Atoms:
    """A finite domain: the sets that are unions of ``atoms``, which cover all numbers."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = tuple(atoms)

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """The union of the atoms in which a value of either side may lie; an unknown counts as possible."""
        possible = [
            atom(value, width)
            for atom in self._atoms
            if any(not isinstance(chain.assume(path, atom(held, width)), Unsat) for path, held in sides)
        ]
        return 1 if len(possible) == len(self._atoms) else build.disjunction(possible)


class Intervals:
    """Intervals of signed numbers. ``widens``: a bound in which the sides differ moves on to a threshold."""

    def __init__(self, *, widens: bool) -> None:
        self._widens = widens

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """From the least to the greatest number of either side."""
        half = 1 << (width - 1)
        (low, high), (other_low, other_high) = (
            chain.bounds(path, build.add(held, half, width), width) for path, held in sides
        )
        least, greatest = min(low, other_low), max(high, other_high)
        if self._widens:
            thresholds = (0, half - 1, half, half + 1, 2 * half - 1)
            least = least if low == other_low else max(bound for bound in thresholds if bound <= least)
            greatest = greatest if high == other_high else min(bound for bound in thresholds if bound >= greatest)
        first, last = least ^ half, greatest ^ half
        return build.both(build.sle(first, value, width), build.sle(value, last, width))


class Anything:
    """The domain that keeps nothing."""

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """Nothing is said."""
        return 1


def _is(number: int) -> Atom:
    return lambda value, width: build.eq(value, number, width)


def _ends_in(bit: int) -> Atom:
    return lambda value, width: build.eq(build.extract(value, 0, 1), bit, 1)


SIGN = Atoms((lambda value, width: build.slt(value, 0, width), _is(0), lambda value, width: build.slt(0, value, width)))
PARITY = Atoms((_ends_in(0), _ends_in(1)))
BOOLEAN = Atoms((_is(0), _is(1), lambda value, width: build.ult(1, value, width)))
ANYTHING = Anything()
INTERVAL = Intervals(widens=False)
WIDENED_INTERVAL = Intervals(widens=True)

DOMAINS: dict[str, tuple[Domain, Domain]] = {
    "sign": (SIGN, SIGN),
    "parity": (PARITY, PARITY),
    "boolean": (BOOLEAN, BOOLEAN),
    "interval": (INTERVAL, WIDENED_INTERVAL),
}
"""By name: the domain, and the one for loop heads, where a chain of joins must end."""
