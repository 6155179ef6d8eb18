"""Instructions on memory: load, store, alloca, atomics. Values of aggregate types are accessed leaf by leaf."""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.instructions.activations import activation_of, add_local, depth_of
from unfork.engine.instructions.arithmetic import choose, integer_binary
from unfork.engine.instructions.floats import compile_float_binary
from unfork.engine.memory import loads
from unfork.engine.memory.heap import settle_size
from unfork.engine.state.memory import address_of
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.numbers import read_as, read_as_number, read_as_pointer
from unfork.engine.step.operands import Registers, Semantics, define, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.errors import Unsupported
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Alloca, AtomicUpdate, Bits, CompareExchange, Load, Store
from unfork.program.llvm.types import (
    NARROW_POINTER,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

VOLATILE = "volatile"
"""The name of inputs read from volatile memory."""
NEVER_SPURIOUS = "a weak compare-exchange fails only where it finds another value, never for no reason"
"""The assumption where a weak compare-exchange succeeds."""


def load(instruction: Load, statics: Statics) -> Semantics:
    """A load of any first-class type."""
    pointer_of, kind, result = reader(instruction.pointer, statics), instruction.type, instruction.result
    if is_scalar(kind):
        width, size = layout.bits_of(kind), layout.store_size(kind)
        exact = width == 8 * size

        def run_pointer(step: Step, registers: Registers) -> None:
            registers[result] = _load_pointer(step, pointer_of(step, registers))

        def run(step: Step, registers: Registers) -> None:
            value = loads.load(step, pointer_of(step, registers), size)
            registers[result] = value if exact else build.extract(value, 0, width)

        def run_word(step: Step, registers: Registers) -> None:
            value = read_as_number(step, loads.load(step, pointer_of(step, registers), size))
            registers[result] = value if exact else build.extract(value, 0, width)

        def run_narrow(step: Step, registers: Registers) -> None:
            registers[result] = loads.load_pointer(step, pointer_of(step, registers))

        if isinstance(kind, PointerType):
            return run_pointer if size == WORD else run_narrow
        return run_word if size == WORD else run

    def run_leaves(step: Step, registers: Registers) -> None:
        registers[result] = load_typed(step, pointer_of(step, registers), kind)

    return run_leaves


def volatile_load(instruction: Load, statics: Statics) -> Semantics:
    """A volatile load: a plain one, or any value. The path counts it."""
    plain, kind, result = load(instruction, statics), instruction.type, instruction.result

    def run(step: Step, registers: Registers) -> None:
        plain(step, registers)
        step.state.volatile_reads += 1
        if step.limits.volatile_is_any:
            registers[result] = _any(step, kind)

    return run


def _any(step: Step, kind: Type) -> RegisterValue:
    if is_scalar(kind):
        return step.fresh(VOLATILE, layout.bits_of(kind), "nondet")
    return tuple([_any(step, part) for _, part in _parts(kind)])


def is_own(step: Step) -> bool:
    """Whether the program itself runs. Volatile memory of a library is so because of other threads."""
    return step.state.frames[-1].function.name not in step.program.library


def read_volatile_range(step: Step, target: Value, length: Value) -> None:
    """Bytes at ``target`` were just copied from or to volatile memory: they may be any."""
    if not is_own(step):
        return
    step.state.volatile_reads += 1
    if step.limits.volatile_is_any:
        if isinstance(length, Term):
            step.unsupported("a copy of volatile bytes, of an unknown length")
        for start in range(0, length, 8):
            size = min(8, length - start)
            value = step.fresh(VOLATILE, 8 * size, "nondet")
            loads.store(step, build.add(target, start, 64), value, size)


def _load_pointer(step: Step, pointer: Value) -> Value:
    step.reads_pointer = True
    try:
        return read_as_pointer(step, loads.load(step, pointer, 8))
    finally:
        step.reads_pointer = False


def store(instruction: Store, statics: Statics) -> Semantics:
    """A store of any first-class type."""
    pointer_of, kind = reader(instruction.pointer, statics), instruction.type
    if is_scalar(kind) and kind != NARROW_POINTER:
        bytes_of, size = stored(instruction, statics), layout.store_size(kind)

        def run(step: Step, registers: Registers) -> None:
            loads.store(step, pointer_of(step, registers), bytes_of(step, registers), size)

        return run

    value_of = reader(instruction.value, statics)

    def run_leaves(step: Step, registers: Registers) -> None:
        store_typed(step, pointer_of(step, registers), value_of(step, registers), kind)

    return run_leaves


def stored(instruction: Store, statics: Statics) -> Callable[[Step, Registers], Value]:
    """Reads the number of whole bytes that the store of a scalar writes."""
    value_of, kind = reader(instruction.value, statics), instruction.type
    width, size = layout.bits_of(kind), layout.store_size(kind)

    def read(step: Step, registers: Registers) -> Value:
        value = value_of(step, registers)
        if not isinstance(value, int | Term):
            value = define(step, value, kind)
        return value if width == 8 * size else build.zext(value, width, 8 * size)

    return read


def is_scalar(kind: Type) -> bool:
    """Whether a register of this type holds one Value."""
    return not isinstance(kind, StructType | ArrayType | VectorType)


def _parts(kind: Type) -> list[tuple[int, Type]]:
    if isinstance(kind, VectorType) and isinstance(kind.element, IntType) and kind.element.width % 8:
        raise Unsupported(f"<{kind.count} x i{kind.element.width}> in memory")
    return layout.parts_of(kind)


def load_typed(step: Step, pointer: Value, kind: Type) -> RegisterValue:
    """The value of any type at ``pointer``."""
    if is_scalar(kind):
        if isinstance(kind, PointerType) and step.state.memory.is_narrow:
            return loads.load_pointer(step, pointer)
        width, size = layout.bits_of(kind), layout.store_size(kind)
        value = read_as(step, loads.load(step, pointer, size), kind)
        return value if width == 8 * size else build.extract(value, 0, width)
    return tuple([load_typed(step, build.add(pointer, offset, 64), part) for offset, part in _parts(kind)])


def store_typed(step: Step, pointer: Value, value: RegisterValue, kind: Type) -> None:
    """Write a value of any type; undefined leaves become fresh symbols."""
    if is_scalar(kind):
        width, size = layout.bits_of(kind), layout.store_size(kind)
        bits = define(step, value, kind)
        if isinstance(kind, PointerType) and step.state.memory.is_narrow:
            loads.store_pointer(step, pointer, bits)
            return
        if width != 8 * size:
            bits = build.zext(bits, width, 8 * size)
        loads.store(step, pointer, bits, size)
        return
    parts = _parts(kind)
    values = value if value is not None else (None,) * len(parts)
    for (offset, part), leaf in zip(parts, values, strict=True):
        store_typed(step, build.add(pointer, offset, 64), leaf, part)


def alloca(instruction: Alloca, statics: Statics, label: str, in_entry: bool) -> Semantics:
    """A new uninitialised stack object, shown as ``label``; its number depends on whether its address may escape."""
    element = layout.size_of(instruction.type)
    count_of, result, site = reader(instruction.count, statics), instruction.result, instruction.site
    count_width = layout.bits_of(instruction.count.type)
    kind, position, captured = instruction.type, instruction.position, instruction.captured
    alignment = instruction.alignment
    fixed = instruction.count.value * element if isinstance(instruction.count, Bits) else None

    def run(step: Step, registers: Registers) -> None:
        state = step.state
        frame = state.frames[-1]
        size: Value
        if fixed is not None and fixed <= step.limits.stack_size:
            size = capacity = fixed
        else:
            count = build.zext(count_of(step, registers), count_width, 64)
            size, capacity = _size_of_local(step, count, element)
        repetition = 0
        if not in_entry:
            counts = frame.repetitions
            if counts is None:
                counts = frame.repetitions = {}
            repetition = counts[site] = counts.get(site, 0) + 1
        function = frame.function
        assert isinstance(capacity, int)
        if captured:
            activation = frame.activation or activation_of(state.frames, len(state.frames) - 1, step.names)
            number = step.names.captured_local(activation, function.name, site, repetition, capacity, alignment)
        else:
            number = step.names.plain_local(
                depth_of(state.frames), function.name, site, repetition, capacity, alignment
            )
        add_local(step, number, size, capacity, label, position, kind)
        frame.locals += (number,)
        frame.stack_bytes += capacity
        registers[result] = address_of(number)

    return run


def _size_of_local(step: Step, count: Value, element: int) -> tuple[Value, int]:
    """The size of a local, and the capacity in bytes that it needs. One larger than the stack is a fault."""
    most = step.limits.stack_size
    if isinstance(count, int):
        size = count * element
        if size > most:
            step.fail("stack-overflow", f"a local of {size} bytes")
        return size, size
    if element:
        step.require(build.ule(count, most // element, 64), "stack-overflow", f"a local of more than {most >> 20} MiB")
    return settle_size(step, build.mul(count, element, 64))


def atomic_update(instruction: AtomicUpdate, statics: Statics) -> Semantics:
    """atomicrmw. (engine/memory/visible_operations.py makes it visible to other threads.)"""
    kind, result, op = instruction.type, instruction.result, instruction.op
    width = layout.bits_of(kind)
    pointer_of, value_of = reader(instruction.pointer, statics), reader(instruction.value, statics)

    def run(step: Step, registers: Registers) -> None:
        if isinstance(kind, VectorType):
            step.unsupported(f"atomicrmw {op} of vectors")
        pointer, operand = pointer_of(step, registers), value_of(step, registers)
        old = _old_value(step, pointer, kind)
        store_typed(step, pointer, _new_value(step, op, old, operand, width, kind), kind)
        registers[result] = old

    return run


def _old_value(step: Step, pointer: Value, kind: Type) -> Value:
    """The value that an atomic instruction reads. Any may be volatile, since clang drops the mark."""
    old = load_typed(step, pointer, kind)
    assert isinstance(old, int | Term)
    if step.limits.volatile_is_any and is_own(step):
        return step.fresh(VOLATILE, layout.bits_of(kind), "nondet")
    return old


def _new_value(step: Step, op: str, old: Value, operand: Value, width: int, kind: Type) -> Value:
    match op:
        case "xchg":
            return operand
        case "add" | "sub" | "and" | "or" | "xor":
            return integer_binary(op, kind)(step, old, operand)
        case "nand":
            return build.not_(build.and_(old, operand, width), width)
        case "max":
            return build.ite(build.slt(old, operand, width), operand, old, width)
        case "min":
            return build.ite(build.slt(old, operand, width), old, operand, width)
        case "umax":
            return build.ite(build.ult(old, operand, width), operand, old, width)
        case "umin":
            return build.ite(build.ult(old, operand, width), old, operand, width)
        case "fadd" | "fsub" if isinstance(kind, FloatType):
            return compile_float_binary(op, kind)(old, operand)
    step.unsupported(f"atomicrmw {op}")


def compare_exchange(instruction: CompareExchange, statics: Statics) -> Semantics:
    """cmpxchg. Other threads notice a failure, since it only loads: with several threads the path splits."""
    kind, result = instruction.expected.type, instruction.result
    width = layout.bits_of(kind)
    pointer_of = reader(instruction.pointer, statics)
    expected_of, replacement_of = reader(instruction.expected, statics), reader(instruction.replacement, statics)

    def run(step: Step, registers: Registers) -> None:
        pointer = pointer_of(step, registers)
        old = _old_value(step, pointer, kind)
        same = build.eq(old, expected_of(step, registers), width)
        if step.are_several(step.state) and not step.limits.volatile_is_any:  # otherwise each try reads another value
            same = int(step.decide(same))
        if instruction.is_weak and same != 0 and is_own(step):
            step.state.lazy = step.state.lazy.assuming(NEVER_SPURIOUS)
        new = choose(step, same, replacement_of(step, registers), old, kind)
        store_typed(step, pointer, new, kind)
        registers[result] = (old, same)

    return run
