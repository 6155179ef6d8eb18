"""The normal forms that a symbolic executor over C leans on, each by the example that asked for it."""

from __future__ import annotations

from itertools import permutations
from itertools import product as product_of
from typing import cast

import pytest

from unfork.logic.terms import build, concrete
from unfork.logic.terms.division import digit
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

CHAR = symbol("char", 8)
OTHER = symbol("other", 8)
INT = symbol("int", 32)
INDEX = symbol("index", 32)
LONG = symbol("long", 64)
FLAG = symbol("flag", 1)
SECOND = symbol("second", 1)


def promoted(a: Value = CHAR) -> Value:
    """A char as C's int."""
    return build.sext(a, 8, 32)


def scaled(a: Value = INDEX, size: int = 4) -> Value:
    """The offset of an array's element."""
    return build.mul(build.sext(a, 32, 64), size, 64)


def test_a_char_compared_as_an_int_is_compared_as_a_char() -> None:
    assert build.eq(promoted(), ord("a"), 32) is build.eq(CHAR, ord("a"), 8)
    assert build.slt(promoted(), ord("a"), 32) is build.slt(CHAR, ord("a"), 8)
    assert build.eq(build.zext(CHAR, 8, 32), 65, 32) is build.eq(CHAR, 65, 8)
    assert build.eq(promoted(), promoted(OTHER), 32) is build.eq(CHAR, OTHER, 8)
    assert build.slt(promoted(), promoted(OTHER), 32) is build.slt(CHAR, OTHER, 8)
    assert build.ult(build.zext(CHAR, 8, 32), build.zext(OTHER, 8, 32), 32) is build.ult(CHAR, OTHER, 8)
    assert build.eq(build.zext(CHAR, 8, 32), 256, 32) == 0
    assert build.slt(promoted(), 128, 32) == 1
    assert build.sgt(promoted(), 200, 32) == 0


def test_a_condition_widened_and_tested_is_the_condition() -> None:
    for condition in (FLAG, build.eq(INT, 5, 32), build.extract(INT, 3, 1)):
        assert build.ne(build.zext(condition, 1, 32), 0, 32) is condition
        assert build.eq(build.zext(condition, 1, 32), 0, 32) is build.negate(condition)
        assert build.trunc(build.zext(condition, 1, 8), 8, 1) is condition
        assert build.slt(build.sext(condition, 1, 32), 0, 32) is condition


def test_bounds_checks_of_scaled_indices_compare_the_index() -> None:
    assert build.ult(scaled(), 40, 64) is build.ult(INDEX, 10, 32)
    assert build.ule(scaled(), 36, 64) is build.ult(INDEX, 10, 32)
    pointer = build.add(1 << 47, scaled(), 64)
    assert build.ult(build.sub(pointer, 1 << 47, 64), 37, 64) is build.ult(INDEX, 10, 32)
    small = build.zext(CHAR, 8, 64)
    assert build.ult(build.mul(small, 4, 64), 1021, 64) == 1


def test_a_range_test_of_a_wrapping_sum_stays_one_comparison() -> None:
    test = build.ult(build.add(INT, 3, 32), 10, 32)
    assert type(test) is Term and build.interval(test) == (INT, (1 << 32) - 3, 6)
    assert build.ult(build.add(build.zext(CHAR, 8, 32), 3, 32), 10, 32) is build.ult(CHAR, 7, 8)
    assert build.ult(build.sub(build.zext(CHAR, 8, 32), 3, 32), 1 << 31, 32) is build.uge(CHAR, 3, 8)


def test_overflow_checks_compare_with_a_constant() -> None:
    assert build.ult(build.add(INT, 8, 32), INT, 32) is build.uge(INT, (1 << 32) - 8, 32)
    assert build.slt(build.add(INT, 8, 32), INT, 32) is build.sge(INT, (1 << 31) - 8, 32)
    assert build.slt(build.add(INT, 1, 32), build.add(INT, 5, 32), 32) is build.ult(
        build.add(INT, (1 << 31) + 1, 32), (1 << 32) - 4, 32
    )


def test_constants_meet_in_sums() -> None:
    pointer = build.add(build.add(1 << 47, scaled(), 64), 8, 64)
    assert type(pointer) is Term
    assert build.constant_offset(pointer) == ((1 << 47) + 8, scaled())
    assert build.sub(pointer, build.add(scaled(), 1 << 47, 64), 64) == 8
    assert build.sub(build.add(INT, INDEX, 32), INDEX, 32) is INT
    assert build.add(build.not_(INT, 32), 1, 32) is build.neg(INT, 32)
    assert build.eq(build.sub(INT, INDEX, 32), 0, 32) is build.eq(INT, INDEX, 32)


@pytest.mark.parametrize("count", [3, 30, 400])
def test_sums_of_what_the_same_conditions_choose(count: int) -> None:
    """Each condition adds to one of two values, as joins of branches leave them."""
    left, right = INT, INDEX
    for i in range(count):
        condition = symbol(f"condition{i}", 1)
        more, further = build.add(left, i + 3, 32), build.add(right, i + 5, 32)
        left, right = build.ite(condition, more, left, 32), build.ite(condition, right, further, 32)
        assert type(left) is Term and type(right) is Term
    total = build.add(left, right, 32)
    for chosen in (0, 1, 2, 7):
        model = Model({INT: 100, INDEX: 200} | {symbol(f"condition{i}", 1): i & chosen == chosen for i in range(count)})
        expected = 300 + sum(i + 3 if i & chosen == chosen else i + 5 for i in range(count))
        assert evaluate(total, model) == expected


def test_bytes_of_a_term_put_together_are_the_term() -> None:
    assert build.concat_bytes([build.extract(INT, 8 * i, 8) for i in range(4)]) is INT
    wide = promoted()
    assert build.concat_bytes([build.extract(wide, 8 * i, 8) for i in range(4)]) is wide
    zeros = build.zext(CHAR, 8, 64)
    assert build.concat_bytes([build.extract(zeros, 8 * i, 8) for i in range(8)]) is zeros
    choice = build.ite(FLAG, INT, INDEX, 32)
    assert build.concat_bytes([build.extract(choice, 8 * i, 8) for i in range(4)]) is choice


def test_a_value_assembled_by_shifts_is_a_concatenation() -> None:
    parts = [symbol(f"part{i}", 8) for i in range(4)]
    for order in ((0, 1, 2, 3), (3, 0, 1, 2), (2, 0, 3, 1)):
        for combine in (build.or_, build.add, build.xor):
            total: Value = 0
            for i in order:
                total = combine(total, build.shl(build.zext(parts[i], 8, 32), 8 * i, 32), 32)
            assert total is build.concat_bytes(list(parts))


def test_an_equality_of_a_concatenation_is_one_of_each_part() -> None:
    word = build.concat_bytes([CHAR, OTHER])
    assert build.eq(word, 0x4142, 16) is build.both(build.eq(CHAR, 0x42, 8), build.eq(OTHER, 0x41, 8))


def test_masks_are_extracts() -> None:
    assert build.and_(INT, 0xFF, 32) is build.zext(build.extract(INT, 0, 8), 8, 32)
    assert build.ne(build.and_(INT, 8, 32), 0, 32) is build.extract(INT, 3, 1)
    assert build.and_(build.zext(CHAR, 8, 32), 0xFFF, 32) is build.zext(CHAR, 8, 32)
    assert build.lshr(build.shl(INT, 24, 32), 24, 32) is build.and_(INT, 0xFF, 32)
    assert build.trunc(build.add(promoted(), 1, 32), 32, 8) is build.add(CHAR, 1, 8)


def test_a_choice_of_constants_stays_one() -> None:
    choice = build.ite(FLAG, 2, 1, 32)
    assert build.ult(choice, 3, 32) == 1
    assert build.eq(choice, 2, 32) is FLAG
    assert build.mul(build.add(choice, 1, 32), 10, 32) is build.ite(FLAG, 30, 20, 32)
    assert build.add(choice, build.ite(FLAG, 8, 9, 32), 32) == 10
    assert build.eq(build.ite(FLAG, INT, 7, 32), 7, 32) is build.either(build.negate(FLAG), build.eq(INT, 7, 32))
    nested = build.ite(FLAG, build.ite(SECOND, 1, 2, 32), 2, 32)
    assert nested is build.ite(build.both(FLAG, SECOND), 1, 2, 32)
    assert build.ite(build.negate(FLAG), 1, 2, 32) is build.ite(FLAG, 2, 1, 32)


def test_choices_of_a_pointer_keep_the_offset() -> None:
    pointer = build.add(build.ite(FLAG, 1 << 47, 1 << 46, 64), build.add(scaled(), 8, 64), 64)
    assert type(pointer) is Term
    found = build.choices(pointer)
    assert found is not None
    expected = {
        FLAG: build.add(scaled(), (1 << 47) + 8, 64),
        build.negate(FLAG): build.add(scaled(), (1 << 46) + 8, 64),
    }
    assert dict(found) == expected
    assert build.choices(INT) is None


def test_conditions_about_one_term_meet() -> None:
    below = [build.ult(INT, bound, 32) for bound in (5, 6, 10)]
    assert build.both(below[0], below[2]) is below[0]
    assert build.either(below[0], below[2]) is below[2]
    assert build.both(below[0], build.eq(INT, 7, 32)) == 0
    assert build.both(below[0], build.eq(INT, 3, 32)) is build.eq(INT, 3, 32)
    assert build.both(below[1], build.ne(INT, 5, 32)) is below[0]
    assert build.both(below[1], build.negate(below[0])) is build.eq(INT, 5, 32)
    assert build.both(build.slt(INT, 0, 32), build.sgt(INT, 3, 32)) == 0
    assert build.either(build.eq(INT, 5, 32), below[0]) is below[1]


def test_conditions_absorb_and_cancel() -> None:
    third = symbol("third", 1)
    assert build.both(FLAG, build.negate(FLAG)) == 0
    assert build.either(FLAG, build.negate(FLAG)) == 1
    assert build.both(FLAG, build.either(FLAG, SECOND)) is FLAG
    assert build.either(FLAG, build.both(FLAG, SECOND)) is FLAG
    assert build.both(FLAG, build.either(build.negate(FLAG), SECOND)) is build.both(FLAG, SECOND)
    both = build.both(build.both(FLAG, SECOND), third)
    assert build.both(both, SECOND) is both
    assert build.both(both, build.negate(third)) == 0
    assert build.negate(build.ult(INT, INDEX, 32)) is build.ule(INDEX, INT, 32)


def test_division_is_as_narrow_as_its_operands() -> None:
    quotient = build.udiv(build.zext(CHAR, 8, 64), 10, 64)
    assert quotient is build.zext(build.udiv(CHAR, 10, 8), 8, 64)
    assert build.urem(build.zext(CHAR, 8, 64), 300, 64) is build.zext(CHAR, 8, 64)
    assert build.urem(INT, 8, 32) is build.and_(INT, 7, 32)
    signed = build.sdiv(INT, 4, 32)
    for value, expected in ((-7, -1), (-8, -2), (7, 1), (-(1 << 31), -(1 << 29))):
        assert evaluate(signed, Model({INT: value & 0xFFFFFFFF})) == expected & 0xFFFFFFFF


def test_a_product_divided_by_a_factor_is_the_other_unless_it_wraps() -> None:
    wide = build.mul(build.zext(INT, 32, 64), build.zext(INDEX, 32, 64), 64)
    other = build.ite(build.eq(INT, 0, 32), (1 << 64) - 1, build.zext(INDEX, 32, 64), 64)
    assert build.udiv(wide, build.zext(INT, 32, 64), 64) is other
    assert build.udiv(build.mul(build.zext(INT, 32, 64), 24, 64), 24, 64) is build.zext(INT, 32, 64)
    asked = build.eq(build.udiv(build.mul(INT, INDEX, 32), INT, 32), INDEX, 32)
    assert "udiv" not in _operators(asked)


def _operators(value: Value) -> set[str]:
    """All operators in a term."""
    return {value.op}.union(*map(_operators, value.args)) if isinstance(value, Term) else set()


@pytest.mark.parametrize("width", [3, 4])
def test_products_divided_by_a_factor_on_few_bits(width: int) -> None:
    values = range(1 << width)
    first, second = symbol("first", width), symbol("second", width)
    narrow = symbol("narrow", width - 1)
    small = build.zext(narrow, width - 1, width)
    pairs: list[tuple[Value, Value]] = [(first, second), (first, first), (first, small), (small, first)]
    pairs += [(first, number) for number in values] + [(number, first) for number in values]
    pairs += [(small, number) for number in values]
    for a, b in pairs:
        product = build.mul(a, b, width)
        for divisor, whole in ((a, b), (b, a)):
            quotient = build.udiv(product, divisor, width)
            equal = build.eq(quotient, whole, width)
            for x, y in product_of(values, repeat=2):
                model = Model({first: x, second: y, narrow: x >> 1})
                numbers = [evaluate(each, model) for each in (a, b, divisor, whole)]
                expected = concrete.udiv(concrete.mul(numbers[0], numbers[1], width), numbers[2], width)
                assert evaluate(quotient, model) == expected
                assert evaluate(equal, model) == (expected == numbers[3])


def test_a_checksum_stays_small() -> None:
    value: Value = INT
    for _ in range(64):
        value = build.xor(
            build.lshr(value, 1, 32), build.and_(0xEDB88320, build.neg(build.and_(value, 1, 32), 32), 32), 32
        )
    assert type(value) is Term
    expected = 0x12345678
    for _ in range(64):
        expected = expected >> 1 ^ (0xEDB88320 if expected & 1 else 0)
    assert evaluate(value, Model({INT: 0x12345678})) == expected


@pytest.mark.parametrize("operation", ["add", "mul", "and_", "or_", "xor", "eq"])
def test_operands_of_commutative_operators_have_one_order(operation: str) -> None:
    function = getattr(build, operation)
    assert function(INT, INDEX, 32) is function(INDEX, INT, 32)
    assert function(INT, 12, 32) is function(12, INT, 32)


def test_small_steps_from_a_place_are_added_up_first() -> None:
    flags = [symbol(f"step{i}", 1) for i in range(100)]
    total: Value = INT
    for flag in flags:
        total = build.add(total, build.ite(flag, 2, 1, 32), 32)
    assert isinstance(total, Term) and total.op == "add"
    steps = total.args[0] if total.args[1] is INT else total.args[1]
    assert (steps.low, steps.high) == (100, 200)
    assert build.sub(total, INT, 32) is steps
    again = build.add(total, build.sub(symbol("far", 32), INT, 32), 32)
    assert evaluate(again, Model({flags[0]: 1, symbol("far", 32): 7})) == 108


def test_the_order_of_addends_does_not_matter() -> None:
    words = [build.zext(symbol(f"half{i}", 16), 16, 32) for i in range(3)] + [INT, build.neg(INDEX, 32)]
    sums = set()
    for order in permutations(words):
        total = order[0]
        for word in order[1:]:
            total = build.add(total, word, 32)
        sums.add(total)
        rest = build.add(build.add(order[2], order[3], 32), order[4], 32)
        sums.add(build.add(build.add(order[0], order[1], 32), rest, 32))
    assert len(sums) == 1


def test_equal_addends_are_counted_across_extensions() -> None:
    i, c, wide = build.sext(INT, 32, 64), build.sext(build.sext(CHAR, 8, 32), 32, 64), symbol("wide", 64)
    total: Value = 0
    for addend in (i, wide, c, i, wide, c, i, wide):
        total = build.add(total, addend, 64)
    multiples = build.add(build.mul(i, 3, 64), build.mul(wide, 3, 64), 64)
    assert build.eq(total, build.add(multiples, build.mul(c, 2, 64), 64), 64) == 1
    narrow = build.add(promoted(), build.mul(build.sext(OTHER, 8, 32), 5, 32), 32)
    apart = build.add(build.sext(CHAR, 8, 64), build.mul(build.sext(OTHER, 8, 64), 5, 64), 64)
    assert build.eq(build.sext(narrow, 32, 64), apart, 64) == 1
    may_wrap, integers = build.add(INT, INDEX, 32), build.add(i, build.sext(INDEX, 32, 64), 64)
    assert isinstance(build.eq(build.sext(may_wrap, 32, 64), integers, 64), Term)


@pytest.mark.parametrize("width", [8, 16, 32])
def test_a_digit_is_a_difference_of_two_quotients(width: int) -> None:
    number = symbol("number", width)
    for power in (3, 7, 10, 100):
        for base in (3, 10, 100):
            remainder = build.urem(build.udiv(number, power, width), base, width)
            whole = remainder.args[0] if isinstance(remainder, Term) and remainder.op == "zext" else remainder
            assert isinstance(whole, Term)
            if whole.op != "urem":  # the quotient is small
                continue
            difference = digit(whole)
            assert isinstance(difference, Term)
            for value in (0, 1, power, power * base - 1, power * base, 99 * power + 5, (1 << width) - 1):
                model = Model({number: value % (1 << width)})
                assert evaluate(difference, model) == evaluate(whole, model)
    assert digit(cast(Term, build.urem(number, 10, width))) is None
