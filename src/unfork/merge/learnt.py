"""Predicates that a failure gave, of values that a join forgot: said anew of the values that meet at the next one.

Symbols of what is forgotten are new in each exploration. What stays the same is which variable held a value, or else
which two values met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from unfork.invariants.havoc import HAVOC
from unfork.logic import build
from unfork.logic.c_terms import words
from unfork.logic.evaluate import substitute
from unfork.logic.term import Term, Value, symbol
from unfork.merge.inference import NAMELESS
from unfork.merge.scope import Pair

Values = tuple[Value, Value, Value]
"""Those of both sides of a join, and the joined one."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a symbol stood for: a number in ``variables`` (name, depth of frame) whose sides were ``pair``.

    Of an origin, which of the values that the number may have are those of the first side; None if these are no
    constants, or the second side has them too.
    """

    variables: tuple[tuple[str, int], ...]
    pair: Pair
    is_origin: bool = False
    firsts: tuple[int, ...] | None = None

    def named(self) -> Value:
        """What the symbol stood for, by the name of the variable, if there is one."""
        number = symbol(self.variables[0][0] if self.variables else NAMELESS, self.pair[2])
        return _is_one_of(number, self.firsts or self.pair[:1], number.width) if self.is_origin else number


Found = Callable[[Likeness], Values | None]
"""The values at a join that are like what a symbol stood for."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A condition (1 bit) over symbols of what was forgotten, with what these may be known by."""

    condition: Term
    likeness: Mapping[Term, Sequence[Likeness]]

    def meaning(self) -> Value:
        """The condition with names that are the same in each exploration."""
        ways = {term: self.likeness.get(term) for term in self._terms()}
        return _same_name(substitute(self.condition, {term: way[0].named() for term, way in ways.items() if way}))

    def text(self) -> str:
        """The condition as a reader sees it."""
        return words(self.meaning(), 1, signed=False)

    def at(self, found: Found) -> Values | None:
        """The condition of both sides and of the joined state; None if it speaks of anything else."""
        mappings: tuple[dict[Term, Value], ...] = ({}, {}, {})
        for term in self._terms():
            for likeness in self.likeness.get(term, ()):
                values = found(likeness)
                if values is not None:
                    break
            else:
                return None
            for mapping, value in zip(mappings, values, strict=True):
                mapping[term] = value
        first, second, joined = [substitute(self.condition, mapping) for mapping in mappings]
        return first, second, joined

    def _terms(self) -> list[Term]:
        """The symbols of what was forgotten."""
        return _forgotten(self.condition)


def alike(values: Values, pair: Pair, likeness: Likeness, origin: Term | None) -> Values | None:
    """What a symbol stands for where a number like that which it stood for has ``values``, whose sides are ``pair``."""
    if not likeness.is_origin:
        return values
    if likeness.firsts is not None:
        first, second, joined = [_is_one_of(value, likeness.firsts, pair[2]) for value in values]
        return first, second, joined
    sides, others = same_names(pair), same_names(likeness.pair)
    if origin is None or sides not in (others, others[::-1]):
        return None
    return (1, 0, origin) if sides == others else (0, 1, build.negate(origin))


def same_names(pair: Pair) -> tuple[Value, Value]:
    """The sides of a pair, for comparison with those of another exploration."""
    return _same_name(pair[0]), _same_name(pair[1])


def _same_name(value: Value) -> Value:
    """A value in which all that is forgotten has one name, by its width."""
    if not isinstance(value, Term):
        return value
    return substitute(value, {term: symbol(HAVOC, term.width) for term in _forgotten(value)})


def _forgotten(term: Term) -> list[Term]:
    return sorted([each for each in term.symbols if each.name.startswith(HAVOC)], key=lambda each: each.name)


def _is_one_of(value: Value, others: Sequence[Value], width: int) -> Value:
    return build.disjunction([build.eq(value, each, width) for each in others])
