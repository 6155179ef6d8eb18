"""Notices when a program looks at addresses as numbers: then the names of objects matter to it.

program/facts/address_uses.py says which instructions may look. To cut an address, or move it out of an aligned word, is
a look.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import FRONT, GRAIN_BITS, IMAGE, LOWEST_ADDRESS, address_at, object_named
from unfork.engine.state.memory import (
    BEFORE_NAME,
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    LARGEST,
    SLOT_BITS,
    SYMBOLIC,
    MemoryObject,
    object_of,
    offset_in,
)
from unfork.engine.state.pointer_words import words_in
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.operands import Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value, postorder
from unfork.program.facts.address_uses import SAME_WHATEVER_THE_NAME, WORD, AddressUses, is_cut, is_ordered
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    AtomicUpdate,
    Binary,
    Cast,
    Compare,
    CompareExchange,
    Instruction,
    Load,
    Operand,
    Store,
)
from unfork.program.llvm.types import (
    NARROW_POINTER,
    ArrayType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    pointer_type,
)

NAMED_FROM = SLOT_BITS // 8
"""From this byte on, a pointer has its object's name; the byte before marks that there is one."""
NUMBERED_FROM = SAME_WHATEVER_THE_NAME // 8
"""The same for the number that a pointer becomes, and its pieces are read from."""
_BEFORE_NAME = bytes((BEFORE_NAME,))
_ENDS_OF_NUMBERS = frozenset(bytes((byte, 0, 0)) for byte in range(IMAGE >> 40, 128))
"""The last three bytes of the number of a block or local."""
_ONE_SYMBOLIC = bytes((SYMBOLIC,))
assert SAME_WHATEVER_THE_NAME == GRAIN_BITS
NEAR_MASK = (1 << 64) - (1 << SAME_WHATEVER_THE_NAME)
_COMPARED, _CALCULATED, _READ = (
    "addresses are compared by order",
    "addresses are calculated with",
    "an address is read as a number",
)
_TAKEN, _MOVED = (
    "an address is used as a number",
    "an address is cut or put where none is aligned",
)


@lru_cache(1 << 14)
def named_objects(term: Term) -> frozenset[int]:
    """The blocks and locals whose addresses are constants in a term."""
    if term.op == "symbol":
        return frozenset()
    names = set()
    for part in postorder((term,)):
        if part.op == "const" and part.width == 64 and FIRST_HEAP <= object_named(part.value) < END_OF_NAMES:
            names.add(object_named(part.value))
    return frozenset(names)


def watch(instruction: Instruction, run: Semantics, statics: Statics, uses: AddressUses) -> Semantics:
    """The semantics of an instruction, which first check whether it looks at addresses."""
    if statics.program.is_narrow:
        return _watch_narrow(instruction, run, statics, uses)
    if looked_at := uses.looked_at_by(instruction):
        return _before(run, looked_at, statics, _check_use)
    match instruction:
        case Cast(value=value) if is_cut(instruction):
            return _before(run, [value], statics, _check_use)
        case Compare(left=left, right=right) if is_ordered(instruction) and _may_order(instruction, uses):
            return _before(run, [left, right], statics, _check_order)
        case Binary(left=left, right=right, op=op) if uses.may_be_address(left) or uses.may_be_address(right):
            return _before(run, [left, right], statics, lambda step, a, b: _check_calculation(step, op, a, b))
        case Load(pointer=pointer, type=kind) if uses.is_piece(instruction):
            return _before(run, [pointer], statics, lambda step, address: _check_read(step, address, kind))
        case Load(pointer=pointer, type=kind) if layout.store_size(kind) == WORD and not isinstance(kind, PointerType):
            return _before(run, [pointer], statics, _check_word_read)
        case AtomicUpdate(pointer=pointer, type=kind):
            return _before(run, [pointer], statics, lambda step, address: _check_read(step, address, kind))
        case CompareExchange(pointer=pointer):
            kind = instruction.expected.type
            return _before(run, [pointer], statics, lambda step, address: _check_read(step, address, kind))
        case Store(pointer=pointer, value=value) if (source := uses.copied(instruction)) is not None:
            size = layout.store_size(instruction.type)
            return _before(run, [pointer, source.pointer], statics, lambda s, to, at: _check_piece(s, to, at, size))
        case Store(pointer=pointer, value=value) if layout.store_size(instruction.type) == WORD:
            return _before(run, [pointer, value], statics, _check_store)
    return run


def _watch_narrow(instruction: Instruction, run: Semantics, statics: Statics, uses: AddressUses) -> Semantics:
    """The same where memory holds addresses as numbers of 32 bits."""
    match instruction:
        case Cast(op="ptrtoint", value=value):
            return _before(run, [value], statics, _check_use)
        case Compare(left=left, right=right, type=PointerType()) if is_ordered(instruction):
            return _before(run, [left, right], statics, _check_order)
        case Load(type=IntType(width=narrow_layout.BITS), result=result) if uses.is_computed_with(instruction):

            def look(step: Step, registers: Registers) -> None:
                run(step, registers)
                if _is_narrow_address(step, registers[result]):
                    _saw(step, _READ)

            return look
    return run


def _is_narrow_address(step: Step, value: RegisterValue) -> bool:
    """Whether a number of 32 bits is that of a byte of a live block or local, or made from one."""
    memory = step.state.memory
    for number in words_in(value):
        address = address_at(number, memory) if number <= narrow_layout.MASK else 0
        item = memory.objects.get(object_of(address)) if object_of(address) >= FIRST_HEAP else None
        if item is not None and 0 <= offset_in(address) <= len(item.data):
            return True
    return False


def _before(run: Semantics, operands: list[Operand], statics: Statics, look: object) -> Semantics:
    readers = [reader(operand, statics) for operand in operands]

    def watched(step: Step, registers: Registers) -> None:
        look(step, *[read(step, registers) for read in readers])  # type: ignore[operator]  # takes as many values
        run(step, registers)

    return watched


def _may_order(compare: Compare, uses: AddressUses) -> bool:
    if isinstance(compare.type, PointerType | VectorType):
        return True
    return uses.may_be_address(compare.left) or uses.may_be_address(compare.right)


# --- values ----------------------------------------------------------------------------------------------------------


def is_address(step: Step, value: RegisterValue) -> bool:
    """Whether a value of 64 bits names, or depends on the name of, a block or local of the path."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, int):
            is_near = part < LOWEST_ADDRESS or abs(offset_in(part)) <= LARGEST
            if is_near and _is_name(step, object_named(part)):
                return True
        elif isinstance(part, Term) and named_objects(part):
            return True
    return False


def _is_name(step: Step, number: int) -> bool:
    if not FIRST_HEAP <= number < END_OF_NAMES:
        return False
    state = step.state
    if number >= FIRST_STACK:
        return step.names.is_local(number)
    if number >= FIRST_LAZY:
        return number < state.lazy.next_number()
    return number < FIRST_HEAP + state.heap_count


def _object(step: Step, value: RegisterValue) -> int | None:
    memory = step.state.memory
    if isinstance(value, int):
        return object_of(address_at(value, memory))
    if not isinstance(value, Term) or len(named_objects(value)) != 1:
        return None
    base, _ = build.constant_offset(value)
    return object_of(address_at(base, memory)) if object_named(base) in named_objects(value) else None


def _saw(step: Step, look: str) -> None:
    step.sightings.saw(look, step.position)


def _check_use(step: Step, *values: RegisterValue) -> None:
    if any(is_address(step, value) for value in values):
        _saw(step, _TAKEN)


def _check_order(step: Step, left: RegisterValue, right: RegisterValue) -> None:
    """Compares by order. Any other address lies before all blocks and locals or after them, whatever their names."""
    is_left, is_right = is_address(step, left), is_address(step, right)
    if is_left and is_right:
        left_object, right_object = _object(step, left), _object(step, right)
        is_same = left_object is not None and left_object == right_object
    else:
        rest = right if is_left else left
        is_same = not (is_left or is_right) or (isinstance(rest, int) and not _is_among_names(rest))
    if not is_same:
        _saw(step, _COMPARED)


def _is_among_names(value: int) -> bool:
    return FIRST_HEAP <= object_named(value) < END_OF_NAMES


def _check_calculation(step: Step, op: str, left: RegisterValue, right: RegisterValue) -> None:
    """Calculates with addresses. One stays an address when its low bits change; the difference of two in one object is
    a number.
    """
    is_left, is_right = is_address(step, left), is_address(step, right)
    if not (is_left or is_right):
        return
    if is_left and is_right:
        left_object, right_object = _object(step, left), _object(step, right)
        if not (op == "sub" and left_object is not None and left_object == right_object):
            _saw(step, _CALCULATED)
        return
    near = right if is_left else left
    if isinstance(near, Term):
        low, high = near.low, near.high
    else:
        assert isinstance(near, int)
        low = high = near
    is_low, is_high = high < 1 << SAME_WHATEVER_THE_NAME - 2, low >= (1 << 64) - (1 << SAME_WHATEVER_THE_NAME - 2)
    if op in ("add", "sub"):
        is_kept = (is_left or op == "add") and (is_low or is_high or _stays(step, left, right, op))
    elif op == "and":
        is_kept = is_low or is_high or low & NEAR_MASK == NEAR_MASK
    elif op == "urem":
        is_kept = is_left and is_low and low == high and low & low - 1 == 0
    else:
        is_kept = op in ("or", "xor") and is_low
    if not is_kept:
        _saw(step, _CALCULATED)


def _stays(step: Step, left: RegisterValue, right: RegisterValue, op: str) -> bool:
    """Whether a known number, added to a known address, leaves it with its object."""
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    name = _object(step, left if is_address(step, left) else right)
    item = None if name is None else step.state.memory.objects.get(name)
    total = left - right if op == "sub" else left + right
    pointer = address_at(total & (1 << 64) - 1, step.state.memory)
    return item is not None and object_of(pointer) == name and -FRONT <= offset_in(pointer) <= len(item.data) + FRONT


# --- memory ----------------------------------------------------------------------------------------------------------


def _check_read(step: Step, pointer: RegisterValue, kind: Type) -> None:
    for offset, size in _numbers_in(kind):
        if holds_name(step, build.add(pointer, offset, 64), size):
            _saw(step, _READ)


def _check_word_read(step: Step, pointer: Value) -> None:
    """Reads a word: an address may be passed on only as a whole."""
    if (isinstance(pointer, Term) or offset_in(pointer) % WORD) and holds_name(step, pointer, WORD):
        _saw(step, _READ)


def _check_store(step: Step, pointer: RegisterValue, value: RegisterValue) -> None:
    """Stores a value: an address only fits an aligned word."""
    if is_address(step, value) and not _is_aligned(pointer):
        _saw(step, _MOVED)


def _is_aligned(pointer: Value) -> bool:
    if isinstance(pointer, int):
        return offset_in(pointer) % WORD == 0
    return build.extract(pointer, 0, 3) == 0


def note_copy(step: Step, target: Value, source: Value, size: Value) -> None:
    """Copies bytes: names stay whole if they keep their position within a word."""
    word = pointer_type(is_narrow=step.state.memory.is_narrow).size
    is_aligned = isinstance(source, int) and isinstance(target, int) and (source - target) % word == 0
    if not is_aligned and holds_name(step, source, size):
        _saw(step, _MOVED)


def _check_piece(step: Step, target: Value, source: Value, size: int) -> None:
    """Copies part of a word. A piece of a term does not show its origin, so this checks the source."""
    note_copy(step, target, source, size)
    if isinstance(source, int):
        item = step.state.memory.objects.get(object_of(source))
        if item is not None and any(_is_of_name(item, offset_in(source) + i) for i in range(size)):
            _saw(step, _MOVED)


def note_read(step: Step, number: int, offset: int, count: int) -> None:
    """A library function looks at bytes of an object."""
    item = step.state.memory.objects[number]
    if step.sightings.watches and _has_name(step, item, offset, offset + count):
        _saw(step, _READ)


def holds_name(step: Step, pointer: Value, size: Value) -> bool:
    """Whether bytes at ``pointer`` belong to the name in an address, in any object that it may lead to."""
    objects = step.state.memory.objects
    addresses = _known_addresses(pointer)
    if addresses is not None and isinstance(size, int):
        locations = [(objects.get(object_of(address)), offset_in(address)) for address in addresses]
        return any(item is not None and _has_name(step, item, offset, offset + size) for item, offset in locations)
    terms = [value for value in (pointer, size) if isinstance(value, Term)]
    numbers = {object_of(part.value) for part in postorder(terms) if part.op == "const" and part.width == 64}
    if isinstance(pointer, int):
        numbers.add(object_of(pointer))
    items = [objects.get(number) for number in sorted(numbers)]
    return any(item is not None and _has_name(step, item, 0, len(item.data)) for item in items)


def _known_addresses(pointer: RegisterValue) -> list[int] | None:
    if isinstance(pointer, int):
        return [pointer]
    alternatives = (build.choices(pointer) or ()) if isinstance(pointer, Term) else ()
    addresses = [address for _, address in alternatives if isinstance(address, int)]
    return addresses if addresses and len(addresses) == len(alternatives) else None


def _has_narrow_name(step: Step, item: MemoryObject, start: int, end: int) -> bool:
    size = NARROW_POINTER.size
    words = range(max(start, 0) & -size, min(end, len(item.data) - size + 1), size)
    return any(
        not item.uninitialised_runs(word, size) and _is_narrow_address(step, item.read(word, size)) for word in words
    )


def _has_name(step: Step, item: MemoryObject, start: int, end: int) -> bool:
    if step.state.memory.is_narrow:
        return _has_narrow_name(step, item, start, end)
    data, mask = item.data, item.mask
    start, end = max(start, 0), min(end, len(data))
    first_word = start & -WORD
    if mask is None and not any(any(data[first_word + byte : end + WORD : WORD]) for byte in (NAMED_FROM, WORD - 1)):
        return False
    for word in range(first_word, end, WORD):
        last = min(end, word + WORD)
        if max(start, word + NUMBERED_FROM) >= last:
            continue
        if mask is None or not any(mask[word : word + WORD]):
            is_name = is_address(step, int.from_bytes(data[word : word + WORD], "little"))
        else:
            numbered = max(start, word + NUMBERED_FROM)
            is_begun = data[word + NAMED_FROM - 1 : word + NAMED_FROM] == _BEFORE_NAME
            is_number = bytes(data[word + NAMED_FROM : word + WORD]) in _ENDS_OF_NUMBERS
            is_name = is_begun or is_number or any(_is_of_name(item, position) for position in range(numbered, last))
        if is_name:
            return True
    return False


def _is_of_name(item: MemoryObject, position: int) -> bool:
    if item.mask is None or not item.symbolic or item.mask[position : position + 1] != _ONE_SYMBOLIC:
        return False
    term, _ = item.symbolic[position]
    return bool(named_objects(term))


def _numbers_in(kind: Type) -> Iterator[tuple[int, int]]:
    """The parts of a type that are no pointers: offset and size in bytes."""
    waiting = [(0, kind)]
    while waiting:
        offset, member = waiting.pop()
        if isinstance(member, StructType | ArrayType | VectorType):
            waiting += [(offset + at, part) for at, part in layout.parts_of(member)]
        elif not isinstance(member, PointerType):
            yield offset, layout.store_size(member)
