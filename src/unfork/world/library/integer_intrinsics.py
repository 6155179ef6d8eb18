"""The llvm.* intrinsics on integers: checked and saturating arithmetic, order, bit counting, swaps, funnel shifts.

Each is a function from the element types of the first operand and the result to an operation on scalars without side
effects. The value None is poison.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.types import Type

Operation = Callable[..., Value | tuple[Value, Value] | None]
Make = Callable[[Type, Type], Operation]
Scalar = Callable[[Value, Value, int], Value]


# --- checked and saturating arithmetic ---


def _checked(compute: Callable[[Value, Value, int], tuple[Value, Value]]) -> Make:
    """with.overflow: the wrapped result, and whether it is wrong (1 bit)."""

    def make(kind: Type, result: Type) -> Operation:
        width = layout.bits_of(kind)
        return lambda a, b: compute(a, b, width)

    return make


def add_unsigned(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a + b and whether it exceeds the width."""
    total = build.add(a, b, width)
    return total, build.ult(total, a, width)


def subtract_unsigned(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a - b and whether it is below zero."""
    return build.sub(a, b, width), build.ult(a, b, width)


def add_signed(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a + b and whether operands of one sign gave a result of the other."""
    total = build.add(a, b, width)
    wrong = build.and_(build.xor(a, total, width), build.xor(b, total, width), width)
    return total, build.extract(wrong, width - 1, 1)


def subtract_signed(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a - b and whether the result left the sign of a for that of b."""
    difference = build.sub(a, b, width)
    wrong = build.and_(build.xor(a, b, width), build.xor(a, difference, width), width)
    return difference, build.extract(wrong, width - 1, 1)


def multiply_unsigned(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a * b and whether the upper half of the full product is not zero."""
    wide = build.mul(build.zext(a, width, 2 * width), build.zext(b, width, 2 * width), 2 * width)
    return build.extract(wide, 0, width), build.ne(build.extract(wide, width, width), 0, width)


def multiply_signed(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    """a * b and whether the full product is not the sign extension of its lower half."""
    wide = build.mul(build.sext(a, width, 2 * width), build.sext(b, width, 2 * width), 2 * width)
    low = build.extract(wide, 0, width)
    return low, build.ne(wide, build.sext(low, width, 2 * width), 2 * width)


def _saturated(compute: Callable[[Value, Value, int], tuple[Value, Value]], bound: int | None) -> Make:
    """The result, or ``bound`` where it is wrong: -1 for all ones, 0, or None for the signed bound on a's side."""

    def make(kind: Type, result: Type) -> Operation:
        width = layout.bits_of(kind)
        ones = (1 << width) - 1
        lowest = 1 << (width - 1)

        def run(a: Value, b: Value) -> Value:
            value, wrong = compute(a, b, width)
            limit = _limit(a, width, lowest) if bound is None else bound & ones
            return build.ite(wrong, limit, value, width)

        return run

    return make


def _limit(a: Value, width: int, lowest: int) -> Value:
    return build.ite(build.extract(a, width - 1, 1), lowest, lowest - 1, width)


def _shift_left_unsigned(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    shifted = build.shl(a, b, width)
    return shifted, build.ne(build.lshr(shifted, b, width), a, width)


def _shift_left_signed(a: Value, b: Value, width: int) -> tuple[Value, Value]:
    shifted = build.shl(a, b, width)
    return shifted, build.ne(build.ashr(shifted, b, width), a, width)


# --- order ---


def _choosing(first: Scalar) -> Make:

    def make(kind: Type, result: Type) -> Operation:
        width = layout.bits_of(kind)
        return lambda a, b: build.ite(first(a, b, width), a, b, width)

    return make


def _three_way(below: Scalar) -> Make:
    """-1, 0 or 1 in the width of the result."""

    def make(kind: Type, result: Type) -> Operation:
        width, target = layout.bits_of(kind), layout.bits_of(result)
        minus_one = (1 << target) - 1

        def run(a: Value, b: Value) -> Value:
            above = build.ite(below(b, a, width), 1, 0, target)
            return build.ite(below(a, b, width), minus_one, above, target)

        return run

    return make


def _absolute(kind: Type, result: Type) -> Operation:
    """The absolute value; the lowest value stays, since its negation wraps, even where LLVM allows anything."""
    width = layout.bits_of(kind)
    return lambda a, wraps_to_poison: build.ite(build.extract(a, width - 1, 1), build.neg(a, width), a, width)


# --- bits ---


def _count_ones(kind: Type, result: Type) -> Operation:
    width = layout.bits_of(kind)

    def run(a: Value) -> Value:
        return a.bit_count() if isinstance(a, int) else _population(a, width)

    return run


def _population(a: Value, width: int) -> Value:
    """The number of set bits: adds neighbouring counts in parallel, in fields that double in width."""
    wide = max(2, 1 << (width - 1).bit_length())
    counts = build.zext(a, width, wide)
    field = 1
    while field < wide:
        mask = ((1 << wide) - 1) // ((1 << field) + 1)
        odd = build.and_(build.lshr(counts, field, wide), mask, wide)
        counts = build.add(build.and_(counts, mask, wide), odd, wide)
        field *= 2
    return build.trunc(counts, wide, width)


def _count_zeros(bits: Callable[[int], range], concrete: Callable[[int, int], int]) -> Make:
    """Zero bits before the first set bit, in the order of ``bits``. Zero gives the width, or poison if so flagged.

    Where zero gives poison, the caller makes sure that a symbolic operand is not zero.
    """

    def make(kind: Type, result: Type) -> Operation:
        width = layout.bits_of(kind)

        def run(a: Value, zero_is_poison: Value) -> Value | None:
            if isinstance(a, int):
                if a:
                    return concrete(a, width)
                return None if zero_is_poison else width
            count: Value = width
            for number, bit in reversed(list(enumerate(bits(width)))):
                count = build.ite(build.extract(a, bit, 1), number, count, width)
            return count

        return run

    return make


def _swap_bytes(kind: Type, result: Type) -> Operation:
    size = layout.bits_of(kind) // 8

    def run(a: Value) -> Value:
        if isinstance(a, int):
            return int.from_bytes(a.to_bytes(size, "little"), "big")
        return build.concat_bytes([build.extract(a, 8 * i, 8) for i in reversed(range(size))])

    return run


def _reverse_bits(kind: Type, result: Type) -> Operation:
    width = layout.bits_of(kind)

    def run(a: Value) -> Value:
        if isinstance(a, int):
            return int(format(a, f"0{width}b")[::-1], 2)
        total = build.extract(a, width - 1, 1)
        for i in reversed(range(width - 1)):
            total = build.concat(build.extract(a, i, 1), total, 1, width - 1 - i)
        return total

    return run


def _funnel(shift: Scalar) -> Make:
    """(a : b) shifted by c modulo the width: the upper half after a left shift, the lower one after a right shift."""

    def make(kind: Type, result: Type) -> Operation:
        width = layout.bits_of(kind)
        lowest = width if shift is build.shl else 0

        def run(a: Value, b: Value, c: Value) -> Value:
            if not isinstance(c, int):
                wide = shift(build.concat(a, b, width, width), _amount(c, width), 2 * width)
                return build.extract(wide, lowest, width)
            amount = c % width
            return _window(a, b, width - amount if lowest else amount, width)

        return run

    return make


def _amount(c: Value, width: int) -> Value:
    return build.zext(build.urem(c, width, width), width, 2 * width)


def _window(high: Value, low: Value, start: int, width: int) -> Value:
    """The ``width`` bits of (high : low) from bit ``start`` up."""
    if isinstance(high, int) and isinstance(low, int):
        return (high << width | low) >> start & (1 << width) - 1
    if start == 0:
        return low
    if start == width:
        return high
    upper, lower = build.extract(high, 0, start), build.extract(low, start, width - start)
    return build.concat(upper, lower, start, width - start)


OPERATIONS: dict[str, Make] = {
    "sadd.with.overflow": _checked(add_signed),
    "uadd.with.overflow": _checked(add_unsigned),
    "ssub.with.overflow": _checked(subtract_signed),
    "usub.with.overflow": _checked(subtract_unsigned),
    "smul.with.overflow": _checked(multiply_signed),
    "umul.with.overflow": _checked(multiply_unsigned),
    "sadd.sat": _saturated(add_signed, None),
    "uadd.sat": _saturated(add_unsigned, -1),
    "ssub.sat": _saturated(subtract_signed, None),
    "usub.sat": _saturated(subtract_unsigned, 0),
    "sshl.sat": _saturated(_shift_left_signed, None),
    "ushl.sat": _saturated(_shift_left_unsigned, -1),
    "smin": _choosing(build.slt),
    "smax": _choosing(build.sgt),
    "umin": _choosing(build.ult),
    "umax": _choosing(build.ugt),
    "scmp": _three_way(build.slt),
    "ucmp": _three_way(build.ult),
    "abs": _absolute,
    "ctpop": _count_ones,
    "ctlz": _count_zeros(lambda width: range(width - 1, -1, -1), lambda a, width: width - a.bit_length()),
    "cttz": _count_zeros(range, lambda a, width: (a & -a).bit_length() - 1),
    "bswap": _swap_bytes,
    "bitreverse": _reverse_bits,
    "fshl": _funnel(build.shl),
    "fshr": _funnel(build.lshr),
}
