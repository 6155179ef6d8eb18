"""A term read as a sum: a constant and multiples of other terms, modulo 2**width.

Reading looks through sums, negations, products with constants and shifts, up to ADDENDS addends; the rest is an addend
itself, so that long sums cost no more than short ones. It builds no terms except extensions of operands.
"""

from __future__ import annotations

from unfork.logic.terms.bits import sext, zext
from unfork.logic.terms.choice import node
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import make

# Addends of a sum to tell apart; deeper ones together are one addend (docs/decisions/logic.md).
ADDENDS = 8
_PARTS = 3 * ADDENDS
"""Parts of an equality's sides to look into."""

_SUMS = frozenset(("add", "neg", "mul", "not"))
_EXTENSIONS = frozenset(("zext", "sext"))


class Linear:
    """``constant`` plus the sum of ``factors[t] * t``, filled in by reading; ``met`` counts the addends read."""

    __slots__ = ("constant", "factors", "met", "written")

    def __init__(self) -> None:
        self.constant = 0
        self.factors: dict[Term, int] = {}
        self.met = 0
        self.written: dict[Term, tuple[int, Term]] = {}
        """Multiples of terms that occur as terms of their own: (factor, multiple) by the term."""

    def read(self, term: Term, factor: int) -> None:
        """Add a multiple of ``term``, split as sums are written: a multiple of a sum is one addend."""
        factors = self.factors
        limit = self.met + ADDENDS
        stack = [(term, factor)]
        while stack:
            term, factor = stack.pop()
            op = term.op
            if op == "add" and self.met + len(stack) < limit - 1:
                first, second = term.args
                stack.append((second, factor))
                stack.append((first, factor))
            elif op == "const":
                self.constant += factor * term.value
            elif op == "neg" or op == "not":
                stack.append((term.args[0], -factor))
                if op == "not":
                    self.constant -= factor
            else:
                if op == "mul" and term.args[1].op == "const":
                    times = term.args[1].value
                    self.written[term.args[0]] = times, term
                    term, factor = term.args[0], factor * times
                elif op == "concat" or (op in _EXTENSIONS and term.args[0].op == "concat"):
                    whole = term
                    term, times = _unshift(whole, 1)
                    if times != 1:
                        self.written[term] = times, whole
                        factor *= times
                factors[term] = factors.get(term, 0) + factor
                self.met += 1

    def read_through(self, term: Term, factor: int) -> None:
        """As read(), but splits multiples of sums too, and extensions of sums that do not wrap around."""
        stack = [(term, factor)]
        for _ in range(_PARTS):
            if not stack or len(stack) > ADDENDS:
                break
            term, factor = stack.pop()
            inner = _inner_sum(term, factor)
            if inner is None:
                self._count(term, factor)
            else:
                self.constant += inner.constant
                stack.extend(inner.factors.items())
        for term, factor in stack:
            self._count(term, factor)

    def _count(self, term: Term, factor: int) -> None:
        self.factors[term] = self.factors.get(term, 0) + factor
        self.met += 1


def is_sum(term: Term) -> bool:
    """Whether reading finds anything but the term itself."""
    op = term.op
    if op in _SUMS:
        return True
    if op in _EXTENSIONS:
        term = term.args[0]
    return term.op == "concat" and term.args[1].op == "const" and term.args[1].value == 0


def _unshift(term: Term, factor: int) -> tuple[Term, int]:
    """A multiple by a power of two, as (operand, factor)."""
    width = term.width
    concat = term.args[0] if term.op in _EXTENSIONS else term
    if concat.op != "concat":
        return term, factor
    inner, zeros = concat.args
    if zeros.op != "const" or zeros.value:
        return term, factor
    factor <<= zeros.width
    if concat is not term:
        return make(term.op, width, (inner,)), factor
    if inner.op == "neg":
        inner, factor = inner.args[0], -factor
    elif inner.op == "mul" and inner.args[1].op == "const":
        inner, factor = inner.args[0], factor * inner.args[1].value
    return _widen(inner, width), factor


def _widen(term: Term, width: int) -> Term:
    """Any term of ``width`` bits whose lowest bits are those of the term."""
    if term.op == "extract" and term.offset == 0 and term.args[0].width == width:
        return term.args[0]
    if term.op in _EXTENSIONS:
        return make(term.op, width, term.args)
    return make("zext", width, (term,))


def _inner_sum(term: Term, factor: int) -> Linear | None:
    """A multiple of a term read as a sum, if the term is a sum or an extension or shift of one; None for others."""
    total = Linear()
    op = term.op
    if op in _SUMS:
        total.read(term, factor)
        return None if term in total.factors else total  # a product of unknowns
    if op in _EXTENSIONS:
        inner = term.args[0]
        if inner.op in _SUMS:
            return _extended_sum(term, factor)
    if op not in _EXTENSIONS and op != "concat":
        return None
    unshifted, multiple = _unshift(term, factor)
    if unshifted is term:
        return None
    if unshifted.op == "zext" and term.op == "concat":  # the wrapped part of the inner sum is shifted out
        inner = unshifted.args[0]
        if inner.op == "add" and inner.width == term.args[0].width:
            total.read(inner, multiple)
            total.factors = {_widen(addend, term.width): times for addend, times in total.factors.items()}
            return total
    total.factors[unshifted] = multiple
    return total


def _extended_sum(term: Term, factor: int) -> Linear | None:
    """An extension of a sum as a sum of extensions; None if the sum may wrap around."""
    (inner,) = term.args
    width, count = term.width, 1 << inner.width
    total = Linear()
    total.read(inner, 1)
    low = high = 0
    for addend, times in total.factors.items():
        times = (times + count // 2) % count - count // 2
        first, last = _bounds(addend)
        low += min(first * times, last * times)
        high += max(first * times, last * times)
    least = -(count // 2) if term.op == "sext" else 0
    constant = (low + total.constant - least) % count + least - low
    if high + constant >= least + count:
        return None
    result = Linear()
    result.constant = constant * factor
    for addend, times in total.factors.items():
        times = (times + count // 2) % count - count // 2
        extended = (sext if addend.op == "sext" else zext)(addend, inner.width, width)
        key = node(extended, width)
        result.factors[key] = result.factors.get(key, 0) + times * factor
    return result


def _bounds(addend: Term) -> tuple[int, int]:
    """Bounds of the integer that an addend's extension stands for."""
    if addend.op != "sext":
        return addend.low, addend.high
    half = 1 << addend.args[0].width - 1
    return -half, half - 1
