"""Whether a path tests a number of the caller's: compares it so that the values that fail are bounded."""

from __future__ import annotations

from collections.abc import Callable

from unfork.commands.scan.failing_input import counts_of, is_among, largest, looks_at, symbols_of
from unfork.commands.scan.fault_case import FaultCase
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Term
from unfork.program.facts.size_names import is_named_size

_BYTE = 8


def is_tested(case: FaultCase, symbol: Term) -> bool:
    """Whether the path compares a number, which bounds the failing values on one side at least.

    - The tests alone must bound negative numbers, and unsigned ones in memory: where sums wrap, an access fails for a
      few of them, too.
    - Comparing two numbers in memory is no test: the code that wrote both knows their order.
    - Nor is comparing two arguments where the other is no size, and is not tested itself: both may be wrong.
    - Nor is one of single bits, or of flags in the lower bits of a number in memory.
    """
    number, width, tests = case.numbers[symbol], symbol.width, _tests(case, symbol)
    if not any(_compares(each, symbol, is_signed=number.is_signed) for each in tests):
        return False
    tested = case.ask.where(tests)
    path = case.ask.where((*tests, *case.fault_conditions))
    may_hold_flags = width > _BYTE and not number.is_argument

    def may_come_near(extreme: int, where: PathCondition | None) -> bool:
        return _may_be(case, symbol, extreme, where, low=width // 2 if may_hold_flags else 0)

    if not number.is_signed:
        if path is None or _may_be(case, symbol, 0, path):
            return False
        return not may_come_near(-1, path if number.is_argument else tested)
    bounds = tested if number.is_argument else case.ask.where(each for each in tests if each.symbols == {symbol})
    return _is_signed_tested(case, symbol, path, bounds, may_come_near)


def has_limit(case: FaultCase, symbol: Term) -> bool:
    """Whether the tests bound a number on the side where it fails: ``n <= 4`` does where 4 fails, but not where only
    negative ones fail. So does a comparison with a stated size. Where all fail that they leave, no bound is needed.
    """
    tests, is_signed, width = _tests(case, symbol), case.numbers[symbol].is_signed, symbol.width
    if any(symbol in each.symbols and not case.stated_sizes.isdisjoint(each.symbols) for each in tests):
        return True
    tested, failing = case.ask.where(tests), case.ask.where((*tests, *case.fault_conditions))
    if tested is not None and all(case.ask.implies(tested, each) for each in case.fault_conditions):
        return True
    least, most = (1 << width - 1, (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    is_positive = build.slt(0, symbol, width) if is_signed else build.ne(symbol, 0, width)
    is_above = case.ask.under(failing, is_positive) is not None and not _may_be(case, symbol, most, tested)
    return is_above or not (_may_be(case, symbol, most, failing) or _may_be(case, symbol, least, tested))


def _tests(case: FaultCase, symbol: Term) -> list[Term]:
    """The path's comparisons that say something of the values of a number."""
    number = case.numbers[symbol]
    if number.is_argument:
        return [each for each in case.tests if not _is_beside_open_argument(case, each, symbol)]
    memory = case.numbers.keys() - case.passed_numbers
    return [each for each in case.tests if not is_among(memory, each)]


def _is_beside_open_argument(case: FaultCase, test: Term, symbol: Term) -> bool:
    """Whether a test compares an argument with another one that is no size, and that no test looks at alone."""
    arguments = case.passed_numbers & test.symbols
    sizes = set[Term]() if case.within is None else symbols_of([case.within.length])
    others = {each for each in arguments - {symbol} - sizes if not is_named_size(case.numbers[each].path)}
    bounded = symbols_of(each for each in case.tests if symbol not in each.symbols)
    return symbol in arguments and not others <= bounded


def _is_signed_tested(
    case: FaultCase,
    symbol: Term,
    path: PathCondition | None,
    bounds: PathCondition | None,
    may_come_near: Callable[[int, PathCondition | None], bool],
) -> bool:
    width = symbol.width
    top = 1 << (width - 1)
    is_far_below = case.ask.under(path, build.slt(symbol, -(top >> 1) & (2 * top - 1), width)) is not None
    if is_far_below and not may_come_near(top - 1, bounds) and symbol not in case.counts:
        return True
    is_below = _may_be(case, symbol, 0, path) and _may_be(case, symbol, -1, path)
    sides = ((build.slt(symbol, 0, width), -top, bounds), (build.sle(0, symbol, width), top - 1, path))
    return not is_below and any(
        case.ask.under(path, side) is not None and not may_come_near(extreme, where) for side, extreme, where in sides
    )


def _compares(test: Term, symbol: Term, *, is_signed: bool) -> bool:
    """Whether a test looks at more of a number than single bits. The first bit of a signed one compares it with 0."""

    def is_bit(term: Term) -> bool:
        return term.width == 1 and not (is_signed and term.parameter == symbol.width - 1)

    return looks_at(test, symbol, is_bit)


def _may_be(case: FaultCase, symbol: Term, value: int, where: PathCondition | None, *, low: int = 0) -> bool:
    """Whether a number may have a value's bits from bit ``low`` on."""
    width = symbol.width
    upper = build.extract(symbol, low, width - low)
    bits = (value & ((1 << width) - 1)) >> low
    return case.ask.under(where, build.eq(upper, bits, width - low)) is not None


def tested_beside_count(case: FaultCase) -> set[Term]:
    """The arguments, and contents of text or buffers, that tests bound by the object's count of elements, with the
    count: for a count of one, they rule out the largest value. Of an object that calls make, it is what they are passed
    as a size.
    """
    counts = set() if case.within is None else counts_of(case.within, case.numbers)
    if case.scanned.function.name in case.scanned.program.object_drivers:
        counts |= {each for each in case.passed_numbers if is_named_size(case.numbers[each].path)}
    one = case.ask.where((*case.tests, *(build.eq(each, 1, each.width) for each in counts)))
    beside = symbols_of(each for each in case.tests if counts & each.symbols) - counts
    bounded = {
        each
        for each in beside
        if one is not None
        and (each not in case.numbers or each in case.passed_numbers)
        and case.ask.under(one, build.eq(each, largest(each, case.numbers.get(each)), each.width)) is None
    }
    return bounded | counts if bounded else bounded
