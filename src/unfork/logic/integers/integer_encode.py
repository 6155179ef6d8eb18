"""Terms as exact integers: a term is any integer equal to it modulo 2**width, and wraps only where it must."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import reduce
from itertools import product
from typing import Any, Final, Generic, TypeAlias, TypeVar

from unfork.logic.integers.affine import Affine, IntegerRange, Knowledge
from unfork.logic.integers.integer_form import (
    Arithmetic,
    IntegerDialect,
    Node,
    RangedInteger,
    Truth,
    alike,
    bitwise_with_condition,
    bitwise_with_constant,
    learn_from_operands,
    number,
)
from unfork.logic.terms.boolean import interval
from unfork.logic.terms.concrete import signed
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import constant

# The forms in which a term can be translated.
INTEGER: Final = "integer"
BOOL: Final = "bool"
SIGN: Final = "sign"
"""Whether the top bit is set."""
Need = tuple[Term, str]

_BOUNDED = frozenset(("and", "or", "xor", "lshr"))
_AMOUNTS = 8
"""Values of an unknown shift amount to distinguish."""
_LONGEST = 256
"""Atoms of a sum: longer ones take too long to add."""
_CONDITIONS = frozenset(("not", "and", "or", "xor", "ite", "eq", "ult", "slt", "const", "symbol"))
_MULTIPLES = 3
"""Multiples of 2**width to distinguish in an equality."""


T = TypeVar("T")
Steps: TypeAlias = Generator[Sequence[Need], None, T]
"""A translation that yields the operands which it needs translated before it goes on: so nothing recurses."""


class IntegerEncoder(Generic[Node]):
    """Translates the conditions of one query, each term once per form.

    What integers do not say (floats, bitwise operations on unknowns) becomes an unknown of its own, and is ``opaque``:
    then the query that is written has more models than there are.
    ``unsigned`` are the symbols whose variable is their unsigned value; that of others is the signed one.
    """

    def __init__(
        self, dialect: IntegerDialect[Node], knowledge: Knowledge, unsigned: frozenset[Term] = frozenset()
    ) -> None:
        self.arithmetic: Arithmetic[Node] = Arithmetic(dialect, knowledge)
        self.integers: dict[Term, int] = {}
        """The number of the variable of each symbol of several bits."""
        self.truths: dict[Term, int] = {}
        """The number of the variable of each symbol of one bit."""
        self.pivots: dict[Affine, Truth[Node]] = {}
        """Equations with products in them. Where they are known to hold or to fail, others can be solved with them."""
        self.opaque: dict[str, None] = {}
        """The operators of what is opaque."""
        self._dialect = dialect
        self._unsigned_symbols = unsigned
        self._wholes: dict[Term, RangedInteger] = {}
        self._truths: dict[Need, Truth[Node]] = {}

    def condition(self, root: Term) -> Truth[Node]:
        """A term of 1 bit as a condition."""
        pending: list[Need] = [(root, BOOL)]
        begun: dict[Need, Steps[None]] = {}
        while pending:
            need = pending[-1]
            if self._has(need):
                pending.pop()
                continue
            if need not in begun:
                begun[need] = self._translate(need)
            missing = next(begun[need], ())
            pending += [each for each in missing if not self._has(each)]
        return self._truths[root, BOOL]

    def _translate(self, need: Need) -> Steps[None]:
        term, form = need
        if form is INTEGER:
            self._wholes[term] = yield from self._integer(term)
        else:
            self._truths[need] = yield from self._bool(term) if form is BOOL else self._sign(term)

    def _has(self, need: Need) -> bool:
        return need[0] in self._wholes if need[1] is INTEGER else need in self._truths

    # --- operands ---

    def _of(self, *terms: Term) -> Steps[list[RangedInteger]]:
        """Operands as integers."""
        yield from self._require([(term, INTEGER) for term in terms])
        return [self._wholes[term] for term in terms]

    def _conditions(self, terms: Sequence[Term], form: str = BOOL) -> Steps[list[Truth[Node]]]:
        """Operands as conditions."""
        yield from self._require([(term, form) for term in terms])
        return [self._truths[term, form] for term in terms]

    def _require(self, needs: Sequence[Need]) -> Steps[None]:
        if not all(map(self._has, needs)):
            yield needs

    # The next three are about operands that are translated already.

    def _unsigned(self, term: Term) -> RangedInteger:
        """The unsigned value of an operand."""
        value = self.arithmetic.wrap(self._wholes[term], 0, 1 << term.width)
        return RangedInteger(value.sum, value.bounds.meet(IntegerRange(term.low, term.high)))

    def _signed(self, term: Term) -> RangedInteger:
        """The signed value of an operand."""
        return self.arithmetic.wrap(self._wholes[term], -(1 << term.width - 1), 1 << term.width)

    def _exactly(self, term: Term, least: int) -> RangedInteger | None:
        """The value from ``least`` on, if that takes no wrap."""
        return self.arithmetic.exact(self._wholes[term], least, 1 << term.width)

    # --- integers; a handler gives None for an operation that integers cannot express ---

    def _integer(self, term: Term) -> Steps[RangedInteger]:
        """An integer that agrees with the term modulo 2**width."""
        if term.width == 1 and term.op in _CONDITIONS:
            return (yield from self._bit(term))
        if term.op == "const":
            return number(signed(term.value, term.width))
        if term.op == "symbol":
            return self._symbol(term)
        handler = _HANDLERS.get(term.op)
        whole = None if handler is None else (yield from handler(self, term))
        if whole is None or len(whole.sum.factors) > _LONGEST:
            return (yield from self._opaque(term))
        known = self.arithmetic.whole(whole.sum).bounds.meet(whole.bounds)
        if max(-known.low, known.high) >> 2 * term.width:  # far beyond what it stands for: exactness is worth less now
            return self.arithmetic.wrap(RangedInteger(whole.sum, known), -(1 << term.width - 1), 1 << term.width)
        return RangedInteger(whole.sum, known)

    def _opaque(self, term: Term) -> Steps[RangedInteger]:
        """An unknown with the bounds of the term, and for bitwise operations those that operands give."""
        if term.op in _BOUNDED:
            yield from self._of(*term.args)
        whole = self.arithmetic.variable(("opaque", term), IntegerRange(term.low, term.high))
        self.opaque[term.op] = None
        if term.op in _BOUNDED:
            exact = [self._exactly(a, 0) for a in term.args]
            learn_from_operands(self.arithmetic, term.op, whole, exact)
        return whole

    def _bit(self, term: Term) -> Steps[RangedInteger]:
        """A condition as 1 or 0."""
        if term.op == "const":
            return number(term.value)
        (truth,) = yield from self._conditions([term])
        one, zero = self._dialect.integer(1), self._dialect.integer(0)
        return self.arithmetic.define(("bit", term), IntegerRange(0, 1), self.arithmetic.choose(truth, one, zero))

    def _symbol(self, term: Term) -> RangedInteger:
        least = 0 if term in self._unsigned_symbols else -(1 << term.width - 1)
        whole = self.arithmetic.variable(("symbol", term), IntegerRange(least, least + (1 << term.width) - 1))
        self.integers[term] = whole.sum.factors[0][0]
        return whole

    def _sum(self, term: Term) -> Steps[RangedInteger | None]:
        a, b = yield from self._of(*term.args)
        return a.plus(b)

    def _negation(self, term: Term) -> Steps[RangedInteger | None]:
        (a,) = yield from self._of(*term.args)
        return a.times(-1) if term.op == "neg" else a.times(-1).shifted(-1)

    def _product(self, term: Term) -> Steps[RangedInteger | None]:
        a, b = yield from self._of(*term.args)
        return self.arithmetic.product(a, b)

    def _division(self, term: Term) -> Steps[RangedInteger | None]:
        value = self._unsigned if term.op in ("udiv", "urem") else self._signed
        yield from self._of(*term.args)
        dividend, divisor = (value(a) for a in term.args)
        quotient, rest = self.arithmetic.divide(dividend, divisor, term.width)
        return quotient if term.op in ("udiv", "sdiv") else rest

    def _shift(self, term: Term) -> Steps[RangedInteger | None]:
        value, amount = term.args
        yield from self._of(value, amount)
        number_of_bits = self._unsigned(amount)
        first, last = number_of_bits.bounds.low, number_of_bits.bounds.high
        if last - first >= _AMOUNTS:
            return None
        self.arithmetic.rely(number_of_bits.sum, IntegerRange(first, last))
        result = self._shift_by(term, min(last, term.width))
        for bits in range(last - 1, first - 1, -1):
            other = self._shift_by(term, min(bits, term.width))
            is_less = self.arithmetic.at_most(number_of_bits.sum, bits)
            node = self.arithmetic.choose(is_less, self.arithmetic.node(other.sum), self.arithmetic.node(result.sum))
            result = self.arithmetic.define(
                ("shift", term, bits, result.sum, other.sum), result.bounds.hull(other.bounds), node
            )
        return result

    def _shift_by(self, term: Term, bits: int) -> RangedInteger:
        value = term.args[0]
        if term.op == "shl":
            return number(0) if bits == term.width else self._wholes[value].times(1 << bits)
        return self.arithmetic.floor(self._unsigned(value) if term.op == "lshr" else self._signed(value), 1 << bits)

    def _choice(self, term: Term) -> Steps[RangedInteger | None]:
        condition, *branches = term.args
        yield from self._require([(condition, BOOL), *[(branch, INTEGER) for branch in branches]])
        truth = self._truths[condition, BOOL]
        a, b = yield from self._of(*branches)
        a, b = alike(a, b, 1 << term.width)
        difference = a.sum.minus(b.sum)
        hull = a.bounds.hull(b.bounds)
        if not difference.factors:
            distance = difference.constant
            node = self.arithmetic.choose(truth, self._dialect.integer(distance), self._dialect.integer(0))
            bounds = IntegerRange(min(distance, 0), max(distance, 0))
            return RangedInteger(b.sum.plus(self.arithmetic.define(("step", term, distance), bounds, node).sum), hull)
        node = self.arithmetic.choose(truth, self.arithmetic.node(a.sum), self.arithmetic.node(b.sum))
        return self.arithmetic.define(("choice", term, a.sum, b.sum), hull, node)

    def _concatenation(self, term: Term) -> Steps[RangedInteger | None]:
        high, low = term.args
        (whole, _) = yield from self._of(high, low)
        return whole.times(1 << low.width).plus(self._unsigned(low))

    def _extension(self, term: Term) -> Steps[RangedInteger | None]:
        (operand,) = term.args
        yield from self._of(operand)
        return self._unsigned(operand) if term.op == "zext" else self._signed(operand)

    def _part(self, term: Term) -> Steps[RangedInteger | None]:
        (whole,) = yield from self._of(term.args[0])
        return self.arithmetic.floor(whole, 1 << term.offset) if term.offset else whole

    def _bitwise(self, term: Term) -> Steps[RangedInteger | None]:
        a, b = term.args
        if b.op != "const" and a.op == "const":
            a, b = b, a
        if b.op == "const":
            (whole,) = yield from self._of(a)
            return bitwise_with_constant(self.arithmetic, term.op, whole, b.value, term.width)
        if term.op != "and" and (a.zeros | b.zeros) + 1 == 1 << term.width:
            first, second = yield from self._of(a, b)
            return first.plus(second)
        if b.op != "sext" or b.args[0].width > 1:
            a, b = b, a
        if b.op == "sext" and b.args[0].width == 1:
            condition = b.args[0]  # all ones where it holds, else zeros
            yield from self._require([(a, INTEGER), (condition, BOOL)])
            return bitwise_with_condition(self.arithmetic, term, self._wholes[a], self._truths[condition, BOOL])
        return None

    # --- conditions ---

    def _bool(self, term: Term) -> Steps[Truth[Node]]:
        """A term of 1 bit as a condition."""
        op, args, arithmetic = term.op, term.args, self.arithmetic
        match op:
            case "const":
                return arithmetic.constant(bool(term.value))
            case "symbol":
                number_of_truth = self.truths.setdefault(term, len(self.truths))
                return Truth(self._dialect.truth(number_of_truth))
            case "not" | "and" | "or" | "xor" | "ite":
                return (yield from self._connect(term, BOOL))
            case "eq" | "ult" | "slt":
                return (yield from self._compare(term) if args[0].width > 1 else self._compare_bits(term))
            case "extract" if term.offset == args[0].width - 1:
                return (yield from self._conditions(args, SIGN))[0]
        yield from self._of(term)
        return arithmetic.negate(arithmetic.is_zero(self._unsigned(term).sum))

    def _connect(self, term: Term, form: str) -> Steps[Truth[Node]]:
        """Connectives: of conditions, or bitwise ones of which the top bit is asked."""
        arithmetic = self.arithmetic
        if term.op == "ite":
            condition, *branches = term.args
            yield from self._require([(condition, BOOL), *[(branch, form) for branch in branches]])
            truth = self._truths[condition, BOOL]
            a, b = yield from self._conditions(branches, form)
            return Truth(arithmetic.choose(truth, a.node, b.node))
        operands = yield from self._conditions(term.args, form)
        match term.op:
            case "not":
                return arithmetic.negate(operands[0])
            case "and":
                return arithmetic.both(*operands)
            case "or":
                return arithmetic.either(*operands)
        return arithmetic.negate(arithmetic.same(*operands))

    def _compare_bits(self, term: Term) -> Steps[Truth[Node]]:
        a, b = yield from self._conditions(term.args)
        match term.op:
            case "eq":
                return self.arithmetic.same(a, b)
            case "ult":
                return self.arithmetic.both(self.arithmetic.negate(a), b)
        return self.arithmetic.both(a, self.arithmetic.negate(b))

    def _sign(self, term: Term) -> Steps[Truth[Node]]:
        """Whether the top bit of a term is set."""
        if term.width == 1:
            return (yield from self._conditions([term]))[0]
        match term.op:
            case "and" | "or" | "xor" | "not" | "ite":
                overflow = (yield from self._overflow(term)) if term.op == "and" else None
                return overflow or (yield from self._connect(term, SIGN))
            case "zext":
                return self.arithmetic.constant(False)
            case "sext" | "concat":
                return (yield from self._conditions(term.args[:1], SIGN))[0]
        yield from self._of(term)
        value, half = self._signed(term), 1 << term.width - 1
        negative = self.arithmetic.at_most(value.sum, -1)
        whole = self._exactly(term, 0)
        if whole is None:
            return negative
        return self.arithmetic.also(
            negative, [whole.sum.times(-1).plus(Affine(half))], [whole.sum.plus(Affine(1 - half))]
        )

    # --- comparisons ---

    def _compare(self, term: Term) -> Steps[Truth[Node]]:
        """A comparison of terms of several bits."""
        yield from self._of(*term.args)
        if term.op == "eq":
            return (yield from self._equal(term))
        special = yield from self._in_interval(term)
        if special is None and term.op == "ult":
            special = yield from self._carry(term)
        if special is not None:
            return special
        return self._less_unsigned(*term.args) if term.op == "ult" else self._less_signed(*term.args)

    def _less_unsigned(self, a: Term, b: Term) -> Truth[Node]:
        """``a < b``; below 2**(width - 1), signed values are known too."""
        left, right = self._unsigned(a), self._unsigned(b)
        half = 1 << a.width - 1
        truth = self.arithmetic.at_most(left.sum.minus(right.sum), -1)
        if right.bounds.high <= half:
            truth = self.arithmetic.also(truth, self._between(self._exactly(a, -half), 0, right.bounds.high - 1))
        if left.bounds.high < half:
            truth = self.arithmetic.also(truth, (), self._between(self._exactly(b, -half), 0, left.bounds.high))
        return truth

    def _less_signed(self, a: Term, b: Term) -> Truth[Node]:
        """``a < b``; from 0 on, unsigned values are known too."""
        left, right = self._signed(a), self._signed(b)
        half = 1 << a.width - 1
        truth = self.arithmetic.at_most(left.sum.minus(right.sum), -1)
        if left.bounds.low >= -1:
            truth = self.arithmetic.also(truth, self._between(self._exactly(b, 0), left.bounds.low + 1, half - 1))
        if right.bounds.low >= 0:
            truth = self.arithmetic.also(truth, (), self._between(self._exactly(a, 0), right.bounds.low, half - 1))
        return truth

    def _between(self, whole: RangedInteger | None, low: int, high: int) -> list[Affine]:
        """Sums that are at most 0 where the integer lies between."""
        if whole is None:
            return []
        return [Affine(low).minus(whole.sum), whole.sum.plus(Affine(-high))]

    def _equal(self, term: Term) -> Steps[Truth[Node]]:
        """Whether the difference is a multiple of 2**width."""
        a, b = term.args
        for whole, extension in ((a, b), (b, a)):
            if extension.op in ("sext", "zext") and extension.args[0].width > 1:
                fits = yield from self._fits(whole, extension)
                if fits is not None:
                    return fits
        first, second = yield from self._of(a, b)
        difference = first.plus(second, -1)
        count = 1 << term.args[0].width
        if not difference.bounds.within(IntegerRange(1 - count, count - 1)):
            difference = self.arithmetic.closer(difference)
        low, high = -(-difference.bounds.low // count), difference.bounds.high // count
        if high - low >= _MULTIPLES:
            return self.arithmetic.is_zero(self.arithmetic.wrap(difference, 0, count).sum)
        self.arithmetic.rely(difference.sum, IntegerRange((low - 1) * count + 1, (high + 1) * count - 1))
        truths = []
        for multiple in range(low, high + 1):
            distance = difference.sum.plus(Affine(-multiple * count))
            truths.append(self.arithmetic.is_zero(distance))
            if self.arithmetic.has_products(distance):
                self.pivots[distance] = truths[-1]
        return reduce(self.arithmetic.either, truths) if truths else self.arithmetic.constant(False)

    def _fits(self, whole: Term, extension: Term) -> Steps[Truth[Node] | None]:
        """Whether a term is the extension of its own lowest bits: whether it lies in their range."""
        (inner,) = extension.args
        yield from self._of(whole, inner)
        count = 1 << inner.width
        least = -count // 2 if extension.op == "sext" else 0
        if self._exactly(inner, least) is not None:
            return None
        first, second = yield from self._of(whole, inner)
        if not first.sum.minus(second.sum).is_multiple_of(count):
            return None
        value = self._signed(whole) if least else self._unsigned(whole)
        return self.arithmetic.within(value, IntegerRange(least, least + count - 1))

    def _in_interval(self, term: Term) -> Steps[Truth[Node] | None]:
        """A comparison of an operand plus a constant with a constant: it lies in an interval modulo 2**width."""
        total, bound = term.args
        least = 0 if term.op == "ult" else 1 << total.width - 1
        if total.op != "add" or bound.op != "const" or bound.value == least:
            return None
        literal = interval(term)
        if literal is None or literal[0] is total:
            return None
        operand, first, last = literal
        yield from self._of(operand)
        width = operand.width
        whole = self._exactly(operand, -(1 << width - 1))
        if whole is not None:
            first, last = signed(first, width), signed(last, width)
        else:
            whole = self._exactly(operand, 0)
        if whole is None:
            return None
        from_first = self.arithmetic.at_least(whole.sum, first)
        to_last = self.arithmetic.at_most(whole.sum, last)
        return (self.arithmetic.both if first <= last else self.arithmetic.either)(from_first, to_last)

    def _carry(self, term: Term) -> Steps[Truth[Node] | None]:
        """``p + q < p``, as unsigned values: whether the sum exceeds the width."""
        total, addend = term.args
        if total.op != "add" or addend not in total.args:
            return None
        other = total.args[1] if total.args[0] is addend else total.args[0]
        yield from self._of(*total.args)
        whole = self._unsigned(addend).plus(self._unsigned(other))
        return self.arithmetic.at_least(whole.sum, 1 << total.width)

    def _overflow(self, term: Term) -> Steps[Truth[Node] | None]:
        """The top bit of ``(p ^ c) & (q ^ c)`` where c is p + q: whether the signed sum leaves the width."""
        for one, other in product(*[_sides(a) for a in term.args]):
            if one[0] is not other[0]:
                continue
            total, first, second = one[0], one[1], other[1]
            c, p, q = yield from self._of(total, first, second)
            count = 1 << term.width
            if not p.sum.plus(q.sum).minus(c.sum).is_multiple_of(count):
                continue
            least = -count // 2
            for a, b, times in ((first, second, 1), (total, first, -1), (total, second, -1)):
                left, right = self._exactly(a, least), self._exactly(b, least)
                if left is not None and right is not None:
                    value = left.plus(right, times)
                    return self.arithmetic.negate(self.arithmetic.within(value, IntegerRange(least, least + count - 1)))
        return None


def _sides(term: Term) -> list[tuple[Term, Term]]:
    """The operands of an exclusive or, in both orders."""
    if term.op == "not":
        a, b = term.args[0], constant((1 << term.width) - 1, term.width)
    elif term.op == "xor":
        a, b = term.args
    else:
        return []
    return [(a, b), (b, a)]


_HANDLERS: dict[str, Callable[[IntegerEncoder[Any], Term], Steps[RangedInteger | None]]] = {
    "add": IntegerEncoder._sum,
    "neg": IntegerEncoder._negation,
    "not": IntegerEncoder._negation,
    "mul": IntegerEncoder._product,
    **dict.fromkeys(("udiv", "urem", "sdiv", "srem"), IntegerEncoder._division),
    **dict.fromkeys(("shl", "lshr", "ashr"), IntegerEncoder._shift),
    **dict.fromkeys(("and", "or", "xor"), IntegerEncoder._bitwise),
    "ite": IntegerEncoder._choice,
    "concat": IntegerEncoder._concatenation,
    "extract": IntegerEncoder._part,
    **dict.fromkeys(("zext", "sext"), IntegerEncoder._extension),
}
