"""Arithmetic on unknown integers in the language of a solver: sums, wraps, products, quotients by witnesses, masks."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd
from typing import Generic, Protocol, TypeVar

from unfork.logic.integers.affine import Affine, IntegerRange, Knowledge
from unfork.logic.terms.term import Term

Node = TypeVar("Node")
_MULTIPLES = 3
"""A sum that wraps to at most this many integers distinguishes them; beyond, it gets an unknown quotient."""
_ADDENDS = 3
"""Products of sums of at most this many atoms become sums of products."""
_FACTS = 64
_COMPARED = 8
"""Multiples of one divisor to compare with each other."""
_RUNS = 2
"""Runs of ones in a mask; masks with more have no integer meaning here."""


class IntegerDialect(Protocol[Node]):
    """How one solver writes expressions over integers and truth values."""

    def apply(self, operator: str, args: Sequence[Node]) -> Node:
        """An SMT-LIB operator by name: of the core theory, or ``+``, ``*`` and ``<=`` of integers."""

    def integer(self, value: int) -> Node:
        """A constant."""

    def unknown(self, number: int) -> Node:
        """The integer variable of this number."""

    def truth(self, number: int) -> Node:
        """The boolean variable of this number."""


@dataclass(frozen=True, slots=True)
class RangedInteger:
    """An integer with a range that contains all its values."""

    sum: Affine
    bounds: IntegerRange

    def plus(self, other: RangedInteger, times: int = 1) -> RangedInteger:
        return RangedInteger(self.sum.plus(other.sum, times), self.bounds.plus(other.bounds, times))

    def times(self, factor: int) -> RangedInteger:
        return RangedInteger(self.sum.times(factor), IntegerRange(0, 0).plus(self.bounds, factor))

    def shifted(self, distance: int) -> RangedInteger:
        """This plus a constant."""
        return self.plus(number(distance))


def number(value: int) -> RangedInteger:
    """A constant."""
    return RangedInteger(Affine(value), IntegerRange(value, value))


def alike(a: RangedInteger, b: RangedInteger, count: int) -> tuple[RangedInteger, RangedInteger]:
    """Two integers modulo ``count``: a negative constant becomes positive where the other is never negative."""
    if not a.sum.factors and a.sum.constant < 0 <= b.bounds.low and b.bounds.high >= count // 2:
        return a.shifted(count), b
    if not b.sum.factors and b.sum.constant < 0 <= a.bounds.low and a.bounds.high >= count // 2:
        return a, b.shifted(count)
    return a, b


@dataclass(frozen=True, slots=True)
class Truth(Generic[Node]):
    """A condition, and sums that are at most 0 where it holds and where it fails."""

    node: Node
    holds: tuple[Affine, ...] = ()
    fails: tuple[Affine, ...] = ()


class Arithmetic(Generic[Node]):
    """Writes integers and conditions on them. ``knowledge`` grows along.

    Law: ``assertions`` must be asserted beside the conditions; they say no more than the atoms' keys mean and the
    query implies.
    """

    def __init__(self, dialect: IntegerDialect[Node], knowledge: Knowledge) -> None:
        self._dialect = dialect
        self._knowledge = knowledge
        self._nodes: dict[int, Node] = {}
        self._variables: list[int] = []
        self._definitions: list[Node] = []
        self._relied: dict[tuple[Affine, IntegerRange], None] = {}
        self._sums: dict[Affine, Node] = {}
        self._monomials: dict[int, tuple[int, ...]] = {}
        self._multiples: dict[Affine, dict[Affine, Affine]] = {}
        """For each divisor, its quotients and their products with it."""

    def assertions(self) -> list[Node]:
        """What must hold beside the conditions."""
        assertions = list(self._definitions)
        for atom in self._variables:
            sum = Affine(0, ((atom, 1),))
            assertions += self._between(sum, self._knowledge.values(sum))
        for factors, bounds in self._knowledge.facts.items():
            if all(atom in self._nodes for atom, _ in factors):
                assertions += self._between(Affine(0, factors), bounds)
        for sum, bounds in self._relied:
            assertions += self._between(sum, bounds)
        return assertions

    def _between(self, sum: Affine, bounds: IntegerRange) -> list[Node]:
        return [self.at_least(sum, bounds.low).node, self.at_most(sum, bounds.high).node]

    # --- atoms ---

    def variable(self, key: Hashable, bounds: IntegerRange) -> RangedInteger:
        """The unknown of this key."""
        atom = self._knowledge.atom(key, bounds)
        if atom not in self._nodes:
            self._nodes[atom] = self._dialect.unknown(atom)
            self._variables.append(atom)
        return self.whole(Affine(0, ((atom, 1),)))

    def define(self, key: Hashable, bounds: IntegerRange, node: Node) -> RangedInteger:
        """An atom for an expression."""
        atom = self._knowledge.atom(key, bounds)
        self._nodes.setdefault(atom, node)
        return self.whole(Affine(0, ((atom, 1),)))

    def whole(self, sum: Affine) -> RangedInteger:
        """A sum with its range."""
        return RangedInteger(sum, self._knowledge.values(sum))

    def rely(self, sum: Affine, bounds: IntegerRange) -> None:
        """Record that the translation relies on the sum being in ``bounds``, which the constraints only say
        together.
        """
        if not self._knowledge.by_atoms(sum).within(bounds):
            self._relied[sum, bounds] = None

    def learn_at_most(self, sum: Affine) -> None:
        """The sum is at most 0."""
        low = self._knowledge.values(sum).low
        if low <= 0:
            self._knowledge.learn(sum, IntegerRange(low, 0))

    def closer(self, whole: RangedInteger) -> RangedInteger:
        """The integer with its range narrowed by all facts."""
        return RangedInteger(whole.sum, whole.bounds.meet(self._knowledge.closer(whole.sum)))

    def node(self, sum: Affine) -> Node:
        """A sum as an expression."""
        node = self._sums.get(sum)
        if node is None:
            apply, integer = self._dialect.apply, self._dialect.integer
            parts = [
                self._nodes[atom] if factor == 1 else apply("*", [integer(factor), self._nodes[atom]])
                for atom, factor in sum.factors
            ]
            if sum.constant or not parts:
                parts.append(integer(sum.constant))
            node = self._sums[sum] = parts[0] if len(parts) == 1 else apply("+", parts)
        return node

    # --- conditions ---

    def constant(self, holds: bool) -> Truth[Node]:
        """True or false."""
        return Truth(self._dialect.apply("true" if holds else "false", ()))

    def at_most(self, sum: Affine, bound: int) -> Truth[Node]:
        """``sum <= bound``."""
        bound -= sum.constant
        if not sum.factors:
            return self.constant(bound >= 0)
        scale = gcd(*[factor for _, factor in sum.factors])
        factors = tuple([(atom, factor // scale) for atom, factor in sum.factors])
        bound //= scale
        node = self._dialect.apply("<=", [self.node(Affine(0, factors)), self._dialect.integer(bound)])
        return Truth(node, (Affine(-bound, factors),), (Affine(-bound - 1, factors).times(-1),))

    def at_least(self, sum: Affine, bound: int) -> Truth[Node]:
        """``sum >= bound``."""
        return self.at_most(sum.times(-1), -bound)

    def within(self, whole: RangedInteger, bounds: IntegerRange) -> Truth[Node]:
        """Whether the integer lies in a range."""
        return self.both(self.at_least(whole.sum, bounds.low), self.at_most(whole.sum, bounds.high))

    def is_zero(self, sum: Affine) -> Truth[Node]:
        """``sum == 0``."""
        if not sum.factors:
            return self.constant(sum.constant == 0)
        scale = gcd(*[factor for _, factor in sum.factors])
        if sum.constant % scale:
            return self.constant(False)
        factors = tuple([(atom, factor // scale) for atom, factor in sum.factors])
        bound = -sum.constant // scale
        node = self._dialect.apply("=", [self.node(Affine(0, factors)), self._dialect.integer(bound)])
        lowest = Affine(-bound, factors)
        return Truth(node, (lowest, lowest.times(-1)))

    def has_products(self, sum: Affine) -> bool:
        """Whether products of unknowns are among the atoms."""
        return any(atom in self._monomials for atom, _ in sum.factors)

    def both(self, a: Truth[Node], b: Truth[Node]) -> Truth[Node]:
        """The conjunction."""
        return Truth(self._dialect.apply("and", [a.node, b.node]), (a.holds + b.holds)[:_FACTS])

    def either(self, a: Truth[Node], b: Truth[Node]) -> Truth[Node]:
        """The disjunction."""
        return Truth(self._dialect.apply("or", [a.node, b.node]), (), (a.fails + b.fails)[:_FACTS])

    def negate(self, a: Truth[Node]) -> Truth[Node]:
        """The opposite."""
        return Truth(self._dialect.apply("not", [a.node]), a.fails, a.holds)

    def same(self, a: Truth[Node], b: Truth[Node]) -> Truth[Node]:
        """Whether both hold or neither does."""
        return Truth(self._dialect.apply("=", [a.node, b.node]))

    def choose(self, condition: Truth[Node], a: Node, b: Node) -> Node:
        """One of two expressions."""
        return self._dialect.apply("ite", [condition.node, a, b])

    def also(self, truth: Truth[Node], holds: Sequence[Affine] = (), fails: Sequence[Affine] = ()) -> Truth[Node]:
        """The condition with more facts."""
        return Truth(truth.node, (*truth.holds, *holds), (*truth.fails, *fails))

    # --- integers modulo a number ---

    def exact(self, whole: RangedInteger, least: int, count: int) -> RangedInteger | None:
        """The one of ``count`` numbers from ``least`` on that the integer stands for, if it wraps nowhere."""
        bounds = whole.bounds
        if bounds.high - bounds.low >= count or (bounds.low - least) // count != (bounds.high - least) // count:
            whole = self.closer(whole)
            bounds = whole.bounds
        turns = (bounds.low - least) // count
        if turns != (bounds.high - least) // count:
            return None
        self.rely(whole.sum, IntegerRange(least + turns * count, least + (turns + 1) * count - 1))
        return whole.shifted(-turns * count)

    def wrap(self, whole: RangedInteger, least: int, count: int) -> RangedInteger:
        """As exact(), with a choice or an unknown quotient where the integer may wrap."""
        exact = self.exact(whole, least, count)
        if exact is not None:
            return exact
        if any(abs(factor) >= count for _, factor in whole.sum.factors):
            whole = self.whole(whole.sum.split(count)[1])
        whole = self.closer(whole)
        first, last = ((bound - least) // count for bound in (whole.bounds.low, whole.bounds.high))
        reached = IntegerRange(least, least + count - 1)
        if last - first < _MULTIPLES:
            node = self.node(whole.sum.plus(Affine(-last * count)))
            self.rely(whole.sum, IntegerRange(least + first * count, least + (last + 1) * count - 1))
            for turns in range(last - 1, first - 1, -1):
                below = self.at_most(whole.sum, least + (turns + 1) * count - 1)
                node = self.choose(below, self.node(whole.sum.plus(Affine(-turns * count))), node)
            return self.define(("wrapped", whole.sum, least, count), reached, node)
        quotient = self.variable(("turns", whole.sum, least, count), IntegerRange(first, last))
        rest = whole.sum.plus(quotient.sum, -count)
        self._knowledge.learn(rest, reached)
        return RangedInteger(rest, reached)

    def floor(self, whole: RangedInteger, divisor: int) -> RangedInteger:
        """The quotient by a constant above 0, rounded down."""
        multiple, rest = whole.sum.split(divisor)
        common = reduce(gcd, [factor for _, factor in rest.factors], divisor)
        rest = Affine(rest.constant // common, tuple([(atom, factor // common) for atom, factor in rest.factors]))
        divisor //= common
        bounds = self._knowledge.closer(rest)
        first, last = bounds.low // divisor, bounds.high // divisor
        if first == last:
            self.rely(rest, IntegerRange(first * divisor, (first + 1) * divisor - 1))
            return self.whole(multiple.plus(Affine(first)))
        quotient = self.variable(("floor", rest, divisor), IntegerRange(first, last))
        self._knowledge.learn(rest.plus(quotient.sum, -divisor), IntegerRange(0, divisor - 1))
        return self.whole(multiple.plus(quotient.sum))

    # --- products and quotients of unknowns ---

    def product(self, a: RangedInteger, b: RangedInteger) -> RangedInteger:
        """The product; a sum of products of atoms for short sums."""
        if not b.sum.factors:
            return a.times(b.sum.constant)
        if not a.sum.factors:
            return b.times(a.sum.constant)
        bounds = a.bounds.times(b.bounds)
        if len(a.sum.factors) > _ADDENDS or len(b.sum.factors) > _ADDENDS:
            node = self._dialect.apply("*", [self.node(a.sum), self.node(b.sum)])
            return self.define(("product", a.sum, b.sum), bounds, node)
        total = a.sum.times(b.sum.constant).plus(Affine(0, b.sum.factors), a.sum.constant)
        for left, times in a.sum.factors:
            for right, factor in b.sum.factors:
                total = total.plus(self._monomial(left, right), times * factor)
        return RangedInteger(total, bounds.meet(self._knowledge.values(total)))

    def _monomial(self, left: int, right: int) -> Affine:
        """The product of two atoms."""
        atoms = tuple(sorted((*self._monomials.get(left, (left,)), *self._monomials.get(right, (right,)))))
        first, last = (self._knowledge.values(Affine(0, ((atom, 1),))) for atom in (left, right))
        bounds = first.times(last)
        if left == right:
            bounds = bounds.meet(IntegerRange(0, bounds.high))
        node = self._dialect.apply("*", [self._nodes[atom] for atom in atoms])
        product = self.define(("monomial", atoms), bounds, node).sum
        self._monomials[product.factors[0][0]] = atoms
        return product

    def divide(self, a: RangedInteger, b: RangedInteger, width: int) -> tuple[RangedInteger, RangedInteger]:
        """The quotient of integers, rounded to 0, and the remainder, with the sign of ``a``, by witnesses.

        A divisor of 0 gives what SMT-LIB says for terms of ``width`` bits: a remainder of ``a``, and a quotient of 1
        where ``a`` is below 0, else -1 (modulo 2**width).
        """
        if not b.sum.factors:
            return self._divide_by_constant(a, b.sum.constant, width)
        if a.bounds.low >= 0 and b.bounds.low >= 0:
            self.rely(a.sum, IntegerRange(0, a.bounds.high))
            self.rely(b.sum, b.bounds)
            return self._divide_above(a, b)
        most = max(abs(a.bounds.low), abs(a.bounds.high), 1)
        quotient = self.variable(("quotient", a.sum, b.sum), IntegerRange(-most, most))
        rest = a.sum.minus(self._multiple(b, quotient).sum)
        bounds = IntegerRange(min(a.bounds.low, 0), max(a.bounds.high, 0))
        negative, positive = self.at_most(a.sum, -1), self.at_least(b.sum, 1)
        by_zero = self.both(
            self.is_zero(b.sum),
            self.either(
                self.both(negative, self.is_zero(quotient.sum.plus(Affine(-1)))),
                self.both(self.negate(negative), self.is_zero(quotient.sum.plus(Affine(1)))),
            ),
        )
        signed = self.both(
            self.either(negative, self.at_least(rest, 0)), self.either(self.negate(negative), self.at_most(rest, 0))
        )
        if b.bounds.low > 0:
            self.rely(b.sum, b.bounds)
            small = self._smaller(rest, b.sum)
            self._definitions += [signed.node, small.node]
        else:
            small = self.either(
                self.both(positive, self._smaller(rest, b.sum)),
                self.both(self.at_most(b.sum, -1), self._smaller(rest, b.sum.times(-1))),
            )
            self._definitions.append(self.either(by_zero, self.both(signed, small)).node)
        self._knowledge.learn(rest, bounds)
        return quotient, RangedInteger(rest, bounds)

    def _multiple(self, divisor: RangedInteger, quotient: RangedInteger) -> RangedInteger:
        """The product of a divisor and a quotient, which lies at least a divisor away from other multiples.

        Solvers do not find that by themselves for sums of products.
        """
        product = self.product(divisor, quotient)
        others = self._multiples.setdefault(divisor.sum, {})
        if quotient.sum not in others and len(others) < _COMPARED:
            not_above = self.at_most(divisor.sum, 0)
            for other, multiple in others.items():
                for times in (1, -1):
                    steps, distance = quotient.sum.plus(other, -times), product.sum.plus(multiple, -times)
                    up = self.either(self.at_most(steps, 0), self.at_least(distance.minus(divisor.sum), 0))
                    down = self.either(self.at_least(steps, 0), self.at_most(distance.plus(divisor.sum), 0))
                    self._definitions.append(self.either(not_above, self.both(up, down)).node)
            others[quotient.sum] = product.sum
        return product

    def _smaller(self, rest: Affine, divisor: Affine) -> Truth[Node]:
        """``-divisor < rest < divisor``."""
        return self.both(self.at_most(rest.minus(divisor), -1), self.at_least(rest.plus(divisor), 1))

    def _divide_above(self, a: RangedInteger, b: RangedInteger) -> tuple[RangedInteger, RangedInteger]:
        """As divide(), for two non-negative integers."""
        by_zero = b.bounds.low <= 0
        most = a.bounds.high // max(1, b.bounds.low)
        quotient = self.variable(("quotient", a.sum, b.sum), IntegerRange(-1 if by_zero else 0, most))
        rest = a.sum.minus(self._multiple(b, quotient).sum)
        usual = self.both(self.at_least(rest, 0), self.at_most(rest.minus(b.sum), -1))
        if by_zero:
            zero = self.both(self.is_zero(b.sum), self.is_zero(quotient.sum.plus(Affine(1))))
            usual = self.both(self.at_least(quotient.sum, 0), usual)
            self._definitions.append(self.either(zero, usual).node)
            bounds = IntegerRange(0, a.bounds.high)
        else:
            bounds = IntegerRange(0, min(a.bounds.high, b.bounds.high - 1))
            self._definitions.append(usual.node)
            self._knowledge.learn(rest.minus(b.sum), IntegerRange(-b.bounds.high, -1))
        self._knowledge.learn(rest, bounds)
        return quotient, RangedInteger(rest, bounds)

    def _divide_by_constant(self, a: RangedInteger, divisor: int, width: int) -> tuple[RangedInteger, RangedInteger]:
        if divisor == 0:
            if a.bounds.low >= 0:
                return number(-1), a
            sign = self.floor(a, 1 << width)  # -1 for a negative integer, else 0
            return self.whole(sign.sum.times(-2).plus(Affine(-1))), a
        size = abs(divisor)
        self.rely(a.sum, a.bounds)
        if a.bounds.low >= 0:
            quotient = self.floor(a, size)
        elif a.bounds.high <= 0:
            quotient = self.floor(a.times(-1), size).times(-1)
        else:
            quotient = self._divide_rounding(a, size)
        rest = a.sum.plus(quotient.sum, -size)
        bounds = IntegerRange(
            max(a.bounds.low, 1 - size) if a.bounds.low < 0 else 0, max(0, min(a.bounds.high, size - 1))
        )
        return quotient if divisor > 0 else quotient.times(-1), self.closer(RangedInteger(rest, bounds))

    def _divide_rounding(self, a: RangedInteger, divisor: int) -> RangedInteger:
        """The quotient of an integer of either sign by a positive constant, rounded to 0."""
        if divisor == 1:
            return a
        first, last = -(-a.bounds.low // divisor), a.bounds.high // divisor
        quotient = self.variable(("rounded", a.sum, divisor), IntegerRange(first, last))
        rest = a.sum.plus(quotient.sum, -divisor)
        negative = self.at_most(a.sum, -1)
        self._definitions.append(self.either(negative, self.at_least(rest, 0)).node)
        self._definitions.append(self.either(self.negate(negative), self.at_most(rest, 0)).node)
        self._knowledge.learn(rest, IntegerRange(1 - divisor, divisor - 1))
        return quotient


# --- bitwise operations with masks that are constant, or all ones or none ---


def bitwise_with_constant(
    arithmetic: Arithmetic[Node], op: str, whole: RangedInteger, mask: int, width: int
) -> RangedInteger | None:
    """``and``, ``or`` or ``xor`` with a constant; None if the constant has too many runs of ones."""
    inverse = mask ^ (1 << width) - 1
    is_inverted = len(runs(inverse)) < len(runs(mask))
    chosen = inverse if is_inverted else mask
    if len(runs(chosen)) > _RUNS:
        return None
    selected = number(0)
    for first, last in runs(chosen):
        selected = selected.plus(_low_bits(arithmetic, whole, last, width))
        selected = selected.plus(_low_bits(arithmetic, whole, first, width), -1)
    if not chosen >> width - 1:
        selected = RangedInteger(selected.sum, selected.bounds.meet(IntegerRange(0, chosen)))
    if is_inverted:
        selected = whole.plus(selected, -1)
    match op:
        case "and":
            return selected
        case "or":
            return whole.plus(selected, -1).shifted(mask)
    return whole.plus(selected, -2).shifted(mask)


def bitwise_with_condition(
    arithmetic: Arithmetic[Node], term: Term, whole: RangedInteger, condition: Truth[Node]
) -> RangedInteger:
    """``term``, a bitwise operation of an integer with all ones where the condition holds, else with zeros."""
    match term.op:
        case "and":
            a, b = whole, number(0)
        case "or":
            a, b = number(-1), whole
        case _:
            a, b = whole.times(-1).shifted(-1), whole
    node = arithmetic.choose(condition, arithmetic.node(a.sum), arithmetic.node(b.sum))
    return arithmetic.define(("selected", term, whole.sum), a.bounds.hull(b.bounds), node)


def learn_from_operands(
    arithmetic: Arithmetic[Node], op: str, result: RangedInteger, operands: Sequence[RangedInteger | None]
) -> None:
    """Learn from the operands of a bitwise operation (unsigned values, or None) about its result."""
    above = operands[:1] if op == "lshr" else operands if op == "and" else ()
    for operand in above:
        if operand is not None:
            arithmetic.learn_at_most(result.sum.minus(operand.sum))
    if op == "or":
        for operand in operands:
            if operand is not None:
                arithmetic.learn_at_most(operand.sum.minus(result.sum))
    first, second = operands
    if op in ("or", "xor") and first is not None and second is not None:
        arithmetic.learn_at_most(result.sum.minus(first.sum).minus(second.sum))


def runs(mask: int) -> list[tuple[int, int]]:
    """The runs of ones in a mask, as pairs (first bit, bit after the last)."""
    return [run.span() for run in re.finditer("1+", f"{mask:b}"[::-1])]


def _low_bits(arithmetic: Arithmetic[Node], whole: RangedInteger, bits: int, width: int) -> RangedInteger:
    """The lowest bits: the integer itself if these are all, and higher bits do not matter."""
    if bits == width:
        return whole
    if bits == 0:
        return number(0)
    rest = whole.sum.plus(arithmetic.floor(whole, 1 << bits).sum, -(1 << bits))
    return RangedInteger(rest, arithmetic.whole(rest).bounds.meet(IntegerRange(0, (1 << bits) - 1)))
