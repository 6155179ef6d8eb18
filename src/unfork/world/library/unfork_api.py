"""Models of the functions of unfork.h, and how memory and values become named inputs."""

from __future__ import annotations

from unfork.engine.memory.lazy_objects import settle as settle_length
from unfork.engine.memory.lazy_objects import stated_length
from unfork.engine.memory.ranges import pin_offset, writable
from unfork.engine.memory.resolve import single_candidate
from unfork.engine.memory.strings import text_at
from unfork.engine.state.flat_layout import object_named
from unfork.engine.state.memory import END_OF_NAMES, FIRST_HEAP, SYMBOLIC, MemoryObject
from unfork.engine.step.handlers import nothing
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.c.location_calls import ASSERTED
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call, Register
from unfork.program.llvm.types import ArrayType, StructType, Type, VectorType
from unfork.world.library.model import Arguments, FunctionModel

SIZES = 64
UNNAMED = "unnamed"


def make_symbolic(step: Step, pointer: Value, size: Value, name: str, kind: str) -> None:
    """Replace ``size`` bytes, any part of an object, by a new input with leaves of the object's type."""
    count = step.concretize(size, 64, SIZES, "the size of a symbolic range")
    location = writable(step, pointer, count)
    if location is None:
        return
    start = pin_offset(step, location)
    type_name = _type_name(step, pointer, count)
    known = len(step.state.inputs)
    _fill_with_input(step, location.number, start, count, name or UNNAMED, kind)
    _describe(step, known, type_name)


def make_whole_symbolic(step: Step, pointer: Value, name: str, kind: str) -> None:
    """Replace all bytes of an object by a new input, even if its size is symbolic."""
    location = writable(step, pointer, 1)
    if location is not None:
        item = settle_length(step, location.number)
        _fill_with_input(step, location.number, 0, len(item.data), name, kind)


def _fill_with_input(step: Step, number: int, start: int, count: int, name: str, kind: str) -> None:
    item = step.state.memory.writable(number)
    new_input = step.source.make(step.state, name, range_type(item.type, start, count), count, kind)
    offset = start
    for leaf, leaf_size in new_input.leaves:
        item.write(offset, leaf_size, leaf)
        offset += leaf_size


def fresh_value(step: Step, name: str, width: int, kind: str, type_name: str | None) -> Value:
    """A new input that is a value of ``width`` bits."""
    known = len(step.state.inputs)
    value = step.fresh(name or UNNAMED, width, kind)
    _describe(step, known, type_name)
    return value


def _describe(step: Step, known: int, type_name: str | None) -> None:
    inputs = step.state.inputs
    if type_name is not None and len(inputs) > known:
        inputs.describe(type_name)


def range_type(kind: Type | None, offset: int, size: int) -> Type | None:
    """The type of ``size`` bytes at ``offset`` in an object of type ``kind``; None if the range cuts an element."""
    while kind is not None:
        if offset == 0 and layout.size_of(kind) == size:
            return kind
        match kind:
            case ArrayType(element=element) | VectorType(element=element):
                stride = layout.size_of(element)
                if stride == 0:
                    return None
                if offset % stride == 0 and size % stride == 0:
                    return element if size == stride else ArrayType(size // stride, element)
                offset %= stride
                kind = element
            case StructType(elements=elements):
                index = _field_at(kind, offset)
                if index is None:
                    return None
                offset -= layout.offset_of(kind, index)
                kind = elements[index]
            case _:
                whole = layout.size_of(kind)
                repeated = whole > 0 and offset % whole == 0 and size % whole == 0
                return ArrayType(size // whole, kind) if repeated and size > whole else kind if repeated else None
        if layout.size_of(kind) < offset + size:
            return None
    return None


def _field_at(kind: StructType, offset: int) -> int | None:
    field = None
    for index in range(len(kind.elements)):
        if layout.offset_of(kind, index) <= offset:
            field = index
    return field


def _type_name(step: Step, pointer: Value, size: int) -> str | None:
    if not isinstance(pointer, int):
        return None
    for frame in reversed(step.state.frames):
        for block in frame.function.blocks:
            for record in block.debug:
                operand = record.operand
                if (
                    record.indirect
                    and record.variable.size == size
                    and isinstance(operand, Register)
                    and frame.registers[operand.index] == pointer
                ):
                    return record.variable.type_name
    return None


WORD = 8
MOST = 64


def settle(step: Step, pointer: Value) -> None:
    """Make every address concrete that a walk from ``pointer`` meets in the aligned words of live objects."""
    objects = step.state.memory.objects
    addresses: list[tuple[int, int, int]] = []
    waiting = [pointer] if isinstance(pointer, int) else []
    seen: set[int] = set()
    while waiting:
        number = object_named(waiting.pop())
        item = objects.get(number) if number not in seen else None
        seen.add(number)
        if item is None:
            continue
        for offset in range(0, len(item.data) - WORD + 1, WORD):
            value = _word(item, offset)
            if isinstance(value, Term):
                if not _may_name(value):
                    continue
                value = step.concretize(value, 8 * WORD, MOST, "an address in memory")
                addresses.append((number, offset, value))
            if value is not None and FIRST_HEAP <= object_named(value) < END_OF_NAMES:
                waiting.append(value)
    for number, offset, value in addresses:
        step.state.memory.writable(number).write(offset, WORD, value)


def _word(item: MemoryObject, offset: int) -> Value | None:
    mask = item.mask
    if mask is not None and any(mask[offset : offset + WORD]) and mask.count(SYMBOLIC, offset, offset + WORD) < WORD:
        return None
    return item.read(offset, WORD)


def _may_name(value: Term) -> bool:
    leaves = [leaf for _, leaf in build.choices(value) or ()]
    return any(isinstance(leaf, int) and FIRST_HEAP <= object_named(leaf) < END_OF_NAMES for leaf in leaves)


MOST_GOALS = 256


def holds(arguments: Arguments, call: Call) -> Value:
    """Whether the first argument, of any width, is not 0: 1 bit."""
    return build.ne(arguments[0], 0, layout.bits_of(call.arguments[0].type))


def symbolic(step: Step, pointer: Value, size: Value, name: Value) -> None:
    """Make a range of memory a new input."""
    make_symbolic(step, pointer, size, text_at(step, name, ""), "symbolic")


def assume(step: Step, arguments: Arguments, call: Call) -> None:
    """Go on only where the argument is not 0."""
    step.assume(holds(arguments, call))


def _check(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "assert", "unfork_check does not hold")


def _ensure(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "contract", "UNFORK_ENSURES does not hold")


def _invariant(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "contract", "UNFORK_INVARIANT does not hold")


def _cover(step: Step, goal: Value) -> None:
    number = step.concretize(goal, 32, MOST_GOALS, "the id of a coverage goal")
    step.coverage.reach(step.state, number - (number >> 31 << 32))


def _print(step: Step, value: Value) -> None:
    text = repr(value) if isinstance(value, Term) else str(value - (value >> 63 << 64))
    step.output(2, f"unfork_print: {text}\n".encode())


def _length(step: Step, array: Value) -> Value:
    candidate = single_candidate(step, array)
    if candidate is not None and candidate.address == 0:
        return 0
    length = None
    if candidate is not None and candidate.offset == 0:
        length = stated_length(step, candidate.number)
    if length is None:
        step.unsupported("unfork_length of what is not the start of a lazily initialised array")
    return length


MODELS = {
    "unfork_symbolic": FunctionModel.of("pnp", "v", symbolic),
    "unfork_assume": FunctionModel("?", "v", assume),
    "unfork_check": FunctionModel("?", "v", _check),
    "unfork_ensure": FunctionModel("?", "v", _ensure),
    "unfork_invariant": FunctionModel("?", "v", _invariant),
    "unfork_merge_begin": FunctionModel("", "v", nothing),
    "unfork_merge_end": FunctionModel("", "v", nothing),
    "unfork_merge_block": FunctionModel("pii", "v", nothing),
    ASSERTED: FunctionModel("ii", "v", nothing),
    "unfork_subsume": FunctionModel("i", "v", nothing),
    "unfork_settle": FunctionModel.of("p", "v", settle),
    "unfork_index": FunctionModel("l", "v", nothing),
    "unfork_length": FunctionModel.of("p", "l", _length),
    "unfork_cover": FunctionModel.of("i", "v", _cover),
    "unfork_print": FunctionModel.of("l", "v", _print),
}
