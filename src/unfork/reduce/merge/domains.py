"""Abstract domains for joins (Scheurer16, Def. 11 to 13, Example 3): the condition that remains of a value.

A domain of numbers is a join semilattice of sets of numbers. ``covering`` gives the least element that contains the
values of both states; the joined state knows only its condition on a fresh value. The elements of a lattice over
predicates are built from predicates over `v`, the joined value, and variables. Each state must prove the element
that a join gets; the joined state has its axiom, over the joined values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from unfork.engine.meaning.c_values import CValue
from unfork.engine.meaning.scopes import Here
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expressions import Expression, Integral

Held = tuple[PathCondition, Value]
"""A value in a state, under its path."""


class Domain(Protocol):
    """An abstract domain.

    Law: the condition holds of every value that either side can have (SEL4); it is satisfiable (SEL5).
    """

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """The condition (1 bit) on ``value`` of the least element that contains the values (``width`` bits) of both."""


Atom = Callable[[Value, int], Value]


class Atoms:
    """A finite domain: the sets that are unions of ``atoms``, which cover all numbers."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = tuple(atoms)

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        """The union of the atoms that a value of either side may be in; an unknown counts as possible."""
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


class TopDomain:
    """The domain that keeps nothing."""

    def covering(self, chain: Chain, sides: tuple[Held, Held], width: int, value: Value) -> Value:
        return 1


def _is(number: int) -> Atom:
    return lambda value, width: build.eq(value, number, width)


def _ends_in(bit: int) -> Atom:
    return lambda value, width: build.eq(build.extract(value, 0, 1), bit, 1)


SIGN = Atoms((lambda value, width: build.slt(value, 0, width), _is(0), lambda value, width: build.slt(0, value, width)))
PARITY = Atoms((_ends_in(0), _ends_in(1)))
BOOLEAN = Atoms((_is(0), _is(1), lambda value, width: build.ult(1, value, width)))
ANYTHING = TopDomain()
INTERVAL = Intervals(widens=False)
WIDENED_INTERVAL = Intervals(widens=True)

DOMAINS: dict[str, tuple[Domain, Domain]] = {
    "sign": (SIGN, SIGN),
    "parity": (PARITY, PARITY),
    "boolean": (BOOLEAN, BOOLEAN),
    "interval": (INTERVAL, WIDENED_INTERVAL),
}
"""By name: the domain, and the one for loop heads, where a chain of joins must end."""


PLACEHOLDER = "v"
"""The joined value in a predicate."""

Under = tuple[PathCondition, Value]
"""A condition (1 bit) in a state, under its path."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on ``placeholder``. ``about`` names its variable or type; None: any."""

    text: str
    about: str | None
    placeholder: str
    expression: Expression

    def at(self, here: Here, value: Value, kind: Integral) -> Value | None:
        """The predicate for a value (1 bit); None where a variable has no value."""
        return here.says(self.expression, {self.placeholder: CValue(value, kind)})


def read_predicate(text: str) -> Predicate:
    """Read a predicate, ``[WHAT:] EXPRESSION``. Raises ValueError, in one line, for anything else."""
    prefix, colon, rest = text.partition(":")
    words = prefix.split()
    is_prefix = bool(colon) and bool(words) and all(word.isidentifier() for word in words)
    about = " ".join(words) if is_prefix else None
    expression = parse_expression(rest if is_prefix else text)
    return Predicate(" ".join(text.split()), about, PLACEHOLDER, expression)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a lattice: the conjunction of predicates (by number), or their disjunction."""

    numbers: tuple[int, ...]
    is_disjunction: bool

    def axiom(self, conditions: Sequence[Value | None]) -> Value:
        """Its defining axiom (1 bit) from the predicates' values; an unknown one (None) weakens it."""
        chosen = [conditions[number] for number in self.numbers]
        if self.is_disjunction:
            known = [claim for claim in chosen if claim is not None]
            return build.disjunction(known) if len(known) == len(chosen) else 1
        return build.conjunction([claim for claim in chosen if claim is not None])


TOP = Element((), is_disjunction=False)
"""Claims nothing."""

Lattice = Callable[[Chain, Sequence[tuple[Under, Under]]], Element]
"""The least element whose axiom is proved in both states, given each predicate's value in both.

Law: the axiom holds of the values of both (SEL4). A question that the solver gives up counts as not proved.
"""


def simple(chain: Chain, predicates: Sequence[tuple[Under, Under]]) -> Element:
    """No predicate, or one: the first that holds in both. Associative if predicates exclude each other."""
    for number, sides in enumerate(predicates):
        if _holds(chain, sides):
            return Element((number,), is_disjunction=False)
    return TOP


def conjunctive(chain: Chain, predicates: Sequence[tuple[Under, Under]]) -> Element:
    """The conjunction of all predicates that hold in both."""
    numbers = [number for number, sides in enumerate(predicates) if _holds(chain, sides)]
    return Element(tuple(numbers), is_disjunction=False)


def disjunctive(chain: Chain, predicates: Sequence[tuple[Under, Under]]) -> Element:
    """A minimal disjunction that holds in both."""
    numbers = [number for number, sides in enumerate(predicates) if any(_may_hold(chain, side) for side in sides)]
    if not _covers(chain, predicates, numbers):
        return TOP
    for number in tuple(numbers):
        fewer = [other for other in numbers if other != number]
        if _covers(chain, predicates, fewer):
            numbers = fewer
    return Element(tuple(numbers), is_disjunction=True)


LATTICES: dict[str, Lattice] = {"simple": simple, "conjunctive": conjunctive, "disjunctive": disjunctive}


def _holds(chain: Chain, sides: tuple[Under, Under]) -> bool:
    return all(chain.must(path, said) for path, said in sides)


def _may_hold(chain: Chain, side: Under) -> bool:
    return not isinstance(chain.assume(*side), Unsat)


def _covers(chain: Chain, predicates: Sequence[tuple[Under, Under]], numbers: Sequence[int]) -> bool:
    """Whether, in both states, one of the predicates always holds."""
    sides = ([predicates[number][side] for number in numbers] for side in (0, 1))
    return bool(numbers) and all(
        chain.must(said[0][0], build.disjunction([condition for _, condition in said])) for said in sides
    )
