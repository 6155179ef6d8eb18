"""Instructions on registers: integers, comparisons, casts, selects, aggregates and vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from unfork.engine.instructions import floats
from unfork.engine.instructions.python_text import amount_mask
from unfork.engine.memory.resolve import NULL_PAGE
from unfork.engine.protocols.fault import Aspect, Cause, SpecialFault
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Arguments
from unfork.engine.step.numbers import is_based, move_pointer, spell, to_number, to_pointer, unspell
from unfork.engine.step.operands import Read, Registers, Semantics, define, reader, resize
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import result_type
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    FloatCompare,
    FloatNegate,
    Freeze,
    GetElementPointer,
    InsertElement,
    InsertValue,
    MetadataOperand,
    Select,
    ShuffleVector,
    Undefined,
)
from unfork.program.llvm.types import ArrayType, FloatType, PointerType, StructType, Type, VectorType

Comparison = Callable[[Value, Value, int], Value]
ScalarBinary = Callable[[Step, Value, Value], Value]

PLAIN = {
    "add": build.add,
    "sub": build.sub,
    "mul": build.mul,
    "and": build.and_,
    "or": build.or_,
    "xor": build.xor,
}
SHIFTS = {"shl": build.shl, "lshr": build.lshr, "ashr": build.ashr}
DIVISIONS = {"udiv": build.udiv, "sdiv": build.sdiv, "urem": build.urem, "srem": build.srem}
COMPARISONS: dict[str, Comparison] = {
    "eq": build.eq,
    "ne": build.ne,
    "ult": build.ult,
    "ule": build.ule,
    "ugt": build.ugt,
    "uge": build.uge,
    "slt": build.slt,
    "sle": build.sle,
    "sgt": build.sgt,
    "sge": build.sge,
}


def element_of(kind: Type) -> Type:
    """The element type of a vector; a scalar is its own element."""
    return kind.element if isinstance(kind, VectorType) else kind


def operands(step: Step, arguments: Arguments, call: Call) -> list[RegisterValue]:
    """The arguments of a call; fresh symbols replace undefined parts."""
    return [
        value if value.__class__ is int or isinstance(operand, MetadataOperand) else define(step, value, operand.type)
        for value, operand in zip(arguments, call.arguments, strict=True)
    ]


def lift(operate: Callable[..., RegisterValue], values: Sequence[RegisterValue]) -> RegisterValue:
    """``operate`` on scalars, or on the elements of vectors among ``values``, with scalars repeated.

    An operation that yields a tuple gives a tuple of vectors.
    """
    count = next((len(value) for value in values if isinstance(value, tuple)), None)
    if count is None:
        return operate(*values)
    rows = [value if isinstance(value, tuple) else (value,) * count for value in values]
    results = [operate(*row) for row in zip(*rows, strict=True)]
    return tuple(zip(*results, strict=True)) if isinstance(results[0], tuple) else tuple(results)


def fold(operate: Callable[[Value, Value], Value], elements: Sequence[Value]) -> Value:
    """The elements combined from first to last."""
    total = elements[0]
    for element in elements[1:]:
        total = operate(total, element)
    return total


# --- binary operations ---


def binary(instruction: Binary, statics: Statics) -> Semantics:
    """Arithmetic on integers, floats, and vectors of either, element by element."""
    element = element_of(instruction.type)
    scalar = float_binary if isinstance(element, FloatType) else integer_binary
    return _elementwise(instruction, statics, scalar(instruction.op, element))


def _elementwise(instruction: Binary | Compare | FloatCompare, statics: Statics, apply: ScalarBinary) -> Semantics:
    left_of, right_of = reader(instruction.left, statics), reader(instruction.right, statics)
    result, element = instruction.result, element_of(instruction.type)

    def run(step: Step, registers: Registers) -> None:
        registers[result] = apply(step, left_of(step, registers), right_of(step, registers))

    def run_vector(step: Step, registers: Registers) -> None:
        pairs = zip(left_of(step, registers), right_of(step, registers), strict=True)
        registers[result] = tuple([apply(step, define(step, a, element), define(step, b, element)) for a, b in pairs])

    return run_vector if isinstance(instruction.type, VectorType) else run


BEYOND: Mapping[str, Cause] = {
    "sdiv": SpecialFault(Aspect.RESULT, "the quotient does not fit (lowest value / -1)"),
    "srem": "the quotient of a remainder does not fit (lowest value % -1)",
}
"""The fault of a division whose quotient does not fit, by operation."""


def float_binary(op: str, kind: Type) -> ScalarBinary:
    """A floating-point operation of LLVM."""
    operate = floats.compile_float_binary(op, kind)
    return lambda step, left, right: operate(left, right)


def integer_binary(op: str, kind: Type) -> ScalarBinary:
    """An integer operation of LLVM, with its faults."""
    width = layout.bits_of(kind)
    plain = PLAIN.get(op)
    if plain is not None:
        return lambda step, left, right: plain(left, right, width)
    shift = SHIFTS.get(op)
    if shift is not None:
        mask = amount_mask(width)
        return lambda step, left, right: shift(left, build.and_(right, mask, width), width)
    divide = DIVISIONS[op]
    signed = op in ("sdiv", "srem")

    def run(step: Step, left: Value, right: Value) -> Value:
        step.require(build.ne(right, 0, width), "div-by-zero", "division by zero")
        if signed:
            lowest = build.eq(left, 1 << (width - 1), width)
            overflows = build.both(lowest, build.eq(right, (1 << width) - 1, width))
            step.require(build.negate(overflows), "overflow", BEYOND[op])
        return divide(left, right, width)

    return run


def float_negate(instruction: FloatNegate, statics: Statics) -> Semantics:
    """fneg flips the sign bit, NaN or not."""
    element = element_of(instruction.type)
    width = layout.bits_of(element)
    sign = 1 << (width - 1)
    value_of, result = reader(instruction.value, statics), instruction.result

    def run(step: Step, registers: Registers) -> None:
        registers[result] = lift(
            lambda value: build.xor(define(step, value, element), sign, width), (value_of(step, registers),)
        )

    return run


# --- comparisons ---


def compare(instruction: Compare, statics: Statics) -> Semantics:
    """icmp: one bit, or a vector of bits."""
    element = element_of(instruction.type)
    compared = _of_pointers if isinstance(element, PointerType) else _of_integers
    return _elementwise(instruction, statics, compared(instruction.predicate, layout.bits_of(element)))


def _of_integers(predicate: str, width: int) -> ScalarBinary:
    operate = COMPARISONS[predicate]
    return lambda step, left, right: operate(left, right, width)


def _of_pointers(predicate: str, width: int) -> ScalarBinary:
    """Compare pointers as numbers; equality of known pointers needs no numbers."""
    operate = COMPARISONS[predicate]
    is_equality = predicate in ("eq", "ne")

    def compared(step: Step, left: Value, right: Value) -> Value:
        if is_equality and is_based(step, left) and is_based(step, right):
            return operate(left, right, width)
        return operate(to_number(step, left), to_number(step, right), width)

    return compared


def float_compare(instruction: FloatCompare, statics: Statics) -> Semantics:
    """fcmp: one bit, or a vector of bits."""
    operate = floats.compile_float_compare(instruction.predicate, element_of(instruction.type))
    return _elementwise(instruction, statics, lambda step, left, right: operate(left, right))


# --- casts ---


def cast(instruction: Cast, statics: Statics) -> Semantics:
    """Conversions between all types."""
    source, target = instruction.source, instruction.target
    value_of, result = reader(instruction.value, statics), instruction.result
    if instruction.op == "bitcast":
        if isinstance(source, VectorType) or isinstance(target, VectorType):
            return _reinterpret(result, source, target, value_of)

        def keep(step: Step, registers: Registers) -> None:
            registers[result] = value_of(step, registers)

        return keep
    from_element = element_of(source)
    convert = _scalar_cast(instruction.op, from_element, element_of(target))

    def run(step: Step, registers: Registers) -> None:
        value = value_of(step, registers)
        if isinstance(value, tuple):
            registers[result] = tuple([convert(step, define(step, part, from_element)) for part in value])
        else:
            registers[result] = convert(step, value)

    return run


def _scalar_cast(op: str, source: Type, target: Type) -> Callable[[Step, Value], Value]:
    before, after = layout.bits_of(source), layout.bits_of(target)
    match op:
        case "sext":
            return lambda step, value: build.sext(value, before, after)
        case "ptrtoint":
            return lambda step, value: resize(to_number(step, value), before, after)
        case "inttoptr" if 8 * layout.store_size(target) < before:  # the bits above a narrow pointer are lost
            width = 8 * layout.store_size(target)
            return lambda step, value: to_pointer(step, resize(resize(value, before, width), width, after))
        case "inttoptr":
            return lambda step, value: to_pointer(step, resize(value, before, after))
        case "spell":
            return spell
        case "unspell":
            return unspell
        case "trunc" | "zext" | "addrspacecast":
            return lambda step, value: resize(value, before, after)
    return floats.compile_conversion(op, source, target)


def _reinterpret(result: int, source: Type, target: Type, value_of: Read) -> Semantics:
    def run(step: Step, registers: Registers) -> None:
        bits = to_bits(define(step, value_of(step, registers), source), source)
        registers[result] = from_bits(bits, target)

    return run


def to_bits(value: RegisterValue, kind: Type) -> Value:
    """A scalar or vector as one integer, element 0 lowest."""
    if not isinstance(kind, VectorType):
        return value  # type: ignore[no-any-return]  # a scalar register holds a Value
    width = layout.bits_of(kind.element)
    total: Value = 0
    for i, element in enumerate(value):
        total = element if i == 0 else build.concat(element, total, width, width * i)
    return total


def from_bits(bits: Value, kind: Type) -> RegisterValue:
    """The inverse of to_bits."""
    if not isinstance(kind, VectorType):
        return bits
    width = layout.bits_of(kind.element)
    return tuple([build.extract(bits, i * width, width) for i in range(kind.count)])


# --- select, freeze, addresses ---


def select(instruction: Select, statics: Statics, is_as_written: bool) -> Semantics:
    """A choice without a fork: a symbolic condition gives an if-then-else.

    ``is_as_written``: the source has the choice, so that an undefined condition is a fault. An optimiser's choice may
    be one that the program does not make: then only the use of the result is.
    """
    kind, result = instruction.type, instruction.result
    condition_of = reader(instruction.condition, statics)
    then_of, otherwise_of = reader(instruction.then, statics), reader(instruction.otherwise, statics)
    has_undefined_arm = isinstance(instruction.then, Undefined) or isinstance(instruction.otherwise, Undefined)

    def run(step: Step, registers: Registers) -> None:
        condition = condition_of(step, registers)
        if is_as_written:
            for bit in condition if isinstance(condition, tuple) else (condition,):
                step.use(bit, "a choice")
            if isinstance(condition, Term):
                step.conduct.chosen(condition)
        if has_undefined_arm and isinstance(condition, Term):  # a fresh symbol on one side only, as in a replay
            condition = int(step.decide(condition))
        if condition.__class__ is int:
            registers[result] = (then_of if condition else otherwise_of)(step, registers)
            return
        then, otherwise = then_of(step, registers), otherwise_of(step, registers)
        if isinstance(condition, tuple):
            assert isinstance(kind, VectorType)
            element = kind.element
            rows = zip(condition, then, otherwise, strict=True)
            registers[result] = tuple([choose(step, define(step, bit, element), a, b, element) for bit, a, b in rows])
        else:
            registers[result] = choose(step, condition, then, otherwise, kind)

    return run


def choose(step: Step, condition: Value, then: RegisterValue, otherwise: RegisterValue, kind: Type) -> RegisterValue:
    """if-then-else on values of any type, leaf by leaf."""
    match kind:
        case StructType(elements=elements):
            parts: tuple[Type, ...] = elements
        case ArrayType(count=count, element=element) | VectorType(count=count, element=element):
            parts = (element,) * count
        case _:
            width = layout.bits_of(kind)
            return build.ite(condition, define(step, then, kind), define(step, otherwise, kind), width)
    return tuple([choose(step, condition, a, b, part) for a, b, part in zip(then, otherwise, parts, strict=True)])


def freeze(instruction: Freeze, statics: Statics) -> Semantics:
    """Fixes an undefined value; every other value stays."""
    value_of, kind, result = reader(instruction.value, statics), instruction.type, instruction.result

    def run(step: Step, registers: Registers) -> None:
        registers[result] = define(step, value_of(step, registers), kind)

    return run


def element_pointer(instruction: GetElementPointer, statics: Statics) -> Semantics:
    """base + offset + sum of index * stride, modulo 2^64. Where the base is null, no such place is in an object."""
    base_of, result = reader(instruction.base, statics), instruction.result
    offset = instruction.offset % (1 << 64)
    readers = [reader(index, statics) for index, _ in instruction.terms]
    terms = [(layout.bits_of(element_of(index.type)), stride % (1 << 64)) for index, stride in instruction.terms]

    def address_of(step: Step, base: Value, indices: Sequence[Value]) -> Value:
        address = build.add(base, offset, 64)
        for index, (width, stride) in zip(indices, terms, strict=True):
            wide = build.sext(index, width, 64) if width < 64 else index
            address = build.add(address, build.mul(wide, stride, 64), 64)
        if not isinstance(address, Term):
            return address
        if base in step.beyond_null if isinstance(base, Term) else base < NULL_PAGE:
            step.beyond_null.add(address)
        return move_pointer(step, base, address)

    def run(step: Step, registers: Registers) -> None:
        registers[result] = address_of(step, base_of(step, registers), [read(step, registers) for read in readers])

    def run_vector(step: Step, registers: Registers) -> None:
        values = [base_of(step, registers), *[read(step, registers) for read in readers]]
        registers[result] = lift(lambda base, *indices: address_of(step, base, indices), values)

    return run_vector if isinstance(instruction.type, VectorType) else run


def relative_pointer(instruction: GetElementPointer, statics: Statics) -> Semantics:
    """An address at a distance from a table, which may lie outside the table (program/facts/relative.py)."""
    base_of, result = reader(instruction.base, statics), instruction.result
    index, _ = instruction.terms[0]
    index_of, width = reader(index, statics), layout.bits_of(index.type)

    def run(step: Step, registers: Registers) -> None:
        distance = build.sext(index_of(step, registers), width, 64)
        registers[result] = to_pointer(step, build.add(to_number(step, base_of(step, registers)), distance, 64))

    return run


# --- aggregates and vectors ---


def extract_value(instruction: ExtractValue, statics: Statics) -> Semantics:
    """One field of a struct or array value."""
    value_of, indices, result = reader(instruction.value, statics), instruction.indices, instruction.result
    kind = result_type(instruction)

    def run(step: Step, registers: Registers) -> None:
        value = value_of(step, registers)
        for index in indices:
            value = value[index]
        registers[result] = define(step, value, kind) if value is None else value

    return run


def insert_value(instruction: InsertValue, statics: Statics) -> Semantics:
    """An aggregate with one field replaced."""
    base_of, value_of = reader(instruction.aggregate, statics), reader(instruction.value, statics)
    indices, result = instruction.indices, instruction.result

    def run(step: Step, registers: Registers) -> None:
        registers[result] = _replace(base_of(step, registers), indices, value_of(step, registers))

    return run


def _replace(base: RegisterValue, indices: tuple[int, ...], value: RegisterValue) -> RegisterValue:
    """``base`` with the part at ``indices`` replaced."""
    first, rest = indices[0], indices[1:]
    part = _replace(base[first], rest, value) if rest else value
    return (*base[:first], part, *base[first + 1 :])


def extract_element(instruction: ExtractElement, statics: Statics) -> Semantics:
    """One element of a vector; a symbolic index selects among all."""
    assert isinstance(instruction.source, VectorType)
    element, count = instruction.source.element, instruction.source.count
    vector_of, index_of = reader(instruction.vector, statics), reader(instruction.index, statics)
    width, result = layout.bits_of(instruction.index.type), instruction.result

    def run(step: Step, registers: Registers) -> None:
        vector = vector_of(step, registers)
        index = step.concretize(index_of(step, registers), width, count, "vector index")
        value = vector[index] if index < count else None
        registers[result] = define(step, value, element) if value is None else value

    return run


def insert_element(instruction: InsertElement, statics: Statics) -> Semantics:
    """A vector with one element replaced."""
    assert isinstance(instruction.type, VectorType)
    count = instruction.type.count
    vector_of, index_of = reader(instruction.vector, statics), reader(instruction.index, statics)
    value_of, result = reader(instruction.value, statics), instruction.result
    width = layout.bits_of(instruction.index.type)

    def run(step: Step, registers: Registers) -> None:
        vector = vector_of(step, registers)
        index = step.concretize(index_of(step, registers), width, count, "vector index")
        if index >= count:
            registers[result] = (None,) * count
        else:
            registers[result] = (*vector[:index], value_of(step, registers), *vector[index + 1 :])

    return run


def shuffle(instruction: ShuffleVector, statics: Statics) -> Semantics:
    """A vector picked from two by a constant mask."""
    left_of, right_of = reader(instruction.left, statics), reader(instruction.right, statics)
    mask, result = instruction.mask, instruction.result

    def run(step: Step, registers: Registers) -> None:
        elements = (*left_of(step, registers), *right_of(step, registers))
        registers[result] = tuple([None if i is None else elements[i] for i in mask])

    return run
