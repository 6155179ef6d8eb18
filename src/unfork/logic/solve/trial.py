"""Small formulas are decided by running them: all inputs are tried, in machine code where they are many.

A query has few inputs if the intervals and sets that its constraints leave to the symbols, or the bits that it reads
of them, have few combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import CFUNCTYPE, addressof, c_uint64, c_void_p
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Protocol, TypeAlias

from unfork.logic.solve.solver import FOREVER, Answer, Effort, Sat, Unknown, Unsat
from unfork.logic.solve.term_code import RUN, NoTermCode, cost, input_loop
from unfork.logic.terms.boolean import interval
from unfork.logic.terms.build import parted
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, postorder, sort_terms

INPUTS = 1 << 22
"""Most inputs of a query to run."""
_EVALUATED = 4_096
"""Most inputs to evaluate: they take about as many milliseconds as a solver takes to translate a floating-point
division.
"""
_AT_ONCE = 8_000
"""Terms that are evaluated in the time in which LLVM compiles a small function: 3 ms."""
_WORK = 1 << 31
"""Most work of a loop, in additions: about a second."""
PER_TICK = 100_000
"""Additions in the time of a tick (logic/solve/bitwuzla.py)."""
_EVALUATED_PER_TICK = 70
"""Terms that are evaluated in the time of a tick."""
TERMS = 4_000
"""Most terms to compile: a tenth of a second."""
_SYMBOLS = 64
ALL = (1 << 64) - 1
"""More solutions than there are."""
START_TICKS = 100
"""Ticks in which LLVM compiles a small function; each term adds one."""

_Values: TypeAlias = Sequence[int]
"""The values of a symbol to try, modulo its width: a range, or those of a set."""

_Interval: TypeAlias = tuple[int, int]
"""The first value of an interval, and how many it has, modulo the width."""


class MachineFunction(Protocol):
    """Machine code at an address, as long as this object lives."""

    @property
    def address(self) -> int:
        """The address of the function."""


Compile = Callable[[str, str], MachineFunction | None]
"""Compiles a function of a module in LLVM's language, by name; None where this machine runs no such code."""


def no_machine_code(text: str, name: str) -> None:
    """Compiles nothing."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The values of each symbol to try. Each input stands for ``times`` inputs, alike but for bits not read."""

    values: dict[Term, _Values]
    times: int

    @property
    def count(self) -> int:
        """The number of inputs to try."""
        return prod(map(len, self.values.values()))


class Trial:
    """A solver that tries all inputs of a query; Unknown if they are many.

    It is exact. Few inputs of small terms are evaluated, others are run as machine code. Its work is limited and
    counted in ticks, never in seconds.
    """

    def __init__(self, compile: Compile, effort: Effort) -> None:
        self._compile = compile
        self._effort = effort

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        return self.answer(constraints, {}) or Unknown("there are too many inputs to try")

    def forget(self) -> None:
        """It keeps nothing."""

    def close(self) -> None:
        """It holds nothing."""

    def answer(self, constraints: Sequence[Term], sets: Mapping[Term, int]) -> Answer | None:
        """Whether inputs satisfy the constraints, if there are few of them; None otherwise.

        ``sets`` has the values that symbols of up to 8 bits may still have, as the bits of an int.
        """
        inputs = _inputs(constraints, sets)
        if inputs is None:
            return None
        if not inputs.count:
            return Unsat()
        terms = len(postorder(constraints))
        if not inputs.values or (inputs.count <= _EVALUATED and inputs.count * terms <= _AT_ONCE):
            return self._evaluated(inputs, constraints)
        ran = self._ran(inputs, constraints, wanted=1) if terms <= TERMS else None
        if ran is None:
            return self._evaluated(inputs, constraints) if inputs.count <= _EVALUATED else None
        return Sat(ran.model) if ran.found else Unsat()

    def count(self, constraints: Sequence[Term]) -> int | None:
        """How many values of their symbols satisfy the constraints; None if there are too many to try."""
        inputs = _inputs(constraints, {})
        if inputs is None:
            return None
        if not inputs.values:
            return int(all(evaluate(constraint, Model({})) for constraint in constraints))
        if not inputs.count:
            return 0
        ran = self._ran(inputs, constraints, wanted=ALL)
        return None if ran is None else ran.found * inputs.times

    def _evaluated(self, inputs: _Inputs, constraints: Sequence[Term]) -> Answer:
        """The answer by the evaluator."""
        symbols, evaluated = inputs.values, 0
        masks = [(1 << symbol.width) - 1 for symbol in symbols]
        for chosen in product(*symbols.values()):
            numbers = [value & mask for value, mask in zip(chosen, masks, strict=True)]
            model = Model(dict(zip(symbols, numbers, strict=True)))
            holds = all(evaluate(constraint, model) for constraint in constraints)
            evaluated += len(model.memo)
            if holds:
                break
        self._effort.ticks += evaluated // _EVALUATED_PER_TICK
        return Sat(Model(model.values)) if holds else Unsat()

    def _ran(self, inputs: _Inputs, constraints: Sequence[Term], wanted: int) -> _Ran | None:
        """What the loop finds, up to so many solutions; None if it takes too long or cannot be compiled."""
        symbols = _outermost_first(list(inputs.values), constraints)
        values = [inputs.values[symbol] for symbol in symbols]
        try:
            loop = input_loop(symbols, values, constraints)
        except NoTermCode:
            return None
        if loop.work > _WORK:
            return None
        code = self._compile(loop.text, RUN)
        if code is None:
            return None
        words = (c_uint64 * len(symbols))()
        found = CFUNCTYPE(c_uint64, c_void_p, c_uint64)(code.address)(addressof(words), wanted)
        indices = list(words)
        self._effort.ticks += START_TICKS + loop.terms + _part(values, indices, loop.work, found == wanted) // PER_TICK
        chosen = [each[index] & (1 << s.width) - 1 for s, each, index in zip(symbols, values, indices, strict=True)]
        return _Ran(found, Model(dict(zip(symbols, chosen, strict=True))))


@dataclass(frozen=True, slots=True)
class _Ran:
    """How many solutions a loop found, and the last of them."""

    found: int
    model: Model


def _part(values: Sequence[_Values], indices: Sequence[int], work: int, stopped: bool) -> int:
    """The work of a loop that ran to its end, or stopped with these indices."""
    if not stopped:
        return work
    turn = 0
    for each, index in zip(values, indices, strict=True):
        turn = turn * len(each) + index
    return work * (turn + 1) // prod(map(len, values))


def _outermost_first(symbols: Sequence[Term], constraints: Sequence[Term]) -> list[Term]:
    """The symbols, those on which most of the work depends first."""
    weights = dict.fromkeys(symbols, 0)
    for term in postorder(constraints):
        for symbol in term.symbols:
            weights[symbol] += cost(term)
    return sorted(symbols, key=lambda symbol: -weights[symbol])


# --- which inputs there are ---


def _inputs(constraints: Sequence[Term], sets: Mapping[Term, int]) -> _Inputs | None:
    """The inputs that may satisfy the constraints, if they are few."""
    symbols = sort_terms(frozenset().union(*[constraint.symbols for constraint in constraints]))
    if len(symbols) > _SYMBOLS:
        return None
    intervals = _intervals(constraints)
    read: dict[Term, int] = {}
    values: dict[Term, _Values] = {}
    count = times = 1
    for symbol in symbols:
        if symbol in sets:
            values[symbol] = _members(sets[symbol])
            count *= len(values[symbol])
        elif symbol in intervals:
            first, size = intervals[symbol]
            values[symbol] = range(first, first + size)
            count *= size
        else:
            read = read or _bits_read(constraints)
            low, high = (read[symbol] & -read[symbol]).bit_length() - 1, read[symbol].bit_length()
            values[symbol] = range(0, 1 << high, 1 << low)
            count <<= high - low
            times <<= symbol.width - (high - low)
        if count > INPUTS:
            return None
    return _Inputs(values, times)


def _members(values: int) -> tuple[int, ...]:
    return tuple([value for value in range(values.bit_length()) if values >> value & 1])


def _intervals(constraints: Sequence[Term]) -> dict[Term, _Interval]:
    """The interval to which constraints about a symbol alone confine it."""
    intervals: dict[Term, _Interval] = {}
    for constraint in constraints:
        about = _symbol_interval(constraint)
        if about is not None:
            symbol, own = about
            before = intervals.get(symbol)
            intervals[symbol] = own if before is None else _common(before, own, symbol.width)
    return intervals


def _common(a: _Interval, b: _Interval, width: int) -> _Interval:
    """The intersection, or the smaller of both where it has two parts."""
    (first, size), (other, more) = a, b
    ahead = other - first & (1 << width) - 1
    if ahead >= size:  # the second does not begin in the first
        back = first - other & (1 << width) - 1
        return first, max(0, min(more - back, size))
    if ahead + more > 1 << width:
        return min(a, b, key=lambda each: each[1])
    return other, min(size - ahead, more)


def _symbol_interval(condition: Term) -> tuple[Term, _Interval] | None:
    """The symbol and its interval, if the condition confines the symbol or its sum with a constant to one."""
    literal = interval(condition)
    if literal is None:
        return None
    value, first, last = literal
    mask = (1 << value.width) - 1
    constant, symbol = parted(value)
    if not isinstance(symbol, Term) or symbol.op != "symbol":
        return None
    return symbol, (first - constant & mask, (last - first & mask) + 1)


def _bits_read(constraints: Sequence[Term]) -> dict[Term, int]:
    """The bits of each symbol that terms read."""
    read: dict[Term, int] = {}
    for constraint in constraints:
        if constraint.op == "symbol":
            read[constraint] = 1
    for term in postorder(constraints):
        for symbol in term.args:
            if symbol.op == "symbol":
                bits = (1 << symbol.width) - 1
                if term.op == "extract":
                    bits = (1 << term.width) - 1 << term.offset
                elif term.op == "and":
                    bits = max([a.value for a in term.args if a.op == "const"], default=bits)
                read[symbol] = read.get(symbol, 0) | bits
    return read
